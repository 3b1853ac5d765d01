//! `dibber journal`: what was interrupted is listed and can be discarded.

use std::fs;

use serde_json::Value;
use tokio::runtime::Runtime;

use crate::support::command::{Dibber, Ended, state_in};
use crate::support::interceptor::{Interceptor, Mode};
use crate::support::package;
use crate::support::server_process::Serving;
use crate::support::writers::{SKILL, World, Writer};

fn journal(writer: &Writer, arguments: &[&str]) -> Ended {
    let data = writer.data().path();
    Dibber::new(["journal"]).arguments(arguments).data(data).run()
}

/// A list, which has to be of its schema.
fn list(writer: &Writer) -> Vec<Value> {
    let ended = journal(writer, &["list", "--json"]);
    let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let path = package().join("schemas/journal.schema.json");
    let schema = serde_json::from_slice(&std::fs::read(path).expect("a schema")).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    let errors: Vec<_> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{json:#}");
    json["items"].as_array().expect("items").clone()
}

#[test]
fn interrupted_writes_are_listed_and_discarded() {
    let world = World::new();
    let writer = Writer::new();
    assert_eq!(
        journal(&writer, &["list"]).show(),
        "exit code: 0\n----- stdout -----\n----- stderr -----\nno interrupted writes\n"
    );
    assert_eq!(list(&writer), Vec::<Value>::new());
    world.run_with(&writer, &["push", "--yes", SKILL], Mode::HoldRequest);
    let create = ["heartbeat", "create", "Tea", "--cron", "0 9 * * *", "--skill", "sk_1", "--yes"];
    assert_eq!(world.run_with(&writer, &create, Mode::HoldRequest).code(), Some(5));
    let items = list(&writer);
    assert_eq!(items.len(), 1);
    assert_eq!((&items[0]["tool"], &items[0]["readable"]), (&"skill_write".into(), &true.into()));
    let subject = items[0]["subject"].as_str().expect("a subject");
    assert!(subject.starts_with(&format!("{SKILL} in ")), "{subject}");
    let id = items[0]["id"].as_str().expect("an id").to_owned();
    let url = format!("http://{}/mcp", world.interceptor.address);
    let directory = writer.tree.path().canonicalize().expect("a directory");
    let begun = items[0]["begun"].as_str().expect("a time");
    let shown = |arguments: &[&str]| {
        let shown = journal(&writer, arguments).show();
        let shown = shown.replace(&id, "ID").replace(&url, "URL").replace(begun, "TIME");
        shown.replace(&*directory.to_string_lossy(), "FOLDER")
    };
    insta::assert_snapshot!("list", shown(&["list"]));
    insta::assert_snapshot!("unknown", shown(&["discard", "nothing"]));
    assert_eq!(list(&writer).len(), 1);
    insta::assert_snapshot!("discarded", shown(&["discard", &id]));
    assert_eq!(list(&writer), Vec::<Value>::new());
    assert_eq!(journal(&writer, &["discard", "--all"]).code, 0);
}

/// The run was killed after the lock was written, and before the journal was.
#[test]
fn an_entry_of_what_is_recorded_is_ended_by_a_push_with_nothing_to_do() {
    let world = World::new();
    let writer = Writer::new();
    let push = ["push", "--yes", SKILL];
    let label = "label: Water plants\n".to_owned();
    let set = |cron: &str| format!("{label}heartbeats:\n  - name: Tea\n    cron: {cron}\n");
    for manifest in [label.clone(), set("0 9 * * *"), set("0 8 * * *")] {
        writer.tree.write(&format!("{SKILL}/sprout.yaml"), manifest.as_bytes());
        assert_eq!(world.run_with(&writer, &push, Mode::HoldAnswer).code(), None, "{manifest}");
        let entries = writer.journal_entries();
        assert_eq!(entries.len(), 1, "{manifest}");
        let finished = world.run(&writer, &push);
        assert_eq!((finished.code, writer.unfinished()), (0, 0), "{}", finished.show());
        writer.restore_journal(&entries);
        let nothing_to_do = world.run(&writer, &push);
        assert_eq!((nothing_to_do.code, writer.unfinished()), (0, 0), "{}", nothing_to_do.show());
    }
    assert_eq!(world.snapshot().heartbeats.len(), 1);
}

#[test]
fn a_corrupt_entry_is_listed_and_discarded() {
    let world = World::new();
    let writer = Writer::new();
    let push = ["push", "--yes", "--new", SKILL];
    world.run_with(&writer, &push, Mode::HoldRequest);
    let directory = state_in(writer.data().path()).join("journal");
    let entry =
        std::fs::read_dir(&directory).expect("a directory").map(|it| it.expect("an entry").path());
    let entry = entry.filter(|path| path.extension().is_some_and(|it| it == "json")).last();
    std::fs::write(entry.expect("an entry"), b"{").expect("a file");
    let refused = world.run(&writer, &push);
    assert_eq!(refused.code, 7, "{}", refused.show());
    let items = list(&writer);
    assert_eq!((items.len(), &items[0]["readable"]), (1, &false.into()));
    let id = items[0]["id"].as_str().expect("an id");
    assert!(
        refused.stderr.contains(&format!("`dibber journal discard {id}`")),
        "{}",
        refused.show()
    );
    assert_eq!(journal(&writer, &["discard", id]).code, 0);
    assert_eq!(world.run(&writer, &push).code, 0);
    assert_eq!(world.last_lines().len(), 1);
}

/// A server in a process of its own, and a writer whose push to its address was interrupted.
struct Interrupted {
    serving: Serving,
    writer: Writer,
    _runtime: Runtime,
}

impl Interrupted {
    fn new() -> Self {
        let (serving, writer) = (Serving::start(), Writer::new());
        let runtime = Runtime::new().expect("a runtime");
        let address = serving.address.parse().expect("an address");
        let interceptor = runtime.block_on(Interceptor::before(address));
        interceptor.set(Mode::LoseAnswer);
        let url = format!("http://{}/mcp", interceptor.address);
        let interrupted = Self { serving, writer, _runtime: runtime };
        let push =
            interrupted.push(&["--server", &url]).env("DIBBER_TOKEN", &interrupted.serving.token());
        let ended = push.run();
        assert_eq!((ended.code, interrupted.writer.unfinished()), (7, 1), "{}", ended.show());
        interrupted
    }

    fn push(&self, options: &[&str]) -> Dibber {
        self.command(&["push", "--yes", "--new", SKILL]).arguments(options)
    }

    fn command(&self, arguments: &[&str]) -> Dibber {
        Dibber::new(arguments).in_directory(self.writer.tree.path()).data(self.writer.data().path())
    }

    /// Moves the journal beside the database of the server, where earlier versions
    /// have kept it.
    fn move_beside_database(&self) {
        let journal = state_in(self.writer.data().path()).join("journal");
        fs::rename(journal, self.serving.data.join("journal")).expect("a directory");
    }

    /// The number of skills that the server has.
    fn skills(&self) -> usize {
        let data = self.serving.data.to_string_lossy().into_owned();
        let list = ["skill", "list", "--json", "--server", "local", "--data", &data];
        let json: Value = serde_json::from_str(&self.command(&list).run().stdout).expect("JSON");
        json["items"].as_array().expect("items").len()
    }
}

#[test]
fn a_write_to_an_address_is_resumed_over_the_database_of_its_server() {
    let local = ["--server", "local"];
    for is_former in [false, true] {
        for by_option in [false, true] {
            let interrupted = Interrupted::new();
            assert!(!interrupted.serving.data.join("journal").exists());
            if is_former {
                interrupted.move_beside_database();
            }
            let data = interrupted.serving.data.to_string_lossy().into_owned();
            let again = interrupted.push(&local);
            let again = if by_option {
                again.arguments(&["--data", &data])
            } else {
                again.env("DIBBER_DATA", &data)
            };
            let ended = again.run();
            assert_eq!(ended.code, 0, "{}", ended.show());
            assert_eq!(interrupted.skills(), 1);
            let list = ["journal", "list", "--data", &data];
            let list = interrupted.command(&list).run();
            assert!(list.stderr.contains("no interrupted writes"), "{}", list.show());
        }
    }
}

#[test]
fn an_entry_beside_the_database_is_discarded() {
    let interrupted = Interrupted::new();
    interrupted.move_beside_database();
    let data = interrupted.serving.data.to_string_lossy().into_owned();
    let journal = |arguments: &[&str]| interrupted.command(&["journal"]).arguments(arguments).run();
    assert_eq!(journal(&["list"]).stdout, "");
    assert!(journal(&["list", "--data", &data]).stdout.contains("skill_write"));
    assert_eq!(journal(&["discard", "--all", "--data", &data]).code, 0);
    assert_eq!(journal(&["list", "--data", &data]).stdout, "");
}
