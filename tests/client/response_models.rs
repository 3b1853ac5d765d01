//! Response models on their way: to a server that takes none, and to one that does and back.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};
use crate::support::fake_server::Fake;

const SKILL: &str = "\
---
name: quiz
description: Asks five questions. Use when a child wants a quiz.
---

# Quiz

Ask five questions about {{input.topic}}.
";

const MANIFEST: &str = "\
# Our quiz.
label: Quiz
result:
  type: object   # what each run reports
  required: [asked]
  properties:
    asked: { type: integer }
";

/// A server of another make, whose tool takes none.
fn server_without_models() -> Fake {
    let arguments = ["name", "description", "prompt", "inputVariables", "dryRun", "specHash"];
    let properties: Value =
        arguments.map(|name| (name.to_owned(), json!({}))).into_iter().collect();
    let stored = Arc::new(Mutex::new(Value::Null));
    Fake::new(move |request| {
        let tools = ["skill_write", "skill_get", "skill_list"].map(|name| {
            let properties = if name == "skill_write" { properties.clone() } else { json!({}) };
            json!({"name": name, "inputSchema": {"type": "object", "properties": properties}})
        });
        let sent = &request.message["params"]["arguments"];
        let answer = match request.message["params"]["name"].as_str() {
            Some("skill_write") if sent["dryRun"] == true => {
                json!({"specHash": "h", "policyDecision": "allow", "previewSkill": {}})
            }
            Some("skill_write") => {
                let mut skill = sent.clone();
                skill["skillId"] = "sk_1".into();
                skill["category"] = "generic".into();
                *stored.lock().expect("no panic") = skill;
                json!({"skillId": "sk_1", "nextStep": "Invoke it."})
            }
            Some("skill_get") => {
                json!({"skill": *stored.lock().expect("no panic"), "canvases": []})
            }
            _ => json!({"items": [], "nextCursor": null}),
        };
        let content = json!([{"type": "text", "text": answer.to_string()}]);
        let result = json!({"resultType": "complete", "content": content, "isError": false});
        Some(request.usual(&json!(tools), &result))
    })
}

fn project() -> Tree {
    let tree = Tree::new();
    tree.write("dibber.toml", b"");
    tree.write("quiz/SKILL.md", SKILL.as_bytes());
    tree.write("quiz/sprout.yaml", MANIFEST.as_bytes());
    tree
}

fn run(tree: &Tree, arguments: &[&str]) -> Ended {
    let dibber = Dibber::new(arguments.iter().copied()).in_directory(tree.path());
    dibber.data(&tree.path().join("data")).env("COLUMNS", "80").run()
}

#[test]
fn a_model_is_not_sent_to_a_server_that_takes_none() {
    let (tree, server) = (project(), server_without_models());
    let url = server.url();
    let pushed = run(&tree, &["push", "--yes", "--server", &url]);
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    assert!(pushed.stdout.contains("RESPONSE_MODEL_NOT_SENT"), "{}", pushed.show());
    assert!(server.calls().iter().all(|call| !call.message.to_string().contains("responseModel")));
    let again = run(&tree, &["push", "--yes", "--server", &url]);
    assert!(again.stderr.starts_with("Nothing to publish"), "{}", again.show());
    let pulled = run(&tree, &["pull", "quiz", "--server", &url]);
    assert_eq!(tree.read("quiz/sprout.yaml"), MANIFEST, "{}", pulled.show());
    // Another model alone is nothing that it could take.
    tree.write("quiz/sprout.yaml", MANIFEST.replace("integer", "number").as_bytes());
    let changed = run(&tree, &["push", "--yes", "--server", &url]);
    assert!(changed.stderr.starts_with("Nothing to publish"), "{}", changed.show());
}

/// The skill on the server in this program.
fn stored(tree: &Tree) -> Value {
    let got = run(tree, &["skill", "get", "quiz", "--json"]);
    serde_json::from_str::<Value>(&got.stdout).expect("JSON")["skill"].clone()
}

/// Changes the model on that server, as another writer does.
fn set_model(tree: &Tree, id: &str, model: &Value) {
    let (id, model) = (format!("skillId={id}"), format!("responseModel:={model}"));
    let called = run(tree, &["call", "skill_update", &id, &model]);
    assert_eq!(called.code, 0, "{}", called.show());
}

#[test]
fn a_model_is_pushed_changed_on_both_sides_and_pulled() {
    let tree = project();
    let pushed = run(&tree, &["push", "--yes"]);
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    let skill = stored(&tree);
    let model = json!({
        "type": "object", "required": ["asked"], "properties": {"asked": {"type": "integer"}},
    });
    assert_eq!(skill["responseModel"], model);
    let again = run(&tree, &["push", "--yes"]);
    assert!(again.stderr.starts_with("Nothing to publish"), "{}", again.show());
    assert_eq!(run(&tree, &["pull", "quiz"]).code, 0);
    assert_eq!(tree.read("quiz/sprout.yaml"), MANIFEST, "its comments stay");

    tree.write("quiz/sprout.yaml", MANIFEST.replace("integer", "number").as_bytes());
    let changed = run(&tree, &["push", "--yes"]);
    assert!(changed.code == 0 && changed.stderr.contains("Updated"), "{}", changed.show());
    assert_eq!(stored(&tree)["responseModel"]["properties"]["asked"]["type"], "number");

    let id = skill["skillId"].as_str().expect("an id");
    let other = json!({"type": "object", "properties": {"right": {"minimum": 0.5}}, "enum": [{}]});
    set_model(&tree, id, &other);
    let status = run(&tree, &["diff"]);
    assert!(status.stdout.contains("\"right\""), "{}", status.show());
    let pulled = run(&tree, &["pull", "quiz"]);
    assert_eq!(pulled.code, 0, "{}", pulled.show());
    insta::assert_snapshot!(tree.read("quiz/sprout.yaml"));
    let again = run(&tree, &["push", "--yes"]);
    assert!(again.stderr.starts_with("Nothing to publish"), "{}", again.show());
}

#[test]
fn a_model_and_a_prompt_that_were_changed_on_two_sides_are_merged() {
    let tree = project();
    assert_eq!(run(&tree, &["push", "--yes"]).code, 0);
    let id = stored(&tree)["skillId"].as_str().expect("an id").to_owned();
    set_model(&tree, &id, &Value::Null);
    tree.write("quiz/SKILL.md", SKILL.replace("five questions about", "ten about").as_bytes());
    let merged = run(&tree, &["push", "--merge", "--yes"]);
    assert_eq!(merged.code, 0, "{}", merged.show());
    assert_eq!(tree.read("quiz/sprout.yaml"), "# Our quiz.\nlabel: Quiz\n");
    let skill = stored(&tree);
    assert_eq!(skill.get("responseModel"), Some(&Value::Null));
    assert!(skill["prompt"].as_str().expect("a prompt").contains("ten about"), "{skill}");
}
