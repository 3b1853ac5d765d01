//! `dibber watch`: changes are printed as they happen, and none is lost.

use std::io::{BufRead, BufReader};
use std::process::Child;
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::inbox_command::{dibber, project, run};
use crate::support::command::Dibber;
use crate::support::fake_server::{Fake, Reply, Request};
use crate::support::server_process::{Serving, serve};
use crate::support::{Tree, package};

/// How long a test waits for a line that never comes when it fails.
const PATIENCE: Duration = Duration::from_mins(1);

/// Posts a card, and returns its id.
fn post(tree: &Tree, summary: &str) -> String {
    let result = json!({"summary": summary}).to_string();
    let posted = run(tree, &["skill", "post-result", "water", &result]);
    assert_eq!(posted.code, 0, "{}", posted.show());
    posted.stdout.trim().to_owned()
}

/// A command that watches, until the test ends.
struct Watching {
    process: Child,
    output: Receiver<String>,
    notes: Receiver<String>,
}

/// Returns the lines of a stream as they come.
fn lines(stream: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        lines.map(|line| sender.send(line)).take_while(Result::is_ok).count()
    });
    receiver
}

impl Watching {
    /// Starts to watch, and waits until the command knows what is there.
    fn start(dibber: Dibber) -> Self {
        Self::start_with(dibber, "waiting for changes; Ctrl-C ends")
    }

    /// Starts to watch, and waits until the command says so.
    fn start_with(dibber: Dibber, note: &str) -> Self {
        let mut process = dibber.start();
        let output = lines(process.stdout.take().expect("a pipe"));
        let notes = lines(process.stderr.take().expect("a pipe"));
        let watching = Self { process, output, notes };
        assert_eq!(watching.note(), note);
        watching
    }

    fn note(&self) -> String {
        self.notes.recv_timeout(PATIENCE).expect("a note")
    }

    /// Returns the first line after a note that says that the server answers, or that one.
    fn next_answer(&self) -> String {
        let is_about_answers = |note: &String| note.contains("answers");
        std::iter::repeat_with(|| self.note()).find(is_about_answers).expect("notes do not end")
    }

