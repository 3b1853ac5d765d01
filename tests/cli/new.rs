//! `dibber new`.

use std::fs;

use dibber_skill::scaffold::TEMPLATES;

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};

const DESCRIPTION: &str = "Says when the next bus goes. Use when somebody asks for the bus.";

fn run_in(tree: &Tree, arguments: &[&str]) -> Ended {
    Dibber::new(["new"]).arguments(arguments).in_directory(tree.path()).run()
}

/// Every file below a directory, with its text.
fn files(tree: &Tree) -> String {
    let mut paths = Vec::new();
    let mut directories = vec![tree.path().to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { directories.push(path) } else { paths.push(path) }
        }
    }
    paths.sort();
    let show = |path: &std::path::PathBuf| {
        let shown = path.strip_prefix(tree.path()).expect("a path inside").to_string_lossy();
        let text = fs::read_to_string(path).expect("a string");
        format!("-- {} --\n{text}", shown.replace('\\', "/"))
    };
    paths.iter().map(show).collect()
}

fn is_empty(tree: &Tree) -> bool {
    fs::read_dir(tree.path()).expect("a directory").next().is_none()
}

#[test]
fn the_list() {
    let tree = Tree::new();
    insta::assert_snapshot!(run_in(&tree, &["--list"]).show());
    insta::assert_snapshot!(run_in(&tree, &["--list", "--json"]).show());
}

#[test]
fn every_template() {
    let tree = Tree::new();
    let mut output = String::new();
    for template in TEMPLATES {
        let name = match template.name {
            "skills-protocol" => "family.bus.times".to_owned(),
            other => format!("bus-{other}"),
        };
        let arguments =
            [name.as_str(), "--template", template.name, "--description", DESCRIPTION, "--yes"];
        output += &run_in(&tree, &arguments).show();
    }
    insta::assert_snapshot!(output);
    insta::assert_snapshot!(files(&tree));
    let linted = Dibber::lint(tree.path(), ["."]).run();
    assert_eq!((linted.code, linted.stdout.as_str()), (0, ""), "{}", linted.stderr);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let program = tree.path().join("bus-with-scripts/scripts/total_minutes.py");
        let mode = fs::metadata(program).expect("a program").permissions().mode();
        assert!(mode & 0o100 != 0, "{mode:o}");
    }
}

const EVERYTHING: [&str; 30] = [
    "bus-times",
    "--template",
    "generic",
    "--description",
    "Says when the bus goes: \"now\", or later",
    "--when",
    "somebody asks for the bus",
    "--label",
    "When does the bus go?",
    "--for",
    "generic",
    "--kid-callable",
    "--ages",
    "6-9",
    "--input",
    "stop=Which stop: its name",
    "--input",
    "day:date",
    "--hand",
    "task.list",
    "--hand",
    "activity_list",
    "--schedule",
    "0 8 * * 1-5",
    "--tz",
    "Europe/Berlin",
    "--canvas",
    "0b6f4a1e-9c57-4a7d-8f11-3f5f3f1b2c3d",
    "--into",
    "skills",
];

