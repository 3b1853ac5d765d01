//! Publishing to a server of another make: its hash, its decision and its preview have forms of
//! their own.

use std::sync::{Arc, Mutex};

use dibber_client::publish::Lock;
use serde_json::{Value, json};

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};
use crate::support::fake_server::{Fake, Reply, Request};

const HASH: &str = "sha256:0a1b";
const PLAN: &str = "\
---
name: plan-my-week
description: Plans the week. Use when a parent wants to plan a week.
---

# Plan my week

Plan the week that begins on {{input.day}}.
";

/// What a server answers to a dry-run, besides its hash.
type Preview = fn(&Value) -> Value;

/// Changes a skill as it was sent to what a server stores of it, from what it has stored before.
type Store = fn(&Value, &mut Value);

/// What a server answers to any call.
type Answer = fn(&Request) -> Reply;

/// A server with one skill, at the most, that expects its own hash on commit.
fn server(preview: Preview) -> Fake {
    storing_server(preview, |_, _| ())
}

/// The same, with a form of its own for what it stores.
fn storing_server(preview: Preview, store: Store) -> Fake {
    let stored = Arc::new(Mutex::new(Value::Null));
    Fake::new(move |request| {
        let answer = match request.message["params"]["name"].as_str() {
            Some("skill.write") => write(request, preview, store, &stored),
            Some("skill.update") => {
                let mut stored = stored.lock().expect("no panic");
                let before = stored.clone();
                let sent = &request.message["params"]["arguments"];
                for (name, sent_as) in [("prompt", "instructions"), ("name", "name")] {
                    if let Some(sent) = sent.get(sent_as) {
                        stored[name] = sent.clone();
                    }
                }
                store(&before, &mut stored);
                // What is recorded is the skill that was named, not the one in this answer.
                Ok(json!({"skillId": "sk_another", "changedFields": ["prompt"]}))
            }
            Some("skill.get") => {
                Ok(json!({"skill": *stored.lock().expect("no panic"), "canvases": []}))
            }
            _ => Ok(json!({"items": [], "nextCursor": null})),
        };
        Some(reply(request, answer))
    })
}

fn write(
    request: &Request,
    preview: Preview,
    store: Store,
    stored: &Mutex<Value>,
) -> Result<Value, Value> {
    let arguments = &request.message["params"]["arguments"];
    if arguments["dryRun"] == true {
        let mut answer = preview(arguments);
        answer["specHash"] = HASH.into();
        return Ok(answer);
    }
    if arguments["specHash"] != HASH {
        return Err(json!({"code": "BAD_INPUT", "message": "SPEC_HASH_MISMATCH"}));
    }
    let mut skill = arguments.clone();
    skill["skillId"] = "sk_1".into();
    skill["category"] = "generic".into();
    store(&Value::Null, &mut skill);
    *stored.lock().expect("no panic") = skill;
    Ok(json!({"skillId": "sk_1", "nextStep": "Invoke it."}))
}

fn reply(request: &Request, answer: Result<Value, Value>) -> Reply {
    let tools = ["skill.write", "skill.update", "skill.get", "skill.list"];
    let tools = tools.map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
    let is_error = answer.is_err();
    let (Ok(answer) | Err(answer)) = answer;
    let content = json!([{"type": "text", "text": answer.to_string()}]);
    let result = json!({"resultType": "complete", "content": content, "isError": is_error});
    request.usual(&json!(tools), &result)
}

fn project() -> Tree {
    let tree = Tree::new();
    tree.write("dibber.toml", b"");
    tree.write("plan-my-week/SKILL.md", PLAN.as_bytes());
    tree
}

fn push(tree: &Tree, server: &Fake, more: &[&str]) -> Ended {
    let dibber = Dibber::new(["push", "--server", &server.url()]).arguments(more);
    dibber.in_directory(tree.path()).data(&tree.path().join("data")).env("COLUMNS", "80").run()
}

/// Returns what a run shows, without the port of the server.
fn shown(ended: &Ended, server: &Fake) -> String {
    ended.show().replace(&server.url(), "URL")
}

