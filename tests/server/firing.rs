//! Heartbeats fire: what is due is claimed, executed and recorded, once.

use std::pin::Pin;
use std::sync::{Arc, Mutex};

use dibber_client::Client;
use dibber_server::firing::{
    Execute, Executor, FiringReport, Job, Outcome, Retry, RunResult, Scheduler, SchedulerOptions,
};
use dibber_skill::contract::ErrorCode;
use jiff::SignedDuration;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::stores::{damage, open};
use crate::support::wire::{HOME, OTHER, TestServer, ok, refused, sample, with};

/// Seconds of a day.
const DAY: i64 = 24 * 60 * 60;

/// A server with a skill and a heartbeat at 9 in the morning, an hour after the present.
pub(super) async fn with_heartbeat(others: Value) -> (TestServer, Client, String) {
    let test_server = TestServer::new();
    let (client, id) = add_heartbeat(&test_server, others).await;
    (test_server, client, id)
}

async fn add_heartbeat(test_server: &TestServer, others: Value) -> (Client, String) {
    test_server.add_skill(HOME, "sk_plants", sample());
    let client = test_server.client(HOME);
    let create = json!({
        "name": "Plants", "cron": "0 9 * * *", "runSkillId": "sk_plants",
        "skillInput": {"plant": "the fern of {{fireDate}}"},
    });
    let created = ok(&client, "heartbeat_create", with(create, others)).await;
    let id = created["heartbeatId"].as_str().expect("an id").to_owned();
    (client, id)
}

pub(super) async fn due(client: &Client, arguments: Value) -> Value {
    ok(client, "heartbeat_due", arguments).await
}

async fn states(client: &Client) -> Vec<(String, String)> {
    let history = due(client, json!({"action": "history"})).await;
    let items = history["items"].as_array().expect("runs").iter();
    let text = |run: &Value, name: &str| run[name].as_str().expect("a string").to_owned();
    items.map(|run| (text(run, "plannedAt"), text(run, "state"))).collect()
}

#[tokio::test]
async fn a_home_agent_runs_what_is_due() {
    let (test_server, client, heartbeat) = with_heartbeat(json!({})).await;
    assert_eq!(due(&client, json!({"action": "list"})).await["items"], json!([]));
    let none = due(&client, json!({"action": "claim"})).await;
    assert_eq!((&none["run"], &none["nextStep"]), (&Value::Null, &json!("Nothing is due.")));
    test_server.move_clock(3_600);
    let listed = due(&client, json!({"action": "list"})).await;
    let item = &listed["items"][0];
    assert_eq!(item["plannedAt"], "2026-05-23T09:00:00-04:00");
    assert_eq!((&item["name"], &item["state"]), (&json!("Plants"), &json!("due")));
    let claimed = due(&client, json!({"action": "claim"})).await;
    assert_eq!(claimed["prompt"], "Look at the fern of 2026-05-23, then say what it needs.");
    let run = &claimed["run"];
    assert_eq!((&run["state"], &run["attempt"]), (&json!("running"), &json!(1)));
    assert!(run["promptHash"].as_str().is_some_and(|hash| hash.starts_with("h_")));
    let again = due(&client, json!({"action": "claim"})).await;
    assert_eq!(again["run"], Value::Null, "one agent has it");
    let complete = json!({
        "action": "complete", "runId": run["runId"], "attempt": 1,
        "result": {"summary": "The fern needs water.", "data": {"litres": 1}},
    });
    let ended = due(&client, complete.clone()).await;
    assert_eq!(ended["run"]["state"], "completed");
    let repeated = refused(&client, "heartbeat_due", complete).await;
    assert_eq!(repeated.reason.as_deref(), Some("CLAIM_LOST"));
    let list = ok(&client, "heartbeat_list", json!({})).await;
    assert_eq!(list["items"][0]["lastRunAt"], "2026-05-23T09:00:00-04:00");
    assert_eq!(list["items"][0]["nextRunAt"], "2026-05-24T09:00:00-04:00");
    let skill = ok(&client, "skill_list", json!({})).await;
    assert_eq!(skill["items"][0]["lastTriggeredAt"], "2026-05-23T09:00:00-04:00");
    let history = due(&client, json!({"action": "history", "heartbeatId": heartbeat})).await;
    assert_eq!(history["items"][0]["result"]["data"], json!({"litres": 1}));
    let one = json!({"action": "history", "runId": run["runId"]});
    assert_eq!(due(&client, one.clone()).await["items"], history["items"]);
    let paged = refused(&client, "heartbeat_due", with(one.clone(), json!({"limit": 5}))).await;
    assert_eq!(paged.code, ErrorCode::BadInput, "one run has no pages");
    for list in [json!({"action": "history"}), one] {
        let others = due(&test_server.client(OTHER), list).await;
        assert_eq!(others["items"], json!([]), "another family sees nothing of it");
    }
}

