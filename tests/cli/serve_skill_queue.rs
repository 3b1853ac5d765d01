//! `dibber serve --skills`: runs that wait for each other.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use dibber_server::http::Limits;
use serde_json::{Value, json};

use super::serve_skill_runs::{SLEEP, recorded};
use crate::support::server_process::answer;
use crate::support::skill_server::{SkillServer, refusal, request};

/// The most runs of a token that wait.
const WAITING_OF_TOKEN_MAX: usize = 16;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(50);

/// Runs whose answers arrive in their order.
struct Runs<'a> {
    server: &'a SkillServer,
    streams: Vec<TcpStream>,
    sender: Sender<(String, Value)>,
    answers: Receiver<(String, Value)>,
}

impl<'a> Runs<'a> {
    fn of(server: &'a SkillServer) -> Self {
        let (sender, answers) = channel();
        Self { server, streams: Vec::new(), sender, answers }
    }

    /// Starts runs of some code; their answers have a name.
    fn start(&mut self, name: &str, token: &str, code: &str, count: usize) {
        let call = json!({"language": "python", "code": code});
        self.send(name, token, &request("run_code", &call), count);
    }

    /// Sends a message so many times.
    fn send(&mut self, name: &str, token: &str, call: &str, count: usize) {
        for _ in 0..count {
            let stream = self.server.send(token, call.as_bytes());
            let reader = stream.try_clone().expect("a stream");
            let (name, sender) = (name.to_owned(), self.sender.clone());
            thread::spawn(move || {
                let mut reader = BufReader::new(reader);
                if reader.fill_buf().is_ok_and(|bytes| !bytes.is_empty()) {
                    let _ = sender.send((name, answer(&mut reader).json()));
                }
            });
            self.streams.push(stream);
        }
    }

    /// Waits for the next answer.
    fn next(&self) -> (String, Value) {
        self.answers.recv_timeout(PATIENCE).expect("an answer")
    }

    /// Waits for the first refusal, which comes when all places to wait are taken.
    fn wait_until_full(&self) {
        let (_, busy) = self.next();
        assert_eq!(refusal(&busy), "-32603 BUSY");
    }
}

/// A server that can isolate runs, and the runs at once.
fn server() -> Option<(SkillServer, usize)> {
    let server = SkillServer::start(&[]);
    let quick = json!({"language": "python", "code": "def main(args): return 1"});
    server.run("run_code", &quick)?;
    Some((server, thread::available_parallelism().expect("processors").get()))
}

/// A run whose caller has gone does not go on, and one that waits too long is refused.
#[test]
fn runs_wait_in_a_bounded_queue_and_end_with_their_requests() {
    let Some((server, slots)) = server() else { return };
    let mut runs = Runs::of(&server);
    // One more than can run and wait for one token.
    runs.start("slow", &server.serving.token(), SLEEP, slots + WAITING_OF_TOKEN_MAX + 1);
    runs.wait_until_full();
    for stream in &runs.streams {
        stream.shutdown(Shutdown::Both).expect("a connection");
    }
    // All of them are gone, and their slots are free when nothing of them is left.
    let quick = json!({"language": "python", "code": "def main(args): return 1"});
    let is_free = (0..100).any(|_| {
        thread::sleep(Duration::from_millis(100));
        server.call("run_code", &quick)["result"]["output"] == 1
    });
    assert!(is_free, "the slots are still in use");
    drop(runs);
    let SkillServer { serving, tree } = server;
    serving.signal("TERM");
    serving.ended();
    let runs = recorded(&tree);
    let cancelled = runs.iter().filter(|run| run.error_type.as_deref() == Some("Cancelled"));
    // While the connections were closed one after another, some that waited may have begun.
    let possible = slots..=slots + WAITING_OF_TOKEN_MAX;
    assert!(possible.contains(&cancelled.count()), "{runs:#?}");
}