#[test]
fn the_hash_of_the_server_is_sent_back_and_recorded_beside_ours() {
    let preview: Preview =
        |arguments| json!({"previewSkill": {"name": arguments["name"]}, "policyDecision": "allow"});
    let (tree, server) = (project(), server(preview));
    let first = push(&tree, &server, &["--yes"]);
    let lock = tree.read("dibber.lock");
    let published = Lock::parse(&lock).expect("a lock");
    let published = published.get("plan-my-week", &server.url()).expect("a record").clone();
    assert_eq!(published.server_hash.as_deref(), Some(HASH));
    assert!(published.spec_hash.starts_with("h_"), "{published:?}");
    let again = push(&tree, &server, &["--yes"]);
    assert!(again.stderr.starts_with("Nothing to publish"), "{}", again.show());
    assert_eq!(tree.read("dibber.lock"), lock);
    tree.write("plan-my-week/SKILL.md", PLAN.replace("Plan the", "Think of the").as_bytes());
    let update = push(&tree, &server, &["--yes"]);
    insta::assert_snapshot!("any_hash", shown(&first, &server) + &shown(&update, &server));
}

/// Recorded like this, the next push of one would overwrite the other.
#[test]
fn a_new_skill_with_the_id_of_another_is_not_recorded() {
    let (tree, server) = (project(), server(|_| json!({"policyDecision": "allow"})));
    let first = push(&tree, &server, &["--yes"]);
    let lock = tree.read("dibber.lock");
    tree.write("sing/SKILL.md", PLAN.replace("plan-my-week", "sing").as_bytes());
    let second = push(&tree, &server, &["--yes", "sing"]);
    assert_eq!((first.code, second.code), (0, 7), "{}\n{}", first.show(), second.show());
    assert!(second.stderr.contains("it answers with `sk_1` for a new skill"), "{}", second.show());
    assert_eq!(tree.read("dibber.lock"), lock);
}

#[test]
fn a_decision_in_other_words_is_shown_and_asked_about() {
    let preview: Preview = |_| {
        json!({
            "policyDecision": {"verdict": "needs-parent", "reasons": ["speaks of \u{1b}money"]},
        })
    };
    let (tree, server) = (project(), server(preview));
    let asked = push(&tree, &server, &[]);
    let none = push(&tree, &self::server(|_| json!({})), &["--dry-run"]);
    assert!(none.stdout.contains("the server's answer has no policy decision"), "{}", none.show());
    insta::assert_snapshot!("any_decision", shown(&asked, &server));
}

#[test]
fn a_refusal_in_other_words_is_one() {
    let refusals: [(Preview, &str); 10] = [
        (|_| json!({"policyDecision": {"decision": "deny"}}), "`deny`"),
        (|_| json!({"policyDecision": "Rejected"}), "`Rejected`"),
        (|_| json!({"policyDecision": {"decision": "blocked", "reasons": []}}), "`blocked`"),
        (|_| json!({"policyDecision": {"decision": false}}), "`false`"),
        (|_| json!({"policyDecision": {"decision": {"allow": 1}}}), "`{\"allow\":1}`"),
        (|_| json!({"policyDecision": false}), "`false`"),
        (|_| json!({"policyDecision": ["review"]}), "`[\"review\"]`"),
        (|_| json!({"policyDecision": {"deny": true}}), "`{\"deny\":true}`"),
        (|_| json!({"policyDecision": {"allowed": false}}), "`{\"allowed\":false}`"),
        (|_| json!({"policyDecision": {"verdict": "Denied"}}), "`{\"verdict\":\"Denied\"}`"),
    ];
    for (preview, decision) in refusals {
        let (tree, server) = (project(), server(preview));
        for arguments in [&["--yes"][..], &["--dry-run"]] {
            let refused = push(&tree, &server, arguments);
            assert_eq!(refused.code, 3, "{}", refused.show());
            let reason = format!("the server's decision is {decision}");
            assert!(refused.stderr.contains(&reason), "{}", refused.show());
            assert!(!tree.path().join("dibber.lock").exists(), "{}", refused.show());
        }
    }
    // Any other word, or none, has to be reviewed, and `--yes` says that it is.
    let reviewed: [Preview; 4] = [
        |_| json!({"policyDecision": {"decision": "escalate"}}),
        |_| json!({"policyDecision": {"decision": null}}),
        |_| json!({"policyDecision": {"allowed": true, "deny": false, "checks": ["tone"]}}),
        |_| json!({}),
    ];
    for preview in reviewed {
        let (tree, server) = (project(), server(preview));
        let published = push(&tree, &server, &["--yes"]);
        assert_eq!(published.code, 0, "{}", published.show());
    }
}

