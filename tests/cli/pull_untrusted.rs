//! Pulls of skills whose content a file cannot have, or a person would not see.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::Tree;
use crate::support::command::Dibber;
use crate::support::fake_server::Fake;

/// Pulls one skill with these fields, and returns what is shown.
fn pull(tree: &Tree, fields: Value) -> String {
    let server = Fake::new(move |request| {
        let tools = ["skill_list", "skill_get"];
        let tools = tools.map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
        let mut skill = json!({
            "skillId": "sk_1", "name": "Walk", "description": "Walks.", "category": "generic",
            "status": "active", "archived": false, "authorTier": "family", "lastTriggeredAt": null,
            "prompt": "Walk.",
        });
        for (name, value) in fields.as_object().into_iter().flatten() {
            skill[name] = value.clone();
        }
        let answer = match request.message["params"]["name"].as_str() {
            Some("skill_list") => json!({"items": [skill], "nextCursor": null}),
            _ => json!({"skill": skill, "canvases": []}),
        };
        let content = json!([{"type": "text", "text": answer.to_string()}]);
        Some(request.usual(&json!(tools), &json!({"resultType": "complete", "content": content})))
    });
    tree.write("dibber.toml", b"");
    let dibber = Dibber::new(["pull", "sk_1", "--into", "skills", "--server", &server.url()]);
    let dibber = dibber.in_directory(tree.path()).data(&tree.path().join("data"));
    let ended = dibber.env("COLUMNS", "100").run();
    ended.show_without(tree.path()).replace(&server.url(), "URL")
}

#[test]
fn text_with_controls_is_written_with_a_warning() {
    let tree = Tree::new();
    let (bell, hidden) = ("Walk.\u{7}\u{1b}[31m\0", "Walks \u{202e}home.");
    assert_snapshot!(pull(&tree, json!({"prompt": bell, "description": hidden})));
    assert!(tree.read("skills/walk/SKILL.md").contains(bell));
    let (tree, family) = (Tree::new(), "Walk\thome.\r\nWalk 👩‍👧.\n");
    let shown = pull(&tree, json!({"prompt": family}));
    assert!(!shown.contains("control"), "{shown}");
}

#[test]
fn content_that_files_cannot_have_is_refused() {
    let inputs = |name: &str| json!({"inputVariables": [{"name": name}]});
    let unusable = [
        json!({"name": "W".repeat(1 << 20)}),
        json!({"prompt": "W".repeat(2 << 20)}),
        inputs("-"),
        inputs(""),
        inputs("../x\u{1b}[31m"),
    ];
    let shown = unusable.map(|fields| {
        let tree = Tree::new();
        let shown = pull(&tree, fields);
        assert!(!tree.path().join("skills").exists(), "{shown}");
        shown
    });
    assert_snapshot!(shown.join("\n"));
}
