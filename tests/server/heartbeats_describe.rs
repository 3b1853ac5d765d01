//! What the server describes of a heartbeat before it is created or changed, over the real wire.

use dibber_client::Client;
use dibber_server::store::{Child, FamilyId};
use dibber_skill::contract::{Category, SkillWrite};
use jiff::civil::{Date, date};
use serde_json::{Value, json};

use crate::server::heartbeats::{
    ASSIGNMENT, RUN, create, create_heartbeat, test_server, with_hands,
};
use crate::support::wire::{HOME, OTHER, TestServer, ok, outline, refused, sample, with};

/// A skill for ages 5 to 7, without inputs.
const AGED: &str = "sk_aged";

/// Describes a heartbeat that is to be made, and gives its warnings.
async fn warnings(client: &Client, others: Value) -> Value {
    let payload = with(create(), others);
    let describe = json!({"mode": "create", "payload": payload});
    ok(client, "heartbeat_describe", describe).await["warnings"].clone()
}

fn add_child(test_server: &TestServer, id: &'static str, birth_date: Date) {
    test_server.change(move |store| {
        let child = Child { id: id.into(), name: "Ottilie".to_owned(), birth_date };
        store.add_child(&FamilyId::from(HOME.to_owned()), &child).expect("a child");
    });
}

fn aged() -> SkillWrite {
    SkillWrite { age_range: Some("5-7".to_owned()), ..with_hands(&[]) }
}

#[tokio::test]
async fn ages_are_reported_from_sixty_days_before_a_birthday_on() {
    let test_server = test_server();
    test_server.add_skill(HOME, AGED, aged());
    // It is 23 May 2026. Sixty days later it is 22 July.
    let children = [
        ("ch_in", date(2020, 1, 1), json!([])),
        ("ch_leaves", date(2018, 7, 22), json!(["age_edge"])),
        ("ch_leaves_later", date(2018, 7, 23), json!([])),
        ("ch_left_today", date(2018, 5, 23), json!(["age_mismatch"])),
        ("ch_leaves_tomorrow", date(2018, 5, 24), json!(["age_edge"])),
        ("ch_enters", date(2021, 7, 22), json!(["age_edge", "age_mismatch"])),
        ("ch_enters_later", date(2021, 7, 23), json!(["age_mismatch"])),
        ("ch_entered_today", date(2021, 5, 23), json!([])),
        ("ch_old", date(2010, 6, 1), json!(["age_mismatch"])),
    ];
    let client = test_server.client(HOME);
    for (id, birth_date, expected) in children {
        add_child(&test_server, id, birth_date);
        let others = json!({"runSkillId": AGED, "childId": id});
        assert_eq!(warnings(&client, others).await, expected, "{id}");
        // Without a child, or without ages, there is nothing to compare.
        assert_eq!(warnings(&client, json!({"runSkillId": AGED})).await, json!([]));
        assert_eq!(warnings(&client, json!({"childId": id})).await, json!([]));
    }
    // The family's clock counts: at 03:59 UTC it is the day before in New York.
    test_server.move_clock(16 * 60 * 60 - 60);
    let others = json!({"runSkillId": AGED, "childId": "ch_leaves_tomorrow"});
    assert_eq!(warnings(&client, others.clone()).await, json!(["age_edge"]));
    test_server.move_clock(60);
    assert_eq!(warnings(&client, others).await, json!(["age_mismatch"]));
}