#[tokio::test]
async fn a_claim_that_is_not_completed_is_taken_over_and_says_so() {
    let (test_server, client, _) = with_heartbeat(json!({})).await;
    test_server.move_clock(3_600);
    let first = due(&client, json!({"action": "claim", "leaseSeconds": 60})).await;
    test_server.move_clock(61);
    let second = due(&client, json!({"action": "claim", "leaseSeconds": 60})).await;
    assert_eq!(second["run"]["runId"], first["run"]["runId"]);
    assert_eq!(second["run"]["attempt"], 2);
    assert_eq!(second["run"]["mayHaveRepeated"], true);
    let end = |attempt: i64| {
        json!({"action": "complete", "runId": first["run"]["runId"], "attempt": attempt,
               "result": {"summary": "Done."}})
    };
    let late = refused(&client, "heartbeat_due", end(1)).await;
    assert_eq!(late.reason.as_deref(), Some("CLAIM_LOST"));
    assert_eq!(due(&client, end(2)).await["run"]["state"], "completed");
}

#[tokio::test]
async fn a_failure_is_tried_again_and_three_failed_runs_pause_the_heartbeat() {
    let (test_server, client, heartbeat) = with_heartbeat(json!({})).await;
    test_server.move_clock(3_600);
    let fail = |run: &Value, retry: bool| {
        json!({"action": "fail", "runId": run["runId"], "attempt": run["attempt"],
               "message": "no water", "retry": retry})
    };
    for minutes in [1, 5, 20] {
        let claimed = due(&client, json!({"action": "claim"})).await;
        let failed = due(&client, fail(&claimed["run"], true)).await;
        assert_eq!(failed["run"]["state"], "due", "it is tried again after {minutes} minutes");
        test_server.move_clock(minutes * 60 - 1);
        assert_eq!(due(&client, json!({"action": "claim"})).await["run"], Value::Null);
        test_server.move_clock(1);
    }
    let claimed = due(&client, json!({"action": "claim"})).await;
    assert_eq!(claimed["run"]["attempt"], 4);
    let failed = due(&client, fail(&claimed["run"], true)).await;
    assert_eq!(
        (&failed["run"]["state"], &failed["run"]["reason"]),
        (&json!("failed"), &json!("no water"))
    );
    for _ in 0..2 {
        let list = ok(&client, "heartbeat_list", json!({})).await;
        assert_eq!(list["items"][0]["enabled"], true);
        test_server.move_clock(DAY);
        let claimed = due(&client, json!({"action": "claim"})).await;
        due(&client, fail(&claimed["run"], false)).await;
    }
    let list = ok(&client, "heartbeat_list", json!({})).await;
    assert_eq!(list["items"][0]["enabled"], false, "it is paused");
    let resume = json!({"heartbeatId": heartbeat, "action": "resume"});
    ok(&client, "heartbeat_update", resume).await;
    test_server.move_clock(DAY);
    let claimed = due(&client, json!({"action": "claim"})).await;
    due(&client, fail(&claimed["run"], false)).await;
    let list = ok(&client, "heartbeat_list", json!({})).await;
    assert_eq!(list["items"][0]["enabled"], true, "they are counted from the resumption");
}

