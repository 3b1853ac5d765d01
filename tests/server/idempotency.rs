//! The same key is the same call: over the real wire, across restarts, faults and clocks.

use std::sync::Arc;

use dibber_client::ClientError;
use dibber_server::store::sqlite::SqliteStore;
use dibber_skill::contract::{IDEMPOTENCY_META, ToolError};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::faulty_store::{Fault, FaultyStore};
use crate::support::wire::{
    FOREIGN_CANVAS, HOME, OTHER, RawConnection, TestServer, keyed, ok, outline, refusal, replayed,
    sample_arguments, skill_id, with, write_sample,
};

const DAY: i64 = 24 * 60 * 60;

/// Calls with a key that no client of ours would send, or does not wait for what comes of it.
async fn refused_by_hand(
    pipe: &mut RawConnection,
    tool: &str,
    arguments: &Value,
    key: &str,
) -> ToolError {
    let meta = json!({IDEMPOTENCY_META: key});
    let call = json!({"name": tool, "arguments": arguments, "_meta": meta});
    let answer = pipe.ask("tools/call", call).await;
    let error = &answer["result"]["structuredContent"]["error"];
    serde_json::from_value(error.clone()).unwrap_or_else(|_| panic!("not a refusal: {answer}"))
}

async fn skills(test_server: &TestServer, family: &str) -> usize {
    let listed = ok(&test_server.client(family), "skill_list", json!({})).await;
    listed["items"].as_array().expect("items").len()
}

#[tokio::test]
async fn the_same_call_with_the_same_key_is_executed_once() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let write = async |others: Value| {
        keyed(&client, "skill_write", with(sample_arguments(), others), "key-1").await
    };
    let first = write(json!({})).await.expect("an answer");
    assert_eq!(write(json!({})).await.expect("an answer"), replayed(&first));
    assert_eq!(skills(&test_server, HOME).await, 1);
    let other = refusal(write(json!({"name": "Another"})).await);
    assert_eq!(outline(&other), "BAD_INPUT IDEMPOTENCY_CONFLICT");
    let id = first["skillId"].as_str().expect("an id");
    let other = refusal(keyed(&client, "skill_invoke", skill_id(id), "key-1").await);
    assert_eq!(outline(&other), "BAD_INPUT IDEMPOTENCY_CONFLICT");
    // A dry-run writes nothing, so it uses no key up.
    let dry = json!({"dryRun": true});
    let preview = keyed(&client, "skill_write", with(sample_arguments(), dry), "key-2").await;
    assert!(preview.expect("a preview")["specHash"].is_string());
    let second = keyed(&client, "skill_write", sample_arguments(), "key-2").await;
    assert_ne!(second.expect("an answer"), first);
    // The same key of another user is another key.
    let foreign =
        keyed(&test_server.client(OTHER), "skill_write", sample_arguments(), "key-1").await;
    assert_ne!(foreign.expect("an answer"), first);
    assert_eq!((skills(&test_server, HOME).await, skills(&test_server, OTHER).await), (2, 1));
}

#[tokio::test]
async fn every_tool_that_writes_answers_again_what_it_answered() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let id = write_sample(&client, json!({})).await;
    let calls = [
        ("skill_update", json!({"skillId": id, "name": "Ferns"})),
        ("skill_invoke", json!({"skillId": id, "input": {"plant": "fern"}})),
        ("skill_post_result", json!({"skillId": id, "result": {"summary": "Done."}})),
    ];
    for (tool, arguments) in calls {
        let first = keyed(&client, tool, arguments.clone(), tool).await.expect("an answer");
        test_server.move_clock(60);
        let prompt = json!({"skillId": id, "prompt": format!("{tool}: {{{{input.plant}}}}.")});
        ok(&client, "skill_update", prompt).await;
        let again = keyed(&client, tool, arguments, tool).await.expect("an answer");
        assert_eq!(again, replayed(&first), "{tool}");
    }
    // What was answered again, a minute later, was not done again.
    let skill = ok(&client, "skill_get", skill_id(&id)).await;
    assert_eq!(skill["skill"]["lastTriggeredAt"], "2026-05-23T08:02:00-04:00");
}

