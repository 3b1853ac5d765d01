//! Killed at any moment, nothing is lost and nothing happens twice.

use std::cell::Cell;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::support::command::{Dibber, keep_in};

/// The commands that list what there is.
const SKILLS: [&str; 4] = ["skill", "list", "--limit", "1000"];
const HEARTBEATS: [&str; 2] = ["heartbeat", "list"];

/// How often something is killed in each test, each time at another moment: with
/// `DIBBER_EVERY_FAULT`, more often.
fn kills() -> u32 {
    if std::env::var_os("DIBBER_EVERY_FAULT").is_some() { 100 } else { 40 }
}

#[test]
fn a_push_that_was_killed_is_finished_once_by_the_same_command() {
    let place = Place::new();
    let whole = place.measure(&place.push_locally("whole"));
    for number in 0..kills() {
        let push = place.push_locally(&format!("made-{number}"));
        let mut process = place.start(&push);
        // Moments beyond the end are as good as others.
        std::thread::sleep(whole * number * 5 / (kills() * 4));
        process.kill().expect("it can be killed");
        process.wait().expect("it ends");
        place.run(&push);
    }
    place.each_is_listed_once(&SKILLS);
    place.each_is_listed_once(&HEARTBEATS);
}

#[test]
fn a_server_that_was_killed_loses_nothing_and_does_nothing_twice() {
    let place = Place::new();
    let mut serve = Serve::start(&place, "127.0.0.1:0");
    let whole = place.measure(&place.push_to(&serve, "whole"));
    for number in 0..kills() {
        let push = place.push_to(&serve, &format!("made-{number}"));
        let process = place.start(&push);
        std::thread::sleep(whole * number * 5 / (kills() * 4));
        serve.kill();
        let address = serve.address.clone();
        serve = Serve::start(&place, &address);
        let output = process.wait_with_output().expect("it ends");
        let code = output.status.code().expect("an exit code");
        assert!([0, 6, 7].contains(&code), "{}", String::from_utf8_lossy(&output.stderr));
        place.run(&push);
    }
    serve.kill();
    place.each_is_listed_once(&SKILLS);
    place.each_is_listed_once(&HEARTBEATS);
}

#[test]
fn a_prune_that_was_killed_is_finished_by_the_same_command() {
    let place = Place::new();
    fs::write(place.directory.path().join("dibber.toml"), "").expect("a file");
    fs::create_dir(place.directory.path().join("skills")).expect("a directory");
    let prune = place.arguments(&["push", "--yes", "--prune", "skills"], "local");
    place.push_and_remove("whole");
    let whole = place.measure(&prune);
    for number in 0..kills() {
        place.push_and_remove(&format!("made-{number}"));
        let mut process = place.start(&prune);
        std::thread::sleep(whole * number * 5 / (kills() * 4));
        process.kill().expect("it can be killed");
        process.wait().expect("it ends");
        place.run(&prune);
    }
    assert_eq!(place.names(&SKILLS), Vec::<String>::new());
    assert_eq!(place.names(&HEARTBEATS), Vec::<String>::new());
    place.each_is_listed_once(&[&SKILLS[..], &["--archived"]].concat());
}

/// A database, and a directory of skills.
struct Place {
    directory: TempDir,
    /// How many schedules there are.
    schedules: Cell<u32>,
}

impl Place {
    fn new() -> Self {
        Self { directory: TempDir::new().expect("a directory"), schedules: Cell::new(0) }
    }

    /// Returns a schedule that fires together with no other one of this place: the server would
    /// warn of that, and the heartbeat would not be made.
    fn cron(&self) -> String {
        let number = self.schedules.get();
        self.schedules.set(number + 1);
        format!("{} {} * * *", number % 60, number / 60)
    }

    fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    fn push_locally(&self, name: &str) -> Vec<String> {
        self.push(name, "local")
    }

    fn push_to(&self, serve: &Serve, name: &str) -> Vec<String> {
        self.push(name, &format!("http://{}/mcp", serve.address))
    }

