//! What the server refuses of a heartbeat that is to be made, over the real wire.

use dibber_skill::contract::{Category, SkillWrite};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::server::heartbeats::{ASSIGNMENT, RUN, create, test_server, with_hands, with_inputs};
use crate::support::wire::{HOME, OTHER, ok, outline, refused, sample, with};

/// Skills of each kind that no heartbeat may run, or that none is made by.
fn unfit(test_server: &crate::support::wire::TestServer) {
    let home_agent = SkillWrite { category: Some(Category::HomeAgent), ..sample() };
    test_server.add_skill(HOME, "sk_home_agent", home_agent);
    test_server.add_skill(HOME, "sk_dotted", with_hands(&["heartbeat.create"]));
    test_server.add_skill(HOME, "sk_author", with_hands(&["task_create", "canvas.update"]));
    test_server.add_skill(HOME, "sk_author_too", with_hands(&["canvas_create"]));
    test_server.add_skill(HOME, "sk_archived", with_hands(&[]));
    test_server.archive("sk_archived");
    test_server.add_skill(HOME, "sk_many", with_inputs(150));
    test_server.add_skill(OTHER, "sk_foreign", sample());
}

#[tokio::test]
async fn every_reason() {
    let test_server = test_server();
    unfit(&test_server);
    let client = test_server.client(HOME);
    let cases = [
        json!({"name": "  "}),
        json!({"name": "n".repeat(101)}),
        json!({"cron": "0 8 * *"}),
        json!({"cron": "@daily"}),
        json!({"tz": "Eastern"}),
        json!({"tz": ""}),
        json!({"cron": "*/10 * * * *"}),
        json!({"cron": "0 */5 * * *", "tz": "UTC"}),
        json!({"cron": "*/15 1 * * *"}),
        json!({"cron": "0 0 31 2 *"}),
        json!({"runSkillId": ASSIGNMENT}),
        json!({"runSkillId": "sk_dotted"}),
        json!({"assignmentSkillId": RUN}),
        json!({"runSkillId": ASSIGNMENT, "assignmentSkillId": ASSIGNMENT}),
        json!({"runSkillId": "sk_author"}),
        json!({"runSkillId": "sk_author_too"}),
        json!({"runSkillId": "sk_archived"}),
        json!({"assignmentSkillId": "sk_archived"}),
        json!({"runSkillId": "sk_home_agent"}),
        json!({"assignmentSkillId": "sk_author"}),
        json!({"skillInput": null}),
        json!({"skillInput": {"Plant": "a"}}),
    ];
    let mut shown = String::new();
    for case in cases {
        let error = refused(&client, "heartbeat_create", with(create(), case.clone())).await;
        shown += &format!("{case}\n  {}\n  {}\n  {}\n", outline(&error), error.message, error.fix);
    }
    assert_snapshot!(shown);
}

#[tokio::test]
async fn independent_faults_come_at_once_and_a_missing_permission_decides() {
    let test_server = test_server();
    unfit(&test_server);
    let client = test_server.client(HOME);
    let all = json!({
        "name": "", "cron": "* * *", "tz": "Nowhere", "runSkillId": "sk_author",
        "assignmentSkillId": "sk_author_too", "childId": "ch_9", "sourceChatId": "th_9",
    });
    let error = refused(&client, "heartbeat_create", with(create(), all)).await;
    assert_eq!(
        outline(&error),
        "PERMISSION_DENIED - /name=BLANK_FIELD /tz=UNKNOWN_TIME_ZONE /cron=INVALID_CRON \
         /childId=NOT_YOURS /sourceChatId=NOT_YOURS /runSkillId=AUTHORING_AS_RUN_SKILL \
         /assignmentSkillId=SKILL_NOT_ASSIGNMENT"
    );
    let both = json!({"name": "", "runSkillId": "sk_home_agent"});
    let error = refused(&client, "heartbeat_create", with(create(), both)).await;
    assert_eq!(
        outline(&error),
        "PERMISSION_DENIED HOME_AGENT_ONLY /name=BLANK_FIELD /runSkillId=HOME_AGENT_ONLY"
    );
    let listed = ok(&client, "heartbeat_list", json!({})).await;
    assert_eq!(listed["items"], json!([]));
}

#[tokio::test]
async fn a_hundred_faults_are_listed_one_by_one() {
    let test_server = test_server();
    unfit(&test_server);
    let client = test_server.client(HOME);
    let many = json!({"runSkillId": "sk_many", "skillInput": {"input_0": 1}});
    let error = refused(&client, "heartbeat_create", with(create(), many)).await;
    assert_eq!(error.message, "the input `input_1` has no value (and 148 more problems)");
    let issues = &error.details.expect("details")["issues"];
    assert_eq!(issues.as_array().map(Vec::len), Some(100));
    assert_eq!(issues[99]["path"], "/skillInput/input_100");
}

