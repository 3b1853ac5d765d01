//! A watcher goes on after failures that pass, and ends with those that do not.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use dibber_client::{
    Client, ClientError, Endpoint, Options, ResourceNews, Retry, WatchEvent, Watcher,
};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::support::fake_server::{Fake, Reply, Request};

const SKILL: &str = "sprout://skill/sk_1";

/// How long a test waits for an event that never comes when it fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// How a server answers a question for changes.
#[derive(Clone, Copy, Debug)]
enum Answer {
    Change,
    Silence,
    /// Silence to a question that does not wait, and no answer to one that does.
    Patience,
    Status(u16),
    Internal(&'static str),
}

impl Answer {
    fn reply(self, request: &Request, version: usize) -> Reply {
        match self {
            Self::Status(status) => Reply::json(status, ""),
            Self::Internal(reason) => request.result(&json!({
                "resultType": "complete", "content": [], "isError": true,
                "structuredContent": {"error": {
                    "code": "INTERNAL_ERROR", "reason": reason, "message": "boom", "fix": "",
                }},
            })),
            Self::Change | Self::Silence | Self::Patience => {
                let tools = json!([{"name": "resource_wait", "inputSchema": {"type": "object"},
                    "annotations": {"readOnlyHint": true}}]);
                let has_changed = matches!(self, Self::Change);
                request.usual(&tools, &json!({
                    "resultType": "complete", "content": [], "structuredContent": {"resources": [{
                        "uri": SKILL, "version": format!("v{version}"), "changed": has_changed,
                        "state": {"number": version},
                    }]},
                }))
            }
        }
    }
}

/// A server that answers each question for changes so, and with the last answer from then on.
fn server(answers: &'static [Answer]) -> Fake {
    let asked = AtomicUsize::new(0);
    Fake::new(move |request| {
        if request.method() != "tools/call" {
            return Some(Answer::Silence.reply(request, 0));
        }
        let number = asked.fetch_add(1, Ordering::Relaxed);
        let answer = answers.get(number).or(answers.last()).expect("an answer");
        let waits = request.message["params"]["arguments"]["timeoutMs"] != 0;
        let is_patient = matches!(answer, Answer::Patience) && waits;
        (!is_patient).then(|| answer.reply(request, number))
    })
}

fn client(server: &Fake) -> Client {
    let url = format!("http://{}/mcp", server.address).parse().expect("an address");
    let wait = Duration::from_millis(2);
    let retry = Retry { attempts: 1, first: wait, max: wait, ..Retry::default() };
    let options = Options { timeout: PATIENCE, retry, ..Options::new(Timestamp::now) };
    Client::new(
        Endpoint::Http { url, token: None, sign_in: None, headers: Vec::new(), authority: None },
        options,
    )
}

/// Returns the first events of a watcher, in words, up to the end or to this many.
async fn events(answers: &'static [Answer], count: usize) -> Vec<String> {
    let server = server(answers);
    let client = client(&server);
    let mut watcher =
        Watcher::of_resources(&client, &[SKILL.to_owned()]).await.expect("the first answer");
    let mut events = Vec::new();
    for _ in 0..count {
        let event = match watcher.next(Some(PATIENCE)).await {
            Ok(Some(WatchEvent::Changes(changes))) => format!("{} change", changes.len()),
            Ok(Some(WatchEvent::Interrupted(reason))) => format!("interrupted: {reason}"),
            Ok(Some(WatchEvent::Resumed)) => "resumed".to_owned(),
            Ok(None) => "no event".to_owned(),
            Err(error) => {
                events.push(format!("ended: {error}"));
                break;
            }
        };
        events.push(event);
    }
    events
}

const LOST: Answer = Answer::Status(503);
const FAILED: Answer = Answer::Internal("OTHER");

#[tokio::test]
async fn a_lost_connection_is_reported_once_for_as_long_as_it_takes() {
    let answers = &[
        Answer::Silence,
        LOST,
        LOST,
        LOST,
        LOST,
        LOST,
        LOST,
        LOST,
        Answer::Change,
        Answer::Silence,
    ];
    let expected =
        ["interrupted: the server cannot be reached: it answered HTTP 503", "resumed", "1 change"];
    assert_eq!(events(answers, 3).await, expected);
}

/// Whether the server answers again is known before something changes.
#[tokio::test]
async fn the_first_question_after_an_interruption_does_not_wait() {
    let events = events(&[Answer::Silence, LOST, Answer::Patience], 2).await;
    assert_eq!(events[1], "resumed");
}

#[tokio::test]
async fn another_cause_is_reported_too() {
    let answers =
        &[Answer::Silence, LOST, FAILED, FAILED, Answer::Status(429), Answer::Silence, LOST];
    let expected = [
        "interrupted: the server cannot be reached: it answered HTTP 503",
        "interrupted: INTERNAL_ERROR OTHER: boom",
        "interrupted: the server accepts no more requests for now: it answered HTTP 429",
        "resumed",
        "interrupted: the server cannot be reached: it answered HTTP 503",
    ];
    assert_eq!(events(answers, 5).await, expected);
}

/// The server itself is tried a bounded number of times.
#[tokio::test]
async fn a_server_that_goes_on_failing_ends_it() {
    let answers = &[Answer::Silence, FAILED];
    let expected = ["interrupted: INTERNAL_ERROR OTHER: boom", "ended: INTERNAL_ERROR OTHER: boom"];
    assert_eq!(events(answers, 9).await, expected);
}

#[tokio::test]
async fn what_another_attempt_would_not_change_ends_it() {
    let damaged = events(&[Answer::Silence, Answer::Internal("DATABASE_DAMAGED")], 9).await;
    assert_eq!(damaged, ["ended: INTERNAL_ERROR DATABASE_DAMAGED: boom"]);
    let revoked = events(&[Answer::Silence, Answer::Status(401)], 9).await;
    assert_eq!(revoked.len(), 1, "{revoked:?}");
    assert!(revoked[0].starts_with("ended: authentication failed"), "{revoked:?}");
}

/// A server that does not report changes says so of a resource whose state is all there is to know.
#[tokio::test]
async fn a_single_resource_needs_the_tool() {
    let server = Fake::new(|request| {
        Some(request.usual(&json!([]), &json!({"resultType": "complete", "content": []})))
    });
    let client = client(&server);
    let watcher = Watcher::of_resources(&client, &[SKILL.to_owned()]).await;
    assert_eq!(watcher.err(), Some(ClientError::NoTool("resource_wait".to_owned())));
}

const ACTIVITY: &str = "sprout://family/activity";

/// A server of this name whose activity is asked for again and again, with its answers.
fn activity_server(name: &'static str, pages: Vec<Value>) -> Fake {
    let asked = AtomicUsize::new(0);
    Fake::new(move |request| {
        if request.method() != "tools/call" {
            let tool = |name| json!({"name": name, "inputSchema": {"type": "object"}});
            let tools = json!(["resource_wait", "activity_list"].map(tool));
            return Some(request.usual_as(name, &json!({"tools": {}}), &tools, &json!(null)));
        }
        let answer = if request.message["params"]["name"] == "resource_wait" {
            json!({"resources": [{"uri": ACTIVITY, "version": "v", "changed": true}]})
        } else {
            let number = asked.fetch_add(1, Ordering::Relaxed);
            let page = pages.get(number).or(pages.last()).expect("a page");
            page.clone()
        };
        let is_error = answer.get("error").is_some();
        Some(request.result(&json!({
            "resultType": "complete", "content": [], "isError": is_error, "structuredContent": answer,
        })))
    })
}

/// The refusal of an event that is not known.
fn unknown_event() -> Value {
    let error = json!({"code": "BAD_INPUT", "reason": "UNKNOWN_EVENT", "message": "no", "fix": ""});
    json!({"error": error})
}

/// A page with events of these numbers; one with 0 cannot be read.
fn page(numbers: &[u32]) -> Value {
    let items = numbers.iter().map(|number| match number {
        0 => json!({"eventId": "ev_0", "type": 1}),
        _ => json!({"eventId": format!("ev_{number}"), "type": "run.completed",
            "timestamp": "2026-05-23T09:00:00-04:00"}),
    });
    json!({"items": items.collect::<Vec<_>>()})
}

/// Returns the ids of the first changes of the activity, each with `gap` before them if there is one.
async fn changes(server: &Fake, count: usize) -> Vec<String> {
    let client = client(server);
    let mut watcher =
        Watcher::of_resources(&client, &[ACTIVITY.to_owned()]).await.expect("the first answer");
    let mut changes = Vec::new();
    for _ in 0..count {
        let Ok(Some(WatchEvent::Changes(found))) = watcher.next(Some(PATIENCE)).await else {
            panic!("no change after {changes:?}");
        };
        let ResourceNews::Events(events) = &found[0].news else { panic!("{found:?}") };
        let ids = events.iter().map(|event| event.event_id.as_str());
        let gap = found[0].has_gap.then_some("gap");
        changes.push(gap.into_iter().chain(ids).collect::<Vec<_>>().join(" "));
    }
    changes
}

/// The database was restored: what has happened since its copy is not known.
#[tokio::test]
async fn an_event_that_the_server_does_not_know_is_a_gap() {
    let server =
        activity_server("other", vec![page(&[9]), unknown_event(), page(&[4]), page(&[5])]);
    assert_eq!(changes(&server, 2).await, ["gap", "ev_5"]);
}

#[tokio::test]
async fn events_that_were_removed_meanwhile_are_a_gap() {
    let pages = vec![page(&[3]), page(&[4, 5]), page(&[7, 8]), page(&[9])];
    let server = activity_server("dibber", pages.clone());
    assert_eq!(changes(&server, 3).await, ["ev_4 ev_5", "gap ev_7 ev_8", "ev_9"]);
    // Another server may count in another way.
    let server = activity_server("other", pages);
    assert_eq!(changes(&server, 3).await, ["ev_4 ev_5", "ev_7 ev_8", "ev_9"]);
}

/// It is reported once, although it is listed until there is another one.
#[tokio::test]
async fn an_event_that_cannot_be_read_is_a_gap() {
    let pages = vec![page(&[1]), page(&[0]), page(&[0]), page(&[0, 3]), page(&[4])];
    let server = activity_server("dibber", pages);
    assert_eq!(changes(&server, 3).await, ["gap", "ev_3", "ev_4"]);
}
