//! `dibber call` of a tool whose second run nothing prevents: one call, and a
//! repetition only on request.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value, json};

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};
use crate::support::fake_server::Fake;

fn tools() -> Value {
    json!([
        {"name": "send_email", "inputSchema": {"type": "object"}},
        {
            "name": "set_light", "inputSchema": {"type": "object"},
            "annotations": {"idempotentHint": true},
        },
    ])
}

/// A server that is silent about calls until it is awake.
fn sleeping() -> (Fake, Arc<AtomicBool>) {
    let awake = Arc::new(AtomicBool::new(false));
    let is_awake = Arc::clone(&awake);
    let server = Fake::new(move |request| {
        let answers = request.method() != "tools/call" || is_awake.load(Ordering::SeqCst);
        let result = json!({
            "resultType": "complete", "content": [], "structuredContent": {"sent": true},
        });
        answers.then(|| request.usual(&tools(), &result))
    });
    (server, awake)
}

fn call(server: &Fake, data: &Tree, arguments: &[&str]) -> Ended {
    let run = Dibber::new(["call"]).env("COLUMNS", "80").data(data.path());
    run.arguments(&["--server", &server.url(), "--timeout", "1"]).arguments(arguments).run_bounded()
}

#[test]
fn a_call_with_an_unknown_outcome_is_repeated_only_when_asked() {
    let (server, awake) = sleeping();
    let data = Tree::new();
    let email = ["send_email", "to=granny@example.org"];
    insta::assert_snapshot!("once_unknown", call(&server, &data, &email).show());
    assert_eq!(server.calls().len(), 1);
    insta::assert_snapshot!("once_again", call(&server, &data, &email).show());
    assert_eq!(server.calls().len(), 1, "the repetition was not sent");
    let other = call(&server, &data, &["send_email", "to=grandpa@example.org"]);
    assert_eq!((other.code, server.calls().len()), (7, 2), "another call is not the same");

    awake.store(true, Ordering::SeqCst);
    let new = call(&server, &data, &["--new", "send_email", "to=granny@example.org"]);
    insta::assert_snapshot!("once_new", new.show());
    assert_eq!(server.calls().len(), 3);
    // A call that ended well can be repeated any number of times.
    assert_eq!(call(&server, &data, &email).code, 0);
    assert_eq!(call(&server, &data, &email).code, 0);
    assert_eq!(server.calls().len(), 5);
    assert!(server.calls().iter().all(|call| call.header("idempotency-key").is_none()));
}

#[test]
fn a_key_asserts_that_the_server_honours_it() {
    let (server, awake) = sleeping();
    let data = Tree::new();
    let keyed = ["--idempotency-key", "k-1", "send_email", "to=granny@example.org"];
    insta::assert_snapshot!("once_own_key", call(&server, &data, &keyed).show());
    awake.store(true, Ordering::SeqCst);
    assert_eq!(call(&server, &data, &keyed).code, 0);
    let keys = server.calls();
    let keys: Vec<_> = keys.iter().map(|call| call.header("idempotency-key")).collect();
    assert_eq!(keys, [Some("k-1"), Some("k-1")]);
}

#[test]
fn a_key_does_not_repeat_a_call_that_was_sent_without_it() {
    let (server, awake) = sleeping();
    let data = Tree::new();
    assert_eq!(call(&server, &data, &["send_email"]).code, 7);
    awake.store(true, Ordering::SeqCst);
    let keyed = call(&server, &data, &["--idempotency-key", "k-1", "send_email"]);
    insta::assert_snapshot!("once_then_key", keyed.show());
    assert_eq!(server.calls().len(), 1);
    assert_eq!(call(&server, &data, &["--idempotency-key", "k-1", "--new", "send_email"]).code, 0);
    assert_eq!(server.calls().len(), 2);
}

#[test]
fn an_idempotent_call_can_be_repeated() {
    let (server, awake) = sleeping();
    let data = Tree::new();
    insta::assert_snapshot!("once_idempotent", call(&server, &data, &["set_light"]).show());
    awake.store(true, Ordering::SeqCst);
    assert_eq!(call(&server, &data, &["set_light"]).code, 0);
}