#[test]
fn a_preview_with_other_values_is_reviewed() {
    let preview: Preview = |arguments| {
        json!({
            "previewSkill": {
                "name": "X", "description": arguments["description"], "prompt": "Another.",
                "handsReferenced": ["task_list"], "inputVariables": [{"name": "day"}],
                "kidCallable": true, "canvasIds": "none", "ageRange": 6, "category": "generic",
            },
            "policyDecision": {"decision": "allow", "reasons": []},
        })
    };
    let (tree, server) = (project(), server(preview));
    insta::assert_snapshot!("any_preview", shown(&push(&tree, &server, &[]), &server));
}

#[test]
fn every_reason_of_a_refusal_is_shown() {
    let preview: Preview = |_| {
        json!({"policyDecision": {"decision": "refuse", "reasons": [
            {"reason": "LONG", "decision": "review", "path": "/prompt", "message": "it is long"},
            {"reason": "PII", "decision": "refuse", "path": "/name", "message": "a name",
             "fix": "remove it"},
        ]}})
    };
    let (tree, server) = (project(), server(preview));
    let refused = push(&tree, &server, &["--yes"]);
    insta::assert_snapshot!("any_refusal", shown(&refused, &server));
}

/// A server may fail at the name of a tool that it does not have.
#[test]
fn only_the_tools_of_the_server_are_called() {
    let (tree, server) = (project(), server(|_| json!({"policyDecision": "allow"})));
    let status = Dibber::new(["status", "--server", &server.url()]).run();
    assert_eq!(status.code, 0, "{}", status.show());
    assert_eq!(push(&tree, &server, &["--yes"]).code, 0);
    let calls = server.calls();
    let called: Vec<_> = calls.iter().map(|call| &call.message["params"]["name"]).collect();
    assert!(called.iter().all(|name| name.as_str().is_some_and(|name| name.starts_with("skill."))));
}

#[test]
fn a_list_that_repeats_a_page_ends() {
    let server = Fake::new(|request| {
        Some(match request.method() {
            "tools/list" => request.result(&json!({
                "resultType": "complete", "tools": [{"name": "a", "inputSchema": {}}],
                "nextCursor": "same", "ttlMs": 0, "cacheScope": "private",
            })),
            _ => request.usual(&Value::Null, &Value::Null),
        })
    });
    let ended = Dibber::new(["tools", "--server", &server.url()]).run();
    assert_eq!(ended.code, 6);
    assert!(ended.stderr.contains("its list of `tools` repeats a page"), "{}", ended.show());
}

/// The same for the tools that list: by a cursor that comes again, or one without an end.
#[test]
fn a_list_without_an_end_ends() {
    for (repeats, expected) in [(true, "repeats a page"), (false, "pages without items")] {
        let tools = json!([{"name": "skill_list", "inputSchema": {"type": "object"}}]);
        let server = Fake::new(move |request| {
            let cursor = request.message["params"]["arguments"]["cursor"].as_str();
            let next = if repeats { "x" } else { &format!("{}x", cursor.unwrap_or_default()) };
            let page = json!({"items": [], "nextCursor": next});
            Some(request.usual(&tools, &json!({"structuredContent": page, "content": []})))
        });
        let ended = Dibber::new(["skill", "list", "--server", &server.url()]).run();
        assert_eq!(ended.code, 6, "{}", ended.show());
        assert!(ended.stderr.contains(expected), "{}", ended.show());
    }
}

