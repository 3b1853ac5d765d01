//! Heartbeats over the real wire: what is made, and what is listed.

use dibber_client::Client;
use dibber_server::Caller;
use dibber_server::store::{FamilyId, User};
use dibber_skill::contract::{InputVariable, Scope, SkillWrite};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::wire::{
    HOME, OTHER, TestServer, keyed, ok, outline, parent, refused, replayed, sample, skill_id, with,
};

/// The skill that heartbeats run here, of [`HOME`].
pub(crate) const RUN: &str = "sk_run";
/// A skill that creates heartbeats.
pub(crate) const ASSIGNMENT: &str = "sk_assignment";
/// Two more grown-ups of [`HOME`].
pub(crate) const SAM: &str = "us_sam";
pub(crate) const ROBIN: &str = "us_robin";

/// Creates a server with skills and grown-ups for heartbeats.
pub(crate) fn test_server() -> TestServer {
    let test_server = TestServer::new();
    test_server.change(|store| {
        let family = FamilyId::from(HOME.to_owned());
        for id in [SAM, ROBIN] {
            let user = User { id: id.into(), name: id.to_owned() };
            store.add_user(&family, &user).expect("a user");
        }
    });
    test_server.add_skill(HOME, RUN, sample());
    test_server.add_skill(HOME, ASSIGNMENT, with_hands(&["heartbeat_create"]));
    test_server
}

/// A skill without inputs that uses these tools.
pub(crate) fn with_hands(hands: &[&str]) -> SkillWrite {
    let hands = hands.iter().map(|hand| (*hand).to_owned()).collect();
    SkillWrite { hands_referenced: hands, input_variables: Vec::new(), ..sample() }
}

/// A user of [`HOME`] who may do everything that a role allows.
pub(crate) fn caller(user: &str) -> Caller {
    Caller { user_id: user.into(), ..parent(HOME) }
}

/// Arguments that make a heartbeat.
pub(crate) fn create() -> Value {
    json!({
        "name": "Morning check-in", "cron": "0 8 * * 1-5", "runSkillId": RUN,
        "skillInput": {"plant": "the fern on {{fireDate}}"},
    })
}

/// Creates a heartbeat and returns its id.
pub(crate) async fn create_heartbeat(client: &Client, others: Value) -> String {
    let made = ok(client, "heartbeat_create", with(create(), others)).await;
    made["heartbeatId"].as_str().expect("an id").to_owned()
}

