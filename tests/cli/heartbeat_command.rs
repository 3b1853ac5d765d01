//! `dibber heartbeat preview`.

use std::fs;

use dibber_schedule::{Cron, Schedule, zone};
use jiff::Timestamp;
use serde_json::Value;

use crate::support::command::{Dibber, Ended};
use crate::support::{Tree, package};

/// Some days before the clocks go forward in New York.
const FROM: [&str; 2] = ["--from", "2026-03-06"];

/// A list with schedules of all kinds, and lines that are none.
const LIST: &str = "\
# What the family has.
0 8 * * 1-5\tEurope/London\tMorning \u{1B}[31mred
0 8 * * *

0 3 * * 0\tAmerica/New_York
30 2 * * *
0\t8\t*\t*\t*
5 8 * * *\t\tAfter breakfast
  bad line
0 8 * * *\tMars/Base
";

/// A crontab of the system, with lines that are invalid.
const CRONTAB: &str = "\
# /etc/crontab
SHELL=/bin/sh
MAILTO=\"\"

17 *\t* * *\troot    cd / && run-parts --report /etc/cron.hourly
0 8 * * 1-5 www-data /srv/site/\u{1B}[31mwake --key AKIAZ3MNBVCXLKJHGF2Q --rest
CRON_TZ=Europe/London
@daily date +\\%F >> /srv/log
30 25 * * * echo never
@reboot /bin/start
CRON_TZ=Mars/Base
0 1 * * * a
0 2 * * * b
";

fn preview(arguments: &[&str]) -> Dibber {
    Dibber::new(["heartbeat", "preview"]).arguments(arguments).env("COLUMNS", "80")
}

fn from(arguments: &[&str]) -> Ended {
    preview(arguments).arguments(&FROM).run()
}

fn shown(arguments: &[&str]) -> String {
    from(arguments).show()
}

fn parse(json: &str) -> Value {
    serde_json::from_str(json).expect("JSON")
}

#[test]
fn one_schedule() {
    insta::assert_snapshot!(shown(&["0 8 * * 1-5"]));
    insta::assert_snapshot!(shown(&["0 8,20 * * MON-FRI", "--tz", "europe/london", "-n", "2"]));
    insta::assert_snapshot!(shown(&["0 9 13 * FRI", "--tz", "America/Los_Angeles", "-n", "1"]));
    insta::assert_snapshot!(shown(&["0 9 29 2 *", "-n", "2"]));
    insta::assert_snapshot!(shown(&["30 18 * * *", "--clock", "24", "-n", "1"]));
}

/// The clock is that of the locale, the first of three variables, unless an option names it.
#[test]
fn the_clock_of_the_locale() {
    let first = |variables: &[(&str, &str)], arguments: &[&str]| {
        let run = preview(&["30 19 * * *", "--tz", "UTC", "-n", "1"]).arguments(arguments);
        let run = variables.iter().fold(run, |run, (name, value)| run.env(name, value));
        let stdout = run.arguments(&FROM).run().stdout;
        stdout.lines().next().unwrap_or_default().to_owned()
    };
    let [twelve, twenty_four] = ["Every day at 7:30pm UTC", "Every day at 19:30 UTC"];
    assert_eq!(first(&[], &[]), twelve);
    assert_eq!(first(&[("LANG", "en_US.UTF-8")], &[]), twelve);
    assert_eq!(first(&[("LANG", "de_DE.UTF-8")], &[]), twenty_four);
    assert_eq!(first(&[("LANG", "de_DE.UTF-8"), ("LC_TIME", "en_CA")], &[]), twelve);
    assert_eq!(first(&[("LC_ALL", "en_GB"), ("LC_TIME", "en_CA")], &[]), twenty_four);
    assert_eq!(first(&[("LANG", "de_DE.UTF-8")], &["--clock", "12"]), twelve);
    let json = preview(&["30 19 * * *", "--tz", "UTC", "--json"]).env("LANG", "de_DE.UTF-8");
    let json = parse(&json.arguments(&FROM).run().stdout);
    assert!(json.to_string().contains("7:30pm"), "{json}");
}

#[test]
fn changes_of_the_clocks() {
    insta::assert_snapshot!(shown(&["30 2 * * *"]));
    let overlap = ["--from", "2026-10-31", "-n", "3"];
    insta::assert_snapshot!(preview(&["30 1 * * *"]).arguments(&overlap).run().show());
    insta::assert_snapshot!(preview(&["30 */12 * * *"]).arguments(&overlap).run().show());
    insta::assert_snapshot!(
        preview(&["*/30 1 * * *", "-n", "4", "--from", "2026-11-01"]).run().show()
    );
}

#[test]
fn refused() {
    insta::assert_snapshot!(shown(&["*/10 * * * *", "-n", "1"]));
    insta::assert_snapshot!(shown(&["*/15 1 * * *", "-n", "1"]));
    insta::assert_snapshot!(shown(&["0 0 31 2 *"]));
    insta::assert_snapshot!(shown(&["0 0 30 2 *", "0 8 31 6 *"]));
}

#[test]
fn schedules_in_words() {
    insta::assert_snapshot!(shown(&["every day at 7:30pm", "-n", "2"]));
    insta::assert_snapshot!(shown(&["weekdays 8:00 Berlin time", "20:00", "hourly", "-n", "1"]));
    let refused = ["every day at 7", "weakdays at 8am", "7:30", "every other day at 8am"];
    let refused: Vec<_> = refused.iter().map(|schedule| shown(&[schedule])).collect();
    insta::assert_snapshot!(refused.join("\n"));
    let json = parse(&from(&["twice a day at 8 and 20", "-n", "1", "--json"]).stdout);
    assert_eq!(json["items"][0]["cron"], "twice a day at 8 and 20");
    assert_eq!(json["items"][0]["normalized"], "0 8,20 * * *");
}

#[test]
fn no_schedule() {
    let commas = ",".repeat(10_000);
    let wrong = [
        "60 * * * *",
        "* * * * MON#2",
        "1-0 * * * *",
        "0 8 * * FRI-MON",
        "*/0 * * * *",
        ",,",
        &commas,
        "\u{FF10} \u{FF18} * * *",
        "0\t8\t*\t*\tmoonday",
        "0 0 8 * * 1-5",
        "@reboot",
        "@often",
        "",
        "0 8 * * \u{1B}[31mred\u{202E}",
        "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,99,1,2,3,4,5 8 L * *",
    ];
    let shown: Vec<_> = wrong.iter().map(|schedule| shown(&[schedule])).collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn unknown_zones() {
    insta::assert_snapshot!(shown(&["0 8 * * *", "--tz", "New Yrok"]));
    insta::assert_snapshot!(shown(&["0 8 * * *", "--tz", "Eur\u{1B}[31mope"]));
}

#[test]
fn zones_in_words_and_beside_them() {
    let words = "every day at 7am in Europe/Berlin";
    insta::assert_snapshot!(shown(&[words, "-n", "1", "--tz", "America/New_York"]));
    insta::assert_snapshot!(shown(&[words, "-n", "1", "--tz", "Mars/Base"]));
    for alias in [
        ["8am ET", "US/Eastern"],
        ["8am ET", "america/detroit"],
        ["8am Kolkata time", "Asia/Calcutta"],
        ["8am UTC", "Etc/UTC"],
        [words, "europe/berlin"],
    ] {
        let ended = from(&[alias[0], "--tz", alias[1], "-n", "1"]);
        assert_eq!(ended.code, 0, "{alias:?}: {}", ended.stderr);
    }
}

#[test]
fn the_zone_of_this_computer() {
    let zone_of = |zone: &str, schedule: &str| {
        let ended = preview(&[schedule, "-n", "1"])
            .arguments(&FROM)
            .env("TZ", zone)
            .env("COLUMNS", "120")
            .run();
        let line = ended.stdout.lines().find(|line| line.trim_start().starts_with("zone"));
        line.unwrap_or_default().trim().to_owned()
    };
    insta::assert_snapshot!(
        [
            zone_of("Europe/Berlin", "8am on weekdays"),
            zone_of(":Asia/Tokyo", "0 8 * * *"),
            zone_of("/usr/share/zoneinfo/Asia/Tokyo", "0 8 * * *"),
            zone_of(":/usr/share/zoneinfo/posix/Asia/Tokyo", "0 8 * * *"),
            zone_of("Europe/Berlin", "8am London time"),
            zone_of("Europe/Berlin", "fixtures/rules/assignment-skill-is-run-skill/quiet/none"),
        ]
        .join("\n")
    );
    let of_files = zone_of("", "8am on weekdays");
    assert_eq!(zone_of(":/etc/localtime", "8am on weekdays"), of_files);
    let (zone, _) = of_files.split_once(',').expect("a reason");
    for unknown in ["Mars/Base", "/usr/share/zoneinfo/Mars/Base", "/tmp/zone"] {
        let line = zone_of(unknown, "8am on weekdays");
        assert!(line.starts_with(&format!("{zone},")), "{line}");
        assert!(line.ends_with(", as `TZ` is unknown"), "{line}");
    }
}

#[test]
fn arguments_that_are_neither() {
    insta::assert_snapshot!(shown(&["0", "8", "1"]));
    insta::assert_snapshot!(shown(&["fixtures/nowhere"]));
    insta::assert_snapshot!(shown(&["LICENSE-MIT"]));
    insta::assert_snapshot!(shown(&["--cron-file", "nowhere.txt", "0 8 * * *", "-n", "1"]));
    for arguments in [["-n", "0"], ["-n", "1001"], ["--within", "721"], ["--clock", "13"]] {
        assert_eq!(from(&["0 8 * * *"]).code, 0);
        assert_eq!(preview(&["0 8 * * *"]).arguments(&arguments).run().code, 2, "{arguments:?}");
    }
}

#[test]
fn times_to_begin_at() {
    let first = |schedule: &str, from: &str| {
        let ended = preview(&[schedule, "-n", "1", "--from", from]).run();
        let is_not_summary = |line: &&str| !line.contains("peak") && !line.contains("average");
        let lines: Vec<_> = ended.stdout.lines().filter(is_not_summary).collect();
        format!("{from}: {}\n{}\n{}", ended.code, lines.join("\n"), ended.stderr)
    };
    let times = [
        "2026-03-08T02:30",
        "2026-11-01 01:30",
        "2026-11-01T01:30:00-05:00",
        "2026-03-06T12:00:00Z",
        "2026-03-06T02:30",
        "2026-03-06",
        "9000-12-31",
        "9999-12-31",
        "10000-01-01",
        "2026-03-06T02:30[Europe/London]",
        "yesterday",
    ];
    let shown: Vec<_> = times.iter().map(|from| first("30 2 * * *", from)).collect();
    insta::assert_snapshot!(shown.join("\n"));
    // The day begins an hour late.
    insta::assert_snapshot!(
        preview(&["0 * * * *", "--tz", "America/Santiago", "-n", "1", "--from", "2026-09-06"])
            .run()
            .show()
    );
}

#[test]
fn heartbeats_of_skills() {
    let skill = "fixtures/drafts/daily-check-in";
    insta::assert_snapshot!(shown(&[skill, "-n", "2"]));
    for file in ["sprout.yaml", "SKILL.md"] {
        assert_eq!(shown(&[skill, "-n", "2"]), shown(&[&format!("{skill}/{file}"), "-n", "2"]));
    }
    insta::assert_snapshot!(shown(&["fixtures/skills", "fixtures/drafts/broken-manifest"]));
    insta::assert_snapshot!(shown(&["fixtures/skills/garden-journal"]));
    let in_directory =
        preview(&["-n", "2"]).arguments(&FROM).in_directory(&package().join(skill)).run();
    assert_eq!(in_directory.stdout.lines().count(), shown(&[skill, "-n", "2"]).lines().count() - 3);
}

#[test]
fn lists() {
    let tree = Tree::new();
    tree.write("list.txt", LIST.as_bytes());
    let list = ["--cron-file", "list.txt", "-n", "1", "--within", "10", "--together"];
    let ended = preview(&list).arguments(&FROM).in_directory(tree.path()).run();
    insta::assert_snapshot!(ended.show());
    for name in ["-", "--cron-file=-"] {
        let arguments = [name, "-n", "1", "--within", "10", "--together"];
        let input = preview(&arguments).arguments(&FROM).input(LIST).run();
        assert_eq!((input.code, &input.stdout), (ended.code, &ended.stdout));
        assert_eq!(input.stderr, ended.stderr.replace("list.txt", "standard input"));
    }
    let not_text = preview(&["-"]).input(b"\xFF".to_vec()).run();
    insta::assert_snapshot!(not_text.show());
    let too_many = preview(&["-"]).input("0 8 * * *\n".repeat(2_001)).run();
    insta::assert_snapshot!(too_many.show());
    let too_large = preview(&["-"]).input("#".repeat(1 << 21)).run();
    insta::assert_snapshot!(too_large.show());
}

#[test]
fn crontabs() {
    let tree = Tree::new();
    tree.write("crontab", CRONTAB.as_bytes());
    tree.write("other", b"0 9 * * 0 echo sunday\n");
    let run = |arguments: &[&str]| {
        preview(arguments).arguments(&FROM).in_directory(tree.path()).run().show()
    };
    insta::assert_snapshot!(run(&["--cron-file", "crontab"]));
    insta::assert_snapshot!(run(&["--cron-file", "crontab", "-n", "1"]));
    insta::assert_snapshot!(run(&["--cron-file", "other"]));
    let both = ["--cron-file", "crontab", "--cron-file", "other", "--together"];
    insta::assert_snapshot!(run(&both));
    let ended = preview(&["-", "--json"]).arguments(&FROM).input(CRONTAB).run();
    let json = parse(&ended.stdout);
    let items = json["items"].as_array().expect("items");
    let lines: Vec<_> = items.iter().map(|item| item["line"].as_u64()).collect();
    assert_eq!((lines, ended.code), ([5, 6, 8, 9, 10].map(Some).to_vec(), 3));
    let (user, command) = (&items[1]["user"], items[1]["command"].as_str().expect("a command"));
    assert_eq!((user.as_str(), command.contains("AKIAZ3")), (Some("www-data"), false));
    assert_eq!(json["problems"][0]["path"], "standard input:11");
}

#[test]
fn together() {
    let evening_and_morning = ["0 18,19,20,21 * * 1", "0 0,1 * * 2", "-n", "1"];
    assert_eq!(from(&evening_and_morning).code, 0);
    insta::assert_snapshot!(
        preview(&["--together"]).arguments(&evening_and_morning).arguments(&FROM).run().show()
    );
}

#[test]
fn conflicts() {
    let schedules = ["30 2 * * *", "0 3 * * 0", "0 8 * * *", "0 8 * * *", "0 8 1 * *", "-n", "1"];
    let ended = from(&schedules);
    let conflicts = ended.stdout.find("4 conflicts").expect("conflicts");
    insta::assert_snapshot!(&ended.stdout[conflicts..]);
    assert_eq!(ended.code, 0);
}

#[test]
fn colour() {
    insta::assert_snapshot!(shown(&[
        "*/10 * * * *",
        "30 2 * * *",
        "0 8 * * x",
        "--color=always",
        "--picture=week",
    ]));
}

#[test]
fn pictures() {
    insta::assert_snapshot!(shown(&["0 8 * * 1-5", "30 2 * * *", "-n", "1", "--picture", "week"]));
    insta::assert_snapshot!(shown(&["30 6 * * 1-5", "-n", "1", "--picture", "year"]));
    let week = from(&["0 8 * * 1-5", "*/5 * * * *", "--picture", "week"]).stdout;
    let year = from(&["0 8 * * 1-5", "*/5 * * * *", "--picture", "year"]).stdout;
    assert!((week + &year).lines().all(|line| line.chars().count() <= 80));
    assert_eq!(from(&["0 8 * * *", "--picture", "week", "--json"]).code, 2);
}

#[test]
fn files() {
    let tree = Tree::new();
    let run = |arguments: &[&str]| {
        preview(arguments)
            .arguments(&FROM)
            .in_directory(tree.path())
            .run()
            .show_without(tree.path())
    };
    let written = run(&["0 8 * * 1-5", "-n", "1", "--svg", "week.svg", "--ics", "fires.ics"]);
    insta::assert_snapshot!(written);
    let svg = fs::read_to_string(tree.path().join("week.svg")).expect("a picture");
    assert!(svg.starts_with("<svg ") && svg.contains("Mon 2 to Sun 8 Mar 2026"), "{svg}");
    let fires = || fs::read_to_string(tree.path().join("fires.ics")).expect("a calendar");
    let first = fires();
    assert!(
        first.contains("DTSTART;TZID=America/New_York:20260306T080000\r\n")
            && first.contains("RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20260604T035959Z\r\n")
    );
    run(&["0 8 * * 1-5", "--ics", "fires.ics", "--days", "4", "--svg", "y.svg", "--picture=year"]);
    assert!(fires().contains(";UNTIL=20260310T035959Z\r\n"), "{}", fires());
    // No rule means "the 9th, and every Friday".
    run(&["0 8 9 * 5", "--ics", "fires.ics", "--days", "4"]);
    assert!(
        fires().contains("DTSTART:20260306T130000Z")
            && fires().contains("DTSTART:20260309T120000Z")
    );
    let svg = fs::read_to_string(tree.path().join("y.svg")).expect("a picture");
    assert!(svg.contains("March 2026 to February 2027"), "{svg}");
    insta::assert_snapshot!(run(&["0 8 29 2 *", "-n", "1", "--ics", "leap.ics"]));
    insta::assert_snapshot!(run(&["0 8 * * *", "-n", "1", "--svg", "missing/week.svg"]));
    insta::assert_snapshot!(run(&["0 8 * * x", "--svg", "none.svg"]));
    let full = run(&["* * * * *", "-n", "1", "--ics", "full.ics"]);
    insta::assert_snapshot!(&full[full.find("----- stderr").expect("the errors")..]);
    insta::assert_snapshot!(run(&["0 0 31 2 *", "--ics", "never.ics"]));
}

#[test]
fn files_do_not_take_the_place_of_each_other() {
    let tree = Tree::new();
    let list = "0 8 * * *\n";
    fs::write(tree.path().join("list.txt"), list).expect("a list");
    let run = |arguments: &[&str]| preview(arguments).in_directory(tree.path()).run();
    let same = run(&["0 8 * * *", "--svg", "both", "--ics", "./both"]);
    assert_eq!(same.code, 2);
    assert!(!tree.path().join("both").exists());
    let over = ["--svg", "--ics"].map(|file| run(&["--cron-file", "list.txt", file, "list.txt"]));
    assert_eq!(over.each_ref().map(|ended| ended.code), [2, 2]);
    assert_eq!(fs::read_to_string(tree.path().join("list.txt")).expect("the list"), list);
    insta::assert_snapshot!(format!("{}{}{}", same.stderr, over[0].stderr, over[1].stderr));
}

#[test]
fn json() {
    insta::assert_snapshot!(shown(&["0 8 * * 1-5", "-n", "2", "--json"]));
    insta::assert_snapshot!(shown(&["fixtures/drafts/daily-check-in", "-n", "1", "--json"]));
    let several = ["0 8 * * *", "30 25 * * *", "0 8 * * 1", "-n", "1", "--json", "--together"];
    insta::assert_snapshot!(shown(&several));
}

#[test]
fn json_has_its_schema() {
    let path = package().join("schemas/heartbeat-preview.schema.json");
    let schema = parse(&fs::read_to_string(path).expect("the schema"));
    jsonschema::draft202012::meta::validate(&schema).expect("the schema is a schema");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let runs = [
        &["0 8 * * *"][..],
        &["30 2 * * *", "--together"],
        &["*/5 * * * *"],
        &["0 0 31 2 *"],
        &["x"],
        &["* * * * x"],
        &["0 8 * * *", "--tz", "Mars"],
        &["fixtures", "0 8 * * *", "--within", "700", "--together"],
        &["fixtures/skills/garden-journal"],
        &["0 8 * * *", "--cron-file", "nowhere"],
        &["0 8 * * *", "0 13 * * *", "--cron-file", "-", "--together"],
    ];
    for arguments in runs {
        let ended = preview(arguments).arguments(&FROM).arguments(&["--json"]).input(LIST).run();
        if arguments == ["x"] {
            let json = parse(&ended.stdout);
            assert_eq!((ended.code, &json["error"]["exitCode"]), (2, &2.into()));
            continue;
        }
        let json = parse(&ended.stdout);
        let errors: Vec<_> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{arguments:?}: {errors:#?}\n{}", ended.stdout);
    }
    let wrong = parse("{\"version\": 2, \"items\": []}");
    assert!(!validator.is_valid(&wrong));
}

#[test]
fn one_wrong_schedule_does_not_stop_the_others() {
    let ended = from(&["60 * * * *", "0 8 * * *", "0 8 * * x", "0 20 * * *", "--json"]);
    let json = parse(&ended.stdout);
    let previews = json["items"].as_array().expect("previews");
    let nexts: Vec<_> = previews.iter().map(|preview| preview["nextFireAt"].as_str()).collect();
    let times = ["2026-03-06T08:00:00-05:00", "2026-03-06T20:00:00-05:00"];
    assert_eq!(nexts, [None, Some(times[0]), None, Some(times[1])]);
    assert_eq!((previews[2]["error"]["start"].as_u64(), ended.code), (Some(8), 3));
}

#[test]
fn the_command_prints_what_the_engine_computes() {
    let rows = include_str!("../../fixtures/heartbeat/cron.tsv");
    for row in rows.lines().skip(1).step_by(97) {
        let cells: Vec<_> = row.split('\t').collect();
        let arguments = [cells[0], "--tz", cells[1], "--from", cells[2], "--json"];
        let json = parse(&preview(&arguments).run().stdout);
        let fires: Vec<_> = json["items"][0]["fires"].as_array().expect("fires").iter().collect();
        assert_eq!(fires, cells[3..].to_vec(), "{row}");
        let schedule = Schedule {
            cron: Cron::parse(cells[0]).expect("a schedule"),
            zone: zone(cells[1]).expect("a zone"),
        };
        let from: Timestamp = cells[2].parse().expect("a time");
        let peak = schedule.peak(from).map(|peak| u64::from(peak.fires));
        assert_eq!(json["items"][0]["peakPer24h"].as_u64(), peak, "{row}");
    }
}

#[test]
fn a_step_after_a_weekday_reaches_sunday_everywhere_it_is_shown() {
    let short = from(&["0 9 * * 3/2", "--picture", "week", "-n", "5"]);
    let written_out = from(&["0 9 * * 0,3,5", "--picture", "week", "-n", "5"]);
    let shown = short.stdout.replace("0 9 * * 0,3,5, written `0 9 * * 3/2`", "0 9 * * 0,3,5");
    assert_eq!((shown, short.code), (written_out.stdout, 0));
}

#[test]
fn without_a_time_it_begins_at_the_present() {
    let ended = preview(&["* * * * *", "-n", "1"]).run();
    assert!(ended.code == 3 && !ended.stdout.contains("from"), "{}", ended.show());
    assert!(ended.stdout.contains("at once"), "{}", ended.show());
}