/// Many servers end a list with an empty cursor.
#[test]
fn a_list_ends_with_an_empty_cursor() {
    let server = Fake::new(|request| {
        let page = json!({"items": [], "nextCursor": ""});
        Some(match request.method() {
            "tools/list" => request.result(&json!({
                "resultType": "complete", "tools": [{"name": "skill_list", "inputSchema": {}}],
                "nextCursor": "", "ttlMs": 0, "cacheScope": "private",
            })),
            _ => request.usual(&Value::Null, &json!({"structuredContent": page, "content": []})),
        })
    });
    for command in [&["skill", "list"][..], &["tools"]] {
        let ended = Dibber::new(command).arguments(&["--server", &server.url()]).run();
        assert_eq!(ended.code, 0, "{}", ended.show());
    }
}

/// What is wrong is named before anything is sent.
#[test]
fn a_call_is_checked_against_the_schema_of_its_tool() {
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["mode"],
        "properties": {
            "mode": {"type": "string", "enum": ["daily", "weekly"]},
            "unit": {"$ref": "#/$defs/unit"},
            "count": {"type": "integer", "minimum": 1, "maximum": 5},
            "ratio": {"type": "number", "exclusiveMaximum": 1},
            "tags": {"type": "array", "items": {"type": "string"}},
            "filter": {"type": "object"},
            "maybe": {"anyOf": [{"enum": ["x"]}, {"type": "null"}]},
            "size": {"enum": ["auto", 5, true]},
            "pages": {"type": "array", "items": {"type": "integer"}},
            "sides": {"type": "array", "items": {"enum": ["left", 2]}},
        },
        "$defs": {"unit": {"enum": ["cm", "in"]}},
    });
    let tools = json!([{"name": "plan", "inputSchema": schema}]);
    let planned = json!({"resultType": "complete", "content": [{"type": "text", "text": "ok"}]});
    let server = Fake::new(move |request| Some(request.usual(&tools, &planned)));
    let run = |arguments: &[&str]| {
        let dibber = Dibber::new(["call", "plan"]).arguments(arguments);
        let ended = dibber.arguments(&["--server", &server.url()]).env("COLUMNS", "80").run();
        format!("$ dibber call plan {}\n{}", arguments.join(" "), ended.show())
    };
    let refused: [&[&str]; 17] = [
        &[],
        &["mode=dayly"],
        &["mode:=5"],
        &["mode=daily", "unit=mile"],
        &["mode=daily", "count=9"],
        &["mode=daily", "count=two"],
        &["mode=daily", "ratio=1"],
        &["mode=daily", "tags=red"],
        &["mode=daily", "filter=red"],
        &["mode=daily", "maybe=y"],
        &["modus=daily"],
        &["mode=daily", "colour=red"],
        &["mode=daily", "size=6"],
        &["mode=daily", "pages=1, 2"],
        &["mode=daily", "pages=[1, \"x\"]"],
        &["mode=daily", "sides=[3]"],
        &["mode=daily", "tags=[1]"],
    ];
    let shown: String = refused.iter().map(|arguments| run(arguments)).collect();
    insta::assert_snapshot!("checked_call", shown);
    assert_eq!(server.calls().len(), 0);
    for accepted in [
        &["mode=weekly", "unit=cm", "count=5", "ratio=0.5", "tags=[\"red\"]", "maybe=x"][..],
        &["mode=daily", "count:=null", "maybe:=null"],
        &["--no-check", "mode=hourly", "colour=red"],
        &["--no-check", "count=many", "tags=red", "ratio=5", "size=5", "pages=[1, \"x\"]"],
        &["mode=daily", "size=true", "pages=[1, 2]", "sides=[\"left\", 2]"],
    ] {
        assert!(run(accepted).contains("exit code: 0"), "{accepted:?}");
    }
    let sent = |call: &Request| call.message["params"]["arguments"].clone();
    let sent: Vec<_> = server.calls().iter().map(sent).collect();
    assert_eq!(sent.len(), 5);
    let unchecked =
        json!({"count": "many", "tags": "red", "ratio": 5, "size": 5, "pages": [1, "x"]});
    assert_eq!(sent[3], unchecked, "what has no such type is a string");
    let checked = json!({"mode": "daily", "size": true, "pages": [1, 2], "sides": ["left", 2]});
    assert_eq!(sent[4], checked);
}