    fn line(&self) -> String {
        self.output.recv_timeout(PATIENCE).expect("a line")
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A line without its time, and with the ids by their letters.
fn without_time(line: &str, ids: &[&str]) -> String {
    let (time, what) = line.split_once("  ").expect("a time");
    assert!(time.len() == 8 && time.split(':').count() == 3, "{line}");
    let replace = |what: String, (id, letter)| what.replace(id, &format!("rs_{letter}"));
    ids.iter().copied().zip('A'..).fold(what.to_owned(), replace)
}

#[test]
fn changes_are_printed_as_lines() {
    let tree = project();
    let watching = Watching::start(dibber(&tree, &["watch"]));
    let first = post(&tree, "Watered.\n\nAll of them.");
    let mut shown: Vec<_> = (0..2).map(|_| without_time(&watching.line(), &[&first])).collect();
    let read = run(&tree, &["inbox", "read", &first]);
    assert_eq!(read.code, 0, "{}", read.show());
    shown.push(without_time(&watching.line(), &[&first]));
    let archived = run(&tree, &["inbox", "archive", &first]);
    assert_eq!(archived.code, 0, "{}", archived.show());
    shown.push(without_time(&watching.line(), &[&first]));
    insta::assert_snapshot!(shown.join("\n"));
}

/// Asserts that a line is as the schema of this name describes it.
fn assert_valid(line: &Value, schema: &str) {
    let schema = package().join(format!("schemas/{schema}.schema.json"));
    let schema = std::fs::read_to_string(schema).expect("a schema");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    let faults: Vec<_> = validator.iter_errors(line).map(|it| it.to_string()).collect();
    assert_eq!(faults, [""; 0], "{line}");
}

#[test]
fn lines_of_json_are_as_their_schema_describes() {
    let tree = project();
    let listed = run(&tree, &["skill", "list", "--json"]);
    let listed: Value = serde_json::from_str(&listed.stdout).expect("JSON");
    let id = listed["items"][0]["skillId"].as_str().expect("an id").to_owned();
    let skill = format!("sprout://skill/{id}");
    let uris = [&*skill, "sprout://family/activity", "sprout://family/inbox"];
    let watching = Watching::start(dibber(&tree, &[&["watch", "--json"], &uris[..]].concat()));
    let card = post(&tree, "Watered.");
    for uri in uris {
        let line: Value = serde_json::from_str(&watching.line()).expect("JSON");
        assert_valid(&line, "watch");
        assert_eq!(line["uri"], uri);
        match uri.rsplit('/').next() {
            Some("activity") => assert_eq!(line["items"][0]["refs"]["resultId"], *card),
            Some("inbox") => assert_eq!(line["items"][0]["resultId"], *card),
            _ => assert!(line["state"]["skill"]["lastTriggeredAt"].is_string(), "{line}"),
        }
    }
}

#[test]
fn a_script_waits_for_one_change_or_for_some_time() {
    let tree = project();
    let ended = run(&tree, &["watch", "--once", "--for", "1"]);
    assert_eq!((ended.code, &*ended.stdout), (1, ""), "{}", ended.show());
    let ended = run(&tree, &["watch", "--for", "1"]);
    assert_eq!((ended.code, &*ended.stdout), (0, ""), "{}", ended.show());
    let mut watching = Watching::start(dibber(&tree, &["watch", "--once"]));
    post(&tree, "Watered.");
    watching.line();
    assert_eq!(watching.process.wait().expect("an end").code(), Some(0));
    let ended = run(&tree, &["watch", "sprout://skill/sk_nobody"]);
    assert_eq!(ended.code, 5, "{}", ended.show());
}

#[test]
fn a_server_that_reports_no_changes_is_told_so() {
    let server = Fake::new(|request| {
        let tools = json!([{"name": "skill_list", "inputSchema": {"type": "object"}}]);
        Some(request.usual(&tools, &json!({"resultType": "complete", "content": []})))
    });
    let url = server.url();
    let shown = [&[][..], &["sprout://skill/sk_1"]].map(|uris| {
        let ended = Dibber::new(["watch", "--server", &url]).arguments(uris).run();
        ended.show().replace(&url, "URL")
    });
    insta::assert_snapshot!(shown.join("\n"));
}

/// The server ends, another one begins at the same address, and things change meanwhile.
#[cfg(unix)]
#[test]
fn nothing_is_lost_while_the_server_is_away() {
    let tree = project();
    let data = tree.path().join("data");
    let serving = Serving::start_in(&data);
    let address = serving.address.clone();
    let url = format!("http://{address}/mcp");
    let watch = ["watch", "--json", "sprout://family/activity", "--server", &url];
    let watching = Watching::start(dibber(&tree, &watch).env("DIBBER_TOKEN", &serving.token()));
    let posted = |line: &str| -> Vec<String> {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let items = line["items"].as_array().expect("items").iter();
        let ids = items.map(|event| event["refs"]["resultId"].as_str().expect("an id"));
        ids.map(str::to_owned).collect()
    };
    let first = post(&tree, "One.");
    assert_eq!(posted(&watching.line()), [first]);
    serving.signal("TERM");
    assert_eq!(serving.ended().0, 0);
    let missed = [post(&tree, "Two."), post(&tree, "Three.")];
    assert!(watching.note().starts_with("the server cannot be reached: "));
    let again = serve(&data, &["--listen", &address]);
    let _again = Serving::of(again, &data);
    assert_eq!(watching.next_answer(), "the server answers again");
    assert_eq!(posted(&watching.line()), missed);
    let last = post(&tree, "Four.");
    assert_eq!(posted(&watching.line()), [last]);
}

/// The same of the cards of `inbox --follow`.
#[cfg(unix)]
#[test]
fn no_card_is_lost_while_the_server_is_away() {
    let tree = project();
    let data = tree.path().join("data");
    let serving = Serving::start_in(&data);
    let address = serving.address.clone();
    let url = format!("http://{address}/mcp");
    let follow = dibber(&tree, &["inbox", "--follow", "--json", "--server", &url]);
    let follow = follow.env("DIBBER_TOKEN", &serving.token());
    let watching = Watching::start_with(follow, "waiting for new cards; Ctrl-C ends");
    let shown = || -> Vec<String> {
        let line: Value = serde_json::from_str(&watching.line()).expect("JSON");
        let items = line["items"].as_array().expect("items").iter();
        items.map(|card| card["summary"].as_str().expect("a summary").to_owned()).collect()
    };
    assert_eq!(shown(), [""; 0]);
    serving.signal("TERM");
    assert_eq!(serving.ended().0, 0);
    post(&tree, "One.");
    post(&tree, "Two.");
    assert!(watching.note().starts_with("the server cannot be reached: "));
    let _again = Serving::of(serve(&data, &["--listen", &address]), &data);
    assert_eq!(watching.next_answer(), "the server answers again");
    assert_eq!(shown(), ["One.", "Two."]);
    post(&tree, "Three.");
    assert_eq!(shown(), ["Three."]);
}

/// A server whose activity has changed each time it is asked, with what it answers before.
fn changing(answer: impl Fn(&Request, usize) -> Option<Reply> + Send + Sync + 'static) -> Fake {
    let calls = Mutex::new(0);
    Fake::new(move |request| {
        let tool = request.message["params"]["name"].as_str().unwrap_or_default().to_owned();
        let mut calls = calls.lock().expect("no panic");
        *calls += usize::from(tool == "resource_wait");
        if tool == "resource_wait"
            && let Some(reply) = answer(request, *calls)
        {
            return Some(reply);
        }
        let tool_named = |name| {
            json!({"name": name, "inputSchema": {"type": "object"},
                "annotations": {"readOnlyHint": true}})
        };
        let tools = json!(["resource_wait", "activity_list"].map(tool_named));
        let answered = match tool.as_str() {
            "resource_wait" => json!({"resources": [{
                "uri": "sprout://family/activity", "version": format!("v{calls}"), "changed": *calls > 1,
            }]}),
            _ if *calls > 1 => json!({"items": [{
                "eventId": "ev_1", "type": "run.completed", "refs": {"runId": "run_1"},
                "timestamp": "2026-05-23T09:00:00-04:00",
            }]}),
            _ => json!({"items": []}),
        };
        Some(request.usual(
            &tools,
            &json!({
                "resultType": "complete", "content": [], "structuredContent": answered,
            }),
        ))
    })
}

/// The answer of a tool that refuses with an error of the contract.
fn refusal(request: &Request, error: &Value) -> Reply {
    request.result(&json!({
        "resultType": "complete", "content": [], "isError": true,
        "structuredContent": {"error": error},
    }))
}

#[test]
fn an_internal_error_of_the_server_is_shown_once_and_tried_again() {
    let server = changing(|request, call| {
        let error = json!({"code": "INTERNAL_ERROR", "message": "the disk is full", "fix": "free"});
        (2..=7).contains(&call).then(|| refusal(request, &error))
    });
    let url = server.url();
    let watch = ["watch", "--once", "sprout://family/activity", "--server", &url];
    let mut watching = Watching::start(Dibber::new(watch).env("COLUMNS", "200"));
    assert_eq!(watching.note(), "INTERNAL_ERROR: the disk is full; trying again");
    assert_eq!(watching.note(), "the server answers again");
    assert!(watching.line().ends_with("run completed: run_1"));
    assert_eq!(watching.process.wait().expect("an end").code(), Some(0));
}

#[test]
fn a_refusal_ends_the_command() {
    let server = changing(|request, call| {
        let error = json!({"code": "PERMISSION_DENIED", "message": "not any more", "fix": "ask"});
        (call > 1).then(|| refusal(request, &error))
    });
    let watch = ["watch", "sprout://family/activity", "--server", &server.url()];
    let ended = Dibber::new(watch).run();
    assert_eq!((ended.code, &*ended.stdout), (4, ""), "{}", ended.show());
    assert!(ended.stderr.contains("not any more"), "{}", ended.show());
    assert!(!ended.stderr.contains("trying again"), "{}", ended.show());
}

/// A server that does not report changes is asked again and again.
#[test]
fn a_server_without_the_tool_is_asked_again_and_again() {
    let asked = Mutex::new(0);
    let server = Fake::new(move |request| {
        let tools = json!([{"name": "activity_list", "inputSchema": {"type": "object"}}]);
        let mut asked = asked.lock().expect("no panic");
        *asked += usize::from(request.method() == "tools/call");
        let event = json!({
            "eventId": "ev_1", "type": "run.completed", "refs": {"runId": "run_1"},
            "timestamp": "2026-05-23T09:00:00-04:00",
        });
        let items = if *asked > 2 { json!([event]) } else { json!([]) };
        let answer = json!({
            "resultType": "complete", "content": [], "structuredContent": {"items": items},
        });
        Some(request.usual(&tools, &answer))
    });
    let url = server.url();
    let watch = ["watch", "--once", "--json", "sprout://family/activity", "--server", &url];
    let ended = Dibber::new(watch).run();
    assert_eq!(ended.code, 0, "{}", ended.show());
    let line: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(line["items"][0]["refs"]["runId"], "run_1");
    assert_eq!(line["resourceVersion"], Value::Null);
}

/// What the server does not have any more, as after a restoration of its database, is not passed over
/// in silence.
#[test]
fn changes_that_were_missed_are_reported() {
    let waits = Mutex::new(0);
    let server = Fake::new(move |request| {
        let called = &request.message["params"];
        let mut waits = waits.lock().expect("no panic");
        *waits += usize::from(called["name"] == "resource_wait");
        let error =
            json!({"code": "BAD_INPUT", "reason": "UNKNOWN_EVENT", "message": "no", "fix": ""});
        if called["arguments"]["since"].is_string() {
            return Some(refusal(request, &error));
        }
        let answered = match called["name"].as_str() {
            Some("resource_wait") => json!({"resources": [{
                "uri": "sprout://family/activity", "version": format!("v{waits}"), "changed": *waits > 1,
            }]}),
            _ => json!({"items": []}),
        };
        let tools = ["resource_wait", "activity_list", "inbox_list", "skill_list"];
        let tools = tools.map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
        let result =
            json!({"resultType": "complete", "content": [], "structuredContent": answered});
        Some(request.usual(&json!(tools), &result))
    });
    let url = server.url();
    let warning = "warning: some changes were missed: the server does not have them any more, or \
                   they cannot be read";
    let watch = ["watch", "sprout://family/activity", "--json", "--server", &url];
    let follow = ["inbox", "--follow", "--json", "--server", &url];
    for (command, note, schema) in [
        (&watch[..], "waiting for changes; Ctrl-C ends", "watch"),
        (&follow[..], "waiting for new cards; Ctrl-C ends", "inbox"),
    ] {
        let command = Dibber::new(command.iter().copied()).env("COLUMNS", "200");
        let watching = Watching::start_with(command, note);
        assert_eq!(watching.note(), warning);
        let line = std::iter::repeat_with(|| watching.line()).find(|it| it.contains("hasGap"));
        let line: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        assert_eq!((&line["hasGap"], &line["items"]), (&json!(true), &json!([])));
        assert_valid(&line, schema);
    }
}

/// What a terminal would act on is escaped in lines of JSON, too.
#[test]
fn lines_of_json_are_harmless_in_a_terminal() {
    let tree = project();
    let odd = "A\u{9b}31m red \u{202e}card";
    let watch = dibber(&tree, &["watch", "--json", "sprout://family/inbox"]);
    let watching = Watching::start(watch);
    let follow = dibber(&tree, &["inbox", "--follow", "--json"]);
    let following = Watching::start_with(follow, "waiting for new cards; Ctrl-C ends");
    following.line();
    post(&tree, odd);
    for line in [watching.line(), following.line()] {
        assert!(line.contains("\\u009b31m red \\u202ecard"), "{line:?}");
        let decoded: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(decoded["items"][0]["summary"], odd);
    }
}
