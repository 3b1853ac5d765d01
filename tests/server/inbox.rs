//! The inbox: cards are posted, listed and sorted.

use dibber_client::Client;
use dibber_server::store::{Card, FamilyId};
use dibber_skill::contract::{CardKind, CardState};
use serde_json::{Map, Value, json};

use crate::support::wire::{
    HOME, OTHER, TestServer, keyed, ok, outline, refused, replayed, with, write_sample,
};

async fn post(client: &Client, skill: &str, summary: &str) -> String {
    let result = json!({"skillId": skill, "result": {"summary": summary}});
    let posted = ok(client, "skill_post_result", result).await;
    posted["resultId"].as_str().expect("an id").to_owned()
}

async fn summaries(client: &Client, arguments: Value) -> Vec<String> {
    let page = ok(client, "inbox_list", arguments).await;
    let items = page["items"].as_array().expect("items").iter();
    items.map(|card| card["summary"].as_str().expect("a summary").to_owned()).collect()
}

#[tokio::test]
async fn a_card_is_posted_read_and_archived() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let skill = write_sample(&client, json!({})).await;
    let result = json!({"summary": "Watered.", "data": {"pots": 3}, "more": [1]});
    let posted =
        ok(&client, "skill_post_result", json!({"skillId": skill, "result": result})).await;
    let second = post(&client, &skill, "Watered again.").await;
    let page = ok(&client, "inbox_list", json!({})).await;
    let expected = json!({
        "resultId": posted["resultId"], "threadId": "th_fam_home", "skillId": skill,
        "kind": "result", "state": "unread", "postedAt": "2026-05-23T08:00:00-04:00",
        "summary": "Watered.", "result": result,
    });
    assert_eq!(page["items"][1], expected);
    assert_eq!(page["items"][0]["resultId"], *second);
    let read = json!({"resultIds": [second], "state": "read"});
    assert_eq!(ok(&client, "inbox_update", read.clone()).await["changed"], 1);
    assert_eq!(ok(&client, "inbox_update", read).await["changed"], 0);
    assert_eq!(summaries(&client, json!({"state": "unread"})).await, ["Watered."]);
    assert_eq!(summaries(&client, json!({"state": "read"})).await, ["Watered again."]);
    let both = json!({"resultIds": [second, posted["resultId"]], "state": "archived"});
    let first = keyed(&client, "inbox_update", both.clone(), "key").await.expect("an answer");
    assert_eq!(first["changed"], 2);
    let again = keyed(&client, "inbox_update", both, "key").await.expect("an answer");
    assert_eq!(again, replayed(&first));
    assert_eq!(summaries(&client, json!({})).await, [""; 0]);
    let archived = summaries(&client, json!({"state": "archived"})).await;
    assert_eq!(archived, ["Watered again.", "Watered."]);
}

#[tokio::test]
async fn a_card_of_a_heartbeat_is_in_its_chat() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let skill = write_sample(&client, json!({})).await;
    let other = write_sample(&client, json!({})).await;
    let create = json!({
        "name": "Evening", "cron": "0 19 * * *", "runSkillId": skill,
        "skillInput": {"plant": "fern"},
    });
    let created = ok(&client, "heartbeat_create", create).await;
    let (heartbeat, chat) = (&created["heartbeatId"], &created["chatId"]);
    let result =
        json!({"skillId": skill, "heartbeatId": heartbeat, "result": {"summary": "Watered."}});
    let posted = ok(&client, "skill_post_result", result.clone()).await;
    assert_eq!(posted["threadId"], *chat);
    post(&client, &skill, "Another.").await;
    assert_eq!(summaries(&client, json!({"threadId": chat})).await, ["Watered."]);
    let of_family = json!({"threadId": "th_fam_home"});
    assert_eq!(summaries(&client, of_family).await, ["Another."]);
    let wrong = with(result, json!({"skillId": other}));
    let error = refused(&client, "skill_post_result", wrong).await;
    assert_eq!(outline(&error), "BAD_INPUT HEARTBEAT_OF_OTHER_SKILL");
    let foreign = test_server.client(OTHER);
    let theirs = refused(&foreign, "inbox_list", json!({"threadId": chat})).await;
    let missing = refused(&foreign, "inbox_list", json!({"threadId": "th_nobody"})).await;
    assert_eq!(theirs, missing);
}

