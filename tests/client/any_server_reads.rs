//! What a server of another make has is read before and after it is changed: what happens where
//! that fails, or where another process works in the same project.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use serde_json::{Value, json};

use super::any_server_world::{Stored, Ways, World};
use crate::support::Tree;
use crate::support::command::Dibber;
use crate::support::fake_server::Fake;

/// Whether it has ignored a field is not known, so nothing is recorded that says that it has not.
#[test]
fn a_skill_that_cannot_be_read_back_is_reported_and_compared_by_the_next_push() {
    let world = World::new(Ways::default());
    world.fail_after("skill_write", "skill_get");
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 6, "{}", pushed.show());
    let error = "the server accepted sk_0, and what it stored could not be read";
    assert!(pushed.stderr.contains(error), "{}", pushed.show());
    world.repair();
    world.stored().skills[0]["prompt"] = "Something else.".into();
    let again = world.push("plan");
    assert_eq!(again.code, 3, "{}", again.show());
    world.stored().skills[0]["prompt"] = "# Plan\n\nPlan the week of {{input.who}}.\n".into();
    let again = world.push("plan");
    assert_eq!(again.code, 0, "{}", again.show());
    assert_eq!(world.stored().skills.len(), 1);
}

#[test]
fn heartbeats_of_a_new_skill_that_cannot_be_planned_do_not_keep_others_from_being_set() {
    let world = World::new(Ways::default());
    let manifest = world.tree.read("plan/sprout.yaml");
    let (without, _) = manifest.split_once("heartbeats:").expect("heartbeats");
    world.tree.write("plan/sprout.yaml", without.as_bytes());
    assert_eq!(world.push("plan").code, 0);
    world.tree.write("plan/sprout.yaml", manifest.as_bytes());
    world.write("other", "Ada", "0 9 * * 1", "America/New_York");
    world.fail_after("skill_write", "heartbeat_list");
    world.stored().edited_after = Some(("heartbeat_list", repair_once_failed));
    let pushed = world.run(&["push", "--yes", "plan", "other", "--json"]);
    assert_eq!(pushed.code, 3, "{}", pushed.show());
    assert_eq!(world.heartbeats()[0]["cron"], "0 17 * * 5", "{}", pushed.show());
    let shown: Value = serde_json::from_str(&pushed.stdout).expect("JSON");
    let items = shown["items"].as_array().expect("items");
    assert!(items.iter().all(|item| item["heartbeats"].as_array().map(Vec::len) == Some(1)));
    let help = "the skill is published without this heartbeat";
    assert!(pushed.stderr.contains(help), "{}", pushed.show());
    let again = world.run(&["push", "--yes", "plan", "other"]);
    assert_eq!((again.code, world.made()), (0, 2), "{}", again.show());
}

/// Lets every tool work again once the list of heartbeats has failed.
fn repair_once_failed(stored: &mut Stored) {
    if stored.failing.take().is_none() {
        stored.edited_after = Some(("heartbeat_list", repair_once_failed));
    }
}

/// A pull that waited for another process writes what the server has after that one.
#[test]
fn a_pull_locks_before_it_reads() {
    let world = World::new(Ways::default());
    assert_eq!(world.push("plan").code, 0);
    let project = File::open(world.tree.path()).expect("a directory");
    project.lock().expect("a lock");
    let url = world.server.url();
    let pull = Dibber::new(["pull", "plan", "--server", &url]).in_directory(world.tree.path());
    let mut pull = pull.data(&world.tree.path().join("data")).start();
    let mut stderr = BufReader::new(pull.stderr.take().expect("a pipe"));
    let mut waiting = String::new();
    stderr.read_line(&mut waiting).expect("a line");
    assert!(waiting.starts_with("waiting for another dibber process"), "{waiting}");
    world.stored().skills[0]["prompt"] = "# Plan\n\nPlan the month of {{input.who}}.\n".into();
    project.unlock().expect("no lock");
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).expect("the rest");
    assert_eq!(pull.wait().expect("a process").code(), Some(0), "{rest}");
    assert!(world.tree.read("plan/SKILL.md").contains("Plan the month"), "{rest}");
}

/// A skill that is not among those that were listed would be created a second time.
#[test]
fn nothing_is_created_on_a_server_whose_skills_cannot_all_be_listed() {
    let server = Fake::new(|request| {
        let parameters = &request.message["params"];
        let arguments = &parameters["arguments"];
        let answer = match parameters["name"].as_str() {
            Some("skill_list") => {
                let page = arguments["cursor"].as_str().map_or(0, |it| it.parse().unwrap_or(0));
                let count = arguments["limit"].as_u64().expect("a limit");
                let items = (0..count).map(|index| {
                    json!({
                        "skillId": format!("sk_{page}_{index}"), "name": "Walk",
                        "description": "Walks.", "category": "generic", "status": "active",
                        "archived": false, "authorTier": "family", "lastTriggeredAt": null,
                    })
                });
                let next = (page + 1).to_string();
                json!({"items": items.collect::<Vec<_>>(), "nextCursor": next})
            }
            Some("skill_write") => json!({"specHash": "own", "policyDecision": "allow"}),
            _ => json!({"items": [], "nextCursor": null}),
        };
        let tools = ["skill_write", "skill_list", "skill_get"];
        let tools = tools.map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
        let content = json!([{"type": "text", "text": answer.to_string()}]);
        let result = json!({"resultType": "complete", "content": content});
        Some(request.usual(&json!(tools), &result))
    });
    let tree = Tree::new();
    tree.write("dibber.toml", b"");
    let skill = b"---\nname: plan\ndescription: Plans. Use when asked.\n---\n\nPlan.\n";
    tree.write("plan/SKILL.md", skill);
    let push = Dibber::new(["push", "--yes", "plan", "--server", &server.url()]);
    let ended = push.in_directory(tree.path()).data(&tree.path().join("data")).run();
    assert_eq!(ended.code, 6, "{}", ended.show());
    assert!(ended.stderr.contains("the server has more than 10000 skills"), "{}", ended.show());
    let is_commit = |arguments: &Value| arguments["specHash"].is_string();
    let calls = server.calls();
    assert!(!calls.iter().any(|call| is_commit(&call.message["params"]["arguments"])));
}