#[test]
fn a_call_that_is_not_repeated_shows_how_long_the_server_asks_to_wait() {
    let server = Fake::new(|request| match request.method() {
        "tools/call" => Some(Reply::json(429, "").header("Retry-After", "90")),
        _ => Some(request.usual(&json!([{"name": "plan", "inputSchema": {}}]), &Value::Null)),
    });
    let state = Tree::new();
    let run = || {
        let run = Dibber::new(["call", "plan", "--server", &server.url()]);
        run.data(state.path()).env("COLUMNS", "80").run()
    };
    insta::assert_snapshot!("too_many_requests", run().show());
    assert_eq!(server.calls().len(), 1);
    // The refused call does not stop the next one.
    assert_eq!(run().code, 6);
    assert_eq!(server.calls().len(), 2);
}

#[test]
fn a_call_that_needs_a_page_to_be_opened_was_not_carried_out() {
    let refusing = |data: Value| {
        let server = Fake::new(move |request| match request.method() {
            "tools/call" => Some(request.error_with(-32042, "authorization is required", &data)),
            _ => Some(request.usual(&json!([{"name": "plan", "inputSchema": {}}]), &Value::Null)),
        });
        let ended = Dibber::new(["call", "plan", "--server", &server.url()]);
        let shown = ended.env("COLUMNS", "80").run().show();
        assert_eq!(server.calls().len(), 1);
        shown
    };
    let page = |url: &str| json!({"mode": "url", "elicitationId": "e1", "url": url, "message": "Sign in to \u{1b}[31mMaps."});
    let mut shown = refusing(json!({"elicitations": [page("https://maps.example/in?state=1")]}));
    shown += &refusing(json!({"elicitations": [page("file:///etc/passwd")]}));
    shown += &refusing(Value::Null);
    insta::assert_snapshot!("page_required", shown);
}

#[test]
fn what_a_schema_says_of_an_argument_is_shown_and_checked() {
    let properties = json!({
        "day": {"type": "string", "format": "date", "pattern": "^[0-9-]+$"},
        "mode": {"type": "string", "enum": ["a", "b"], "default": "a"},
        "count": {"type": "integer", "default": 3},
        "other": {"type": "string", "pattern": "(?=x)", "default": null},
    });
    let schema = json!({"type": "object", "properties": properties});
    let annotations = json!({"readOnlyHint": true});
    let tools = json!([{"name": "plan", "inputSchema": schema, "annotations": annotations}]);
    let planned = json!({"resultType": "complete", "content": [{"type": "text", "text": "ok"}]});
    let server = Fake::new(move |request| Some(request.usual(&tools, &planned)));
    let run = |arguments: &[&str]| {
        let server = ["--server", &server.url()];
        let ended = Dibber::new(arguments).arguments(&server).env("COLUMNS", "80").run();
        format!("$ dibber {}\n{}", arguments.join(" "), ended.show())
    };
    let mut shown = run(&["tools", "plan"]);
    shown += &run(&["call", "plan", "day=tomorrow"]);
    shown += &run(&["call", "plan", "day=2026-01-01", "other=y"]);
    assert_eq!(server.calls().len(), 1, "a pattern that is not supported is left to the server");
    insta::assert_snapshot!("any_schema", shown);
}

const ALLOW: Preview = |_| json!({"policyDecision": "allow"});

