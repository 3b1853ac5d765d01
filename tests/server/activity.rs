//! What has happened in a family, and how a client follows it.

use std::sync::Arc;

use dibber_server::store::sqlite::SqliteStore;
use dibber_server::store::{StoreExt, StoreResult};
use dibber_skill::contract::WireEnum;
use serde_json::{Value, json};

use crate::support::wire::{
    HOME, OTHER, TestServer, keyed, ok, outline, refused, sample_arguments, with, write_sample,
};

/// The events of a page, each as its type and what it is about.
fn events(page: &Value) -> Vec<String> {
    let items = page["items"].as_array().expect("items").iter();
    let show = |event: &Value| {
        let refs = event["refs"].as_object().expect("refs").keys();
        let refs: Vec<_> = refs.map(String::as_str).collect();
        format!("{} {}", event["type"].as_str().expect("a type"), refs.join(" "))
    };
    items.map(show).collect()
}

#[tokio::test]
async fn everything_that_changes_the_family_is_recorded() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let aunt = test_server.server.add_user(&HOME.into(), "An aunt").expect("a user").id;
    let id = write_sample(&client, json!({})).await;
    ok(&client, "skill_update", json!({"skillId": id, "name": "Ferns"})).await;
    ok(&client, "skill_update", json!({"skillId": id, "name": "Ferns"})).await;
    for archived in [true, true, false] {
        ok(&client, "skill_archive", json!({"skillId": id, "archived": archived})).await;
    }
    let dry_run = with(sample_arguments(), json!({"dryRun": true}));
    ok(&client, "skill_write", dry_run).await;
    let input = json!({"skillId": id, "input": {"plant": "fern"}});
    for _ in 0..2 {
        keyed(&client, "skill_invoke", input.clone(), "key").await.expect("an answer");
    }
    let result = json!({"skillId": id, "result": {"summary": "Watered.", "data": {"secret": 1}}});
    ok(&client, "skill_post_result", result).await;
    let create = json!({
        "name": "Evening", "cron": "0 19 * * *", "runSkillId": id, "skillInput": {"plant": "fern"},
    });
    let heartbeat = ok(&client, "heartbeat_create", create).await["heartbeatId"].clone();
    for (action, others) in [
        ("edit_schedule", json!({"cron": "0 7 * * *"})),
        ("edit_name", json!({"name": "Morning"})),
        ("edit_name", json!({"name": "Morning"})),
        ("pause", json!({})),
        ("pause", json!({})),
        ("resume", json!({})),
        ("add_member", json!({"targetUserId": aunt.as_str()})),
        ("promote_admin", json!({"targetUserId": aunt.as_str()})),
        ("remove_member", json!({"targetUserId": aunt.as_str()})),
        ("cancel", json!({})),
    ] {
        let update = with(json!({"heartbeatId": heartbeat, "action": action}), others);
        ok(&client, "heartbeat_update", update).await;
    }
    let page = ok(&client, "activity_list", json!({"since": "ev_0"})).await;
    insta::assert_snapshot!(events(&page).join("\n"));
    assert_eq!(page["items"][2]["payload"], json!({"changedFields": ["name"]}));
    let all = page.to_string();
    for secret in ["fern", "Ferns", "Watered", "secret", "aunt", "Morning"] {
        assert!(!all.contains(secret), "{secret}");
    }
    assert_eq!(page["items"][0]["actor"], json!({"kind": "server"}));
    assert_eq!(page["items"][1]["actor"], json!({"kind": "user", "userId": "us_fam_home"}));
    assert_eq!(page["items"][1]["timestamp"], "2026-05-23T08:00:00-04:00");
    let other = test_server.client(OTHER);
    assert_eq!(ok(&other, "activity_list", json!({})).await["items"], json!([]));
}

