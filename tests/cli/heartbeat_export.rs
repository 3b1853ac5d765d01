//! `dibber heartbeat export`: timers of other programs.

use serde_json::Value;

use super::push_heartbeats::{PUSH, Project};
use crate::support::Tree;
use crate::support::command::{Dibber, Ended};
use crate::support::{package, timeless};

/// Publishes two heartbeats, of New York and of Berlin.
fn published() -> Project {
    let project = Project::new();
    let ended = project.run(&PUSH);
    assert_eq!(ended.code, 0, "{}", ended.show());
    project
}

fn export(project: &Project, arguments: &[&str]) -> Ended {
    let arguments = [&["heartbeat", "export"], arguments].concat();
    let dibber = Dibber::new(arguments).in_directory(project.tree.path());
    dibber.data(project.data.path()).env("COLUMNS", "80").env("TZ", "America/New_York").run()
}

/// The output without what differs between machines and runs.
fn shown(ended: &Ended, project: &Project) -> String {
    let data = project.data.path().to_string_lossy().into_owned();
    let program = env!("CARGO_BIN_EXE_dibber");
    timeless(&ended.show()).replace(&data, "DATA").replace(program, "/bin/dibber")
}

#[test]
fn timers_of_each_program_are_printed() {
    let project = published();
    for format in ["systemd", "cron"] {
        let ended = export(&project, &[&format!("--{format}")]);
        assert_eq!(ended.code, 0, "{}", ended.show());
        insta::assert_snapshot!(format!("heartbeat-export-{format}"), shown(&ended, &project));
    }
    // The beginning of a name is enough.
    let ended = export(&project, &["--launchd", "before", "--run", "claude -p"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    insta::assert_snapshot!("heartbeat-export-launchd", shown(&ended, &project));
}

#[test]
fn a_crontab_is_read_as_it_was_written() {
    let project = published();
    let ended = export(&project, &["--cron", "--run", "echo 100%"]);
    assert!(ended.stdout.contains("'echo 100\\%'"), "{}", ended.show());
    project.tree.write("timers.crontab", ended.stdout.as_bytes());
    let preview = project.json(&["heartbeat", "preview", "--cron-file", "timers.crontab"]);
    let items = preview["items"].as_array().expect("a list").iter();
    let mut read: Vec<_> = items.map(|item| format!("{} {}", item["cron"], item["tz"])).collect();
    read.sort();
    assert_eq!(read, ["\"0 7 * * 1-5\" \"America/New_York\"", "\"0 9 * * 0\" \"Europe/Berlin\""]);
}

#[test]
fn the_json_has_the_files() {
    let project = published();
    let printed = export(&project, &["--systemd"]).stdout;
    let ended = export(&project, &["--systemd", "--json"]);
    let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let schema = std::fs::read_to_string(package().join("schemas/heartbeat-export.schema.json"));
    let schema = serde_json::from_str(&schema.expect("a schema")).expect("JSON");
    assert!(jsonschema::is_valid(&schema, &json), "{json:#}");
    let files = json["files"].as_array().expect("a list").iter();
    let contents: Vec<_> = files.map(|file| file["text"].as_str().expect("a string")).collect();
    assert_eq!(contents.join("\n"), printed);
    assert_eq!(json["items"].as_array().map(Vec::len), Some(2));
    assert_eq!(json["command"][1], "serve");
}

#[test]
fn files_are_written_where_they_are_wanted() {
    let project = published();
    let ended = export(&project, &["--systemd", "--output", "units/user"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (0, ""), "{}", ended.show());
    assert!(project.tree.read("units/user/dibber.service").contains("serve --once"));
    assert!(project.tree.read("units/user/dibber.timer").contains("OnCalendar=Mon..Fri"));
    let ended = export(&project, &["--cron", "-o", "timers"]);
    assert!(ended.stderr.contains("wrote timers\n"), "{}", ended.show());
    let ended = export(&project, &["--cron", "-o", "units"]);
    assert!(ended.stderr.contains("dibber.crontab"), "{}", ended.show());
    assert_eq!(project.tree.read("units/dibber.crontab"), project.tree.read("timers"));
}

/// Several heartbeats at one time need one start.
#[test]
fn a_file_of_another_program_is_not_replaced() {
    let project = published();
    project.tree.write("mine.txt", b"a diary\n");
    let ended = export(&project, &["--cron", "--output", "mine.txt"]);
    assert_eq!(ended.code, 2, "{}", ended.show());
    assert!(ended.stderr.contains("was not written by this command"), "{}", ended.show());
    assert_eq!(project.tree.read("mine.txt"), "a diary\n");
    for _ in 0..2 {
        let ended = export(&project, &["--launchd", "before", "--output", "own.plist"]);
        assert_eq!(ended.code, 0, "{}", ended.show());
    }
}

/// A timer starts its program in another directory.
#[test]
fn a_program_beside_the_skills_is_started_by_its_path() {
    let project = published();
    let ended = export(&project, &["--cron", "--run", "./agent.sh --quiet"]);
    let path = project.tree.path().join("agent.sh");
    let line = format!("--run '{} --quiet'", path.display());
    assert!(ended.stdout.contains(&line), "{line}: {}", ended.show());
}

#[test]
fn equal_times_are_written_once() {
    let project = published();
    let times = ["--schedule", "0 7 * * 1-5", "--tz", "America/New_York", "--yes"];
    let edited = project.run(&[&["heartbeat", "edit", "Sundays"], &times[..]].concat());
    assert_eq!(edited.code, 0, "{}", edited.show());
    for (format, time, count) in [
        ("--cron", "0 7 * * 1-5", 1),
        ("--systemd", "OnCalendar=", 1),
        ("--launchd", "<key>Hour</key>", 5),
    ] {
        let ended = export(&project, &[format]);
        assert_eq!(ended.stdout.matches(time).count(), count, "{}", ended.show());
        let has_both = ended.stdout.contains("Sundays") && ended.stdout.contains("Before school");
        assert!(has_both || format == "--launchd", "{}", ended.show());
    }
}

#[test]
fn what_has_no_timer_is_said() {
    let project = published();
    project.run(&["heartbeat", "pause", "Sundays"]);
    let ended = export(&project, &["--cron"]);
    assert!(ended.stderr.contains("`Sundays` is paused, and gets no timer"), "{}", ended.show());
    assert!(!ended.stdout.contains("Sundays"), "{}", ended.show());
    project.run(&["heartbeat", "resume", "Sundays"]);
    project.run(&["heartbeat", "edit", "Sundays", "--schedule", "30 2 * * 0", "--yes"]);
    let ended = export(&project, &["--cron"]);
    assert!(ended.stderr.contains("the clocks change at its time"), "{}", ended.show());
    let nothing = Tree::new();
    let none = Dibber::new(["heartbeat", "export", "--cron"]).data(nothing.path()).run();
    assert_eq!(none.code, 5, "{}", none.show());
}

#[test]
fn what_a_program_cannot_start_is_refused() {
    let project = published();
    let ended = export(&project, &["--launchd"]);
    assert_eq!(ended.code, 3, "{}", ended.show());
    let message = "`Sundays` runs on the clock of Europe/Berlin, and launchd knows";
    assert!(ended.stderr.replace("\n  ", " ").contains(message), "{}", ended.show());
    let ended = export(&project, &["--github-actions", "--run", "x"]);
    assert_eq!(ended.code, 2, "{}", ended.show());
    assert!(ended.stderr.contains("cannot reach the database of this computer"));
    let server = "stdio:dibber serve --stdio --data";
    let server = server.replace("dibber", env!("CARGO_BIN_EXE_dibber"));
    let server = format!("{server} '{}'", project.data.path().display());
    let ended = export(&project, &["--github-actions", "--run", "x", "--server", &server]);
    assert_eq!(ended.code, 2, "{}", ended.show());
    let message = "GitHub Actions cannot reach a server that is a program on this computer";
    assert!(ended.stderr.contains(message), "{}", ended.show());
    let ended = export(&project, &["--cron", "--run", "one\ntwo"]);
    assert_eq!(ended.code, 3, "{}", ended.show());
    for wrong in [&[][..], &["--cron", "--systemd"]] {
        assert_eq!(export(&project, wrong).code, 2);
    }
    let both = ["--schedule", "0 8 */2 * 1-5", "--tz", "America/New_York", "--yes"];
    let edited = project.run(&[&["heartbeat", "edit", "Before school"], &both[..]].concat());
    assert_eq!(edited.code, 0, "{}", edited.show());
    let ended = export(&project, &["--launchd", "before"]);
    assert_eq!(ended.code, 3, "{}", ended.show());
    assert!(ended.stderr.contains("both a day of the month and a day of the week"));
}
