//! No key shows in what commands list of a server, or say of files.

use std::fs;
#[cfg(unix)]
use std::time::Duration;

#[cfg(unix)]
use serde_json::Value;
use serde_json::json;

use super::push::{PLAN, Project};
use crate::support::Tree;
use crate::support::command::Dibber;
use crate::support::fake_server::Fake;
#[cfg(unix)]
use crate::support::fake_server::Reply;
#[cfg(unix)]
use crate::support::terminal::Terminal;

/// Something that has the form of a key.
const KEY: &str = "sk_live_4eC39HqLyjWDarjtT1zdp7dcX";

#[test]
fn a_pull_into_a_directory_that_is_named_like_a_key() {
    let project = Project::new();
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    let into = Tree::new();
    fs::create_dir(into.path().join(KEY)).expect("a directory");
    let pull = |arguments: &[&str]| {
        let arguments = [&["pull", "--all", "--into", KEY], arguments].concat();
        Dibber::new(&arguments).in_directory(into.path()).data(project.data.path()).run()
    };
    let file = format!("{KEY}/plan-my-week/SKILL.md");
    let shown = [pull(&["--dry-run"]), pull(&["--json"]), pull(&[])];
    into.write(&file, PLAN.replace("Plan the week that", "Think of the week that").as_bytes());
    for ended in shown.into_iter().chain([pull(&["--dry-run"]), pull(&["--force", "--json"])]) {
        let shown = ended.show();
        assert!(ended.code == 0 && !shown.contains(&KEY[8..]), "{shown}");
    }
    assert!(into.path().join(file).exists());
}

#[test]
fn heartbeats_and_grown_ups_that_are_named_like_a_key() {
    let heartbeats = json!({"items": [{
        "heartbeatId": "hb_1", "name": KEY, "cron": "0 7 * * *", "tz": "UTC",
        "cadenceText": format!("Every day, {KEY}"), "enabled": true, "nextRunAt": KEY,
        "chatId": "th_1", "members": [],
    }]});
    let parents = json!([{"userId": "u_1", "name": KEY}]);
    let family = json!({"familyId": "fam_1", "parents": parents, "kids": []});
    let server = Fake::new(move |request| {
        let tool = |name: &str| {
            let annotations = json!({"readOnlyHint": true});
            json!({"name": name, "inputSchema": {"type": "object"}, "annotations": annotations})
        };
        let tools = json!([tool("heartbeat_list"), tool("family_query_overview")]);
        let content = match request.message["params"]["name"].as_str() {
            Some("heartbeat_list") => &heartbeats,
            _ => &family,
        };
        let text = json!([{"type": "text", "text": content.to_string()}]);
        let result = json!({
            "resultType": "complete", "content": text, "structuredContent": content,
        });
        Some(request.usual(&tools, &result))
    });
    let url = server.url();
    for command in [&["heartbeat", "list"][..], &["heartbeat", "members", "hb_1"]] {
        for format in [&[][..], &["--json"]] {
            let ended = Dibber::new([command, format, &["--server", &url]].concat()).run();
            let shown = ended.show();
            assert!(ended.code == 0 && shown.contains('*'), "{shown}");
            assert!(!shown.contains(&KEY[8..]), "{shown}");
        }
    }
}

/// The token of a test, and the value of a header, neither of which has the form of a key.
const TOKEN: &str = "plainsecret-7";
const HEADER_VALUE: &str = "othersecret-8";

#[test]
fn a_server_that_repeats_the_token_in_its_errors() {
    for kind in ["rpc", "contract", "text", "unreadable"] {
        let server = Fake::new(move |request| {
            let sent = format!(
                "{} {}",
                request.header("authorization").unwrap_or("none"),
                request.header("x-key").unwrap_or("none")
            );
            let tools = json!([{"name": "skill_list", "inputSchema": {"type": "object"}}]);
            if kind == "rpc" && request.method() == "tools/call" {
                return Some(request.error_with(-32602, &sent, &json!({"sent": sent})));
            }
            let (text, is_error) = match kind {
                "contract" => (
                    json!({"error": {
                        "code": "BAD_INPUT", "reason": "R", "message": sent, "fix": sent,
                        "details": {"sent": [sent]},
                    }})
                    .to_string(),
                    true,
                ),
                "text" => (sent, true),
                _ => (json!({"items": sent}).to_string(), false),
            };
            let content = json!([{"type": "text", "text": text}]);
            let result = json!({"resultType": "complete", "content": content, "isError": is_error});
            Some(request.usual(&tools, &result))
        });
        let url = server.url();
        let header = format!("X-Key: Bearer {HEADER_VALUE}");
        let commands: &[&[&str]] = match kind {
            "unreadable" => &[&["skill", "list"], &["skill", "list", "--json"]],
            _ => &[&["skill", "list"], &["skill", "list", "--json"], &["call", "skill_list"]],
        };
        for command in commands {
            let command = [command, &["--server", &url, "--header", &header][..]].concat();
            let ended = Dibber::new(&command).env("DIBBER_TOKEN", TOKEN).run();
            let shown = ended.show();
            assert_ne!(ended.code, 0, "{shown}");
            assert!(!shown.contains(TOKEN) && !shown.contains(HEADER_VALUE), "{kind}: {shown}");
            assert!(kind == "unreadable" || shown.contains("bearer ****"), "{kind}: {shown}");
        }
        let calls = server.calls();
        let sent = calls[0].header("authorization");
        assert_eq!(sent, Some(format!("bearer {TOKEN}").as_str()), "{kind}");
    }
}

