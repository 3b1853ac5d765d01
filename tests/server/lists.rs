//! Pages of skills: whole, in order and stable, whatever happens between them.

use std::collections::BTreeSet;

use dibber_client::Client;
use dibber_skill::contract::{Category, SkillWrite};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::wire::{
    HOME, OTHER, TestServer, ok, outline, refused, sample, with, write_sample,
};

async fn page(client: &Client, arguments: Value) -> (Vec<String>, Value) {
    let page = ok(client, "skill_list", arguments).await;
    let items = page["items"].as_array().expect("items").iter();
    let ids = items.map(|item| item["skillId"].as_str().expect("an id").to_owned());
    (ids.collect(), page["nextCursor"].clone())
}

/// All ids, page by page.
async fn all(client: &Client, arguments: Value) -> Vec<String> {
    let mut listed = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let (ids, next) = page(client, with(arguments.clone(), json!({"cursor": cursor}))).await;
        listed.extend(ids);
        if next.is_null() {
            return listed;
        }
        cursor = next;
    }
}

/// Adds so many skills: every third one is for the home agent, every fourth one is archived.
fn fill(test_server: &TestServer, count: usize) -> Vec<String> {
    let ids: Vec<_> = (0..count).map(|number| format!("sk_{number:032x}")).collect();
    for (number, id) in ids.iter().enumerate() {
        let category = if number % 3 == 2 { Category::HomeAgent } else { Category::Generic };
        let written = SkillWrite { category: Some(category), ..sample() };
        test_server.add_skill(HOME, id, written);
        test_server.add_skill(OTHER, &format!("sk_other{number}"), sample());
        if number % 4 == 3 {
            test_server.archive(id);
        }
    }
    ids
}

#[tokio::test]
async fn pages_hold_every_skill_once_in_order() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    assert_eq!(page(&client, json!({})).await, (vec![], Value::Null));
    let ids = fill(&test_server, 13);
    let numbered = |keep: fn(usize) -> bool| -> Vec<String> {
        (0..ids.len()).filter(|number| keep(*number)).map(|number| ids[number].clone()).collect()
    };
    for limit in [1, 2, 5, 6, 7, 10, 13, 14, 200] {
        let filters = [
            (json!({}), numbered(|number| number % 4 != 3)),
            (json!({"includeArchived": true}), numbered(|_| true)),
            (json!({"category": "home_agent"}), numbered(|n| n % 3 == 2 && n % 4 != 3)),
            (
                json!({"category": "generic", "includeArchived": true}),
                numbered(|number| number % 3 != 2),
            ),
        ];
        for (filter, expected) in filters {
            let arguments = with(filter, json!({"limit": limit}));
            assert_eq!(all(&client, arguments.clone()).await, expected, "{arguments}");
        }
    }
}

#[tokio::test]
async fn fifty_skills_are_a_page() {
    let test_server = TestServer::new();
    fill(&test_server, 51);
    let client = test_server.client(HOME);
    let everything = json!({"includeArchived": true});
    let (ids, next) = page(&client, everything.clone()).await;
    assert_eq!(ids.len(), 50);
    let rest = with(everything, json!({"cursor": next, "limit": 200}));
    let (ids, next) = page(&client, rest).await;
    assert_eq!((ids.len(), next), (1, Value::Null));
}

#[tokio::test]
async fn a_list_is_stable_while_others_write() {
    let test_server = TestServer::new();
    let ids = fill(&test_server, 10);
    let (client, writer) = (test_server.client(HOME), test_server.client(HOME));
    let everything = json!({"includeArchived": true, "limit": 3});
    let mut listed = Vec::new();
    let mut cursor = Value::Null;
    for round in 0.. {
        let (ids, next) = page(&client, with(everything.clone(), json!({"cursor": cursor}))).await;
        listed.extend(ids);
        if next.is_null() || round == 5 {
            break;
        }
        cursor = next;
        // The last item of the page is renamed and archived, and another skill is written.
        let last = listed.last().expect("an item").clone();
        if round % 2 == 0 {
            test_server.archive(&last);
        }
        write_sample(&writer, json!({})).await;
    }
    let distinct: BTreeSet<_> = listed.iter().collect();
    assert_eq!(distinct.len(), listed.len(), "no duplicates");
    assert_eq!(listed[..10], ids, "nothing that was there is missing");
}

