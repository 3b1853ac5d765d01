//! Who may do what with a heartbeat, and what each action takes, over the real wire.

use dibber_client::Client;
use dibber_skill::contract::{HeartbeatAction, WireEnum};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::server::heartbeats::{ROBIN, SAM, caller, create_heartbeat, test_server};
use crate::support::wire::{HOME, TestServer, ok, outline, refused, with};

/// A fourth grown-up, who takes part in nothing.
const STRANGER: &str = "us_stranger";
/// The owner of the heartbeats.
const OWNER: &str = "us_fam_home";

/// A heartbeat with an owner, Sam as an admin and Robin as a member.
async fn heartbeat(test_server: &TestServer, owner: &Client) -> String {
    let id = create_heartbeat(owner, json!({})).await;
    let update = |action: &str, user: &str| json!({"heartbeatId": id, "action": action, "targetUserId": user});
    ok(owner, "heartbeat_update", update("promote_admin", SAM)).await;
    let stranger = test_server.client_as(caller(STRANGER));
    ok(&stranger, "heartbeat_update", update("remove_member", STRANGER)).await;
    id
}

fn with_stranger() -> TestServer {
    let test_server = test_server();
    test_server.change(|store| {
        let user = dibber_server::store::User { id: STRANGER.into(), name: "Stranger".to_owned() };
        let family = dibber_server::store::FamilyId::from(HOME.to_owned());
        store.add_user(&family, &user).expect("a user");
    });
    test_server
}

/// Each action with arguments that it takes.
fn actions() -> Vec<(String, Value)> {
    let mut actions = Vec::new();
    for action in HeartbeatAction::all() {
        let name = action.name();
        let mut add = |shown: String, others| {
            actions.push((shown, with(json!({"action": name}), others)));
        };
        match action {
            HeartbeatAction::EditSchedule => add(name.to_owned(), json!({"cron": "0 7 * * *"})),
            HeartbeatAction::EditText => add(name.to_owned(), json!({"promptText": "Hello"})),
            HeartbeatAction::EditInputs => {
                add(name.to_owned(), json!({"skillInput": {"plant": "rose"}}));
            }
            HeartbeatAction::EditMissedFires => add(name.to_owned(), json!({"missedFires": "all"})),
            HeartbeatAction::EditName => add(name.to_owned(), json!({"name": "Another"})),
            HeartbeatAction::Pause | HeartbeatAction::Resume | HeartbeatAction::Cancel => {
                add(name.to_owned(), json!({}));
            }
            _ => {
                for target in [OWNER, SAM, ROBIN, STRANGER] {
                    add(format!("{name} {target}"), json!({"targetUserId": target}));
                }
            }
        }
    }
    actions
}

#[tokio::test]
async fn every_action_of_every_role() {
    let test_server = with_stranger();
    let owner = test_server.client(HOME);
    let mut table = String::new();
    for (shown, arguments) in actions() {
        table += &format!("{shown}\n");
        for user in [OWNER, SAM, ROBIN, STRANGER] {
            let id = heartbeat(&test_server, &owner).await;
            let client = test_server.client_as(caller(user));
            let update = with(arguments.clone(), json!({"heartbeatId": id}));
            let patch = json!({"mode": "update", "heartbeatId": id, "patch": arguments});
            let described =
                client.call("heartbeat_describe", crate::support::wire::object(patch), None);
            let described = described.await;
            let done =
                client.call("heartbeat_update", crate::support::wire::object(update), None).await;
            // A preview and what it previews agree.
            assert_eq!(described.is_ok(), done.is_ok(), "{shown} {user}");
            let outcome = match done {
                Ok(answer) => {
                    assert_eq!(answer["status"], "updated");
                    answer["nextStep"].as_str().expect("a string").to_owned()
                }
                Err(error) => outline(&crate::support::wire::refusal(Err(error))),
            };
            table += &format!("  {user}: {outcome}\n");
        }
    }
    assert_snapshot!(table);
}

#[tokio::test]
async fn a_new_member_may_leave_and_a_new_admin_may_edit() {
    let test_server = with_stranger();
    let owner = test_server.client(HOME);
    let id = heartbeat(&test_server, &owner).await;
    let stranger = test_server.client_as(caller(STRANGER));
    let rename = json!({"heartbeatId": id, "action": "edit_name", "name": "Mine"});
    let about =
        |action: &str| json!({"heartbeatId": id, "action": action, "targetUserId": STRANGER});
    let denied = async |expected: &str| {
        let error = refused(&stranger, "heartbeat_update", rename.clone()).await;
        assert_eq!(outline(&error), format!("PERMISSION_DENIED {expected}"));
    };
    denied("NOT_A_MEMBER").await;
    ok(&owner, "heartbeat_update", about("add_member")).await;
    denied("ADMIN_ONLY").await;
    ok(&owner, "heartbeat_update", about("promote_admin")).await;
    ok(&stranger, "heartbeat_update", rename.clone()).await;
    // To add an admin again does not make a member of them.
    ok(&owner, "heartbeat_update", about("add_member")).await;
    ok(&stranger, "heartbeat_update", rename.clone()).await;
    ok(&stranger, "heartbeat_update", about("remove_member")).await;
    denied("NOT_A_MEMBER").await;
    let listed = ok(&owner, "heartbeat_list", json!({})).await;
    assert_eq!(listed["items"][0]["name"], "Mine");
}