#[tokio::test]
async fn a_conflict_is_one_minute_of_the_same_child_or_of_the_whole_family() {
    let test_server = test_server();
    test_server.add_skill(HOME, "sk_another", sample());
    let client = test_server.client(HOME);
    let id =
        create_heartbeat(&client, json!({"runSkillId": "sk_another", "childId": "ch_0"})).await;
    let conflict = json!(["schedule_conflict"]);
    let none = json!([]);
    let cases = [
        (json!({"childId": "ch_0"}), &conflict),
        (json!({}), &conflict),
        (json!({"childId": "ch_1"}), &none),
        (json!({"cron": "1 8 * * 1-5"}), &none),
        (json!({"cron": "0 8 * * 6"}), &none),
        // Noon in UTC is 8am in New York in summer, and 7am in winter.
        (json!({"cron": "0 12 * 7 *", "tz": "UTC"}), &conflict),
        (json!({"cron": "0 12 * 1 *", "tz": "UTC"}), &none),
        (json!({"cron": "0 5 1 1 1"}), &none),
    ];
    for (others, expected) in &cases {
        assert_eq!(warnings(&client, others.clone()).await, **expected, "{others}");
    }
    let update = |action: &str| json!({"heartbeatId": id, "action": action});
    ok(&client, "heartbeat_update", update("pause")).await;
    assert_eq!(warnings(&client, json!({})).await, none);
    ok(&client, "heartbeat_update", update("resume")).await;
    assert_eq!(warnings(&client, json!({})).await, conflict);
    // It is not in conflict with itself, nor with those of another family.
    let patch = json!({"action": "edit_schedule", "cron": "0 8 * * 1-5"});
    let describe = json!({"mode": "update", "heartbeatId": id, "patch": patch});
    assert_eq!(ok(&client, "heartbeat_describe", describe).await["warnings"], none);
    test_server.add_skill(OTHER, "sk_other", sample());
    assert_eq!(warnings(&test_server.client(OTHER), json!({"runSkillId": "sk_other"})).await, none);
    ok(&client, "heartbeat_update", update("cancel")).await;
    assert_eq!(warnings(&client, json!({})).await, none);
}

#[tokio::test]
async fn the_same_skill_for_the_same_child_is_a_warning() {
    let test_server = test_server();
    let client = test_server.client(HOME);
    create_heartbeat(&client, json!({"childId": "ch_0"})).await;
    let at_nine = |child: Value| json!({"cron": "0 9 * * *", "childId": child});
    let assigned = json!(["already_assigned"]);
    assert_eq!(warnings(&client, at_nine(json!("ch_0"))).await, assigned);
    assert_eq!(warnings(&client, at_nine(json!("ch_1"))).await, json!([]));
    assert_eq!(warnings(&client, at_nine(Value::Null)).await, json!([]));
    create_heartbeat(&client, json!({"cron": "0 10 * * *"})).await;
    assert_eq!(warnings(&client, at_nine(Value::Null)).await, assigned);
}

#[tokio::test]
async fn the_same_again_is_a_warning() {
    let test_server = test_server();
    let client = test_server.client(HOME);
    create_heartbeat(&client, json!({})).await;
    let twice = json!(["schedule_conflict", "already_assigned", "duplicate"]);
    assert_eq!(warnings(&client, json!({})).await, twice);
    assert_eq!(warnings(&client, json!({"cron": "00 8 * * MON-FRI"})).await, twice);
    let not_twice = json!(["schedule_conflict", "already_assigned"]);
    for other in [json!({"skillInput": {"plant": "the fig"}}), json!({"cron": "0 8 * * *"})] {
        assert_eq!(warnings(&client, other).await, not_twice);
    }
}

#[tokio::test]
async fn a_skill_that_no_heartbeat_can_run_is_a_warning() {
    let test_server = test_server();
    let home_agent = SkillWrite { category: Some(Category::HomeAgent), ..sample() };
    test_server.add_skill(HOME, "sk_home_agent", home_agent);
    test_server.add_skill(HOME, "sk_author", with_hands(&["canvas.create"]));
    test_server.add_skill(HOME, "sk_archived", sample());
    test_server.archive("sk_archived");
    let client = test_server.client(HOME);
    let unfit = json!(["program_not_assignable"]);
    for run in ["sk_home_agent", "sk_author", "sk_archived", ASSIGNMENT] {
        assert_eq!(warnings(&client, json!({"runSkillId": run})).await, unfit, "{run}");
    }
    let assigned_by = |id: &str| json!({"assignmentSkillId": id});
    assert_eq!(warnings(&client, assigned_by(RUN)).await, unfit);
    assert_eq!(warnings(&client, assigned_by("sk_author")).await, unfit);
    assert_eq!(warnings(&client, assigned_by(ASSIGNMENT)).await, json!([]));
}