#[test]
fn everything_at_once() {
    let tree = Tree::new();
    fs::create_dir(tree.path().join("skills")).expect("a directory");
    let planned = run_in(&tree, &[&EVERYTHING[..], &["--dry-run"]].concat());
    insta::assert_snapshot!(planned.show());
    assert_eq!(files(&tree), "");
    let as_json = run_in(&tree, &[&EVERYTHING[..], &["--dry-run", "--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&as_json.stdout).expect("JSON");
    let ended = run_in(&tree, &[&EVERYTHING[..], &["--yes"]].concat());
    insta::assert_snapshot!(ended.show());
    // The plan that was shown is the one that was carried out.
    let planned: Vec<_> = json["files"].as_array().expect("files").iter().collect();
    let text_of =
        |file: &serde_json::Value, key: &str| file[key].as_str().expect("a string").to_owned();
    let of_plan = planned.iter().map(|file| {
        format!("-- skills/bus-times/{} --\n{}", text_of(file, "path"), text_of(file, "text"))
    });
    assert_eq!(files(&tree), of_plan.collect::<String>());
}

#[test]
fn missing_answers() {
    let tree = Tree::new();
    insta::assert_snapshot!(run_in(&tree, &[]).show());
    insta::assert_snapshot!(run_in(&tree, &["bus-times", "--template", "generic", "--yes"]).show());
    assert!(is_empty(&tree));
}

#[test]
fn existing_targets() {
    let tree = Tree::new();
    let arguments = ["bus-times", "--template", "generic", "--description", DESCRIPTION, "--yes"];
    tree.write("bus-times/notes.md", b"mine");
    insta::assert_snapshot!(run_in(&tree, &arguments).show());
    assert_eq!(files(&tree), "-- bus-times/notes.md --\nmine");
    let tree = Tree::new();
    tree.write("bus-times", b"mine");
    insta::assert_snapshot!(run_in(&tree, &arguments).show());
    assert_eq!(files(&tree), "-- bus-times --\nmine");
    #[cfg(unix)]
    {
        let tree = Tree::new();
        tree.link("bus-times", "nowhere");
        assert_eq!(run_in(&tree, &arguments).code, 2);
        assert!(!tree.path().join("nowhere").exists());
    }
}

#[test]
fn values_that_are_wrong() {
    let tree = Tree::new();
    let wrong = [
        "../Bus Times",
        "--template",
        "daily-check-in",
        "--description",
        "Buses\u{1B}[31m",
        "--kid-callable",
        "--ages",
        "9-5",
        "--input",
        "child name",
        "--input",
        "stop:text=Which one",
        "--hand",
        "task_lst",
        "--hand",
        "heartbeat.create",
        "--hand",
        "task.create",
        "--schedule",
        "*/5 * * * *",
        "--tz",
        "Berlin\u{202E}",
        "--canvas",
        "blue",
        "--into",
        "nowhere\u{1B}[2J",
        "--yes",
    ];
    insta::assert_snapshot!(run_in(&tree, &wrong).show());
    insta::assert_snapshot!(run_in(&tree, &["bus", "--template", "generc"]).show());
    let protocol = ["bus-times", "--template", "skills-protocol", "--hand", "task_list", "--yes"];
    insta::assert_snapshot!(run_in(&tree, &protocol).show());
    let vague = ["my-skill", "--template", "generic", "--description", "Helps.", "--yes"];
    insta::assert_snapshot!(run_in(&tree, &vague).show());
    assert!(is_empty(&tree));
}

#[test]
fn a_directory_name_that_windows_reserves() {
    let tree = Tree::new();
    let arguments = ["con", "--template", "generic", "--description", DESCRIPTION, "--yes"];
    let ended = run_in(&tree, &arguments);
    assert_eq!(ended.code, 2, "{}", ended.show());
    assert!(ended.stderr.contains("`con` cannot exist on Windows"), "{}", ended.show());
    assert!(is_empty(&tree));
}

/// The hint shows ages in quotes, so they are accepted in quotes.
#[test]
fn ages_in_quotes() {
    let tree = Tree::new();
    let arguments = ["bus-times", "--template", "generic", "--description", DESCRIPTION, "--yes"];
    let ages = ["--kid-callable", "--ages", "\"5-7\""];
    let ended = run_in(&tree, &[&arguments[..], &ages].concat());
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert!(files(&tree).contains("ageRange: 5-7\n"), "{}", files(&tree));
}

#[test]
fn several_at_once() {
    let tree = Tree::new();
    let arguments = ["bus-times", "--template", "generic", "--description", DESCRIPTION, "--yes"];
    let ended: Vec<Ended> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..8).map(|_| scope.spawn(|| run_in(&tree, &arguments))).collect();
        runs.into_iter().map(|run| run.join().expect("a run")).collect()
    });
    let (made, late): (Vec<Ended>, Vec<Ended>) = ended.into_iter().partition(|run| run.code == 0);
    assert_eq!(made.len(), 1);
    for run in late {
        assert!(run.stderr.contains("bus-times already exists"), "{}", run.show());
    }
    assert_eq!(fs::read_dir(tree.path()).expect("a directory").count(), 1);
}

#[test]
fn schedules_that_are_wrong() {
    let tree = Tree::new();
    let mut output = String::new();
    for (cron, zone) in [
        ("8 o'clock", "UTC"),
        ("", "UTC"),
        ("0 8\n* * *", "UTC"),
        ("0 25 * * *", "UTC"),
        ("0 8 * * fri-mon", "UTC"),
        ("0 8 * * 1/0", "UTC"),
        ("*/15 * * * *", "UTC"),
        ("0,30 7-9 * * *", "Asia/Kolkata"),
        ("0 8 30 2 *", "UTC"),
        ("0 8 * * 1-5", "Berlin"),
        ("every day at 7", "Europe/Berlin"),
        ("8am Paris time", "Europe/Berlin"),
        ("@daily", "europe/berlim\u{1B}[31m"),
    ] {
        let schedule = ["--schedule", cron, "--tz", zone, "--yes"];
        let rest = ["bus-times", "--template", "generic", "--description", DESCRIPTION];
        let ended = run_in(&tree, &[&rest[..], &schedule].concat());
        output += &format!("{cron:?} {zone:?}\n{}\n", ended.show());
    }
    insta::assert_snapshot!(output);
    assert!(is_empty(&tree));
}

