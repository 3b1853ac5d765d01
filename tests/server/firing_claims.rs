//! Runs as those see them who wait for them: that one is due, claims that do not hold any more, runs that
//! are withdrawn between two attempts, and what is wrong with a call.

use dibber_server::firing::{Scheduler, SchedulerOptions};
use serde_json::{Value, json};

use super::firing::{due, with_heartbeat};
use crate::support::wire::{HOME, ok, refused, with};

/// A server decides by itself what is due, and an agent that waits learns of it before anyone asks.
#[tokio::test]
async fn a_due_run_is_an_event_that_wakes_those_who_wait() {
    let (test_server, client, heartbeat) = with_heartbeat(json!({"childId": "ch_0"})).await;
    let uris = ["family/activity", &format!("heartbeat/{heartbeat}"), "child/ch_0/today"];
    let wait = async |since: &[Value]| {
        let resource =
            |(uri, since)| json!({"uri": format!("sprout://{uri}"), "sinceVersion": since});
        let since = since.iter().cloned().chain(std::iter::repeat(Value::Null));
        let resources: Vec<_> = uris.iter().zip(since).map(resource).collect();
        let answer =
            ok(&client, "resource_wait", json!({"resources": resources, "timeoutMs": 0})).await;
        let resources = answer["resources"].as_array().expect("resources").clone();
        let versions: Vec<_> = resources.iter().map(|it| it["version"].clone()).collect();
        let changed: Vec<_> = resources.iter().map(|it| it["changed"] == true).collect();
        (versions, changed)
    };
    let decide = async || {
        let scheduler =
            Scheduler::new(test_server.server.clone(), None, SchedulerOptions::default());
        scheduler.run_once().await.expect("it decides").decided
    };
    let (before, _) = wait(&[]).await;
    test_server.move_clock(3_600);
    assert_eq!(decide().await, 1);
    let (since, changed) = wait(&before).await;
    assert_eq!(changed, [true; 3]);
    let page = ok(&client, "activity_list", json!({"limit": 1})).await;
    let event = &page["items"][0];
    assert_eq!(
        (&event["type"], &event["actor"]["kind"]),
        (&json!("heartbeat.due"), &json!("server"))
    );
    let run = due(&client, json!({"action": "list"})).await["items"][0].clone();
    let refs = json!({
        "skillId": "sk_plants", "heartbeatId": heartbeat, "runId": run["runId"],
    });
    assert_eq!(event["refs"], refs);
    // What is decided is decided once.
    assert_eq!(decide().await, 0);
    assert_eq!(wait(&since).await.1, [false; 3]);
}

/// What was missed and does not run is not due.
#[tokio::test]
async fn a_skipped_run_is_not_due() {
    let (test_server, client, _) = with_heartbeat(json!({"missedFires": "skip"})).await;
    test_server.move_clock(3_600 * 7);
    assert_eq!(due(&client, json!({"action": "list"})).await["items"], json!([]));
    let history = due(&client, json!({"action": "history"})).await;
    assert_eq!(history["items"][0]["state"], "skipped");
    let activity = ok(&client, "activity_list", json!({})).await.to_string();
    assert!(!activity.contains("heartbeat.due"), "{activity}");
}

/// Each problem as its path, its reason and its fix.
async fn problems(arguments: Value) -> Vec<String> {
    let (_, client, _) = with_heartbeat(json!({})).await;
    let error = refused(&client, "heartbeat_due", arguments).await;
    assert_eq!(error.reason.as_deref(), Some("INVALID_ARGUMENTS"));
    let issues = error.details.expect("details")["issues"].as_array().expect("issues").clone();
    let text = |issue: &Value, name: &str| issue[name].as_str().expect("a string").to_owned();
    let line = |issue| ["path", "reason", "fix"].map(|name| text(issue, name)).join(" ");
    issues.iter().map(line).collect()
}

#[tokio::test]
async fn everything_that_an_action_lacks_is_reported_at_once() {
    let complete = r#"{"action":"complete","runId":"run_…","attempt":1,"result":{"summary":"…"}}"#;
    let fail = r#"{"action":"fail","runId":"run_…","attempt":1,"message":"…"}"#;
    let missing =
        |name: &str, call: &str| format!("/{name} MISSING_FIELD add `{name}`, as in `{call}`");
    let whole = ["runId", "attempt", "result"].map(|name| missing(name, complete));
    assert_eq!(problems(json!({"action": "complete"})).await, whole);
    let others = json!({"action": "complete", "attempt": 1, "result": {"summary": "Done."}});
    assert_eq!(problems(others).await, whole[..1]);
    let unexpected = "UNKNOWN_FIELD remove it, or send it in a call of its own";
    let expected =
        [missing("attempt", fail), missing("message", fail), format!("/limit {unexpected}")];
    let wrong = json!({"action": "fail", "runId": "run_1", "limit": 2});
    assert_eq!(problems(wrong).await, expected);
}