#[tokio::test]
async fn arguments_of_another_shape_are_refused_by_name() {
    let test_server = test_server();
    let client = test_server.client(HOME);
    let cases = [
        (
            json!({"cron": null, "runSkillId": null}),
            "/cron=MISSING_FIELD /runSkillId=MISSING_FIELD",
        ),
        (json!({"timezone": "UTC"}), "/timezone=UNKNOWN_FIELD"),
        (json!({"skillInput": [], "postResultNotify": "yes"}), {
            "/postResultNotify=WRONG_TYPE /skillInput=WRONG_TYPE"
        }),
        (json!({"cron": "*".repeat(1_001)}), "/cron=TOO_LONG"),
    ];
    for (others, issues) in cases {
        let error = refused(&client, "heartbeat_create", with(create(), others)).await;
        assert_eq!(outline(&error), format!("BAD_INPUT INVALID_ARGUMENTS {issues}"));
    }
}

#[tokio::test]
async fn ids_of_another_family_are_refused_like_unknown_ids() {
    let test_server = test_server();
    unfit(&test_server);
    let other = test_server.client(OTHER);
    let theirs = with(create(), json!({"runSkillId": "sk_foreign"}));
    let theirs = ok(&other, "heartbeat_create", theirs).await;
    let client = test_server.client(HOME);
    let own = ok(&client, "heartbeat_create", create()).await;
    let ids = [
        ("heartbeat_create", "runSkillId", json!("sk_foreign"), create()),
        ("heartbeat_create", "assignmentSkillId", json!("sk_foreign"), create()),
        ("heartbeat_create", "sourceChatId", theirs["chatId"].clone(), create()),
        ("heartbeat_create", "sourceChatId", json!(format!("th_{OTHER}")), create()),
        ("heartbeat_update", "heartbeatId", theirs["heartbeatId"].clone(), {
            json!({"action": "pause"})
        }),
        ("heartbeat_update", "targetUserId", json!(format!("us_{OTHER}")), {
            json!({"action": "add_member", "heartbeatId": own["heartbeatId"]})
        }),
        ("heartbeat_describe", "heartbeatId", theirs["heartbeatId"].clone(), {
            json!({"mode": "update", "patch": {"action": "pause"}})
        }),
    ];
    for (tool, field, foreign, others) in ids {
        let with_id = |id: &Value| with(others.clone(), json!({field: id}));
        let foreign = refused(&client, tool, with_id(&foreign)).await;
        let unknown = match field {
            "runSkillId" | "assignmentSkillId" => "sk_00",
            "heartbeatId" => "hb_00",
            _ => "zz_00",
        };
        let missing = refused(&client, tool, with_id(&json!(unknown))).await;
        assert_eq!(foreign, missing, "{tool} {field}");
    }
    for field in ["runSkillId", "assignmentSkillId", "childId", "sourceChatId"] {
        let describe = |id: &str| {
            let payload = with(create(), json!({field: id}));
            json!({"mode": "create", "payload": payload})
        };
        let error = refused(&client, "heartbeat_describe", describe("sk_foreign")).await;
        let expected = format!("DOMAIN_NOT_FOUND - /payload/{field}=NOT_YOURS");
        assert_eq!(outline(&error), expected);
    }
    let own_child = with(create(), json!({"runSkillId": "sk_foreign", "childId": "ch_0"}));
    let error = refused(&other, "heartbeat_create", own_child).await;
    assert_eq!(outline(&error), "PERMISSION_DENIED - /childId=NOT_YOURS");
    let listed = ok(&other, "heartbeat_list", json!({})).await;
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(1));
}

/// Only the day is filled in; what looks like it would reach the agent as it is.
#[tokio::test]
async fn a_value_that_no_fire_fills_in_is_refused() {
    let test_server = test_server();
    let client = test_server.client(HOME);
    for value in ["{{fireTime}}", "At {{ fireDate }}", "{{firedate}}", "{{fireDate}} {{fire}}"] {
        let create = with(create(), json!({"skillInput": {"plant": value}}));
        let refusal = refused(&client, "heartbeat_create", create).await;
        assert_eq!(
            outline(&refusal),
            "BAD_INPUT MALFORMED_PLACEHOLDER /skillInput/plant=MALFORMED_PLACEHOLDER",
            "{value}"
        );
    }
    for value in ["{{fireDate}}", "On {{fireDate}}: {{input.pot}}", "{{", "}} fire {{"] {
        let create = with(create(), json!({"skillInput": {"plant": value}}));
        ok(&client, "heartbeat_create", create).await;
    }
}