#[test]
fn a_schedule_that_no_such_skill_can_have() {
    let tree = Tree::new();
    let mut output = String::new();
    for template in ["daily-check-in", "scheduler", "skills-protocol"] {
        let schedule = ["--schedule", "0 8 * * *", "--yes"];
        let rest = ["bus-times", "--template", template, "--description", DESCRIPTION];
        let ended = run_in(&tree, &[&rest[..], &schedule].concat());
        output += &format!("{template}\n{}\n", ended.show());
    }
    insta::assert_snapshot!(output);
    assert!(is_empty(&tree));
}

/// No directory can be created there, not even by the superuser.
#[cfg(target_os = "linux")]
#[test]
fn a_directory_that_cannot_be_created() {
    let tree = Tree::new();
    let arguments = ["bus-times", "--template", "generic", "--description", DESCRIPTION, "--yes"];
    let ended = run_in(&tree, &[&arguments[..], &["--into", "/proc/self"]].concat());
    assert_eq!(ended.code, 2, "{}", ended.show());
    assert!(ended.stderr.contains("cannot create /proc/self/bus-times: "), "{}", ended.show());
}

#[cfg(unix)]
mod at_a_terminal {
    use crate::support::terminal::Terminal;

    use super::*;

    fn start(tree: &Tree, arguments: &[&str]) -> Terminal {
        Terminal::start(tree.path(), &Tree::new(), &[&["new"], arguments].concat())
    }

    /// Waits for each prompt, and types the answer, if there is one.
    fn answer(terminal: &mut Terminal, recorded: &[(&str, Option<&str>)]) {
        for (prompt, line) in recorded {
            match line {
                Some(line) => terminal.answer(prompt, line),
                None => terminal.wait_for(prompt),
            }
        }
    }

    fn ended(terminal: Terminal) -> (String, i32) {
        terminal.end()
    }

    /// A session as a parent would have it, with a few slips.
    const RECORDED: &[(&str, Option<&str>)] = &[
        ("What is it most like?", Some("")),
        ("What should it do?", Some("Says when the bus goes: \"now\", or later")),
        ("When should it be used?", Some("somebody asks for the bus")),
        ("see as its title?", Some("When does the bus go?")),
        ("The name of its folder?", Some("Bus Times")),
        ("write `bus-times`", None),
        ("The name of its folder?", Some("bus-times")),
        ("Who is to run it?", Some("")),
        ("May a child launch it?", Some("y")),
        ("For which ages?", Some("nine")),
        ("is not an age range", None),
        ("For which ages?", Some("6-9")),
        ("The id of a canvas?", Some("0b6f4a1e-9c57-4a7d-8f11-3f5f3f1b2c3d")),
        ("What else changes every time?", Some("stop")),
        ("What is to be filled in there?", Some("Which stop: its name")),
        ("What else changes every time?", Some("stop")),
        ("duplicate input", None),
        ("What else changes every time?", Some("")),
        ("Which tools does it need?", Some("1")),
        ("Should it run by itself?", Some("3")),
        ("In which time zone?", Some("Europe/Berlin")),
        ("What is `stop` at these runs?", Some("")),
        ("Every weekday at 8am Berlin time.", None),
        ("{{input.stop}}", None),
        ("Write these files?", Some("y")),
    ];

    #[test]
    fn a_whole_session() {
        let tree = Tree::new();
        let mut session = start(&tree, &[]);
        answer(&mut session, RECORDED);
        let (rest, code) = ended(session);
        assert_eq!(code, 0, "{rest}");
        assert!(rest.contains("dibber lint bus-times"), "{rest}");
        // The same answers as flags make the same files.
        let of_flags = Tree::new();
        let flags = [
            "bus-times",
            "--template",
            "generic",
            "--description",
            "Says when the bus goes: \"now\", or later",
            "--when",
            "somebody asks for the bus",
            "--label",
            "When does the bus go?",
            "--for",
            "generic",
            "--kid-callable",
            "--ages",
            "6-9",
            "--canvas",
            "0b6f4a1e-9c57-4a7d-8f11-3f5f3f1b2c3d",
            "--input",
            "stop=Which stop: its name",
            "--hand",
            "activity_list",
            "--schedule",
            "0 8 * * 1-5",
            "--tz",
            "Europe/Berlin",
            "--yes",
        ];
        assert_eq!(run_in(&of_flags, &flags).code, 0);
        assert_eq!(files(&tree), files(&of_flags));
    }

