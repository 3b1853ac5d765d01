//! `dibber status` of servers that are not well.

use serde_json::{Value, json};

use crate::support::command::{Dibber, Ended};
use crate::support::fake_server::{Fake, Reply, Request};

fn text(request: &Request, text: &str, is_error: bool) -> Reply {
    let content = json!([{"type": "text", "text": text}]);
    request.result(&json!({"resultType": "complete", "content": content, "isError": is_error}))
}

#[test]
fn the_help_of_status_is_not_to_run_status() {
    for status in [200, 500] {
        let server = Fake::new(move |_| Some(Reply::page(status, "<html>nginx</html>")));
        let ended = Dibber::new(["status", "--server", &server.url(), "--timeout", "3"]).run();
        assert_ne!(ended.code, 0, "{}", ended.show());
        assert!(!ended.stderr.contains("`dibber status"), "{}", ended.show());
    }
}

/// Runs `status` on a server that answers one of its tools so.
fn status(
    tool: &'static str,
    answer: impl Fn(&Request) -> Reply + Send + Sync + 'static,
    format: &[&str],
) -> Ended {
    let server = Fake::new(move |request| {
        let tool_named = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
        let tools: Value = ["mcp_whoami", "mcp_health"].map(tool_named).into_iter().collect();
        let called = request.message["params"]["name"].as_str();
        Some(match request.method() {
            "tools/list" if tool == "tools/list" => answer(request),
            "tools/call" if called == Some(tool) => answer(request),
            "tools/call" => text(
                request,
                r#"{"userId":"u","name":"P","familyId":"f","scopes":[],
                   "status":"ok","time":"2026-01-01T00:00:00Z","server":"s"}"#,
                false,
            ),
            _ => request.usual(&tools, &Value::Null),
        })
    });
    Dibber::new([&["status", "--server", &server.url()], format].concat()).run()
}

#[test]
fn a_health_that_cannot_be_read_is_shown() {
    let failed = |request: &Request| text(request, "DOWN: no disk\nhelp: none", true);
    let ended = status("mcp_health", failed, &[]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert!(ended.stdout.contains("health"), "{}", ended.show());
    assert!(ended.stdout.contains("DOWN: no disk"), "{}", ended.show());
    let short = |request: &Request| text(request, r#"{"status":"down"}"#, false);
    let ended = status("mcp_health", short, &[]);
    assert!(ended.stdout.contains("down"), "{}", ended.show());
    let ended = status("mcp_health", short, &["--json"]);
    let shown: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(shown["health"]["status"], "down", "{}", ended.show());
    let ended = status("mcp_health", failed, &["--json"]);
    let shown: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let error = shown["healthError"].as_str().unwrap_or_default();
    assert!(error.contains("DOWN: no disk"), "{}", ended.show());
}

#[test]
fn an_account_that_cannot_be_read_is_shown() {
    let failed = |request: &Request| text(request, "no account", true);
    let ended = status("mcp_whoami", failed, &[]);
    assert!(ended.code == 0 && ended.stdout.contains("no account"), "{}", ended.show());
    assert!(ended.stdout.contains("ok, 2026"), "{}", ended.show());
    let ended = status("mcp_whoami", failed, &["--json"]);
    let shown: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let error = shown["whoamiError"].as_str().unwrap_or_default();
    assert!(error.contains("no account"), "{}", ended.show());
}

#[test]
fn tools_that_cannot_be_listed_are_not_counted() {
    let failed = |request: &Request| request.result(&json!({"resultType": "complete"}));
    let ended = status("tools/list", failed, &[]);
    assert_ne!(ended.code, 0, "{}", ended.show());
    assert!(ended.stdout.contains("protocol"), "{}", ended.show());
    assert!(ended.stdout.contains("unknown"), "{}", ended.show());
    let ended = status("tools/list", failed, &["--json"]);
    let shown: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(shown["tools"], Value::Null, "{}", ended.show());
}