#[tokio::test]
async fn what_has_not_started_follows_a_later_change() {
    for (action, others) in [
        ("pause", json!({})),
        ("cancel", json!({})),
        ("edit_schedule", json!({"cron": "0 10 * * *"})),
    ] {
        let (test_server, client, heartbeat) = with_heartbeat(json!({})).await;
        test_server.move_clock(3_600);
        due(&client, json!({"action": "list"})).await;
        let update = json!({"heartbeatId": heartbeat, "action": action});
        ok(&client, "heartbeat_update", with(update, others)).await;
        assert_eq!(due(&client, json!({"action": "claim"})).await["run"], Value::Null, "{action}");
        let history = due(&client, json!({"action": "history"})).await;
        let run = &history["items"][0];
        assert_eq!(run["state"], "skipped");
        assert!(run["reason"].as_str().is_some_and(|it| it.ends_with("before the run started")));
    }
}

#[tokio::test]
async fn a_resumed_heartbeat_makes_up_for_nothing() {
    let (test_server, client, heartbeat) = with_heartbeat(json!({"missedFires": "all"})).await;
    let update = |action: &str| json!({"heartbeatId": heartbeat, "action": action});
    ok(&client, "heartbeat_update", update("pause")).await;
    test_server.move_clock(2 * 3_600);
    ok(&client, "heartbeat_update", update("resume")).await;
    assert_eq!(states(&client).await, []);
    test_server.move_clock(DAY);
    let planned = ("2026-05-24T09:00:00-04:00".to_owned(), "due".to_owned());
    assert_eq!(states(&client).await, [planned]);
}

#[tokio::test]
async fn edited_inputs_are_those_of_the_next_run() {
    let (test_server, client, heartbeat) = with_heartbeat(json!({})).await;
    test_server.move_clock(3_600);
    due(&client, json!({"action": "list"})).await;
    let missing = json!({"heartbeatId": heartbeat, "action": "edit_inputs", "skillInput": {}});
    let error = refused(&client, "heartbeat_update", missing.clone()).await;
    assert_eq!(error.reason.as_deref(), Some("MISSING_INPUT"));
    let input = with(missing, json!({"skillInput": {"plant": "the rose"}}));
    ok(&client, "heartbeat_update", input).await;
    let claimed = due(&client, json!({"action": "claim"})).await;
    assert_eq!(claimed["prompt"], "Look at the rose, then say what it needs.");
}

/// Executes runs as a test says, and records them.
struct Recorder {
    outcome: fn(&Job) -> Outcome,
    jobs: Mutex<Vec<Job>>,
}

impl Execute for Recorder {
    fn execute(&self, job: Job) -> Pin<Box<dyn Future<Output = Outcome> + Send + '_>> {
        let outcome = (self.outcome)(&job);
        self.jobs.lock().expect("no panic").push(job);
        Box::pin(async { outcome })
    }

    fn executor(&self) -> Executor {
        Executor::Server
    }
}

async fn run_once(test_server: &TestServer, recorder: &Arc<Recorder>) -> FiringReport {
    let runner: Arc<dyn Execute> = Arc::<Recorder>::clone(recorder);
    let options = SchedulerOptions::default();
    let scheduler = Scheduler::new(test_server.server.clone(), Some(runner), options);
    scheduler.run_once().await.expect("a turn")
}

fn recorder(outcome: fn(&Job) -> Outcome) -> Arc<Recorder> {
    Arc::new(Recorder { outcome, jobs: Mutex::default() })
}

#[tokio::test]
async fn a_scheduler_executes_each_planned_time_once() {
    let (test_server, client, _) = with_heartbeat(json!({})).await;
    let recorder =
        recorder(|_| Outcome::Completed(RunResult::from_summary("Done.").expect("a result")));
    assert_eq!(run_once(&test_server, &recorder).await.executed, 0);
    test_server.move_clock(3_600);
    let (one, two) = (run_once(&test_server, &recorder), run_once(&test_server, &recorder));
    let (one, two) = tokio::join!(one, two);
    assert_eq!(one.executed + two.executed, 1, "two servers share it");
    test_server.move_clock(DAY);
    assert_eq!(run_once(&test_server, &recorder).await.executed, 1);
    let jobs = recorder.jobs.lock().expect("no panic").clone();
    assert_eq!(jobs.len(), 2);
    assert_eq!(jobs[1].planned_at, "2026-05-24T09:00:00-04:00");
    assert_eq!(jobs[1].prompt, "Look at the fern of 2026-05-24, then say what it needs.");
    let all = states(&client).await;
    assert!(all.iter().all(|(_, state)| state == "completed"), "{all:?}");
}