/// The token as a part of a URL or of other values, which a server may repeat anywhere.
#[test]
fn a_server_that_repeats_the_token_in_another_form() {
    const TOKEN: &str = "plain/secret+7=mo?re>";
    const PASSWORD: &str = "other~secret?8";
    // Of `me:` and the password.
    const BASIC: &str = "bWU6b3RoZXJ+c2VjcmV0Pzg=";
    for (form, hidden) in [
        (TOKEN, "secret"),
        ("plain%2Fsecret%2B7%3Dmo%3Fre%3E", "secret"),
        ("plain%2fsecret+7%3Dmo?re>", "secret"),
        ("plain\\u002Fsecret+7=mo?re>", "secret"),
        // Alone, and after one and two more bytes, in both alphabets.
        ("cGxhaW4vc2VjcmV0Kzc9bW8/cmU+", "cmV0Kzc9"),
        ("OnBsYWluL3NlY3JldCs3PW1vP3JlPg==", "ZWNyZXQ"),
        ("OjpwbGFpbi9zZWNyZXQrNz1tbz9yZT4", "zZWNyZXQr"),
        ("cGxhaW4vc2VjcmV0Kzc9bW8_cmU-", "cmV0Kzc9"),
        (PASSWORD, "secret"),
        (BASIC, "c2VjcmV0"),
    ] {
        let server = Fake::new(move |request| {
            let tools = json!([{"name": "work", "inputSchema": {"type": "object"}}]);
            let content = json!([{"type": "text", "text": format!("failed ({form}) ({form})")}]);
            let result = json!({"resultType": "complete", "content": content, "isError": true});
            Some(request.usual(&tools, &result))
        });
        let header = format!("X-Key: Basic {BASIC}");
        let arguments = ["call", "work", "--server", &server.url(), "--header", &header];
        let ended = Dibber::new(arguments).env("DIBBER_TOKEN", TOKEN).run();
        let shown = ended.show();
        assert!(shown.contains("failed (") && shown.contains("****"), "{shown}");
        assert!(!shown.contains(hidden), "{form}: {shown}");
    }
}

#[cfg(unix)]
#[test]
fn a_server_that_repeats_the_token_in_its_progress() {
    let server = Fake::new(|request| {
        let tools = json!([{"name": "work", "inputSchema": {"type": "object"}}]);
        if request.method() != "tools/call" {
            return Some(request.usual(&tools, &json!(null)));
        }
        let token = &request.message["params"]["_meta"]["progressToken"];
        let said = format!("working with {TOKEN}, {}", TOKEN.replace('-', "%2D"));
        let params = json!({"progressToken": token, "progress": 1, "message": said});
        let progress =
            json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
        let result = json!({"resultType": "complete", "content": []});
        let result = json!({"jsonrpc": "2.0", "id": request.message["id"], "result": result});
        Some(Reply::slow_stream(&[progress, result], Duration::from_millis(500)))
    });
    let (data, url) = (Tree::new(), server.url());
    let arguments = ["call", "work", "--server", url.as_str()];
    let terminal = Terminal::start_with(data.path(), &data, &arguments, &[("DIBBER_TOKEN", TOKEN)]);
    let (shown, code) = terminal.end();
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains("working with ****, ****"), "{shown}");
}

#[cfg(unix)]
#[test]
fn a_server_that_repeats_the_token_in_its_questions() {
    let schema = json!({"type": "object", "required": ["town"], "properties": {
        "town": {"type": "string", "title": format!("town of {TOKEN}"),
            "description": format!("where {TOKEN} is"), "default": TOKEN},
        "size": {"type": "string", "oneOf": [
            {"const": "small", "title": format!("small {TOKEN}")}, {"const": "large", "title": "large"},
        ]},
    }});
    let form = json!({"message": format!("Where is {TOKEN}?"), "requestedSchema": schema});
    let page = json!({"mode": "url", "message": "Sign in.", "elicitationId": "1",
        "url": format!("https://accounts.example/sign-in?t={}", TOKEN.replace('-', "%2D"))});
    let ask = |question: &Value| json!({"method": "elicitation/create", "params": question});
    let requests = json!({"a": ask(&form), "b": ask(&page)});
    let server = Fake::new(move |request| {
        let tools = json!([{"name": "work", "inputSchema": {"type": "object"}}]);
        if request.method() != "tools/call" {
            return Some(request.usual(&tools, &json!(null)));
        }
        if request.message["params"]["inputResponses"].is_object() {
            return Some(request.result(&json!({"resultType": "complete", "content": []})));
        }
        let requests = json!({
            "resultType": "input_required", "requestState": "s-1", "inputRequests": requests,
        });
        Some(request.result(&requests))
    });
    let (data, url) = (Tree::new(), server.url());
    let arguments = ["call", "work", "--server", url.as_str()];
    let mut terminal =
        Terminal::start_with(data.path(), &data, &arguments, &[("DIBBER_TOKEN", TOKEN)]);
    terminal.wait_for("the server asks: Where is ****?");
    terminal.answer("answer it?", "y");
    terminal.answer("town of ****", "Ulm");
    terminal.answer("size, optional", "2");
    let (shown, code) = terminal.end();
    assert_eq!(code, 0, "{shown}");
    assert!(!shown.contains(TOKEN) && !shown.contains("accounts.example"), "{shown}");
    let sent = &server.calls()[1].message["params"]["inputResponses"];
    assert_eq!(sent["a"]["content"], json!({"size": "large", "town": "Ulm"}));
    assert_eq!(sent["b"], json!({"action": "decline"}));
}