#[tokio::test]
async fn a_result_needs_a_summary() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let skill = write_sample(&client, json!({})).await;
    let mut refusals = Vec::new();
    for result in [
        json!({}),
        json!({"summary": null}),
        json!({"summary": 1}),
        json!({"summary": " \n"}),
        json!({"summary": "x".repeat(4_001)}),
    ] {
        let arguments = json!({"skillId": skill, "result": result});
        let error = refused(&client, "skill_post_result", arguments).await;
        let details = error.details.as_ref().expect("details");
        assert_eq!(details["issues"][0]["path"], "/result/summary");
        refusals.push(format!("{}: {}\n  {}", outline(&error), error.message, error.fix));
    }
    insta::assert_snapshot!(refusals.join("\n"));
    assert_eq!(summaries(&client, json!({})).await, [""; 0], "nothing was posted");
    post(&client, &skill, &"é".repeat(4_000)).await;
}

/// A page has many cards, so that it leaves out what is long; one card is shown whole.
#[tokio::test]
async fn a_long_result_is_shown_alone() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let skill = write_sample(&client, json!({})).await;
    let result = json!({"summary": "Many.", "data": {"plants": "x".repeat(5_000)}});
    let posted =
        ok(&client, "skill_post_result", json!({"skillId": skill, "result": result})).await;
    let page = ok(&client, "inbox_list", json!({})).await;
    assert_eq!(page["items"][0]["summary"], "Many.");
    assert_eq!(page["items"][0].get("result"), None);
    let id = &posted["resultId"];
    ok(&client, "inbox_update", json!({"resultIds": [id], "state": "archived"})).await;
    let page = ok(&client, "inbox_list", json!({"resultId": id})).await;
    assert_eq!(page["items"][0]["result"], result);
    assert_eq!(page["nextCursor"], Value::Null);
}

#[tokio::test]
async fn pages_are_stable_while_cards_come_and_are_read() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let skill = write_sample(&client, json!({})).await;
    for number in 0..7 {
        post(&client, &skill, &format!("{number}")).await;
    }
    let mut listed = Vec::new();
    let mut cursor = Value::Null;
    for round in 0..9 {
        let arguments = json!({"state": "unread", "limit": 2, "cursor": cursor});
        let page = ok(&client, "inbox_list", arguments).await;
        for card in page["items"].as_array().expect("items") {
            listed.push(card["summary"].as_str().expect("a summary").to_owned());
            let read = json!({"resultIds": [card["resultId"]], "state": "read"});
            ok(&client, "inbox_update", read).await;
        }
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
        post(&client, &skill, &format!("new {round}")).await;
    }
    assert_eq!(listed, ["6", "5", "4", "3", "2", "1", "0"]);
    let filter = json!({"state": "read", "cursor": "nonsense"});
    let error = refused(&client, "inbox_list", filter).await;
    assert_eq!(outline(&error), "BAD_INPUT INVALID_CURSOR");
}

#[tokio::test]
async fn an_update_changes_all_cards_or_none() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let skill = write_sample(&client, json!({})).await;
    let ours = post(&client, &skill, "Ours.").await;
    let mixed = json!({"resultIds": [ours, "rs_nobody"], "state": "archived"});
    let error = refused(&client, "inbox_update", mixed).await;
    assert_eq!(outline(&error), "PERMISSION_DENIED - /resultIds/1=NOT_YOURS");
    assert_eq!(summaries(&client, json!({"state": "unread"})).await, ["Ours."]);
    let none = json!({"resultIds": [], "state": "read"});
    let error = refused(&client, "inbox_update", none).await;
    assert_eq!(outline(&error), "BAD_INPUT NOTHING_TO_UPDATE /resultIds=NOTHING_TO_UPDATE");
    let foreign = json!({"resultIds": [ours], "state": "read"});
    refused(&test_server.client(OTHER), "inbox_update", foreign).await;
}

/// Results were posted before a summary was needed.
#[tokio::test]
async fn a_card_without_a_summary_is_listed() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let skill = write_sample(&client, json!({})).await;
    test_server.change(move |store| {
        for (number, summary) in [json!(3), json!("long ".repeat(2_000))].into_iter().enumerate() {
            let card = Card {
                id: format!("rs_{number}").into(),
                skill_id: skill.as_str().into(),
                thread_id: "th_gone".into(),
                user_id: "us_fam_home".into(),
                heartbeat_id: None,
                run_id: None,
                kind: CardKind::Notice,
                state: CardState::Unread,
                posted_at: 0,
                result: Map::from_iter([("summary".to_owned(), summary)]),
            };
            store.add_card(&FamilyId::from(HOME), &card, usize::MAX).expect("a card");
        }
    });
    let page = ok(&client, "inbox_list", json!({"threadId": "th_gone"})).await;
    assert_eq!(page["items"][0]["summary"].as_str().expect("a summary").len(), 4_000);
    assert_eq!(page["items"][1]["summary"], "");
    assert_eq!(page["items"][1]["result"], json!({"summary": 3}));
    assert_eq!(page["items"][1]["kind"], "notice");
}