    /// The arguments of a push of one skill, which is written first.
    fn push(&self, name: &str, server: &str) -> Vec<String> {
        let skill = self.directory.path().join("skills").join(name);
        fs::create_dir_all(&skill).expect("a directory");
        let text = format!(
            "---\nname: {name}\ndescription: Tells a story of {name}. Use when somebody asks for \
             a story of it.\n---\n\n# {name}\n\nTell a story in which {name} is found at the end.\n"
        );
        fs::write(skill.join("SKILL.md"), text).expect("a file");
        let manifest = format!("heartbeats:\n  - name: {name}\n    cron: {}\n", self.cron());
        fs::write(skill.join("sprout.yaml"), manifest).expect("a file");
        self.arguments(&["push", "--yes", &skill.to_string_lossy()], server)
    }

    /// The arguments of a command, with the server.
    fn arguments(&self, command: &[&str], server: &str) -> Vec<String> {
        let data = self.data().to_string_lossy().into_owned();
        let server = ["--server", server, "--data", &data];
        command.iter().copied().chain(server).map(str::to_owned).collect()
    }

    /// Publishes a skill, and removes its directory.
    fn push_and_remove(&self, name: &str) {
        self.run(&self.push_locally(name));
        fs::remove_dir_all(self.directory.path().join("skills").join(name)).expect("a directory");
    }

    fn command(&self, arguments: &[String]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dibber"));
        command.args(arguments).current_dir(self.directory.path());
        command.env_remove("DIBBER_SERVER");
        keep_in(&mut command, &self.data());
        command.env("DIBBER_NAMES", self.directory.path().join("no-names"));
        let token = fs::read_to_string(self.data().join("token")).unwrap_or_default();
        command.env("DIBBER_TOKEN", token.trim());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn start(&self, arguments: &[String]) -> Child {
        self.command(arguments).spawn().expect("dibber runs")
    }

    /// Runs a command that has to succeed.
    fn run(&self, arguments: &[String]) {
        let output = self.command(arguments).output().expect("dibber runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn measure(&self, arguments: &[String]) -> Duration {
        let start = Instant::now();
        self.run(arguments);
        start.elapsed()
    }

    /// The names of what a command lists, sorted.
    fn names(&self, list: &[&str]) -> Vec<String> {
        let list = self.arguments(&[list, &["--json"]].concat(), "local");
        let listed = Dibber::new(list).run();
        let listed: serde_json::Value = serde_json::from_str(&listed.stdout).expect("JSON");
        let items = listed["items"].as_array().expect("a list");
        let mut names: Vec<_> =
            items.iter().map(|item| item["name"].as_str().expect("a name").to_owned()).collect();
        names.sort();
        names
    }

    /// The database is sound, and each skill that was pushed is listed once.
    fn each_is_listed_once(&self, list: &[&str]) {
        let names = self.names(list);
        let numbers = (0..kills()).map(|number| format!("made-{number}"));
        let mut pushed: Vec<_> = numbers.chain(["whole".to_owned()]).collect();
        pushed.sort();
        assert_eq!(names, pushed);
        let database = rusqlite::Connection::open(self.data().join("dibber.db"));
        let sound: String = database
            .and_then(|database| database.query_row("PRAGMA integrity_check", [], |row| row.get(0)))
            .expect("a database");
        assert_eq!(sound, "ok");
    }
}

/// `dibber serve` as a process.
struct Serve {
    process: Child,
    address: String,
}

impl Serve {
    fn start(place: &Place, address: &str) -> Self {
        let data = place.data();
        let mut process = Command::new(env!("CARGO_BIN_EXE_dibber"))
            .args(["serve", "--listen", address, "--data"])
            .arg(&data)
            .env("DIBBER_NAMES", Path::new("no-names"))
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("dibber runs");
        let mut lines = BufReader::new(process.stderr.take().expect("a pipe")).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| Some(line.split_once("http://")?.1.split('/').next()?.to_owned()))
            .expect("the address of the server");
        // The rest is not read, and nothing may wait for it to be read.
        std::thread::spawn(move || lines.for_each(drop));
        Self { process, address }
    }

    fn kill(&mut self) {
        self.process.kill().expect("it can be killed");
        self.process.wait().expect("it ends");
    }
}