#[tokio::test]
async fn warnings_come_in_the_order_of_the_contract() {
    let test_server = test_server();
    test_server.add_skill(HOME, AGED, aged());
    add_child(&test_server, "ch_young", date(2021, 6, 1));
    let client = test_server.client(HOME);
    create_heartbeat(&client, json!({"runSkillId": AGED, "childId": "ch_young"})).await;
    test_server.archive(AGED);
    let all = json!([
        "schedule_conflict",
        "age_edge",
        "age_mismatch",
        "program_not_assignable",
        "already_assigned",
        "duplicate"
    ]);
    let others = json!({"runSkillId": AGED, "childId": "ch_young"});
    assert_eq!(warnings(&client, others).await, all);
}

#[tokio::test]
async fn missing_inputs_of_create_are_described() {
    let test_server = test_server();
    let client = test_server.client(HOME);
    let payload = with(create(), json!({"skillInput": null}));
    let answer =
        ok(&client, "heartbeat_describe", json!({"mode": "create", "payload": payload})).await;
    let next_step = answer["nextStep"].as_str().expect("a string");
    assert_eq!(
        next_step,
        "heartbeat_create would refuse this: the input `plant` has no value. To repair it: add it to \
         skillInput; `{{fireDate}}` is the day of each fire. Then describe it again."
    );
    assert_eq!(answer["cadenceText"], "Every weekday at 8am ET");
    let preview = json!({"kind": "skill", "skillId": RUN, "name": "Water the plants"});
    assert_eq!(answer["preview"], preview);
}

/// What would be refused for certain is not to be proposed to a parent, and what would be done is
/// not told as done.
#[tokio::test]
async fn the_next_step_is_one_that_works() {
    let test_server = test_server();
    let home_agent = SkillWrite { category: Some(Category::HomeAgent), ..sample() };
    test_server.add_skill(HOME, "sk_home_agent", home_agent);
    let client = test_server.client(HOME);
    let id = create_heartbeat(&client, json!({"cron": "0 9 * * *"})).await;
    let create = |others: Value| json!({"mode": "create", "payload": with(create(), others)});
    let update =
        |action: &str| json!({"mode": "update", "heartbeatId": id, "patch": {"action": action}});
    let calls = [
        create(json!({"runSkillId": "sk_home_agent"})),
        create(json!({"runSkillId": ASSIGNMENT, "skillInput": null})),
        create(json!({"assignmentSkillId": RUN})),
        create(json!({"cron": "0 9 * * *"})),
        create(json!({})),
        update("cancel"),
        update("pause"),
        update("resume"),
    ];
    let mut output = String::new();
    for call in calls {
        let answer = ok(&client, "heartbeat_describe", call).await;
        output += &format!("{}\n", answer["nextStep"].as_str().expect("a string"));
    }
    insta::assert_snapshot!(output);
}

#[tokio::test]
async fn a_change_is_described_as_it_would_be_and_changes_nothing() {
    let test_server = test_server();
    let client = test_server.client(HOME);
    let id = create_heartbeat(&client, json!({})).await;
    let before = ok(&client, "heartbeat_list", json!({})).await;
    let described = async |patch: Value| {
        let describe = json!({"mode": "update", "heartbeatId": id, "patch": patch});
        let answer = ok(&client, "heartbeat_describe", describe).await;
        (answer["cadenceText"].clone(), answer["nextFireAt"].clone())
    };
    let tokyo = json!({"action": "edit_schedule", "cron": "0 7 * * 6", "tz": "Asia/Tokyo"});
    assert_eq!(
        described(tokyo).await,
        (json!("Every Saturday at 7am Tokyo time"), json!("2026-05-30T07:00:00+09:00"))
    );
    let at_eight = json!("Every weekday at 8am ET");
    let monday = json!("2026-05-25T08:00:00-04:00");
    let named = json!({"action": "edit_name", "name": "Other", "heartbeatId": id});
    assert_eq!(described(named).await, (at_eight.clone(), monday));
    for action in ["pause", "cancel"] {
        assert_eq!(described(json!({"action": action})).await, (at_eight.clone(), Value::Null));
    }
    assert_eq!(ok(&client, "heartbeat_list", json!({})).await, before);
}