#[tokio::test]
async fn a_failed_attempt_of_a_scheduler_waits() {
    let (test_server, client, _) = with_heartbeat(json!({})).await;
    let recorder = recorder(|_| Outcome::Failed {
        reason: "the program ended with 1".to_owned(),
        retry: Retry::Later,
    });
    test_server.move_clock(3_600);
    assert_eq!(run_once(&test_server, &recorder).await.executed, 1);
    assert_eq!(run_once(&test_server, &recorder).await.executed, 0);
    test_server.move_clock(60);
    assert_eq!(run_once(&test_server, &recorder).await.executed, 1);
    let history = due(&client, json!({"action": "history"})).await;
    assert_eq!(history["items"][0]["attempt"], 2);
    assert_eq!(history["items"][0]["reason"], "the program ended with 1");
}

#[tokio::test]
async fn an_attempt_that_ends_unclearly_may_be_repeated() {
    for (retry, may_repeat) in [(Retry::Later, false), (Retry::MayRepeat, true)] {
        let (test_server, client, _) = with_heartbeat(json!({})).await;
        test_server.move_clock(3_600);
        test_server.server.decide_due().await.expect("a decision");
        for attempt in [1, 2] {
            let lease = SignedDuration::from_secs(60);
            let claimed = test_server.server.claim_due("a server", lease, &[], 1).await;
            let claimed = claimed.expect("a claim").remove(0);
            let started = test_server.server.start_run(&claimed, Executor::Server).await;
            let job = started.expect("an answer").expect("the run");
            assert_eq!((job.attempt, job.may_have_repeated), (attempt, attempt > 1 && may_repeat));
            let failed = Outcome::Failed { reason: "no answer".to_owned(), retry };
            test_server.server.finish_run(&claimed, failed).await.expect("an answer");
            test_server.move_clock(60);
        }
        let history = due(&client, json!({"action": "history"})).await;
        assert_eq!(history["items"][0]["mayHaveRepeated"], may_repeat);
    }
}

#[tokio::test]
async fn a_clock_that_was_ahead_loses_no_run() {
    let (test_server, client, _) = with_heartbeat(json!({})).await;
    let recorder =
        recorder(|_| Outcome::Completed(RunResult::from_summary("Done.").expect("a result")));
    test_server.move_clock(10 * DAY);
    run_once(&test_server, &recorder).await;
    test_server.move_clock(-10 * DAY);
    assert_eq!(run_once(&test_server, &recorder).await.executed, 0);
    test_server.move_clock(3_600);
    assert_eq!(run_once(&test_server, &recorder).await.executed, 1);
    let completed = states(&client).await.into_iter().filter(|(_, state)| state == "completed");
    let days: Vec<_> = completed.map(|(planned, _)| planned[..10].to_owned()).collect();
    assert_eq!(days, ["2026-05-23", "2026-06-01"], "the run of the wrong day happened");
}

#[tokio::test]
async fn what_a_heartbeat_needs_may_be_gone() {
    let (test_server, client, _) = with_heartbeat(json!({})).await;
    test_server.move_clock(3_600);
    test_server.archive("sk_plants");
    let claimed = due(&client, json!({"action": "claim"})).await;
    assert_eq!(claimed["run"]["state"], "failed");
    assert_eq!(claimed["run"]["reason"], "the skill of the heartbeat is not available any more");
}

