//! No key shows in what commands list of a server, or say of files.

use std::fs;

use serde_json::json;

use super::push::{PLAN, Project};
use crate::support::Tree;
use crate::support::command::Dibber;
use crate::support::fake_server::Fake;

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
