//! Lists of servers with items that violate the contract: the others are shown all the same.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::Tree;
use crate::support::command::Dibber;
use crate::support::fake_server::{Fake, Request};

/// A server with these items in its lists, and with whatever skill is read.
fn server(skills: Value, heartbeats: Value) -> Fake {
    Fake::new(move |request| {
        let tools = ["skill_list", "skill_get", "heartbeat_list"];
        let tools = tools.map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
        Some(request.usual(&json!(tools), &answer(request, &skills, &heartbeats)))
    })
}

fn answer(request: &Request, skills: &Value, heartbeats: &Value) -> Value {
    let parameters = &request.message["params"];
    let answer = match parameters["name"].as_str() {
        Some("skill_list") => json!({"items": skills, "nextCursor": null}),
        Some("heartbeat_list") => json!({"items": heartbeats, "nextCursor": null}),
        _ => {
            let mut found = skill("Walk", &parameters["arguments"]["skillId"]);
            found["prompt"] = "Walk.".into();
            json!({"skill": found, "canvases": []})
        }
    };
    let content = json!([{"type": "text", "text": answer.to_string()}]);
    json!({"resultType": "complete", "content": content})
}

fn skill(name: &str, id: &Value) -> Value {
    json!({
        "skillId": id, "name": name, "description": "Walks.", "category": "generic",
        "status": "active", "archived": false, "authorTier": "family", "lastTriggeredAt": null,
    })
}

fn with(mut item: Value, field: &str, value: Value) -> Value {
    item[field] = value;
    item
}

fn skills() -> Value {
    json!([
        with(skill("Own word", &json!("sk_1")), "category", "GENERIC\u{1b}[31m".into()),
        with(skill("Own state", &json!("sk_2")), "status", "in review".into()),
        skill("Spaces \u{1b}[31m", &json!("sk 3; rm")),
        with(skill("No flag", &json!("sk_4")), "archived", "no".into()),
        "sk_5",
        skill("Walk", &json!("sk_6")),
    ])
}

fn run(server: &Fake, tree: &Tree, arguments: &[&str]) -> String {
    let dibber = Dibber::new(arguments).arguments(&["--server", &server.url()]);
    let dibber = dibber.in_directory(tree.path()).data(&tree.path().join("data"));
    let ended = dibber.env("COLUMNS", "80").run();
    ended.show_without(tree.path()).replace(&server.url(), "URL")
}

#[test]
fn a_list_of_skills_names_the_ones_that_cannot_be_read() {
    let (server, tree) = (server(skills(), json!([])), Tree::new());
    assert_snapshot!("unreadable_skills", run(&server, &tree, &["skill", "list"]));
    let listed = run(&server, &tree, &["skill", "list", "--json"]);
    assert!(listed.contains("in review"), "{listed}");
}

#[test]
fn the_skills_that_can_be_read_are_pulled() {
    let (server, tree) = (server(skills(), json!([])), Tree::new());
    tree.write("dibber.toml", b"");
    let pulled = run(&server, &tree, &["pull", "--all", "--yes"]);
    assert!(pulled.contains("exit code: 0"), "{pulled}");
    assert!(pulled.contains("cannot read `No flag`"), "{pulled}");
    let pulled = pulled.lines().filter(|line| line.starts_with("Pulled")).count();
    assert_eq!(pulled, 3);
}

#[test]
fn a_list_of_more_unreadable_items_than_are_named_counts_the_rest() {
    let ids = 0..25;
    let items = ids.map(|number| skill(&format!("S{number}"), &json!(format!("a b{number}"))));
    let server = server(items.collect(), json!([]));
    let listed = run(&server, &Tree::new(), &["skill", "list"]);
    assert!(listed.contains("5 items more cannot be read"), "{listed}");
    assert!(!listed.contains("S20"), "{listed}");
}

#[test]
fn a_list_of_heartbeats_names_the_ones_that_cannot_be_read() {
    let heartbeat = |name: &str, id: &str| {
        json!({
            "heartbeatId": id, "name": name, "cron": "0 8 * * *", "cadenceText": "Every day at 8am",
            "enabled": true, "nextRunAt": null, "lastRunAt": null, "chatId": "chat_1",
        })
    };
    let members = json!([{"userId": "user_1", "role": "observer"}]);
    let heartbeats = json!([
        with(heartbeat("Morning", "hb_1"), "members", members),
        heartbeat("Noon", "hb 2"),
        heartbeat("Evening", "hb_3"),
    ]);
    let (server, tree) = (server(json!([]), heartbeats), Tree::new());
    assert_snapshot!("unreadable_heartbeats", run(&server, &tree, &["heartbeat", "list"]));
    let listed = run(&server, &tree, &["heartbeat", "list", "--json"]);
    assert!(listed.contains("observer"), "{listed}");
}

#[test]
fn a_list_of_which_nothing_can_be_read_is_not_empty() {
    let broken = || json!([{"name": "A"}, {"name": "B"}]);
    let (server, tree) = (server(broken(), broken()), Tree::new());
    for list in [["heartbeat", "list"], ["skill", "list"]] {
        let listed = run(&server, &tree, &list);
        assert!(!listed.contains("no heartbeats"), "{listed}");
        assert!(listed.contains("2 more cannot be read"), "{listed}");
        let listed = run(&server, &tree, &[&list[..], &["--json"]].concat());
        assert!(listed.contains("\"unreadable\": 2"), "{listed}");
        assert!(listed.contains("\"damaged\": 0"), "{listed}");
    }
}
