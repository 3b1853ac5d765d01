//! Pulls into projects with links that lead out of them.

use std::fs;

use serde_json::json;

use crate::support::Tree;
use crate::support::command::Dibber;
use crate::support::fake_server::Fake;

fn server(prompt: &'static str) -> Fake {
    Fake::new(move |request| {
        let tools = ["skill_list", "skill_get"];
        let tools = tools.map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
        let skill = json!({
            "skillId": "sk_1", "name": "Walk", "description": "Walks.", "category": "generic",
            "prompt": prompt, "archived": false,
        });
        let answer = match request.message["params"]["name"].as_str() {
            Some("skill_list") => json!({"items": [skill], "nextCursor": null}),
            _ => json!({"skill": skill, "canvases": []}),
        };
        let content = json!([{"type": "text", "text": answer.to_string()}]);
        Some(request.usual(&json!(tools), &json!({"resultType": "complete", "content": content})))
    })
}

#[test]
fn a_directory_above_that_links_out_of_the_project_is_not_written_through() {
    for mark in ["dibber.toml", "dibber.lock"] {
        let tree = Tree::new();
        let project = tree.path().join("home/project");
        let text = if mark == "dibber.lock" { "version = 2\n" } else { "" };
        tree.write(&format!("home/project/{mark}"), text.as_bytes());
        let run = |arguments: &[&str], server: &Fake| {
            let dibber = Dibber::new(arguments).arguments(&["--server", &server.url()]);
            dibber.in_directory(&project).data(&tree.path().join("data")).run()
        };
        let old = server("Walk.");
        let pulled = run(&["pull", "sk_1", "--yes", "--into", "sub"], &old);
        assert_eq!(pulled.code, 0, "{}", pulled.show());
        let new = server("Run.");
        let lock = tree.read("home/project/dibber.lock").replace(&old.url(), &new.url());
        tree.write("home/project/dibber.lock", lock.as_bytes());
        fs::rename(project.join("sub"), tree.path().join("home/out")).expect("a directory");
        tree.link("home/project/sub", "../out");
        for arguments in [&["--force"][..], &["--into", "sub"], &["--into", "sub/deeper"]] {
            let ended = run(&[&["pull", "sk_1", "--yes"], arguments].concat(), &new);
            assert_ne!(ended.code, 0, "{}", ended.show());
            let cause = "is a symbolic link to a file outside the project";
            assert!(ended.stderr.contains(cause), "{}", ended.show());
        }
        assert!(tree.read("home/out/walk/SKILL.md").contains("Walk."));
        assert!(!tree.path().join("home/out/deeper").exists());
    }
}
