//! `dibber new`.

use std::fs;

use dibber_skill::scaffold::{TEMPLATES, TemplateAudience};

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
        "Berlim\u{202E}",
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
        ("0 8 * * 1-5", "Berlim"),
        ("every day at 7", "Europe/Berlin"),
        ("8am Paris time", "Europe/Berlin"),
        ("@daily", "europe/berlim\u{1B}[31m"),
        ("tuesdays", "Europe/Berlin"),
        ("every day", "Europe/Berlin"),
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
        let schedule = ["--cron", "0 8 * * *", "--yes"];
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
    use std::os::unix::fs::PermissionsExt;

    use crate::support::terminal::Terminal;

    use super::*;

    const WRITE: &str = "Write it, and publish it";
    const PUBLISH: &str = "1 skill to local";
    const ANSWERS: &str = "new-answers.json";

    fn start(tree: &Tree, data: &Tree, arguments: &[&str]) -> Terminal {
        Terminal::start(tree.path(), data, &[&["new"], arguments].concat())
    }

    fn answer(terminal: &mut Terminal, recorded: &[(&str, &str)]) {
        for (question, line) in recorded {
            terminal.answer(question, line);
        }
    }

    /// What a parent answers about a story, up to the summary.
    const STORY: &[(&str, &str)] = &[
        ("What should happen?", "a bedtime story"),
        ("What exactly?", "tell Jay's bedtime story about animals"),
        ("Is `Jay` the name of a child?", ""),
        ("For whom is it?", "Jay"),
        ("What is different each time?", ""),
        ("When should it run by itself?", "every day at 7:30pm"),
    ];

    /// Six answers and two confirmations: the story is on the server, with its schedule.
    #[test]
    fn a_story_is_published_with_its_schedule() {
        let (tree, data) = (Tree::new(), Tree::new());
        let mut terminal = start(&tree, &data, &[]);
        answer(&mut terminal, STORY);
        answer(&mut terminal, &[(WRITE, ""), (PUBLISH, "yes please")]);
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        assert!(shown.contains("Published tell-the-child-s-bedtime-story"), "{shown}");
        let (questions, published) = shown.split_once("Made ").expect("the files");
        let (sheet, _) = published.split_once("(new heartbeat)").expect("its schedule");
        for label in ["does", "run by", "asks for    child_name", "runs at     Every day at 7:30pm"]
        {
            assert!(sheet.contains(&format!("\n  {label}")), "{sheet}");
        }
        assert!(sheet.contains(
            "\n  checks      nothing to warn of\n  goes to     this computer (`local`)\n"
        ));
        for jargon in ["Hash", "decision", "hands", "canvases", "category", "bytes", "(30 19"] {
            assert!(!sheet.contains(jargon), "{jargon}: {sheet}");
        }
        // It has ids, which are never the same.
        fs::remove_file(tree.path().join("dibber.lock")).expect("a lock file");
        insta::assert_snapshot!("a_story", format!("{questions}\n{}", files(&tree)));
        let listed = Dibber::new(["heartbeat", "list"]).data(data.path()).run();
        assert!(listed.stdout.contains("7:30pm"), "{}", listed.show());
        assert!(!data.path().join(ANSWERS).exists());
    }

    #[test]
    fn wrong_answers_are_asked_for_again() {
        let (tree, data) = (Tree::new(), Tree::new());
        tree.write("tell-a-story/notes.md", b"mine");
        let mut terminal = start(&tree, &data, &[]);
        let long = "a very long wish ".repeat(20);
        answer(
            &mut terminal,
            &[
                ("What should happen?", "99"),
                ("type a number, or one of the words", "a car"),
                ("`a car` is not one of these", "1"),
                ("What exactly?", long.trim()),
                ("shorten it by 39", "tell a story"),
                ("For whom is it?", "two kids, 4 and 6"),
                ("What is different each time?", "a, b, c, d, e, f"),
                ("leave out 1", "every day at half past seven in the evening"),
                ("is when it runs", "Hero, Hero, the place"),
                ("When should it run by itself?", "now and then"),
                ("every Monday at 8am", "every day at 25:00"),
                ("`25:00` is not a time of the day", "sunday"),
                ("At what time?", "7"),
                ("write `7am` or `7pm`", "in the evening"),
                ("At what time? (such as 7:30pm or 19:30) [7pm]", "in summer"),
                ("found `in`", "7 pm"),
                ("What is `hero`", ""),
                ("there is no answer yet", "a fox"),
                ("What is `place`", "the wood"),
                (WRITE, "yes, but wait"),
                ("`yes, but wait` is not one of these", "perhaps"),
                ("`perhaps` is not one of these", "9"),
                ("Which city's time is it?", "Mars"),
                ("type a large city with the same time", "san francisco"),
                ("Time zone: America/Los_Angeles.", "9"),
                ("Which city's time is it?", "Europe/Berlin"),
                (WRITE, "11"),
                ("May a child start it?", "quit"),
                ("Press Ctrl-C to end the questions", "maybe"),
                ("neither yes nor no", "yes please"),
                (WRITE, "12"),
                ("For which ages?", "nine"),
                ("is not an age range", "6"),
                (WRITE, "14"),
                ("What should its folder be called?", "Tell a story!"),
                ("already exists", "The Fox"),
                (WRITE, "write"),
            ],
        );
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        insta::assert_snapshot!("wrong_answers", format!("{shown}\n{}", files(&tree)));
        let linted = Dibber::lint(tree.path(), ["the-fox"]).run();
        assert_eq!((linted.code, linted.stdout.as_str()), (0, ""), "{}", linted.stderr);
    }

    /// Help, politeness and a title that is too long are no answers, and the title is not lost.
    #[test]
    fn questions_are_explained_and_answers_corrected() {
        let (tree, data) = (Tree::new(), Tree::new());
        let mut terminal = start(&tree, &data, &[]);
        let long = "a very long title ".repeat(17);
        answer(
            &mut terminal,
            &[
                ("What should happen?", "?"),
                ("Type its number", "1"),
                ("What exactly?", "yes please"),
                ("there is no answer yet", "tell a story about the sea"),
                ("For whom is it?", "HELP"),
                ("You are asked about", ""),
                ("What is different each time?", "?"),
                ("Type a word for each", "yes please"),
                ("there is no answer yet", "no, thank you"),
                ("When should it run by itself?", "no thanks"),
                (WRITE, "?"),
                ("With `write` it is only a folder", "8"),
                ("(at most 300 characters)", long.trim()),
                ("shorten it by 5", ""),
                (WRITE, "8"),
                ("very long]", "The sea"),
                (WRITE, "perhaps"),
                ("type yes, write, no, show, or the number of an answer", "only write it"),
            ],
        );
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        assert!(shown.ends_with("  4. dibber push the-sea\n"), "{shown}");
        assert!(!files(&tree).contains("input."), "{}", files(&tree));
        let generic =
            shown.lines().find_map(|line| line.strip_suffix(". something else, step by step"));
        let number = generic.expect("the item for anything else").trim();
        let explained = format!("`{number}` is for anything");
        assert!(shown.replace('\n', " ").contains(&explained), "{shown}");
    }

    /// The children of the family are known without a question.
    #[test]
    fn a_child_of_the_family_is_in_no_text() {
        let (tree, data) = (Tree::new(), Tree::new());
        let add = ["family", "add-child", "Jayden", "--born", "2019-04-30"];
        assert_eq!(Dibber::new(add).data(data.path()).run().code, 0);
        let mut terminal = start(&tree, &data, &[]);
        answer(
            &mut terminal,
            &[
                ("What should happen?", "1"),
                ("What exactly?", "tell Jayden a story"),
                ("becomes `child_name`", ""),
                ("What is different each time?", ""),
                ("When should it run by itself?", "no"),
                (WRITE, "write"),
            ],
        );
        let (shown, code) = terminal.end();
        assert!(code == 0 && !shown.contains("Is `"), "{shown}");
        assert!(!files(&tree).contains("Jayden"), "{}", files(&tree));
        let line =
            ["new", "other", "--template", "generic", "-y", "--description", "Tells Jayden."];
        let refused = Dibber::new(line).in_directory(tree.path()).data(data.path()).run();
        assert!(refused.stderr.contains("child #1 of your family"), "{}", refused.show());
    }

    /// What may have scrolled away is repeated in one line above the question.
    #[test]
    fn a_long_list_of_answers_is_repeated_in_short() {
        let (tree, data) = (Tree::new(), Tree::new());
        let mut terminal = start(&tree, &data, &[]);
        let what = format!("tell a story about {}", "the sea and its many animals, ".repeat(8));
        answer(
            &mut terminal,
            &[
                ("What should happen?", "1"),
                ("What exactly?", what.trim_end_matches(", ")),
                ("For whom is it?", "two kids"),
                ("What is different each time?", "hero, place, mood, weather, song"),
                ("When should it run by itself?", "every day at 8pm"),
                ("What is `hero`", what.trim_end_matches(", ")),
                ("What is `place`", "a wood"),
                ("What is `mood`", "calm"),
                ("What is `weather`", "rain"),
                ("What is `song`", "none"),
                (WRITE, "no"),
            ],
        );
        let (shown, _) = terminal.end();
        assert!(shown.contains("\nIn short: tell a story about the sea and its"), "{shown}");
        assert!(shown.contains("; two kids; Every day at 8pm ET\n\nWrite it,"), "{shown}");
        let line = shown.lines().find(|line| line.starts_with("In short"));
        assert!(line.is_some_and(|line| line.len() <= 80), "{shown}");
    }

    /// The line has as many words as fit into the columns of the terminal, in any language.
    #[test]
    fn the_short_line_is_measured_in_columns() {
        let shown_in = |columns: &str| {
            let (tree, data) = (Tree::new(), Tree::new());
            let variables = [("NO_COLOR", "1"), ("COLUMNS", columns), ("LINES", "10")];
            let mut terminal = Terminal::start_with(tree.path(), &data, &["new"], &variables);
            let what = "a b ".repeat(20);
            answer(
                &mut terminal,
                &[
                    ("1. tell a story", "1"),
                    ("What exactly?", what.trim()),
                    ("For whom is it?", "\u{e4} \u{f6} \u{fc} \u{e4} \u{f6} \u{fc}"),
                    ("What is different each time?", ""),
                    ("When should it run by itself?", "no"),
                    (WRITE, "no"),
                ],
            );
            let (shown, _) = terminal.end();
            let line = shown.lines().find(|line| line.starts_with("In short"));
            let line = line.unwrap_or_else(|| panic!("{shown}"));
            // A terminal of the tests shows bytes.
            String::from_utf8(line.chars().map(|c| u8::try_from(c).expect("a byte")).collect())
                .expect("UTF-8")
        };
        let rest = "\u{e4} \u{f6} \u{fc} \u{e4} \u{f6} \u{fc}; only on request";
        let wide = shown_in("80");
        assert!(wide.ends_with(&format!("a b; {rest}")), "{wide}");
        assert!((78..=80).contains(&wide.chars().count()), "{wide}");
        assert_eq!(shown_in("40"), format!("In short: {rest}"));
    }

    /// Every answer but `nothing` is a value, and `nothing` is an empty one.
    #[test]
    fn a_value_is_what_was_typed() {
        let (tree, data) = (Tree::new(), Tree::new());
        let mut terminal = start(&tree, &data, &[]);
        answer(
            &mut terminal,
            &[
                ("What should happen?", "1"),
                ("What exactly?", "tell a story about the sea"),
                ("For whom is it?", ""),
                ("What is different each time?", "with music, song, lamp"),
                ("When should it run by itself?", "every day at 8pm"),
                ("What is `with_music`", "yes"),
                ("What is `song`", ""),
                ("there is no answer yet", "Nothing, thanks"),
                ("What is `lamp`", "no"),
                ("with song             nothing", "7"),
                ("leaves it empty) [nothing]", ""),
                (WRITE, "write"),
            ],
        );
        let (shown, code) = terminal.end();
        let written = files(&tree);
        let values = "\
    input:
      with_music: \"yes\"
      song: \"\" # the value for every run
      lamp: \"no\"
";
        assert!(code == 0 && written.contains(values), "{shown}{written}");
    }

    /// The clock is that of the locale, also in what is shown of the schedule.
    #[test]
    fn days_without_a_time_are_followed_by_a_question() {
        let (tree, data) = (Tree::new(), Tree::new());
        let locale = [("NO_COLOR", "1"), ("LANG", "de_DE.UTF-8")];
        let mut terminal = Terminal::start_with(tree.path(), &data, &["new"], &locale);
        answer(&mut terminal, &STORY[..5]);
        answer(
            &mut terminal,
            &[
                ("When should it run by itself?", "every nigth"),
                ("did you mean `every night at 7:30pm`?", "every morning"),
                ("At what time? (such as 7:30pm or 19:30) [8am]", "back"),
                ("When should it run by itself?", "every night"),
                ("At what time?", "19.30"),
                ("Every day at 19:30 ET.", "write"),
            ],
        );
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        assert!(files(&tree).contains("cron: 30 19 * * *"), "{}", files(&tree));
        let page = Dibber::new(["dry-run", "."]).in_directory(tree.path());
        let page = page.env("LANG", "de_DE.UTF-8").env("COLUMNS", "100").run();
        assert!(page.stdout.contains("Every day at 19:30 ET"), "{}", page.show());
    }

    /// A city is as good as a zone, and other days may be typed with the time.
    #[test]
    fn the_time_may_have_a_city_or_other_days() {
        for (time, cron) in [
            ("7:30pm New York", "cron: 30 19 * * *"),
            ("weekdays at 8am America/New_York", "cron: 0 8 * * 1-5"),
        ] {
            let (tree, data) = (Tree::new(), Tree::new());
            let mut terminal = start(&tree, &data, &[]);
            answer(&mut terminal, &STORY[..5]);
            answer(&mut terminal, &[("When should it run by itself?", "every day")]);
            terminal.answer("At what time?", time);
            answer(&mut terminal, &[(WRITE, "write")]);
            let (shown, code) = terminal.end();
            let written = files(&tree);
            assert!(code == 0 && written.contains(cron), "{shown}{written}");
            assert!(written.contains("tz: America/New_York"), "{shown}{written}");
        }
    }

    /// Their templates are in a menu of their own, or named at once.
    #[test]
    fn templates_for_developers_are_in_a_second_menu() {
        for answers in [
            &[("What should happen?", "8"), ("Which template?", "3")][..],
            &[("What should happen?", "developers"), ("Which template?", "scheduler")],
            &[("What should happen?", "9"), ("is not one of these", "scheduler")],
        ] {
            let (tree, data) = (Tree::new(), Tree::new());
            let mut terminal = start(&tree, &data, &[]);
            answer(&mut terminal, answers);
            answer(&mut terminal, &[("What exactly?", "puts a skill on a schedule")]);
            terminal.press_control("When should it be used?", 'c');
            let (shown, code) = terminal.end();
            assert_eq!(code, 130, "{shown}");
            let (menu, _) = shown.split_once("> ").expect("a menu");
            assert!(menu.lines().count() < 24 && !menu.contains("protocol"), "{menu}");
        }
    }

    /// In a container, the time zone of the computer is not that of the family.
    #[test]
    fn the_zone_is_asked_for_on_a_computer_in_utc() {
        for zone in ["UTC", "Etc/UTC"] {
            let (tree, data) = (Tree::new(), Tree::new());
            let variables = [("NO_COLOR", "1"), ("TZ", zone)];
            let mut terminal = Terminal::start_with(tree.path(), &data, &["new"], &variables);
            answer(&mut terminal, STORY);
            answer(
                &mut terminal,
                &[
                    (&format!("America/New_York) [{zone}]"), "Munchen City"),
                    ("type a large city", "m\u{FC}nchen"),
                    ("Every day at 7:30pm Berlin time.", "7"),
                    ("Which city's time is it?", ""),
                    (WRITE, "no"),
                ],
            );
            let (shown, _) = terminal.end();
            assert_eq!(shown.matches("Which city's time is it?").count(), 2, "{shown}");
        }
    }

    /// Only what is written in lowercase is asked about, and a name becomes an input.
    #[test]
    fn a_name_in_lowercase_is_asked_about() {
        let (tree, data) = (Tree::new(), Tree::new());
        let mut terminal = start(&tree, &data, &[]);
        answer(
            &mut terminal,
            &[
                ("What should happen?", "story"),
                ("What exactly?", "tell a story about the sea to emma"),
                ("Is `emma` the name of a child?", ""),
                ("For whom is it?", "emma"),
                ("What is different each time?", ""),
                ("When should it run by itself?", ""),
                (WRITE, ""),
                (PUBLISH, "no"),
            ],
        );
        let (shown, code) = terminal.end();
        let written = files(&tree).to_lowercase();
        assert!(code == 0 && shown.contains("Nothing was published. `dibber push "), "{shown}");
        assert!(written.contains("child_name") && !written.contains("emma"), "{written}");
    }

    /// From the first question to the published story, nothing is wider than the terminal, except a
    /// command to copy.
    #[test]
    fn every_line_fits_a_terminal_of_80_columns() {
        let (tree, data) = (Tree::new(), Tree::new());
        let mut terminal = start(&tree, &data, &[]);
        answer(&mut terminal, STORY);
        answer(&mut terminal, &[(WRITE, "show"), (WRITE, "")]);
        answer(&mut terminal, &[(PUBLISH, "yes")]);
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        let command = "  dibber invoke tell-the-child-s-bedtime-story";
        assert!(shown.lines().any(|line| line == command), "{shown}");
        let is_long = |line: &&str| line.chars().count() > 80 && !line.starts_with("  dibber ");
        let long: Vec<_> = shown.lines().filter(is_long).collect();
        assert!(long.is_empty(), "{long:#?}");
    }

    /// A limit is shown with how much of it there is.
    #[test]
    fn a_short_description_is_counted() {
        let (tree, data) = (Tree::new(), Tree::new());
        let mut terminal = start(&tree, &data, &["--template", "with-scripts"]);
        answer(&mut terminal, &[("What exactly?", "Counts days."), ("When should it", "asked")]);
        terminal.press_control("it has 28 so far", 'c');
        let (shown, _) = terminal.end();
        let error = "error: the description needs at least 50 characters; it has 28 so far\n";
        assert!(shown.contains(error), "{shown}");
    }

    #[test]
    fn back_leads_to_the_question_before() {
        let (tree, data) = (Tree::new(), Tree::new());
        let mut terminal = start(&tree, &data, &[]);
        answer(
            &mut terminal,
            &[
                ("What should happen?", "back"),
                ("Ctrl-C ends the questions.", "quiz"),
                ("What exactly?", "\u{1B}"),
                ("What should happen?", "story"),
                ("What exactly?", ""),
                ("For whom is it?", "back"),
                ("What exactly?", ""),
                ("For whom is it?", ""),
                ("What is different each time?", ""),
                ("When should it run by itself?", ""),
                (WRITE, "back"),
                ("When should it run by itself?", "no"),
                (WRITE, "show"),
                (WRITE, "no"),
            ],
        );
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        assert!(is_empty(&tree), "{}", files(&tree));
        insta::assert_snapshot!("back", shown);
    }

    /// What is shown is written, also after `back` from an answer that was changed at the end.
    #[test]
    fn back_keeps_an_answer_that_was_changed_at_the_end() {
        let (tree, data) = (Tree::new(), Tree::new());
        let mut terminal = start(&tree, &data, &[]);
        answer(
            &mut terminal,
            &[
                ("What should happen?", "story"),
                ("What exactly?", ""),
                ("For whom is it?", ""),
                ("What is different each time?", ""),
                ("When should it run by itself?", "1"),
                (WRITE, "8"),
                ("Under which title should your family find it?", "My owl"),
                (WRITE, "back"),
                (
                    "Under which title should your family find it? (at most 300 characters) [My owl]",
                    "",
                ),
                (WRITE, "9"),
                ("What should its folder be called? [my-owl]", "night-owl"),
                (WRITE, "back"),
                ("What should its folder be called? [night-owl]", "back"),
                (
                    "Under which title should your family find it? (at most 300 characters) [My owl]",
                    "",
                ),
                ("What should its folder be called? [night-owl]", ""),
                (WRITE, "8"),
                (
                    "Under which title should your family find it? (at most 300 characters) [My owl]",
                    "back",
                ),
                (WRITE, "write"),
            ],
        );
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        let (_, summary) = shown.rsplit_once("1. purpose").expect("the answers");
        assert!(summary.contains("My owl") && summary.contains("night-owl"), "{shown}");
        let written = files(&tree);
        assert!(written.contains("\nlabel: My owl\n"), "{written}");
        assert!(written.contains("-- night-owl/SKILL.md --"), "{written}");
    }

    #[test]
    fn back_leads_through_the_values_of_inputs() {
        let (tree, data) = (Tree::new(), Tree::new());
        let mut terminal = start(&tree, &data, &[]);
        answer(
            &mut terminal,
            &[
                ("What should happen?", "story"),
                ("What exactly?", ""),
                ("For whom is it?", ""),
                ("What is different each time?", "hero, place"),
                ("When should it run by itself?", "every day at 7:30pm"),
                ("What is `hero`", "owl"),
                ("What is `place`", "back"),
                ("(`nothing` leaves it empty) [owl]", "back"),
                ("When should it run by itself? You can type it", ""),
                ("What is `hero` when it runs by itself? (`nothing` leaves it empty) [owl]", "fox"),
                ("What is `place`", "wood"),
                (WRITE, "7"),
                (
                    "What is `place` when it runs by itself? (`nothing` leaves it empty) [wood]",
                    "back",
                ),
                (WRITE, "4"),
                ("What is different each time?", "hero, place, song"),
                ("What is `song`", "back"),
                ("What is different each time?", "back"),
                (WRITE, "write"),
            ],
        );
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        let written = files(&tree);
        assert!(written.contains("hero: fox\n") && written.contains("place: wood\n"), "{written}");
        assert!(!written.contains("song"), "{written}");
    }

    #[test]
    fn days_in_other_words_are_followed_by_the_same_question() {
        let (tree, data) = (Tree::new(), Tree::new());
        let mut terminal = start(&tree, &data, &["--template", "story"]);
        answer(
            &mut terminal,
            &[
                ("What exactly?", ""),
                ("For whom is it?", ""),
                ("What is different each time?", ""),
                ("When should it run by itself?", "tuesdays"),
                ("At what time?", "8pm"),
                (WRITE, "write"),
            ],
        );
        let (shown, code) = terminal.end();
        assert!(code == 0 && files(&tree).contains("cron: 0 20 * * 2"), "{shown}");
    }

    #[test]
    fn answers_survive_an_interruption() {
        for (count, key) in [(3, 'c'), (5, 'd'), (6, 'c')] {
            let (tree, data) = (Tree::new(), Tree::new());
            let mut terminal = start(&tree, &data, &[]);
            answer(&mut terminal, &STORY[..count]);
            let question = STORY.get(count).map_or(WRITE, |(question, _)| question);
            terminal.press_control(question, key);
            let (shown, code) = terminal.end();
            assert_eq!(code, 130, "{shown}");
            assert!(
                shown.ends_with("`dibber new --resume` goes on with your answers.\n"),
                "{shown}"
            );
            assert!(is_empty(&tree), "{}", files(&tree));
            let kept = fs::metadata(data.path().join(ANSWERS)).expect("the answers");
            assert_eq!(kept.permissions().mode() & 0o777, 0o600);
            let mut terminal = start(&tree, &data, &["--resume"]);
            answer(&mut terminal, &STORY[count..]);
            answer(&mut terminal, &[(WRITE, "write")]);
            let (shown, code) = terminal.end();
            assert!(code == 0 && files(&tree).contains("child_name: Jay"), "{shown}");
            assert!(!data.path().join(ANSWERS).exists());
        }
    }

    #[test]
    fn an_interruption_says_what_was_written() {
        let (tree, data) = (Tree::new(), Tree::new());
        let mut terminal = start(&tree, &data, &[]);
        terminal.press_control("What should happen?", 'c');
        let (shown, code) = terminal.end();
        assert!(code == 130 && shown.ends_with("\nNothing was written.\n"), "{shown}");
        let mut terminal = start(&tree, &data, &[]);
        answer(&mut terminal, STORY);
        answer(&mut terminal, &[(WRITE, "")]);
        terminal.press_control(PUBLISH, 'c');
        let (shown, code) = terminal.end();
        assert!(shown.contains("Made tell-the-child-s-bedtime-story"), "{shown}");
        let last = "error: interrupted; nothing was sent\n";
        assert!(code == 130 && shown.ends_with(last), "{shown}");
    }

    /// With another server there is nothing to publish to yet, so that the files are only written.
    #[test]
    fn a_skill_for_another_server_is_only_written() {
        let (tree, data) = (Tree::new(), Tree::new());
        let variables = [("NO_COLOR", "1"), ("DIBBER_SERVER", "http://127.0.0.1:9/mcp")];
        let line = ["new", "owls", "--template", "story"];
        let mut terminal = Terminal::start_with(tree.path(), &data, &line, &variables);
        for (question, line) in STORY[1..].iter().chain(&[("Write it? Enter means yes. A", "")]) {
            terminal.answer(question, line);
        }
        let (shown, code) = terminal.end();
        assert!(code == 0 && shown.ends_with("  4. dibber push owls\n"), "{shown}");
    }

    #[test]
    fn nothing_to_resume() {
        let (tree, data) = (Tree::new(), Tree::new());
        let (shown, code) = start(&tree, &data, &["--resume"]).end();
        assert_eq!(code, 2, "{shown}");
        assert!(shown.contains("there are no answers to go on with"), "{shown}");
    }

    /// A name in a longer answer is asked about once. It becomes an input, if it is a child's.
    #[test]
    fn a_name_in_a_longer_answer_becomes_an_input() {
        let (tree, data) = (Tree::new(), Tree::new());
        let mut terminal = start(&tree, &data, &[]);
        answer(
            &mut terminal,
            &[
                ("What should happen?", "story"),
                ("What exactly?", "tell Jay a story with Bluey"),
                ("Is `Jay` the name of a child?", ""),
                ("For whom is it?", "Jay, six years old, and my daughter Mia"),
                ("Is `Mia` the name of a child?", "yes"),
                ("What is different each time?", "never"),
                ("When should it run by itself?", ""),
                (WRITE, "write"),
            ],
        );
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        let written = files(&tree);
        assert!(!written.contains("Jay") && !written.contains("Mia"), "{written}");
        assert!(shown.contains("different each time   nothing"), "{shown}");
        let whom = "{{input.child_name}}, six years old, and my daughter";
        assert!(written.contains(whom) && written.contains("with Bluey"), "{written}");
        let explanation = "This name is not written into the text of the skill";
        assert_eq!(shown.matches(explanation).count(), 1, "{shown}");
    }

    /// A name on the private list is in the values of scheduled runs, and nowhere else.
    #[test]
    fn a_listed_name_is_in_no_text() {
        let (tree, data) = (Tree::new(), Tree::new());
        data.write("names", b"Ottilie\n");
        let names = data.path().join("names");
        fs::set_permissions(&names, fs::Permissions::from_mode(0o600)).expect("a file");
        let names = names.to_string_lossy().into_owned();
        let variables = [("NO_COLOR", "1"), ("DIBBER_NAMES", names.as_str())];
        let mut terminal = Terminal::start_with(tree.path(), &data, &["new"], &variables);
        answer(
            &mut terminal,
            &[
                ("What should happen?", "story"),
                ("What exactly?", "tell a story for Ottilie"),
                ("For whom is it?", "my daughter Ottilie"),
                ("What is different each time?", "friend of Ottilie"),
                ("When should it run by itself?", "every day at noon"),
                ("What is `friend`", "Ottilie's cat"),
                ("may be the name of a child", "no"),
                (WRITE, "11"),
                ("Under which title", "Ottilie's evening"),
                ("  The child's evening", "show"),
                (WRITE, ""),
                (PUBLISH, "yes"),
            ],
        );
        let (shown, code) = terminal.end();
        assert!(code == 0 && shown.contains("Published"), "{shown}");
        assert!(shown.contains("names of children     those on your list"), "{shown}");
        let written = files(&tree);
        let values = "      child_name: Ottilie\n      friend: Ottilie's cat\n";
        let (before, after) = written.split_once(values).expect("the values");
        assert!(!before.contains("Ottilie") && !after.contains("Ottilie"), "{written}");
        // What the terminal echoes is what was typed.
        for line in shown.lines().filter(|line| line.contains("Ottilie")) {
            assert!(line.contains("> "), "{line}");
        }
    }

    #[test]
    fn colour() {
        let (tree, data) = (Tree::new(), Tree::new());
        let arguments = ["new", "--template", "story"];
        let mut terminal = Terminal::start_with(tree.path(), &data, &arguments, &[]);
        answer(&mut terminal, &[("What exactly?", ""), ("For whom is it?", "")]);
        answer(&mut terminal, &[("What is different each time?", "")]);
        answer(&mut terminal, &[("When should it run by itself?", "7")]);
        answer(&mut terminal, &[("At what time?", "1")]);
        terminal.press_control("or `1pm`", 'd');
        let (shown, code) = terminal.end();
        assert_eq!(code, 130, "{shown}");
        insta::assert_snapshot!("colour", shown.replace('\u{1B}', "␛"));
    }

    /// Every purpose makes a skill that a schedule can run.
    #[test]
    fn every_purpose_is_clean_and_accepted() {
        let (tree, data) = (Tree::new(), Tree::new());
        let parents =
            TEMPLATES.iter().filter(|template| template.audience == TemplateAudience::Parents);
        for template in parents {
            let mut terminal = start(&tree, &data, &["--template", template.name]);
            let what = if template.slots.is_empty() { "suggest a dinner" } else { "" };
            answer(&mut terminal, &[("What exactly?", what)]);
            if !template.slots.is_empty() {
                answer(&mut terminal, &[("For whom is it?", "")]);
            }
            answer(&mut terminal, &[("What is different each time?", "theme")]);
            answer(&mut terminal, &[("When should it run by itself?", "every day at 8am")]);
            answer(&mut terminal, &[("What is `theme`", "spring"), (WRITE, "write")]);
            let (shown, code) = terminal.end();
            assert_eq!(code, 0, "{shown}");
        }
        let linted = Dibber::lint(tree.path(), ["."]).run();
        assert_eq!((linted.code, linted.stdout.as_str()), (0, ""), "{}", linted.stderr);
        let pushed =
            Dibber::new(["push", "--yes"]).in_directory(tree.path()).data(data.path()).run();
        assert_eq!(pushed.code, 0, "{}", pushed.show());
    }

    #[test]
    fn only_missing_answers_are_asked_for() {
        let (tree, data) = (Tree::new(), Tree::new());
        let given = ["bus-times", "--template", "with-scripts", "--yes"];
        let mut terminal = start(&tree, &data, &given);
        answer(&mut terminal, &[("What exactly?", "Says when the next bus goes")]);
        answer(&mut terminal, &[("When should it be used?", "somebody asks for the bus")]);
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        assert!(!shown.contains("title") && !shown.contains(WRITE), "{shown}");
        assert!(files(&tree).contains("Says when the next bus goes. Use when"), "{}", files(&tree));
    }

    #[test]
    fn a_no_at_the_end_writes_nothing() {
        let (tree, data) = (Tree::new(), Tree::new());
        let given = ["family.bus.times", "--template", "skills-protocol", "--label", "Bus"];
        let given = [&given[..], &["--description", DESCRIPTION]].concat();
        let mut terminal = start(&tree, &data, &given);
        answer(
            &mut terminal,
            &[
                ("`write` only writes it. `show` shows", "back"),
                ("This is the first question", "n"),
            ],
        );
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        assert!(shown.contains("Nothing was written."), "{shown}");
        assert!(is_empty(&tree));
    }

    #[test]
    fn a_taken_name_is_refused_before_any_question() {
        let (tree, data) = (Tree::new(), Tree::new());
        tree.write("bus-times/notes.md", b"mine");
        let (shown, code) = start(&tree, &data, &["bus-times"]).end();
        assert_eq!(code, 2, "{shown}");
        assert!(shown.contains("already exists") && !shown.contains("What should"), "{shown}");
    }
}
