//! `dibber watch`: changes are printed as they happen, and none is lost.

use std::io::{BufRead, BufReader};
use std::process::Child;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::inbox_command::{dibber, project, run};
use crate::support::command::Dibber;
use crate::support::fake_server::Fake;
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
        let mut process = dibber.start();
        let output = lines(process.stdout.take().expect("a pipe"));
        let notes = lines(process.stderr.take().expect("a pipe"));
        let watching = Self { process, output, notes };
        assert_eq!(watching.note(), "waiting for changes; Ctrl-C ends");
        watching
    }

    fn note(&self) -> String {
        self.notes.recv_timeout(PATIENCE).expect("a note")
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
    let schema = std::fs::read_to_string(package().join("schemas/watch.schema.json"));
    let schema: Value = serde_json::from_str(&schema.expect("a schema")).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    for uri in uris {
        let line: Value = serde_json::from_str(&watching.line()).expect("JSON");
        let faults: Vec<_> = validator.iter_errors(&line).map(|it| it.to_string()).collect();
        assert_eq!(faults, [""; 0], "{line}");
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
    let ended = Dibber::new(["watch", "--server", &server.url()]).run();
    insta::assert_snapshot!(ended.show().replace(&server.url(), "URL"));
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
    assert_eq!(watching.note(), "the server cannot be reached; trying again");
    let again = serve(&data, &["--listen", &address]);
    let _again = Serving::of(again, &data);
    assert_eq!(watching.note(), "connected again");
    assert_eq!(posted(&watching.line()), missed);
    let last = post(&tree, "Four.");
    assert_eq!(posted(&watching.line()), [last]);
}