#[tokio::test]
async fn one_run_has_no_pages_and_may_not_exist() {
    let (_, client, _) = with_heartbeat(json!({})).await;
    let one = json!({"action": "history", "runId": "run_1"});
    let paged = refused(&client, "heartbeat_due", with(one.clone(), json!({"limit": 1}))).await;
    assert_eq!(paged.message, "`history with runId` takes no `limit`");
    let answer = due(&client, one).await;
    let next_step = json!("There is no such run; history without runId lists all.");
    assert_eq!((&answer["items"], &answer["nextStep"]), (&json!([]), &next_step));
}

/// An agent that posted the result of a claimed run, too, would make a second card.
#[tokio::test]
async fn the_end_of_a_run_says_whether_its_result_was_posted() {
    for (notify, claimed_step, ended_step) in [
        (
            true,
            "Its result is then posted to the inbox: do not call skill_post_result for it.",
            "Its result is in the family's inbox; do not post it again.",
        ),
        (
            false,
            "Its result is not posted to the inbox.",
            "Its result is not in the family's inbox: skill_post_result posts it, if a parent \
             should read it.",
        ),
    ] {
        let (test_server, client, _) = with_heartbeat(json!({"postResultNotify": notify})).await;
        test_server.move_clock(3_600);
        let claimed = due(&client, json!({"action": "claim"})).await;
        let next_step = claimed["nextStep"].as_str().expect("a string");
        assert!(next_step.ends_with(claimed_step), "{next_step}");
        let complete = json!({"action": "complete", "runId": claimed["run"]["runId"], "attempt": 1,
                              "result": {"summary": "Done."}});
        let ended = due(&test_server.client(HOME), complete).await;
        assert_eq!(ended["nextStep"], format!("The run is recorded. {ended_step}"));
    }
}

/// An agent that lost the answer to its claim sends it again with the same key.
#[tokio::test]
async fn a_claim_is_answered_again_only_while_it_holds() {
    let (test_server, client, _) = with_heartbeat(json!({})).await;
    test_server.move_clock(3_600);
    let claim = json!({"action": "claim", "leaseSeconds": 60, "idempotencyKey": "k-1"});
    let first = due(&client, claim.clone()).await;
    let again = due(&client, claim.clone()).await;
    assert_eq!((&again["run"], &again["replayed"]), (&first["run"], &json!(true)));
    test_server.move_clock(61);
    let lost = refused(&client, "heartbeat_due", claim.clone()).await;
    assert_eq!(lost.reason.as_deref(), Some("CLAIM_LOST"));
    let other = due(&client, json!({"action": "claim"})).await;
    assert_eq!(other["run"]["attempt"], 2);
    let complete = json!({"action": "complete", "runId": other["run"]["runId"], "attempt": 2,
                          "result": {"summary": "Done."}, "idempotencyKey": "k-2"});
    let ended = due(&client, complete.clone()).await;
    let lost = refused(&client, "heartbeat_due", claim).await;
    assert_eq!(lost.reason.as_deref(), Some("CLAIM_LOST"));
    // The answer to its end holds for good.
    assert_eq!(due(&client, complete).await["run"], ended["run"]);
}

#[tokio::test]
async fn a_failed_run_that_is_withdrawn_keeps_its_failure() {
    for (action, others, reason) in [
        ("pause", json!({}), "the heartbeat was paused"),
        ("cancel", json!({}), "the heartbeat was cancelled"),
        ("edit_schedule", json!({"cron": "0 10 * * *"}), "the schedule was changed"),
    ] {
        let (test_server, client, heartbeat) = with_heartbeat(json!({})).await;
        test_server.move_clock(3_600);
        let claimed = due(&client, json!({"action": "claim"})).await;
        let fail = json!({"action": "fail", "runId": claimed["run"]["runId"], "attempt": 1,
                          "message": "no water"});
        assert_eq!(due(&client, fail).await["run"]["state"], "due");
        let update = json!({"heartbeatId": heartbeat, "action": action});
        ok(&client, "heartbeat_update", with(update, others)).await;
        let history = due(&client, json!({"action": "history"})).await;
        let run: &Value = &history["items"][0];
        let expected = format!("no water; not tried again: {reason}");
        assert_eq!((&run["state"], &run["reason"]), (&json!("failed"), &json!(expected)));
    }
}