/// The tools of the contract that write, with some of their arguments.
const CONTRACT_WRITES: [(&str, &[&str]); 6] = [
    ("skill_write", &["name", "description", "prompt", "dryRun", "specHash"]),
    ("skill_update", &["skillId", "addCanvasIds", "removeCanvasIds"]),
    ("skill_archive", &["skillId", "archived"]),
    ("skill_post_result", &["skillId", "result"]),
    ("heartbeat_create", &["name", "cron", "runSkillId"]),
    ("heartbeat_update", &["heartbeatId", "action"]),
];

/// A server with a tool of the contract, which loses the answer of every call.
fn losing(tool: &'static str, arguments: &'static [&str], declares_keys: bool) -> Fake {
    let properties: Map<String, Value> =
        arguments.iter().map(|argument| ((*argument).to_owned(), json!({}))).collect();
    let tools = json!([{
        "name": tool, "inputSchema": {"type": "object", "properties": properties},
    }]);
    Fake::new(move |request| {
        let done = json!({"resultType": "complete", "content": []});
        let reply = if declares_keys {
            request.usual_with_keys(&tools, &done)
        } else {
            request.usual(&tools, &done)
        };
        Some(if request.method() == "tools/call" { reply.cut(0) } else { reply })
    })
}

/// The tools of the Skills Protocol ignore keys, and are beside those of the contract on one server.
#[test]
fn a_run_is_called_once_where_keys_are_declared_for_other_tools() {
    let names = ["execute_skill", "run_code", "create_blob", "skill_write"];
    let tools = names.map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
    for declared in [json!({}), json!({"tools": ["skill_write"]}), json!({"tools": 7})] {
        let experimental = json!({"com.sproutgoodhabits/idempotencyKey": declared});
        let capabilities = json!({"tools": {}, "experimental": experimental});
        let tools = json!(tools);
        let server = Fake::new(move |request| {
            let done = json!({"resultType": "complete", "content": []});
            let reply = request.usual_with(&capabilities, &tools, &done);
            Some(if request.method() == "tools/call" { reply.cut(0) } else { reply })
        });
        for tool in &names[..3] {
            let (data, before) = (Tree::new(), server.calls().len());
            for _ in 0..2 {
                let ended = call(&server, &data, &[tool]);
                let executions = server.calls().len() - before;
                assert_eq!((ended.code, executions), (7, 1), "{declared} {}", ended.show());
                assert!(!ended.stderr.contains(KEEPS_IT_ONCE), "{}", ended.show());
            }
        }
    }
}

#[test]
fn a_key_is_refused_where_the_server_ignores_it() {
    let tools = json!([{"name": "execute_skill", "inputSchema": {"type": "object"}}]);
    let experimental = json!({"com.sproutgoodhabits/idempotencyKey": {"tools": ["skill_write"]}});
    let capabilities = json!({"tools": {}, "experimental": experimental});
    let server =
        Fake::new(move |request| Some(request.usual_with(&capabilities, &tools, &json!({}))));
    let ended = call(&server, &Tree::new(), &["execute_skill", "--idempotency-key", "k"]);
    assert_eq!(server.calls().len(), 0);
    assert!(ended.stderr.contains("does not honour idempotency keys"), "{}", ended.show());
}

const KEEPS_IT_ONCE: &str = "so it takes effect once";

#[test]
fn a_tool_of_the_contract_is_called_once_where_no_keys_are_declared() {
    for (tool, arguments) in CONTRACT_WRITES {
        let server = losing(tool, arguments, false);
        let data = Tree::new();
        for _ in 0..2 {
            let ended = call(&server, &data, &[tool]);
            assert_eq!((ended.code, server.calls().len()), (7, 1), "{}", ended.show());
            assert!(!ended.stderr.contains(KEEPS_IT_ONCE), "{}", ended.show());
            assert!(ended.stderr.contains("add `--new`") || ended.stderr.contains("with `--new`"));
        }
    }
}

#[test]
fn a_tool_of_the_contract_is_called_again_where_keys_are_declared() {
    let (tool, arguments) = CONTRACT_WRITES[3];
    let server = losing(tool, arguments, true);
    let ended = call(&server, &Tree::new(), &[tool]);
    let keys = server.calls();
    let keys: Vec<_> = keys.iter().map(|call| call.header("idempotency-key")).collect();
    assert!(keys.len() > 1 && keys.iter().all(|key| key.is_some() && *key == keys[0]));
    assert_eq!(ended.code, 7, "{}", ended.show());
    assert!(ended.stderr.contains(KEEPS_IT_ONCE), "{}", ended.show());
}