#[tokio::test]
async fn a_cancelled_heartbeat_is_not_tried_again() {
    let (test_server, client, heartbeat) = with_heartbeat(json!({})).await;
    test_server.move_clock(3_600);
    let claimed = due(&client, json!({"action": "claim"})).await;
    let cancel = json!({"heartbeatId": heartbeat, "action": "cancel"});
    ok(&client, "heartbeat_update", cancel).await;
    let fail = json!({"action": "fail", "runId": claimed["run"]["runId"], "attempt": 1,
                      "message": "no water"});
    assert_eq!(due(&client, fail).await["run"]["state"], "failed");
    let (test_server, client, heartbeat) = with_heartbeat(json!({})).await;
    test_server.move_clock(3_600);
    due(&client, json!({"action": "claim", "leaseSeconds": 60})).await;
    let pause = json!({"heartbeatId": heartbeat, "action": "pause"});
    ok(&client, "heartbeat_update", pause).await;
    test_server.move_clock(61);
    assert_eq!(due(&client, json!({"action": "claim"})).await["run"], Value::Null);
    let history = due(&client, json!({"action": "history"})).await;
    assert_eq!(history["items"][0]["state"], "skipped", "its attempt was left, and it is paused");
}

#[tokio::test]
async fn what_nothing_runs_for_a_day_is_missed() {
    let (test_server, client, _) = with_heartbeat(json!({})).await;
    test_server.move_clock(3_600);
    due(&client, json!({"action": "list"})).await;
    test_server.move_clock(DAY - 1);
    assert_eq!(states(&client).await.len(), 1);
    test_server.move_clock(1);
    let history = due(&client, json!({"action": "history"})).await;
    let items = history["items"].as_array().expect("runs");
    let words = |run: &Value| run["reason"].as_str().map(str::to_owned);
    assert_eq!(
        items.iter().map(words).collect::<Vec<_>>(),
        [None, Some("missed: nothing ran it within 24 hours".to_owned()),]
    );
}

#[tokio::test]
async fn results_are_posted_and_checked_against_the_model_of_the_skill() {
    let (test_server, client, _) = with_heartbeat(json!({"postResultNotify": true})).await;
    let model = json!({"type": "object", "required": ["litres"]});
    let update = json!({"skillId": "sk_plants", "responseModel": model});
    ok(&client, "skill_update", update).await;
    test_server.move_clock(3_600);
    let claimed = due(&client, json!({"action": "claim"})).await;
    let complete = |data: Value| {
        json!({"action": "complete", "runId": claimed["run"]["runId"], "attempt": 1,
               "result": {"summary": "The fern needs water.", "data": data}})
    };
    let error = refused(&client, "heartbeat_due", complete(json!({}))).await;
    assert_eq!(error.reason.as_deref(), Some("RESULT_MISMATCH"));
    let error =
        refused(&client, "heartbeat_due", with(complete(json!({})), json!({"result": {}}))).await;
    assert_eq!(error.reason.as_deref(), Some("SUMMARY_MISSING"));
    due(&client, complete(json!({"litres": 2}))).await;
    let inbox = ok(&client, "inbox_list", json!({})).await;
    assert_eq!(inbox["items"].as_array().map(Vec::len), Some(1), "{inbox}");
    let activity = ok(&client, "activity_list", json!({})).await;
    let types: Vec<_> =
        activity["items"].as_array().expect("events").iter().map(|it| &it["type"]).collect();
    let expected = ["result.posted", "run.completed", "heartbeat.fired", "heartbeat.due"];
    assert_eq!(types[..4], expected);
}

#[tokio::test]
async fn a_damaged_run_holds_up_no_other_heartbeat() {
    let directory = TempDir::new().expect("a directory");
    let store = Arc::new(open(&directory.path().join("dibber.db")));
    let test_server = TestServer::with_families_in(store);
    let (client, heartbeat) = add_heartbeat(&test_server, json!({})).await;
    let create = json!({"name": "Roses", "cron": "0 9 * * *", "runSkillId": "sk_plants",
                        "skillInput": {"plant": "the rose"}});
    ok(&client, "heartbeat_create", create).await;
    test_server.move_clock(3_600);
    assert_eq!(states(&client).await.len(), 2);
    let statement =
        format!("UPDATE runs SET planned_at = 'soon' WHERE heartbeat_id = '{heartbeat}'");
    damage(directory.path(), &statement);
    test_server.move_clock(DAY);
    let history = due(&client, json!({"action": "history"})).await;
    let items = history["items"].as_array().expect("runs").iter();
    let of_roses = items.filter(|run| run["name"] == "Roses").count();
    assert_eq!(of_roses, 2, "{history}");
}
