//! What a family may have at most, and what is recorded of large answers.

use std::sync::Arc;

use dibber_server::store::sqlite::SqliteStore;
use dibber_server::store::{Card, Event, EventList, FamilyId, Heartbeat, HeartbeatState};
use dibber_server::{
    FAMILY_CANCELLED_MAX, FAMILY_EVENTS_MAX, FAMILY_HEARTBEATS_MAX, FAMILY_RESULTS_MAX,
    FAMILY_SKILLS_MAX,
};
use dibber_skill::contract::{ActivityRefs, ActivityType, CardKind, CardState, SkillWrite};
use rusqlite::Connection;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::support::wire::{
    HOME, OTHER, TestServer, keyed, object, ok, outline, refusal, refused, replayed, sample,
    sample_arguments, write_sample,
};

/// A server over a database in a file, to look into.
fn server_in(directory: &TempDir) -> (TestServer, Connection) {
    let path = directory.path().join("dibber.db");
    let store = SqliteStore::open(&path).expect("a database");
    (TestServer::with_families_in(Arc::new(store)), Connection::open(&path).expect("a database"))
}

fn home() -> FamilyId {
    FamilyId::from(HOME)
}

#[tokio::test]
async fn a_family_has_a_limited_number_of_skills() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    test_server.add_skill(HOME, "sk_0", sample());
    test_server.change(|store| {
        let skill = store.skill(&home(), &"sk_0".into()).expect("a skill").expect("a skill");
        for number in 2..FAMILY_SKILLS_MAX {
            let mut skill = skill.clone();
            skill.id = format!("sk_{number}").into();
            store.add_skill(&home(), &skill).expect("a skill");
        }
    });
    let last = write_sample(&client, json!({})).await;
    let error = refused(&client, "skill_write", sample_arguments()).await;
    assert_eq!(outline(&error), "BAD_INPUT FAMILY_LIMIT");
    assert_eq!(
        error.message,
        "the family has 10000 skills, archived ones included, and the maximum is 10000"
    );
    ok(&client, "skill_update", json!({"skillId": last, "name": "Another"})).await;
    write_sample(&test_server.client(OTHER), json!({})).await;
}

#[tokio::test]
async fn a_family_has_a_limited_number_of_heartbeats() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let id = write_sample(&client, json!({})).await;
    let create = json!({
        "name": "Ferns", "cron": "0 8 * * *", "runSkillId": id, "skillInput": {"plant": "fern"},
    });
    let first = ok(&client, "heartbeat_create", create.clone()).await["heartbeatId"].clone();
    let first_id = first.as_str().expect("an id").to_owned();
    test_server.change(move |store| {
        let first = store.heartbeat(&home(), &first_id.into()).expect("one").expect("one");
        for number in 1..FAMILY_HEARTBEATS_MAX {
            let id = format!("hb_{number}").into();
            let chat_id = format!("th_{number}").into();
            let heartbeat = Heartbeat { id, chat_id, ..first.clone() };
            store.add_heartbeat(&home(), &heartbeat, &[]).expect("a heartbeat");
        }
        let cancelled = Heartbeat {
            id: "hb_cancelled".into(),
            chat_id: "th_cancelled".into(),
            state: HeartbeatState::Cancelled,
            ..first
        };
        store.add_heartbeat(&home(), &cancelled, &[]).expect("a heartbeat");
    });
    let error = refused(&client, "heartbeat_create", create.clone()).await;
    assert_eq!(outline(&error), "BAD_INPUT FAMILY_LIMIT");
    assert_eq!(error.fix, "cancel a heartbeat that is not needed with heartbeat_update");
    ok(&client, "heartbeat_update", json!({"heartbeatId": first, "action": "cancel"})).await;
    ok(&client, "heartbeat_create", create).await;
}

#[tokio::test]
async fn a_family_keeps_the_heartbeats_that_were_cancelled_last() {
    let directory = TempDir::new().expect("a directory");
    let (test_server, database) = server_in(&directory);
    let client = test_server.client(HOME);
    let id = write_sample(&client, json!({})).await;
    let create = json!({
        "name": "Ferns", "cron": "0 8 * * *", "runSkillId": id, "skillInput": {"plant": "fern"},
    });
    let first = ok(&client, "heartbeat_create", create.clone()).await["heartbeatId"].clone();
    let last = ok(&client, "heartbeat_create", create).await["heartbeatId"].clone();
    let first_id = first.as_str().expect("an id").to_owned();
    test_server.change(move |store| {
        let first = store.heartbeat(&home(), &first_id.into()).expect("one").expect("one");
        for number in 0..FAMILY_CANCELLED_MAX {
            let cancelled = Heartbeat {
                id: format!("hb_{number}").into(),
                chat_id: format!("th_{number}").into(),
                state: HeartbeatState::Cancelled,
                ..first.clone()
            };
            store.add_heartbeat(&home(), &cancelled, &[]).expect("a heartbeat");
        }
    });
    let count = |what: &str| {
        let statement = format!("SELECT COUNT(*) FROM {what}");
        database.query_row(&statement, [], |row| row.get::<_, u32>(0)).expect("a count") as usize
    };
    assert_eq!(count("heartbeats"), FAMILY_CANCELLED_MAX + 2);
    let page = ok(&client, "heartbeat_list", json!({"limit": 1})).await;
    let cancel = |id: &Value| json!({"heartbeatId": id, "action": "cancel"});
    ok(&client, "heartbeat_update", cancel(&first)).await;
    assert_eq!(count("heartbeats WHERE state = 'cancelled'"), FAMILY_CANCELLED_MAX);
    assert_eq!(count("heartbeats WHERE id = 'hb_0'"), 0);
    // It was created before all others, and is still known to a repeated call and to a cursor.
    let again = refused(&client, "heartbeat_update", cancel(&first)).await;
    assert_eq!(outline(&again), "BAD_INPUT HEARTBEAT_CANCELLED");
    let next = ok(&client, "heartbeat_list", json!({"cursor": page["nextCursor"]})).await;
    assert_eq!(next["items"][0]["heartbeatId"], last);
    // The next one takes the place of another that was cancelled before it.
    ok(&client, "heartbeat_update", cancel(&last)).await;
    assert_eq!(count("heartbeats WHERE id IN ('hb_0', 'hb_1')"), 0);
    assert_eq!(count("heartbeats"), FAMILY_CANCELLED_MAX);
    assert_eq!(count("heartbeat_members"), 2);
}