/// The canonical form holds numbers as floats, in which two such integers are the same.
#[tokio::test]
async fn a_number_that_no_fingerprint_holds_has_no_key() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let id = write_sample(&client, json!({})).await;
    let result = |number: u64| json!({"summary": "Done.", "a/b": [number]});
    let posted = |number| json!({"skillId": id, "result": result(number)});
    let post = async |number| keyed(&client, "skill_post_result", posted(number), "key").await;
    for number in [1 << 53, (1 << 53) + 1, u64::MAX] {
        let refusal = refusal(post(number).await);
        assert_eq!(outline(&refusal), "BAD_INPUT NOT_HASHABLE /result/a~1b/0=NOT_HASHABLE");
        assert!(refusal.message.contains(&number.to_string()), "{}", refusal.message);
    }
    post((1 << 53) - 1).await.expect("an answer");
    // Without a key nothing is compared.
    let invoked = json!({"skillId": id, "input": {"plant": u64::MAX}});
    let invoked = ok(&client, "skill_invoke", invoked).await;
    assert!(invoked["renderedPrompt"].to_string().contains("18446744073709551615"), "{invoked}");
}

#[tokio::test]
async fn a_refusal_is_remembered() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let arguments = with(sample_arguments(), json!({"name": " "}));
    let first = refusal(keyed(&client, "skill_write", arguments.clone(), "blank").await);
    assert_eq!(outline(&first), "BAD_INPUT BLANK_FIELD /name=BLANK_FIELD");
    let again = refusal(keyed(&client, "skill_write", arguments, "blank").await);
    assert_eq!(again, ToolError { replayed: true, ..first });
    let corrected = keyed(&client, "skill_write", sample_arguments(), "blank").await;
    assert_eq!(outline(&refusal(corrected)), "BAD_INPUT IDEMPOTENCY_CONFLICT");
    // What belongs to others stays so, also when it has come to be one's own.
    let linked = with(sample_arguments(), json!({"canvasIds": [FOREIGN_CANVAS]}));
    let first = refusal(keyed(&client, "skill_write", linked.clone(), "canvas").await);
    let again = refusal(keyed(&client, "skill_write", linked, "canvas").await);
    assert_eq!(again, ToolError { replayed: true, ..first });
}

#[tokio::test]
async fn a_key_is_visible_ascii() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let mut pipe = test_server.connect(HOME).await;
    for key in ["", "two words", "schlüssel", &"k".repeat(256)] {
        for tool in ["skill_write", "skill_list"] {
            let arguments = if tool == "skill_list" { json!({}) } else { sample_arguments() };
            let refused = refused_by_hand(&mut pipe, tool, &arguments, key).await;
            assert_eq!(outline(&refused), "BAD_INPUT INVALID_IDEMPOTENCY_KEY", "{key:?}");
        }
    }
    let longest = keyed(&client, "skill_write", sample_arguments(), &"k".repeat(255)).await;
    longest.expect("an answer");
}

#[tokio::test]
async fn different_keys_in_one_call_are_refused() {
    let test_server = TestServer::new();
    let mut pipe = test_server.connect(HOME).await;
    let arguments = with(sample_arguments(), json!({"idempotencyKey": "one"}));
    let refused = refused_by_hand(&mut pipe, "skill_write", &arguments, "two").await;
    assert_eq!(outline(&refused), "BAD_INPUT INVALID_IDEMPOTENCY_KEY");
    assert!(refused.message.contains("different idempotency keys"), "{}", refused.message);
    assert_eq!(skills(&test_server, HOME).await, 0);
    let meta = json!({IDEMPOTENCY_META: "one"});
    let call = json!({"name": "skill_write", "arguments": arguments, "_meta": meta});
    let answer = pipe.ask("tools/call", call).await;
    assert!(answer["result"]["structuredContent"]["skillId"].is_string(), "{answer}");
}