/// An invocation without a key is recorded after its answer.
#[tokio::test]
async fn an_invocation_is_recorded_after_its_answer() {
    let store = Arc::new(SqliteStore::temporary().expect("a database"));
    let test_server = TestServer::with_families_in(Arc::clone(&store) as _);
    let client = test_server.client(HOME);
    let id = write_sample(&client, json!({})).await;
    ok(&client, "skill_invoke", json!({"skillId": id, "input": {"plant": "fern"}})).await;
    // What is submitted later is done later.
    let waited: StoreResult<()> = store.write_blocking(|_| Ok(()));
    waited.expect("a change");
    let page = ok(&client, "activity_list", json!({"limit": 1})).await;
    assert_eq!(events(&page), ["skill.invoked skillId"]);
}

#[tokio::test]
async fn a_refused_change_records_nothing() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    refused(&client, "skill_write", with(sample_arguments(), json!({"name": " "}))).await;
    let unknown = json!({"skillId": "sk_1", "input": {}});
    keyed(&client, "skill_invoke", unknown, "key").await.expect_err("no skill");
    assert_eq!(ok(&client, "activity_list", json!({})).await["items"], json!([]));
}

#[tokio::test]
async fn polling_loses_and_repeats_nothing() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let mut seen = Vec::new();
    let mut since = json!("ev_0");
    for round in 0..5 {
        for _ in 0..round {
            write_sample(&client, json!({})).await;
            // The clock goes back, and what happens later still comes later.
            test_server.move_clock(-60);
        }
        // A small page: the rest comes with the next poll.
        let page = ok(&client, "activity_list", json!({"since": since, "limit": 3})).await;
        for event in page["items"].as_array().expect("items") {
            since = event["eventId"].clone();
            seen.push(since.as_str().expect("an id").to_owned());
        }
    }
    let expected: Vec<_> = (1..=seen.len()).map(|number| format!("ev_{number}")).collect();
    assert_eq!(seen, expected);
    assert_eq!(seen.len(), 9, "one page of three in each of the last two rounds");
}

#[tokio::test]
async fn pages_go_on_in_their_order() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    for _ in 0..5 {
        write_sample(&client, json!({})).await;
        test_server.move_clock(60);
    }
    let ids = |page: &Value| {
        let items = page["items"].as_array().expect("items").iter();
        items.map(|event| event["eventId"].as_str().expect("an id").to_owned()).collect::<Vec<_>>()
    };
    for (filter, expected) in [
        (json!({}), ["ev_5", "ev_4", "ev_3", "ev_2", "ev_1"].as_slice()),
        (json!({"since": "ev_2"}), &["ev_3", "ev_4", "ev_5"]),
        (json!({"since": "2026-05-23T08:02:00-04:00"}), &["ev_3", "ev_4", "ev_5"]),
        (json!({"since": "ev_5"}), &[]),
    ] {
        let mut listed = Vec::new();
        let mut cursor = Value::Null;
        for _ in 0..9 {
            let arguments = with(filter.clone(), json!({"limit": 2, "cursor": cursor}));
            let page = ok(&client, "activity_list", arguments).await;
            listed.extend(ids(&page));
            cursor = page["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        assert_eq!(listed, expected, "{filter}");
    }
}

#[tokio::test]
async fn since_is_an_event_or_a_time() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    write_sample(&client, json!({})).await;
    for (since, reason) in [
        ("yesterday", "INVALID_SINCE"),
        ("2026-05-24", "INVALID_SINCE"),
        ("", "INVALID_SINCE"),
        ("ev_", "UNKNOWN_EVENT"),
        ("ev_x", "UNKNOWN_EVENT"),
        ("ev_-1", "UNKNOWN_EVENT"),
        ("ev_2", "UNKNOWN_EVENT"),
        ("ev_99999999999999999999", "UNKNOWN_EVENT"),
    ] {
        let error = refused(&client, "activity_list", json!({"since": since})).await;
        assert_eq!(outline(&error), format!("BAD_INPUT {reason}"), "{since}");
    }
    assert_eq!(dibber_skill::contract::ActivityType::all().len(), 19);
}
