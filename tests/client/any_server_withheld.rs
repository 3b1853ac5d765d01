//! What is printed of a skill that another server refuses because of a name that is known there alone.

use serde_json::{Value, json};

use super::any_server_world::{Ways, World};
use crate::support::Tree;
use crate::support::command::Dibber;
use crate::support::fake_server::Fake;

const SKILL: &str = "\
---
name: quiz
description: Asks five questions about animals. Use it after lunch.
---

Ask five questions.
";

/// A server that answers a write with this result, and whether that is an error.
fn server(answer: Value, is_error: bool) -> Fake {
    Fake::new(move |request| {
        let answer = match request.message["params"]["name"].as_str() {
            Some("skill_write") => (&answer, is_error),
            _ => (&json!({"items": [], "nextCursor": null}), false),
        };
        let tools = ["skill_write", "skill_update", "skill_get", "skill_list"];
        let tools = tools.map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
        let content = json!([{"type": "text", "text": answer.0.to_string()}]);
        let result = json!({"resultType": "complete", "content": content, "isError": answer.1});
        Some(request.usual(&json!(tools), &result))
    })
}

#[test]
fn a_refused_label_is_withheld() {
    let reason = |path: &str, code: &str| {
        json!({"reason": code, "decision": "refuse", "path": path, "message": "it has a name",
            "fix": "remove it"})
    };
    let policy = |reasons: &[Value]| json!({"policyDecision": {"decision": "refuse", "reasons": reasons}, "specHash": "h"});
    let all = ["name", "description", "prompt", "handsReferenced", "inputVariables"];
    let issues = json!({"issues": [reason("/prompt", "PII_IN_PROMPT"), reason("/name", "LONG")]});
    let error = |more: Value| {
        let mut error = json!({"code": "BAD_INPUT", "message": "it has a name", "fix": ""});
        error.as_object_mut().expect("an object").extend(more.as_object().expect("one").clone());
        error
    };
    let quoting = json!({"message": "`The game of Zoraquim` has a name", "fix": "write another one \
        than The game of Zoraquim", "reason": "PII_IN_PROMPT"});
    let mut quoted = reason("/name", "PII_IN_PROMPT");
    quoted["message"] = "`The game of Zoraquim` has a name".into();
    for (answer, is_error, withheld) in [
        (policy(&[reason("/name", "PII_IN_PROMPT")]), false, &["name"][..]),
        (policy(&[reason("/inputVariables/0", "PII_IN_PROMPT")]), false, &["inputVariables"]),
        (policy(&[reason("", "PII_IN_PROMPT")]), false, &all),
        (policy(&[reason("/name", "TOO_LONG")]), false, &[]),
        (error(json!({"reason": "PII_IN_PROMPT"})), true, &all),
        (error(json!({"message": "PII_IN_PROMPT"})), true, &all),
        (error(json!({"reason": "PII_IN_PROMPT", "details": issues})), true, &["prompt"]),
        (error(json!({"reason": "TOO_LONG"})), true, &[]),
        (json!("PII_IN_PROMPT: it has a name"), true, &all),
        (policy(&[quoted]), false, &["name"]),
        (error(quoting), true, &all),
    ] {
        let tree = Tree::new();
        tree.write("dibber.toml", b"");
        tree.write("quiz/SKILL.md", SKILL.as_bytes());
        tree.write("quiz/sprout.yaml", b"label: The game of Zoraquim\n");
        let server = server(answer.clone(), is_error);
        for command in [&["push", "--yes"][..], &["diff"]] {
            let run = |more: &[&str]| {
                let dibber = Dibber::new(command).arguments(&["--server", &server.url()]);
                dibber.arguments(more).in_directory(tree.path()).run()
            };
            let ended = run(&["--json"]);
            let document: Value = serde_json::from_str(&ended.stdout).expect("JSON");
            let item = &document["items"][0];
            assert_eq!(item["withheld"], json!(withheld), "{answer}: {}", ended.show());
            let is_shown = !withheld.contains(&"name");
            assert_eq!(ended.stdout.contains("Zoraquim"), is_shown, "{}", ended.show());
            assert_eq!(item["name"].is_string(), is_shown, "{}", ended.show());
            let text = run(&[]).show();
            assert!(!text.contains("Zoraquim"), "{text}");
        }
    }
}

/// The error of a server that quotes a name.
fn refusal(quoted: &str) -> Value {
    json!({"code": "BAD_INPUT", "reason": "PII_IN_PROMPT", "message": format!("`{quoted}` has a name"),
        "fix": format!("write another one than {quoted}"), "details": {"sent": [quoted]}})
}

const HEARTBEAT: &str = "The game of Zoraquim every week";

/// A skill whose heartbeat has a name in its name.
fn with_heartbeat(label: &str) -> World {
    let world = World::new(Ways::default());
    let manifest = format!(
        "label: {label}\ninputs:\n  - name: who\n    type: string\n    description: Who\n\
         heartbeats:\n  - name: {HEARTBEAT}\n    cron: '0 17 * * 5'\n    input:\n      who: you\n"
    );
    world.tree.write("plan/sprout.yaml", manifest.as_bytes());
    world
}