#[tokio::test]
async fn an_inbox_keeps_the_newest_results() {
    let directory = TempDir::new().expect("a directory");
    let (test_server, database) = server_in(&directory);
    test_server.add_skill(HOME, "sk_0", sample());
    test_server.change(|store| {
        for number in 0..FAMILY_RESULTS_MAX + 3 {
            let card = Card {
                id: format!("rs_{number}").into(),
                skill_id: "sk_0".into(),
                thread_id: "th_fam_home".into(),
                user_id: "us_fam_home".into(),
                heartbeat_id: None,
                run_id: None,
                kind: CardKind::Result,
                state: CardState::Unread,
                posted_at: 0,
                result: Map::new(),
            };
            store.add_card(&home(), &card, usize::MAX).expect("a card");
        }
    });
    let client = test_server.client(HOME);
    let result = json!({"skillId": "sk_0", "result": {"summary": "Done."}});
    ok(&client, "skill_post_result", result).await;
    let statement = "SELECT COUNT(*), MIN(seq) FROM results";
    let kept = database.query_row(statement, [], |row| Ok((row.get(0)?, row.get(1)?)));
    assert_eq!(kept.expect("a row"), (i64::try_from(FAMILY_RESULTS_MAX).expect("a number"), 5_i64));
}

#[tokio::test]
async fn an_activity_keeps_the_newest_events() {
    let directory = TempDir::new().expect("a directory");
    let (test_server, database) = server_in(&directory);
    test_server.change(|store| {
        for at in 0..i64::try_from(FAMILY_EVENTS_MAX).expect("a number") {
            let (kind, refs) = (ActivityType::HeartbeatFired, ActivityRefs::default());
            let event = Event { kind, actor: None, refs, payload: Map::new(), at };
            store.add_event(&home(), &event, usize::MAX).expect("an event");
        }
    });
    let client = test_server.client(HOME);
    write_sample(&client, json!({})).await;
    let statement = "SELECT COUNT(*), MIN(number), MAX(number) FROM activity";
    let kept = database
        .query_row(statement, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .expect("a row");
    let max = i64::try_from(FAMILY_EVENTS_MAX).expect("a number");
    assert_eq!(kept, (max, 2, max + 1));
    // A reader whose last event is gone reads those that are left.
    let page = ok(&client, "activity_list", json!({"since": "ev_1", "limit": 1})).await;
    assert_eq!(page["items"][0]["eventId"], "ev_2");
    test_server.change(move |store| {
        let list = EventList { limit: 1, ..EventList::default() };
        let newest = store.events(&home(), &list).expect("events").rows[0].number;
        assert_eq!(store.newest_event(&home()).expect("a number"), newest);
    });
}

/// What is read can be read again, so that a large answer need not be stored for a day.
#[tokio::test]
async fn a_large_answer_is_rendered_again() {
    let directory = TempDir::new().expect("a directory");
    let (test_server, database) = server_in(&directory);
    let client = test_server.client(HOME);
    let prompt = "{{input.plant}}".repeat(10);
    let id = write_sample(&client, json!({"prompt": prompt})).await;
    let invoke = |bytes: usize| json!({"skillId": id, "input": {"plant": "x".repeat(bytes)}});
    let small = keyed(&client, "skill_invoke", invoke(10), "small").await.expect("an answer");
    let again = keyed(&client, "skill_invoke", invoke(10), "small").await.expect("an answer");
    assert_eq!(again, replayed(&small));
    let large = keyed(&client, "skill_invoke", invoke(10_000), "large").await.expect("an answer");
    let again = keyed(&client, "skill_invoke", invoke(10_000), "large").await.expect("an answer");
    assert_eq!(again, large);
    let bytes = database.query_row("SELECT MAX(LENGTH(answer)) FROM answers", [], |row| row.get(0));
    let bytes: i64 = bytes.expect("a row");
    assert!(bytes < 4 << 10, "{bytes}");
    let other = keyed(&client, "skill_invoke", invoke(1), "large").await;
    assert_eq!(outline(&refusal(other)), "BAD_INPUT IDEMPOTENCY_CONFLICT");
}

#[tokio::test]
async fn a_write_with_a_large_answer_is_done_once() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    test_server.add_skill(HOME, "sk_0", SkillWrite { input_variables: vec![], ..sample() });
    let input: Map<String, Value> =
        (0..2_000).map(|number| (format!("{number:0>50}"), json!(1))).collect();
    let create = json!({
        "name": "Ferns", "cron": "0 8 * * *", "runSkillId": "sk_0", "skillInput": input,
    });
    let made = keyed(&client, "heartbeat_create", create.clone(), "one").await.expect("an answer");
    assert_eq!(made["ignoredInputs"].as_array().map(Vec::len), Some(2_000));
    let again = keyed(&client, "heartbeat_create", create, "one").await.expect("an answer");
    assert_eq!(again["heartbeatId"], made["heartbeatId"]);
    assert!(!object(again).contains_key("ignoredInputs"));
    let listed = ok(&client, "heartbeat_list", json!({})).await;
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(1));
}