#[tokio::test]
async fn refusals_of_describe() {
    let test_server = test_server();
    let client = test_server.client(HOME);
    let id = create_heartbeat(&client, json!({})).await;
    let pause = json!({"action": "pause"});
    let over = with(create(), json!({"cron": "* * * * *", "tz": "Moon", "name": " "}));
    let fast = with(create(), json!({"cron": "* * * * *", "name": " "}));
    let cases = [
        (json!({}), "BAD_INPUT INVALID_ARGUMENTS /mode=MISSING_FIELD"),
        (json!({"mode": "edit"}), "BAD_INPUT INVALID_ARGUMENTS /mode=UNKNOWN_VALUE"),
        (json!({"mode": "create"}), "BAD_INPUT INVALID_ARGUMENTS /payload=MISSING_FIELD"),
        (json!({"mode": "create", "payload": create(), "heartbeatId": id, "patch": pause}), {
            "BAD_INPUT INVALID_ARGUMENTS /heartbeatId=UNKNOWN_FIELD /patch=UNKNOWN_FIELD"
        }),
        (json!({"mode": "update", "payload": create()}), {
            "BAD_INPUT INVALID_ARGUMENTS /patch=MISSING_FIELD /heartbeatId=MISSING_FIELD \
             /payload=UNKNOWN_FIELD"
        }),
        (json!({"mode": "create", "patch": {}}), {
            "BAD_INPUT INVALID_ARGUMENTS /payload=MISSING_FIELD /patch=UNKNOWN_FIELD"
        }),
        (json!({"mode": "update", "heartbeatId": id, "patch": {}}), {
            "BAD_INPUT INVALID_ARGUMENTS /patch/action=MISSING_FIELD"
        }),
        (json!({"mode": "create", "payload": {"name": "x", "when": "now"}}), {
            "BAD_INPUT INVALID_ARGUMENTS /payload/cron=MISSING_FIELD \
             /payload/runSkillId=MISSING_FIELD /payload/when=UNKNOWN_FIELD"
        }),
        (json!({"mode": "create", "payload": over}), {
            "BAD_INPUT BLANK_FIELD /payload/name=BLANK_FIELD /payload/tz=UNKNOWN_TIME_ZONE"
        }),
        (json!({"mode": "create", "payload": fast}), {
            "BAD_INPUT BLANK_FIELD /payload/name=BLANK_FIELD /payload/cron=CADENCE_OVER_CAP"
        }),
        (
            json!({"mode": "update", "heartbeatId": id, "patch": {"action": "edit_schedule", "cron": "0 0 30 2 *"}}),
            { "BAD_INPUT NEVER_FIRES /patch/cron=NEVER_FIRES" },
        ),
        (
            json!({"mode": "update", "heartbeatId": id, "patch": with(pause.clone(), json!({"heartbeatId": "hb_2"}))}),
            { "BAD_INPUT INVALID_ARGUMENTS /patch/heartbeatId=CONFLICTING_FIELDS" },
        ),
        (
            json!({"mode": "update", "heartbeatId": id, "patch": {"action": "edit_text", "promptText": "Hi"}}),
            { "BAD_INPUT NOT_FREE_FORM" },
        ),
        (json!({"mode": "update", "heartbeatId": "hb_2", "patch": pause}), "DOMAIN_NOT_FOUND -"),
        (
            json!({"mode": "update", "heartbeatId": id, "patch": {"action": "add_member", "targetUserId": "us_fam_other"}}),
            { "DOMAIN_NOT_FOUND -" },
        ),
    ];
    for (arguments, expected) in cases {
        let error = refused(&client, "heartbeat_describe", arguments.clone()).await;
        assert_eq!(outline(&error), expected, "{arguments}");
    }
}