#[tokio::test]
async fn a_key_holds_for_a_day_by_any_clock() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let write = async || {
        let answer = keyed(&client, "skill_write", sample_arguments(), "daily").await;
        answer.expect("an answer")
    };
    let first = write().await;
    test_server.move_clock(DAY);
    assert_eq!(write().await, replayed(&first));
    test_server.move_clock(-3 * DAY);
    assert_eq!(write().await, replayed(&first), "a clock that was put back makes nothing new");
    test_server.move_clock(3 * DAY + 1);
    let later = write().await;
    assert_ne!(later["skillId"], first["skillId"]);
    assert_eq!(later.get("replayed"), None);
    assert_eq!(skills(&test_server, HOME).await, 2);
}

#[tokio::test]
async fn a_key_outlives_the_server() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("dibber.db");
    let open = || Arc::new(SqliteStore::open(&path).expect("a database"));
    let write = async |test_server: &TestServer| {
        let client = test_server.client(HOME);
        keyed(&client, "skill_write", sample_arguments(), "restart").await.expect("an answer")
    };
    let test_server = TestServer::with_families_in(open());
    let first = write(&test_server).await;
    test_server.server.store().close();
    drop(test_server);
    let test_server = TestServer::over(open());
    assert_eq!(write(&test_server).await, replayed(&first));
    assert_eq!(skills(&test_server, HOME).await, 1);
}

#[tokio::test]
async fn a_fault_of_the_server_is_not_remembered() {
    let store = FaultyStore::temporary();
    let test_server = TestServer::with_families_in(Arc::<FaultyStore>::clone(&store));
    let client = test_server.client(HOME);
    let write = async || keyed(&client, "skill_write", sample_arguments(), "key").await;
    store.set(Fault::Undone);
    let failed = refusal(write().await);
    assert_eq!(outline(&failed), "INTERNAL_ERROR -");
    assert!(!failed.message.contains("disk"), "{}", failed.message);
    assert_eq!(skills(&test_server, HOME).await, 0);
    store.set(Fault::None);
    let first = write().await.expect("an answer");
    assert_eq!(write().await.expect("an answer"), replayed(&first));
    assert_eq!(skills(&test_server, HOME).await, 1);
    // An invocation without a key is answered, though it cannot be noted.
    store.set(Fault::Undone);
    let id = first["skillId"].as_str().expect("an id");
    ok(&client, "skill_invoke", json!({"skillId": id, "input": {"plant": "fern"}})).await;
}

#[tokio::test]
async fn two_concurrent_calls_are_distinguished() {
    let store = FaultyStore::temporary();
    let test_server = TestServer::with_families_in(Arc::<FaultyStore>::clone(&store));
    store.set(Fault::Held);
    let first = test_server.client(HOME);
    let first =
        tokio::spawn(async move { keyed(&first, "skill_write", sample_arguments(), "key").await });
    while !store.holds_change() {
        tokio::task::yield_now().await;
    }
    let client = test_server.client(HOME);
    let mut pipe = test_server.connect(HOME).await;
    let same = refused_by_hand(&mut pipe, "skill_write", &sample_arguments(), "key").await;
    assert_eq!(outline(&same), "INTERNAL_ERROR IDEMPOTENCY_IN_FLIGHT");
    let other = with(sample_arguments(), json!({"name": "Another"}));
    let other: Result<Value, ClientError> = keyed(&client, "skill_write", other, "key").await;
    assert_eq!(outline(&refusal(other)), "BAD_INPUT IDEMPOTENCY_CONFLICT");
    store.set(Fault::None);
    let first = first.await.expect("a call").expect("an answer");
    let again = keyed(&client, "skill_write", sample_arguments(), "key").await;
    assert_eq!(again.expect("an answer"), replayed(&first));
    assert_eq!(skills(&test_server, HOME).await, 1);
}