/// The first push, a second one without a change, and one with a change of the body.
fn three_pushes(store: Store) -> (Tree, Fake, [Ended; 3]) {
    let (tree, server) = (project(), storing_server(ALLOW, store));
    let inputs = "inputs:\n  - name: day\n    type: string\n    description: A day\n";
    tree.write("plan-my-week/sprout.yaml", inputs.as_bytes());
    let first = push(&tree, &server, &["--yes"]);
    assert_eq!(first.code, 0, "{}", first.show());
    let second = push(&tree, &server, &["--yes"]);
    tree.write("plan-my-week/SKILL.md", PLAN.replace("Plan the", "Think of the").as_bytes());
    let third = push(&tree, &server, &["--yes"]);
    (tree, server, [first, second, third])
}

fn pull(tree: &Tree, server: &Fake, more: &[&str]) -> Ended {
    let dibber = Dibber::new(["pull", "plan-my-week", "--server", &server.url()]).arguments(more);
    dibber.in_directory(tree.path()).data(&tree.path().join("data")).env("COLUMNS", "80").run()
}

#[test]
fn inputs_that_are_stored_by_name_alone_or_not_shown_do_not_block_a_push() {
    let forms: [Store; 3] = [
        |_, skill| skill["inputVariables"] = json!([{"name": "day"}]),
        |_, skill| skill["inputVariables"] = json!(["day"]),
        |_, skill| drop(skill.as_object_mut().expect("a skill").remove("inputVariables")),
    ];
    for store in forms {
        let (tree, server, [_, second, third]) = three_pushes(store);
        assert!(second.stderr.starts_with("Nothing to publish"), "{}", second.show());
        assert!(third.code == 0 && third.stderr.contains("Updated"), "{}", third.show());
        let manifest = tree.read("plan-my-week/sprout.yaml");
        let pulled = pull(&tree, &server, &[]);
        assert!(pulled.stderr.starts_with("Nothing to pull"), "{}", pulled.show());
        assert_eq!(tree.read("plan-my-week/sprout.yaml"), manifest);
    }
}

#[test]
fn a_prompt_that_is_stored_without_white_space_at_its_ends_is_up_to_date() {
    let (tree, server, [_, second, third]) = three_pushes(|_, skill| {
        skill["prompt"] = skill["prompt"].as_str().expect("a prompt").trim().into();
    });
    assert!(second.stderr.starts_with("Nothing to publish"), "{}", second.show());
    assert!(third.code == 0 && third.stderr.contains("Updated"), "{}", third.show());
    let again = push(&tree, &server, &["--yes"]);
    assert!(again.stderr.starts_with("Nothing to publish"), "{}", again.show());
    let text = tree.read("plan-my-week/SKILL.md");
    let pulled = pull(&tree, &server, &[]);
    assert!(pulled.stderr.starts_with("Nothing to pull"), "{}", pulled.show());
    assert_eq!(tree.read("plan-my-week/SKILL.md"), text);
}

#[test]
fn an_update_that_a_server_ignores_is_an_error_and_is_not_lost_by_a_pull() {
    let (tree, server, [_, _, ignored]) = three_pushes(|before, skill| {
        if !before.is_null() {
            skill["prompt"] = before["prompt"].clone();
        }
    });
    let text = tree.read("plan-my-week/SKILL.md");
    let pulled = pull(&tree, &server, &[]);
    assert_eq!(tree.read("plan-my-week/SKILL.md"), text, "{}", pulled.show());
    let forced = pull(&tree, &server, &["--force"]);
    assert_eq!(tree.read("plan-my-week/SKILL.md"), PLAN, "{}", forced.show());
    let parts = [&ignored, &pulled, &forced].map(|ended| shown(ended, &server));
    insta::assert_snapshot!("ignored_update", parts.concat());
}