#[tokio::test]
async fn pausing_and_resuming_can_be_repeated_and_cancelling_is_the_end() {
    let test_server = test_server();
    let client = test_server.client(HOME);
    let id = create_heartbeat(&client, json!({})).await;
    let mut steps = Vec::new();
    for action in ["resume", "pause", "pause", "resume", "cancel"] {
        let update = json!({"heartbeatId": id, "action": action});
        let answer = ok(&client, "heartbeat_update", update).await;
        steps.push(answer["nextStep"].as_str().expect("a string").to_owned());
    }
    assert_eq!(
        steps,
        [
            "It was not paused. It fires next at 2026-05-25T08:00:00-04:00.",
            "It is paused until it is resumed.",
            "It was paused already.",
            "It fires again. It fires next at 2026-05-25T08:00:00-04:00.",
            "It is cancelled, and never fires again.",
        ]
    );
    for (shown, arguments) in actions() {
        if shown.contains(STRANGER) || shown.starts_with("remove_member us_fam_home") {
            continue;
        }
        let update = with(arguments, json!({"heartbeatId": id}));
        let error = refused(&client, "heartbeat_update", update).await;
        assert_eq!(outline(&error), "BAD_INPUT HEARTBEAT_CANCELLED", "{shown}");
    }
    let listed = ok(&client, "heartbeat_list", json!({})).await;
    assert_eq!(listed["items"], json!([]));
}

#[tokio::test]
async fn an_action_needs_its_arguments_and_takes_no_others() {
    let test_server = test_server();
    let client = test_server.client(HOME);
    let id = create_heartbeat(&client, json!({})).await;
    let cases = [
        (json!({"action": "edit_schedule"}), "/cron=MISSING_FIELD"),
        (json!({"action": "edit_schedule", "name": "x"}), {
            "/cron=MISSING_FIELD /name=UNKNOWN_FIELD"
        }),
        (json!({"action": "edit_text", "tz": "UTC"}), {
            "/promptText=MISSING_FIELD /tz=UNKNOWN_FIELD"
        }),
        (json!({"action": "edit_name"}), "/name=MISSING_FIELD"),
        (json!({"action": "pause", "cron": "0 8 * * *", "targetUserId": SAM}), {
            "/cron=UNKNOWN_FIELD /targetUserId=UNKNOWN_FIELD"
        }),
        (json!({"action": "resume", "promptText": ""}), "/promptText=UNKNOWN_FIELD"),
        (json!({"action": "cancel", "name": "x"}), "/name=UNKNOWN_FIELD"),
        (json!({"action": "add_member"}), "/targetUserId=MISSING_FIELD"),
        (json!({"action": "remove_member"}), "/targetUserId=MISSING_FIELD"),
        (json!({"action": "promote_admin"}), "/targetUserId=MISSING_FIELD"),
        (json!({"action": "stop"}), "/action=UNKNOWN_VALUE"),
        (json!({}), "/action=MISSING_FIELD"),
    ];
    for (arguments, issues) in cases {
        let update = with(arguments.clone(), json!({"heartbeatId": id}));
        let error = refused(&client, "heartbeat_update", update).await;
        assert_eq!(outline(&error), format!("BAD_INPUT INVALID_ARGUMENTS {issues}"));
        let patch = json!({"mode": "update", "heartbeatId": id, "patch": arguments});
        let error = refused(&client, "heartbeat_describe", patch).await;
        let issues = issues.replace('/', "/patch/");
        assert_eq!(outline(&error), format!("BAD_INPUT INVALID_ARGUMENTS {issues}"));
    }
}

#[tokio::test]
async fn a_new_schedule_and_a_new_name_keep_the_rules_of_a_new_heartbeat() {
    let test_server = test_server();
    let client = test_server.client(HOME);
    let id = create_heartbeat(&client, json!({"cron": "0,15,30,45 1 * * *"})).await;
    let cases = [
        (json!({"cron": "*/10 * * * *"}), "CADENCE_OVER_CAP /cron=CADENCE_OVER_CAP"),
        (json!({"cron": "0 8 31 2 *"}), "NEVER_FIRES /cron=NEVER_FIRES"),
        (json!({"cron": "8am", "tz": "Moon"}), {
            "UNKNOWN_TIME_ZONE /tz=UNKNOWN_TIME_ZONE /cron=INVALID_CRON"
        }),
    ];
    for (others, expected) in cases {
        let update = json!({"heartbeatId": id, "action": "edit_schedule"});
        let error = refused(&client, "heartbeat_update", with(update, others)).await;
        assert_eq!(outline(&error), format!("BAD_INPUT {expected}"));
    }
    // In UTC no clock is set back, so four fires in one hour are four; in New York they are eight.
    let wild = create_heartbeat(&client, json!({"cron": "*/15 1 * * *", "tz": "UTC"})).await;
    let to_new_york =
        json!({"heartbeatId": wild, "action": "edit_schedule", "tz": "America/New_York"});
    let error = refused(&client, "heartbeat_update", to_new_york).await;
    assert_eq!(outline(&error), "BAD_INPUT CADENCE_OVER_CAP /tz=CADENCE_OVER_CAP");
    let blank = json!({"heartbeatId": wild, "action": "edit_name", "name": "\t"});
    let error = refused(&client, "heartbeat_update", blank).await;
    assert_eq!(outline(&error), "BAD_INPUT BLANK_FIELD /name=BLANK_FIELD");
    let both = json!({"heartbeatId": wild, "action": "edit_schedule", "tz": "asia/tokyo", "cron": "0 6 * * 1"});
    let answer = ok(&client, "heartbeat_update", both).await;
    let next = "It has the new schedule. It fires next at 2026-05-25T06:00:00+09:00.";
    assert_eq!(answer["nextStep"], next);
}
