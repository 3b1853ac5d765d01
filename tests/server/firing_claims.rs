//! Claims that do not hold any more, and runs that are withdrawn between two attempts.

use serde_json::{Value, json};

use super::firing::{due, with_heartbeat};
use crate::support::wire::{ok, refused, with};

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