/// A field that a server leaves out is not one that was removed there.
#[test]
fn a_pull_keeps_a_field_that_the_server_does_not_store() {
    let (tree, server) = (
        project(),
        storing_server(ALLOW, |_, skill| {
            skill.as_object_mut().expect("a skill").remove("ageRange");
        }),
    );
    let manifest = "kidCallable: true\nageRange: 5-7\n";
    tree.write("plan-my-week/sprout.yaml", manifest.as_bytes());
    let pushed = push(&tree, &server, &["--yes"]);
    let ignored = "error: the server accepted sk_1, but did not store `ageRange`";
    assert!(pushed.code == 6 && pushed.stderr.contains(ignored), "{}", pushed.show());
    let pulled = pull(&tree, &server, &[]);
    assert_eq!(tree.read("plan-my-week/sprout.yaml"), manifest, "{}", pulled.show());
}

#[test]
fn a_label_that_is_stored_in_another_case_is_the_form_of_the_server() {
    let (tree, server, [_, second, third]) = three_pushes(|_, skill| {
        skill["name"] = skill["name"].as_str().expect("a label").to_lowercase().into();
    });
    assert!(second.stderr.starts_with("Nothing to publish"), "{}", second.show());
    assert!(third.code == 0 && third.stderr.contains("Updated"), "{}", third.show());
    let again = push(&tree, &server, &["--yes"]);
    assert!(again.stderr.starts_with("Nothing to publish"), "{}", again.show());
}

#[test]
fn windows_line_endings_of_a_server_are_no_difference() {
    let (tree, server, [_, second, _]) = three_pushes(|_, skill| {
        let prompt = skill["prompt"].as_str().expect("a prompt").replace("\r\n", "\n");
        skill["prompt"] = prompt.replace('\n', "\r\n").into();
    });
    assert!(second.stderr.starts_with("Nothing to publish"), "{}", second.show());
    tree.write("plan-my-week/SKILL.md", PLAN.as_bytes());
    let diff = Dibber::new(["diff", "--server", &server.url()]).in_directory(tree.path());
    let diff = diff.data(&tree.path().join("data")).env("COLUMNS", "80").run();
    let removed = diff.stdout.lines().filter(|line| line.starts_with('-')).count();
    assert!(removed == 2 && diff.stdout.contains("\n-Think of the"), "{}", diff.show());
}

#[test]
fn a_pull_that_would_lose_changes_names_the_server_in_its_help() {
    let (tree, server, _) = three_pushes(|_, _| ());
    let other = project();
    for path in ["dibber.lock", "plan-my-week/sprout.yaml"] {
        other.write(path, tree.read(path).as_bytes());
    }
    other.write("plan-my-week/SKILL.md", PLAN.replace("Plan the", "Paint the").as_bytes());
    let pushed = push(&other, &server, &["--yes", "--force"]);
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    tree.write("plan-my-week/SKILL.md", PLAN.replace("Plan the", "Dream of the").as_bytes());
    let pulled = pull(&tree, &server, &[]);
    let help = format!("`dibber pull --force plan-my-week --server {}`", server.url());
    assert!(pulled.code == 3 && pulled.stderr.contains(&help), "{}", pulled.show());
}

/// A tool that is missing is another error than an answer that is missing.
#[test]
fn an_archive_reports_why_a_server_does_not_answer() {
    let fails: [(Answer, i32, &str); 3] = [
        (|_| Reply::json(401, ""), 4, "requires a token"),
        (|_| Reply::json(429, "").header("Retry-After", "90"), 6, "HTTP 429"),
        (|request| reply(request, Ok(json!({"scopes": ["skill:write"]}))), 2, "`skill_archive`"),
    ];
    for (fail, code, error) in fails {
        let hints = json!({"readOnlyHint": true});
        let tools = json!([{"name": "mcp_whoami", "inputSchema": {}, "annotations": hints}]);
        let server = Fake::new(move |request| match request.method() {
            "tools/call" => Some(fail(request)),
            _ => Some(request.usual(&tools, &Value::Null)),
        });
        let archive = ["skill", "archive", "sk_1", "--yes", "--server", &server.url()];
        let ended = Dibber::new(archive).run();
        assert!(ended.code == code && ended.stderr.contains(error), "{}", ended.show());
        let is_write = |call: &Request| call.message["params"]["name"] == "skill_archive";
        assert!(!server.calls().iter().any(is_write), "a write is sent to a server without it");
    }
}