/// The answer without what is chance.
fn shown(answer: &Value) -> String {
    let text = serde_json::to_string_pretty(answer).expect("JSON");
    let parts = text.split('"').map(|part| match part.split_once('_') {
        Some((kind @ ("hb" | "th"), rest))
            if rest.len() == 32 && rest.bytes().all(|byte| byte.is_ascii_hexdigit()) =>
        {
            format!("{kind}_…")
        }
        _ => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("\"")
}

#[tokio::test]
async fn a_heartbeat_is_described_created_listed_and_changed() {
    let test_server = test_server();
    let client = test_server.client(HOME);
    let payload = json!({"mode": "create", "payload": create()});
    let described = ok(&client, "heartbeat_describe", payload).await;
    let created = ok(&client, "heartbeat_create", create()).await;
    let id = &created["heartbeatId"];
    let listed = ok(&client, "heartbeat_list", json!({})).await;
    let update = json!({"heartbeatId": id, "action": "edit_schedule", "tz": "Europe/Berlin"});
    let updated = ok(&client, "heartbeat_update", update).await;
    let paused = json!({"heartbeatId": id, "action": "pause"});
    let paused = ok(&client, "heartbeat_update", paused).await;
    let relisted = ok(&client, "heartbeat_list", json!({})).await;
    let all = [described, created, listed, updated, paused, relisted];
    assert_snapshot!(all.iter().map(shown).collect::<Vec<_>>().join("\n"));
}

#[tokio::test]
async fn the_next_fire_has_the_offset_of_its_zone_and_keeps_the_rules_of_clock_changes() {
    let test_server = test_server();
    let client = test_server.client(HOME);
    let next = async |cron: &str, tz: &str| {
        let others = json!({"cron": cron, "tz": tz});
        let made = ok(&client, "heartbeat_create", with(create(), others)).await;
        made["nextFireAt"].as_str().expect("a time").to_owned()
    };
    assert_eq!(next("0 8 * * 1-5", "America/New_York").await, "2026-05-25T08:00:00-04:00");
    assert_eq!(next("0 8 * 12 *", "america/new_york").await, "2026-12-01T08:00:00-05:00");
    assert_eq!(next("0 8 * * *", "Asia/Kolkata").await, "2026-05-24T08:00:00+05:30");
    assert_eq!(next("0 8 * * *", "UTC").await, "2026-05-24T08:00:00+00:00");
    // The clock of New York has no 02:30 on 14 March 2027, and 01:30 twice on 1 November 2026.
    assert_eq!(next("30 2 14 3 *", "America/New_York").await, "2027-03-14T03:00:00-04:00");
    assert_eq!(next("30 1 1 11 *", "America/New_York").await, "2026-11-01T01:30:00-04:00");
    // In Berlin the gap is on 28 March 2027, and the hour that comes twice on 25 October 2026.
    assert_eq!(next("30 2 28 3 *", "Europe/Berlin").await, "2027-03-28T03:00:00+02:00");
    assert_eq!(next("30 2 25 10 *", "Europe/Berlin").await, "2026-10-25T02:30:00+02:00");
    let made = ok(&client, "heartbeat_create", with(create(), json!({"tz": null}))).await;
    assert_eq!(made["nextFireAt"], "2026-05-25T08:00:00-04:00");
}

#[tokio::test]
async fn values_that_no_input_declares_are_reported_and_stored() {
    let test_server = test_server();
    let client = test_server.client(HOME);
    let others = json!({"skillInput": {"plant": "a", "plants": 2, "": null}});
    let made = ok(&client, "heartbeat_create", with(create(), others)).await;
    assert_eq!(made["ignoredInputs"], json!(["", "plants"]));
    assert!(made["nextStep"].as_str().is_some_and(|text| text.contains("ignoredInputs")));
    let made = ok(&client, "heartbeat_create", create()).await;
    assert_eq!(made.get("ignoredInputs"), None);
}

#[tokio::test]
async fn participants_of_the_chat_become_members() {
    let test_server = test_server();
    let owner = test_server.client(HOME);
    let made = ok(&owner, "heartbeat_create", create()).await;
    let (id, chat) = (made["heartbeatId"].clone(), made["chatId"].clone());
    let leave = json!({"heartbeatId": id, "action": "remove_member", "targetUserId": ROBIN});
    ok(&owner, "heartbeat_update", leave).await;
    // A heartbeat of that chat has its two participants, and Sam, who makes it, owns it.
    let sam = test_server.client_as(caller(SAM));
    let second = create_from_chat(&sam, &chat).await;
    let cancel = |id: &str| json!({"heartbeatId": id, "action": "cancel"});
    let robin = test_server.client_as(caller(ROBIN));
    let refusal = |error| outline(&error);
    let error = refused(&robin, "heartbeat_update", cancel(&second)).await;
    assert_eq!(refusal(error), "PERMISSION_DENIED NOT_A_MEMBER");
    let error = refused(&owner, "heartbeat_update", cancel(&second)).await;
    assert_eq!(refusal(error), "PERMISSION_DENIED OWNER_ONLY");
    ok(&sam, "heartbeat_update", cancel(&second)).await;
    // Robin no longer takes part in the chat, so for Robin there is none.
    let from_chat = with(create(), json!({"sourceChatId": chat}));
    let error = refused(&robin, "heartbeat_create", from_chat).await;
    assert_eq!(refusal(error), "PERMISSION_DENIED - /sourceChatId=NOT_YOURS");
}

async fn create_from_chat(client: &Client, chat: &Value) -> String {
    create_heartbeat(client, json!({"sourceChatId": chat})).await
}

#[tokio::test]
async fn a_list_has_pages_that_stay_as_they_are_while_heartbeats_come_and_go() {
    let test_server = test_server();
    let client = test_server.client(HOME);
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.push(create_heartbeat(&client, json!({"name": format!("Heartbeat {number}")})).await);
    }
    let first = ok(&client, "heartbeat_list", json!({"limit": 2})).await;
    assert_eq!(listed(&first), ids[..2]);
    // The last one of the page is cancelled, and another one made: the next page does not mind.
    let cancel = json!({"heartbeatId": ids[1], "action": "cancel"});
    ok(&client, "heartbeat_update", cancel).await;
    ids.push(create_heartbeat(&client, json!({})).await);
    let next = |page: &Value| json!({"limit": 2, "cursor": page["nextCursor"]});
    let second = ok(&client, "heartbeat_list", next(&first)).await;
    assert_eq!(listed(&second), ids[2..4]);
    let third = ok(&client, "heartbeat_list", next(&second)).await;
    assert_eq!(listed(&third), ids[4..]);
    assert_eq!(third["nextCursor"], Value::Null);
    let all = ok(&client, "heartbeat_list", json!({})).await;
    assert_eq!(listed(&all).len(), 5);

    let other = test_server.client(OTHER);
    let error = refused(&other, "heartbeat_list", next(&first)).await;
    assert_eq!(outline(&error), "BAD_INPUT INVALID_CURSOR");
    let error = refused(&client, "heartbeat_list", json!({"cursor": "x"})).await;
    assert_eq!(outline(&error), "BAD_INPUT INVALID_CURSOR");
    for (limit, reason) in
        [(json!(0), "OUT_OF_RANGE"), (json!(201), "OUT_OF_RANGE"), (json!("2"), "WRONG_TYPE")]
    {
        let error = refused(&client, "heartbeat_list", json!({"limit": limit})).await;
        let expected = format!("BAD_INPUT INVALID_ARGUMENTS /limit={reason}");
        assert_eq!(outline(&error), expected);
    }
}

fn listed(page: &Value) -> Vec<String> {
    let items = page["items"].as_array().expect("items");
    items.iter().map(|item| item["heartbeatId"].as_str().expect("an id").to_owned()).collect()
}

#[tokio::test]
async fn a_repeated_call_with_its_key_makes_one_heartbeat() {
    let test_server = test_server();
    let client = test_server.client(HOME);
    let first = keyed(&client, "heartbeat_create", create(), "key").await.expect("a heartbeat");
    let again = keyed(&client, "heartbeat_create", create(), "key").await.expect("a heartbeat");
    assert_eq!(again, replayed(&first));
    let all = ok(&client, "heartbeat_list", json!({})).await;
    assert_eq!(listed(&all).len(), 1);
}

#[tokio::test]
async fn stored_times_are_read_back_after_the_clock_moves() {
    let test_server = test_server();
    let client = test_server.client(HOME);
    create_heartbeat(&client, json!({"cron": "0 9 * * *", "tz": "Europe/Berlin"})).await;
    let next = async || {
        let all = ok(&client, "heartbeat_list", json!({})).await;
        all["items"][0]["nextRunAt"].as_str().expect("a time").to_owned()
    };
    assert_eq!(next().await, "2026-05-24T09:00:00+02:00");
    test_server.move_clock(200 * 24 * 60 * 60);
    assert_eq!(next().await, "2026-12-10T09:00:00+01:00");
}

#[tokio::test]
async fn the_overview_has_ages_by_the_clock_of_the_family() {
    let test_server = test_server();
    let client = test_server.client(HOME);
    let age = async || {
        let overview = ok(&client, "family_query_overview", json!({})).await;
        overview["kids"][0]["age"].as_i64().expect("an age")
    };
    let overview = ok(&client, "family.query_overview", json!({})).await;
    assert_eq!(overview["familyId"], HOME);
    assert_eq!(overview["parents"].as_array().map(Vec::len), Some(3));
    assert_eq!(overview["kids"][0]["birthDate"], "2019-04-30");
    assert_eq!(age().await, 7);
    // The eighth birthday is 342 days away; at 11pm in New York it is still the day before.
    test_server.move_clock(341 * 24 * 60 * 60 + 15 * 60 * 60);
    assert_eq!(age().await, 7);
    test_server.move_clock(60 * 60);
    assert_eq!(age().await, 8);
    let other = test_server.client(OTHER);
    let overview = ok(&other, "family_query_overview", json!({})).await;
    assert_eq!(overview["kids"], json!([]));
}

#[tokio::test]
async fn health_and_identity_need_no_scope_and_everything_else_does() {
    let test_server = test_server();
    let unscoped = test_server.client_as(Caller { scopes: Vec::new(), ..parent(HOME) });
    let health = ok(&unscoped, "mcp_health", json!({})).await;
    assert_eq!(health["status"], "ok");
    assert_eq!(health["time"], "2026-05-23T08:00:00-04:00");
    let whoami = ok(&unscoped, "mcp_whoami", json!({})).await;
    assert_eq!(
        (&whoami["name"], &whoami["scopes"], &whoami["familyId"]),
        (&json!("A parent"), &json!([]), &json!(HOME))
    );
    let reader =
        test_server.client_as(Caller { scopes: vec![Scope::HeartbeatRead], ..parent(HOME) });
    ok(&reader, "heartbeat_list", json!({})).await;
    ok(&reader, "heartbeat_describe", json!({"mode": "create", "payload": create()})).await;
    for (client, tool, arguments) in [
        (&reader, "heartbeat_create", create()),
        (&reader, "heartbeat_update", json!({"heartbeatId": "hb_1", "action": "pause"})),
        (&reader, "family_query_overview", json!({})),
        (&reader, "skill_get", skill_id(RUN)),
        (&unscoped, "heartbeat_list", json!({})),
        (&unscoped, "heartbeat_describe", json!({"mode": "create", "payload": create()})),
    ] {
        // It is not listed, either.
        let error = refused(client, tool, arguments).await;
        assert_eq!(outline(&error), "PERMISSION_DENIED SCOPE_MISSING", "{tool}");
    }
}

/// A skill with so many inputs.
pub(crate) fn with_inputs(count: usize) -> SkillWrite {
    let input = |number| InputVariable { name: format!("input_{number}"), ..Default::default() };
    SkillWrite { input_variables: (0..count).map(input).collect(), ..sample() }
}