#[tokio::test]
async fn a_cursor_belongs_to_its_list() {
    let test_server = TestServer::new();
    fill(&test_server, 5);
    let client = test_server.client(HOME);
    let (_, cursor) = page(&client, json!({"limit": 1})).await;
    let (_, same) = page(&client, json!({"limit": 1, "includeArchived": false})).await;
    assert_eq!(cursor, same, "a default that is written out is the same filter");
    let filters = [
        json!({"includeArchived": true}),
        json!({"category": "generic"}),
        json!({"category": "home_agent"}),
    ];
    for filter in filters {
        let refusal = refused(&client, "skill_list", with(filter, json!({"cursor": cursor}))).await;
        assert_eq!(outline(&refusal), "BAD_INPUT INVALID_CURSOR");
    }
    let other = test_server.client(OTHER);
    let refusal = refused(&other, "skill_list", json!({"cursor": cursor})).await;
    assert_eq!(outline(&refusal), "BAD_INPUT INVALID_CURSOR");
    let shown = cursor.as_str().expect("a string");
    assert!(shown.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// One letter that is changed, left out or added, and anything that is no cursor at all.
    #[test]
    fn a_damaged_cursor_is_refused(at in 0..60_usize, letter in "[A-Za-z0-9_=+/ -]", any in ".{0,300}") {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let test_server = TestServer::new();
            fill(&test_server, 2);
            let client = test_server.client(HOME);
            let (_, cursor) = page(&client, json!({"limit": 1})).await;
            let cursor = cursor.as_str().expect("a string");
            let at = at.min(cursor.len() - 1);
            let (before, after) = cursor.split_at(at);
            let damaged = [
                format!("{before}{letter}{}", &after[1..]),
                format!("{before}{}", &after[1..]),
                format!("{before}{letter}{after}"),
                any,
            ];
            for damaged in damaged.iter().filter(|damaged| *damaged != cursor) {
                let refusal = refused(&client, "skill_list", json!({"cursor": damaged})).await;
                assert_eq!(outline(&refusal), "BAD_INPUT INVALID_CURSOR", "{damaged:?}");
            }
        });
    }
}

#[tokio::test]
async fn a_query_finds_skills_by_their_words() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    for number in 0..7 {
        let name = if number % 2 == 0 { "Water the ferns" } else { "Read a story" };
        let written = SkillWrite {
            name: name.to_owned(),
            description: format!("Übung {number}."),
            ..sample()
        };
        test_server.add_skill(HOME, &format!("sk_{number}"), written);
    }
    let listed = ok(&client, "skill_list", json!({"query": "FERNS übung", "limit": 3})).await;
    let ids: Vec<_> = listed["items"].as_array().expect("items").iter().collect();
    assert_eq!(ids.len(), 3);
    assert_eq!((&ids[2]["skillId"], &ids[2]["description"]), (&json!("sk_4"), &json!("Übung 4.")));
    let next = json!({"query": "ferns  übung", "limit": 3, "cursor": listed["nextCursor"]});
    let refusal =
        refused(&client, "skill_list", with(next.clone(), json!({"query": "ferns"}))).await;
    assert_eq!(outline(&refusal), "BAD_INPUT INVALID_CURSOR");
    let next = with(next, json!({"query": "ferns ÜBUNG"}));
    assert_eq!(page(&client, next).await, (vec!["sk_6".to_owned()], Value::Null));
    assert_eq!(page(&client, json!({"query": "ferns story"})).await, (vec![], Value::Null));
    let all = page(&client, json!({"query": "  "})).await;
    assert_eq!(all.0.len(), 7);
}
