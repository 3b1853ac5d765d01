//! The lines of lists and crontabs.

use dibber_schedule::{Crontab, CrontabEntry};

/// Returns the only entry of a crontab.
fn entry(text: &str) -> CrontabEntry<'_> {
    let crontab = Crontab::parse(text);
    assert!(crontab.problems.is_empty(), "{text:?}: {:?}", crontab.problems);
    let [entry] = &crontab.entries[..] else { panic!("{text:?}: {:?}", crontab.entries) };
    entry.clone()
}

/// Returns the schedule, the user and the command of the only entry.
fn job(text: &str) -> (&str, Option<&str>, Option<&str>) {
    let entry = entry(text);
    assert_eq!((entry.zone, entry.name), (None, None), "{text:?}");
    (entry.schedule, entry.user, entry.command)
}

#[test]
fn a_command_follows_the_fields() {
    let jobs = [
        ("0 8 * * 1-5 echo hi", "0 8 * * 1-5", "echo hi"),
        ("0 8 * * *\t/bin/backup", "0 8 * * *", "/bin/backup"),
        ("0 8 * * *\t\t/bin/backup --all", "0 8 * * *", "/bin/backup --all"),
        ("0\t8\t*\t*\t*\tbackup", "0\t8\t*\t*\t*", "backup"),
        ("*/5  8 * jan MON  ./run.sh", "*/5  8 * jan MON", "./run.sh"),
        ("@daily /bin/backup", "@daily", "/bin/backup"),
        ("@Reboot\t/bin/backup", "@Reboot", "/bin/backup"),
        ("0 99 * * Moonday echo", "0 99 * * Moonday", "echo"),
        ("0 8 * * * echo $((1 # 2))", "0 8 * * *", "echo $((1 # 2))"),
    ];
    for (text, schedule, command) in jobs {
        assert_eq!(job(text), (schedule, None, Some(command)), "{text:?}");
    }
}

#[test]
fn input_of_a_command_follows_a_percent_sign() {
    assert_eq!(job("0 8 * * * mail jo%Hello%you").2, Some("mail jo"));
    assert_eq!(job(r"0 8 * * * date +\%F >> log").2, Some(r"date +\%F >> log"));
    assert_eq!(job("0 8 * * * %only input").2, None);
}

#[test]
fn a_user_precedes_a_path() {
    let jobs = [
        ("0 8 * * * root /bin/backup", Some("root"), "/bin/backup"),
        ("17 *\t* * *\twww-data\t/bin/run  x", Some("www-data"), "/bin/run  x"),
        ("@weekly _apt /bin/backup", Some("_apt"), "/bin/backup"),
        ("25 6\t* * *\troot\ttest -x /bin/a || /bin/b", None, "root\ttest -x /bin/a || /bin/b"),
        ("0 8 * * *\troot\ttest -x /bin/a || /bin/b", None, "root\ttest -x /bin/a || /bin/b"),
        ("0 8 * * * python3 /srv/a.py", None, "python3 /srv/a.py"),
        ("0 8 * * * Root /bin/backup", None, "Root /bin/backup"),
        ("0 8 * * * cd /srv && make", None, "cd /srv && make"),
    ];
    for (text, user, command) in jobs {
        let (_, of_text, rest) = job(text);
        assert_eq!((of_text, rest), (user, Some(command)), "{text:?}");
    }
}

#[test]
fn lines_of_a_list_have_a_zone_and_a_name() {
    let lines = [
        ("0 8 * * *\tEurope/London\tMorning", Some("Europe/London"), Some("Morning")),
        ("0 8 * * *\tutc", Some("utc"), None),
        ("0 8 * * *\tMars/Base", Some("Mars/Base"), None),
        ("0 8 * * *\t\tAfter breakfast", None, Some("After breakfast")),
        ("0 8 * * *\tberlin\tMorning", Some("berlin"), Some("Morning")),
        ("@daily\tEurope/London", Some("Europe/London"), None),
        ("every day at noon\tEurope/London\tLunch", Some("Europe/London"), Some("Lunch")),
    ];
    for (text, zone, name) in lines {
        let entry = entry(text);
        assert_eq!((entry.zone, entry.name, entry.command), (zone, name, None), "{text:?}");
    }
}

#[test]
fn other_lines_are_schedules_as_they_are_written() {
    let lines = [
        "every day at 8pm",
        "0 8, 20 * * 1",
        "0 0 8 * * 1",
        "0 8 * * MON TUE",
        "0 8 * * * # comment",
        "@every 5m",
        "CRON_TZ=UTC 0 8 * * *",
        "MAILTO",
        "0 8 * *",
    ];
    for text in lines {
        assert_eq!(job(text), (text, None, None));
    }
}

#[test]
fn variables_and_comments_are_no_schedules() {
    let text = "\u{FEFF}# m h dom mon dow\nSHELL=/bin/sh\nMAILTO = \"\"\n\"PATH\"='/bin'\n \n\
                \t0 8 * * * echo  \n# end";
    let entry = entry(text);
    assert_eq!((entry.line, entry.schedule, entry.command), (6, "0 8 * * *", Some("echo")));
}

#[test]
fn a_variable_sets_the_zone_of_the_lines_after_it() {
    let crontab = Crontab::parse(
        "0 1 * * * a\nCRON_TZ=Europe/Berlin\n0 2 * * * b\n0 3 * * *\tUTC\nTZ=UTC\n0 4 * * * c\n\
         CRON_TZ=\n0 5 * * * d\n",
    );
    let zones: Vec<_> = crontab.entries.iter().map(|entry| (entry.line, entry.zone)).collect();
    let berlin = Some("Europe/Berlin");
    assert_eq!(zones, [(1, None), (3, berlin), (4, Some("UTC")), (6, berlin), (8, None)]);
    assert_eq!(crontab.problems, []);
}

#[test]
fn lines_after_an_unknown_zone_are_left_out() {
    let crontab = Crontab::parse(
        "CRON_TZ=Mars/Base\n0 1 * * * a\n0 2 * * *\tUTC\n0 3 * * * b\nCRON_TZ=UTC\n0 4 * * * c\n",
    );
    let lines: Vec<_> = crontab.entries.iter().map(|entry| entry.line).collect();
    let [problem] = &crontab.problems[..] else { panic!("{:?}", crontab.problems) };
    assert_eq!((lines, problem.line, problem.left_out), (vec![3, 6], 1, 2));
    assert_eq!(problem.zone.message().shown(&()).to_string(), "unknown time zone `Mars/Base`");
}