#[test]
fn another_family_has_its_turn_before_all_runs_of_the_first_one() {
    let Some((server, slots)) = server() else { return };
    let garden = server.token_of("garden");
    let mut runs = Runs::of(&server);
    let quick = "def main(args): return 1";
    // The first runs have all slots until one of them is closed.
    runs.start("first", &server.serving.token(), SLEEP, slots);
    let have_slots = (0..2000).any(|_| {
        thread::sleep(Duration::from_millis(10));
        children(server.serving.id()) == slots
    });
    assert!(have_slots, "the first runs do not begin");
    for (name, token) in [("home", server.serving.token()), ("garden", garden)] {
        runs.start(name, &token, quick, WAITING_OF_TOKEN_MAX + 1);
        runs.wait_until_full();
    }
    runs.streams[0].shutdown(Shutdown::Both).expect("a connection");
    let mut home = 0;
    loop {
        let (name, answer) = runs.next();
        assert_eq!(answer["result"]["output"], 1, "{name}: {answer}");
        match name.as_str() {
            "garden" => break,
            _ => home += 1,
        }
    }
    assert!(home < WAITING_OF_TOKEN_MAX / 2, "{home} runs of the other family were first");
}

/// Runs that wait have no files, and those of runs that run are among those that connections leave.
#[test]
fn runs_leave_files_for_connections() {
    let Some((server, slots)) = server() else { return };
    let blobs: Vec<Value> = (0..64)
        .map(|number| {
            let blob = json!({"content": format!("{number}"), "kind": "text/plain"});
            server.result("create_blob", &blob)["blob_id"].clone()
        })
        .collect();
    let mut runs = Runs::of(&server);
    let slow = json!({"language": "python", "code": SLEEP, "input_blobs": blobs});
    let waiting = slots + WAITING_OF_TOKEN_MAX;
    runs.send("slow", &server.serving.token(), &request("run_code", &slow), waiting + 1);
    runs.wait_until_full();
    let incoming = server.tree.path().join("data/blobs");
    let mounted = || {
        let stores = fs::read_dir(&incoming).expect("a directory").flatten();
        let files = stores.flat_map(|it| fs::read_dir(it.path().join("incoming")).expect("files"));
        files
            .flatten()
            .filter(|file| file.path().extension().is_some_and(|it| it == "mount"))
            .count()
    };
    assert!(
        (0..500).any(|_| {
            thread::sleep(Duration::from_millis(20));
            mounted() == slots
        }),
        "{} of {slots} runs have blobs",
        mounted()
    );
    let files = fs::read_dir(format!("/proc/{}/fd", server.serving.id())).expect("files").count();
    let reserved = Limits::reserved_files(slots);
    assert!(files < waiting + reserved, "{files} files of {waiting} runs, {reserved} are reserved");
}

/// Clients that leave at once do not make more launchers than there are slots.
#[test]
fn a_slot_is_free_when_its_launcher_has_ended() {
    let Some((server, slots)) = server() else { return };
    let mut most = 0;
    for _ in 0..20 {
        let mut runs = Runs::of(&server);
        runs.start("slow", &server.serving.token(), SLEEP, slots);
        for _ in 0..5 {
            thread::sleep(Duration::from_millis(10));
            most = most.max(children(server.serving.id()));
        }
        for stream in &runs.streams {
            stream.shutdown(Shutdown::Both).expect("a connection");
        }
    }
    assert!((1..=slots).contains(&most), "{most} launchers, {slots} slots");
}

/// What a killed server has begun is not forgotten.
#[test]
fn a_run_of_a_killed_server_is_recorded() {
    let Some((server, _)) = server() else { return };
    let mut runs = Runs::of(&server);
    runs.start("slow", &server.serving.token(), SLEEP, 1);
    let is_running = (0..1000).any(|_| {
        thread::sleep(Duration::from_millis(5));
        children(server.serving.id()) > 0
    });
    assert!(is_running, "the run does not begin");
    drop(runs);
    let SkillServer { serving, tree } = server;
    serving.signal("KILL");
    serving.ended();
    let runs = recorded(&tree);
    let kinds: Vec<_> = runs.iter().map(|run| run.error_type.as_deref()).collect();
    assert_eq!(kinds, [Some("Unfinished"), None], "{runs:#?}");
}

/// The number of processes that a process has started and that have not ended.
fn children(parent: u32) -> usize {
    let processes = fs::read_dir("/proc").expect("processes").flatten();
    let parents = processes.filter_map(|process| {
        let stat = fs::read_to_string(process.path().join("stat")).ok()?;
        stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
    });
    parents.filter(|found: &u32| *found == parent).count()
}
