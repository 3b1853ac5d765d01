//! Ctrl-C while several changes of a push wait for their answers.

use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::push::PLAN;
use crate::support::Tree;
use crate::support::command::{Dibber, Ended, restore_interrupts};
use crate::support::fake_server::{Fake, Reply, Request};

/// How often a test looks whether the changes were sent.
const PAUSE: Duration = Duration::from_millis(20);

fn is_commit(request: &Request) -> bool {
    let parameters = &request.message["params"];
    parameters["name"] == "skill_write" && parameters["arguments"]["dryRun"] != true
}

/// Answers everything but commits.
fn answer(request: &Request) -> Option<Reply> {
    let tools = ["skill_write", "skill_update", "skill_list", "skill_get"];
    let tools = tools.map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
    let answer: Value = match request.message["params"]["name"].as_str() {
        Some("skill_write") => json!({"specHash": "own", "policyDecision": "allow"}),
        _ => json!({"items": [], "nextCursor": null}),
    };
    let content = json!([{"type": "text", "text": answer.to_string()}]);
    let result = json!({"resultType": "complete", "content": content});
    (!is_commit(request)).then(|| request.usual_with_keys(&json!(tools), &result))
}

#[test]
fn an_interrupted_push_counts_the_changes_without_an_answer() {
    restore_interrupts();
    for (names, expected) in [
        (&["one"][..], "it is not known whether the change was made"),
        (&["one", "two", "three"], "it is not known whether 3 changes were made"),
    ] {
        let (server, tree) = (Fake::new(answer), Tree::new());
        tree.write("dibber.toml", b"");
        for name in names {
            let skill = PLAN.replace("plan-my-week", name).replace("Plan my week", name);
            tree.write(&format!("skills/{name}/SKILL.md"), skill.as_bytes());
        }
        let push = ["push", "skills", "--yes", "--no-heartbeats", "--server", &server.url()];
        let dibber = Dibber::new(push).in_directory(tree.path()).data(&tree.path().join("data"));
        let child = dibber.start();
        while server.calls().iter().filter(|request| is_commit(request)).count() < names.len() {
            thread::sleep(PAUSE);
        }
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(killed.expect("kill").success());
        let ended = Ended::of(&child.wait_with_output().expect("an end"));
        assert!(ended.stderr.contains(expected), "{}", ended.show());
        assert_eq!(ended.code, 130, "{}", ended.show());
    }
}