#[test]
fn heartbeats_are_withheld_with_the_label_of_their_skill() {
    let world = with_heartbeat("The game of Zoraquim");
    world.stored().refusal = Some(("skill_write", refusal("The game of Zoraquim")));
    let ended = world.run(&["push", "--yes", "--json"]);
    assert!(!ended.show().contains("Zoraquim"), "{}", ended.show());
    let document: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let heartbeat = &document["items"][0]["heartbeats"][0];
    assert_eq!((&heartbeat["name"], &heartbeat["withheld"]), (&json!(null), &json!(["name"])));
    assert_eq!(heartbeat["outcome"], "skipped");
    let said = "the heartbeats of plan were not sent: it was not published";
    assert!(ended.stderr.contains(said), "{}", ended.show());
    world.stored().refusal = Some((
        "skill_write",
        json!({
            "code": "BAD_INPUT", "reason": "TOO_LONG", "message": "too long",
        }),
    ));
    let ended = world.run(&["push", "--yes", "--json"]);
    assert!(ended.stdout.contains(HEARTBEAT) && ended.stderr.contains(HEARTBEAT));
}

#[test]
fn a_refused_name_of_a_heartbeat_is_withheld() {
    let create =
        ["heartbeat", "create", HEARTBEAT, "--cron", "0 9 * * *", "--skill", "plan", "--yes"];
    for tool in ["heartbeat_create", "heartbeat_describe"] {
        let world = with_heartbeat("Plan");
        assert_eq!(world.run(&["push", "--yes", "--no-heartbeats"]).code, 0);
        world.stored().refusal = Some((tool, refusal(HEARTBEAT)));
        for command in [&["push", "--yes"][..], &create] {
            let ended = world.run(&[command, &["--json"]].concat());
            assert!(!ended.show().contains("Zoraquim"), "{tool}: {}", ended.show());
            let document: Value = serde_json::from_str(&ended.stdout).expect("JSON");
            let of_push = &document["items"][0]["heartbeats"][0];
            let heartbeat = if of_push.is_null() { &document["items"][0] } else { of_push };
            assert_eq!(heartbeat["withheld"], json!(["name"]), "{}", ended.show());
            assert_eq!(
                (&heartbeat["name"], &heartbeat["outcome"]),
                (&json!(null), &json!("failed"))
            );
            let ended = world.run(command);
            assert!(!ended.stderr.contains("Zoraquim"), "{tool}: {}", ended.show());
        }
    }
}

#[test]
fn a_refused_name_of_a_heartbeat_that_is_edited_is_withheld() {
    for tool in ["heartbeat_update", "heartbeat_describe"] {
        let world = with_heartbeat("Plan");
        assert_eq!(world.run(&["push", "--yes"]).code, 0);
        world.stored().heartbeats[0]["name"] = "Tea".into();
        world.stored().refusal = Some((tool, refusal(HEARTBEAT)));
        for option in ["--name", "--text"] {
            let command = ["heartbeat", "edit", "Tea", option, HEARTBEAT, "--yes", "--json"];
            let ended = world.run(&command);
            assert_ne!(ended.code, 0, "{}", ended.show());
            assert!(!ended.show().contains("Zoraquim"), "{tool}: {}", ended.show());
        }
    }
}

#[test]
fn a_refused_value_of_an_updated_skill_is_withheld() {
    let world = with_heartbeat("Plan");
    assert_eq!(world.run(&["push", "--yes", "--no-heartbeats"]).code, 0);
    world.stored().refusal = Some(("skill_update", refusal("The game of Zoraquim")));
    let update = ["skill", "update", "plan", "--name", "The game of Zoraquim", "--yes"];
    let ended = world.run(&update);
    assert_eq!(ended.code, 3, "{}", ended.show());
    assert!(ended.stderr.contains("has a name"), "{}", ended.show());
    assert!(!ended.stderr.contains("Zoraquim"), "{}", ended.show());
}

#[test]
fn a_value_that_the_preview_of_an_update_refuses_is_withheld() {
    for is_error in [false, true] {
        let server = Fake::new(move |request| {
            let reason = json!({"reason": "PII_IN_PROMPT", "decision": "refuse", "path": "/name",
                "message": "`The game of Zoraquim` has a name", "fix": "change it"});
            let policy = json!({"decision": "refuse", "reasons": [reason]});
            let skill = json!({"skillId": "sk_0", "name": "Plan", "description": "d", "prompt": "p",
                "category": "generic", "archived": false});
            let answer = match request.message["params"]["name"].as_str() {
                Some("skill_update") if is_error => refusal("The game of Zoraquim"),
                Some("skill_update") => json!({"policyDecision": policy, "specHash": "h"}),
                Some("skill_get") => json!({"skill": skill, "canvases": []}),
                _ => json!({"items": [skill], "nextCursor": null}),
            };
            let is_error = is_error && answer["code"].is_string();
            let properties = json!({"dryRun": {}, "skillId": {}, "name": {}, "specHash": {}});
            let tools = ["skill_write", "skill_update", "skill_get", "skill_list"].map(|name| {
                json!({"name": name,
                    "inputSchema": {"type": "object", "properties": properties}})
            });
            let content = json!([{"type": "text", "text": answer.to_string()}]);
            let result = json!({"resultType": "complete", "content": content, "isError": is_error});
            Some(request.usual(&json!(tools), &result))
        });
        let tree = Tree::new();
        tree.write("dibber.toml", b"");
        for more in [&[][..], &["--json"], &["--dry-run", "--json"]] {
            let update = ["skill", "update", "sk_0", "--name", "The game of Zoraquim", "--yes"];
            let dibber = Dibber::new(update).arguments(&["--server", &server.url()]);
            let ended = dibber.arguments(more).in_directory(tree.path()).run();
            assert!(!ended.show().contains("Zoraquim"), "{is_error}: {}", ended.show());
            assert!(ended.stderr.contains("has a name"), "{}", ended.show());
            assert!(ended.show().contains("label"), "{}", ended.show());
        }
    }
}