    #[test]
    fn only_missing_answers_are_asked_for() {
        let tree = Tree::new();
        let given = ["bus-times", "--template", "generic", "--yes"];
        let mut session = start(&tree, &given);
        answer(
            &mut session,
            &[
                ("What should it do?", Some("Says when the next bus goes")),
                ("When should it be used?", Some("somebody asks for the bus")),
            ],
        );
        let (rest, code) = ended(session);
        assert_eq!(code, 0, "{rest}");
        assert!(!rest.contains("title?") && !rest.contains("Write these files?"), "{rest}");
        assert!(files(&tree).contains(DESCRIPTION), "{}", files(&tree));
    }

    #[test]
    fn a_no_at_the_end_writes_nothing() {
        let tree = Tree::new();
        let given = ["family.bus.times", "--template", "skills-protocol", "--label", "Bus"];
        let given = [&given[..], &["--description", DESCRIPTION]].concat();
        let mut session = start(&tree, &given);
        answer(&mut session, &[("Write these files?", Some("n"))]);
        let (rest, code) = ended(session);
        assert_eq!(code, 0, "{rest}");
        assert!(rest.contains("Nothing was written."), "{rest}");
        assert!(is_empty(&tree));
    }

    /// The questions before the one about a schedule are answered by options.
    const BUT_THE_SCHEDULE: [&str; 12] = [
        "bus-times",
        "--template",
        "generic",
        "--description",
        DESCRIPTION,
        "--label",
        "Bus times",
        "--for",
        "generic",
        "--input",
        "stop=The name of the stop",
        "--hand",
    ];

    #[test]
    fn a_schedule_that_cannot_be_is_asked_for_again() {
        let tree = Tree::new();
        let mut session = start(&tree, &[&BUT_THE_SCHEDULE[..], &["activity_list"]].concat());
        answer(
            &mut session,
            &[
                ("May a child launch it?", Some("n")),
                ("Should it run by itself?", Some("8")),
                ("When?", Some("* * * * *")),
                ("1440 fires a day", None),
                ("Should it run by itself?", Some("")),
                ("Write these files?", Some("y")),
            ],
        );
        let (rest, code) = ended(session);
        assert_eq!(code, 0, "{rest}");
        assert!(!files(&tree).contains("heartbeats:"), "{}", files(&tree));
    }

    #[test]
    fn a_time_with_two_meanings_is_asked_about() {
        let tree = Tree::new();
        let mut session = start(&tree, &[&BUT_THE_SCHEDULE[..], &["activity_list"]].concat());
        answer(
            &mut session,
            &[
                ("May a child launch it?", Some("n")),
                ("Should it run by itself?", Some("8")),
                ("When?", Some("every day at 7")),
                ("What does `7` mean?", Some("2")),
                ("In which time zone?", Some("Europe/Berlin")),
                ("What is `stop` at these runs?", Some("")),
                ("Every day at 7pm Berlin time.", None),
                ("Write these files?", Some("y")),
            ],
        );
        let (rest, code) = ended(session);
        assert_eq!(code, 0, "{rest}");
        assert!(files(&tree).contains("cron: 0 19 * * *"), "{}", files(&tree));
    }

    #[test]
    fn a_skill_that_makes_schedules_is_not_asked_for_one() {
        let tree = Tree::new();
        let mut session = start(&tree, &[&BUT_THE_SCHEDULE[..], &["heartbeat.create"]].concat());
        answer(
            &mut session,
            &[("May a child launch it?", Some("n")), ("Write these files?", Some("y"))],
        );
        let (rest, code) = ended(session);
        assert_eq!(code, 0, "{rest}");
    }

    #[test]
    fn a_taken_name_is_refused_before_any_question() {
        let tree = Tree::new();
        tree.write("bus-times/notes.md", b"mine");
        let (rest, code) = ended(start(&tree, &["bus-times"]));
        assert_eq!(code, 2, "{rest}");
        assert!(rest.contains("already exists") && !rest.contains("What is it"), "{rest}");
    }

    /// At a list, at a line of text, and where the files have been shown.
    #[test]
    fn ctrl_c_writes_nothing() {
        let last = RECORDED.len() - 1;
        for (count, prompt) in
            [(0, "scheduler: "), (2, "When should it be used?"), (last, "Write these files?")]
        {
            let tree = Tree::new();
            let mut session = start(&tree, &[]);
            answer(&mut session, &RECORDED[..count]);
            session.press_control(prompt, 'c');
            let (rest, code) = ended(session);
            assert_eq!(code, 130, "{prompt}: {rest}");
            assert!(is_empty(&tree), "{}", files(&tree));
        }
    }
}
