//! Panics: what is shown of one, and that nothing keeps the report of one quiet.

use std::io::Write;
use std::process::Command;

use dibber_lint::{Settings, UNCHECKED_SKILL, unchecked};
use dibber_skill::discover::{self, DiscoverError, DiscoverErrorKind};
use dibber_text::isolation::isolated;

use crate::support::command::Dibber;
use crate::support::{TODAY, Tree, lint_directory, show, test_roster};

/// Says to the test below that it runs in a process of its own.
const CHILD: &str = "DIBBER_TESTS_PANIC_HOOK";

/// Panics with what no output may show.
fn panic_on_a_name() {
    let name = "Ottilie \u{1B}[31m";
    panic!("cannot read {name}");
}

/// The line of the panic above.
const LINE: u32 = line!() - 4;

#[test]
fn a_panic_shows_its_place_once_and_never_its_message() {
    let name = "cli::isolation::a_panic_shows_its_place_once_and_never_its_message";
    if std::env::var_os(CHILD).is_some() {
        dibber::cli::install_panic_hook();
        for _ in 0..2 {
            let error = isolated(panic_on_a_name).expect_err("a panic");
            writeln!(std::io::stdout(), "{error}").expect("a stream");
        }
        return;
    }
    let child = std::env::current_exe().expect("this program");
    let mut child = Command::new(child);
    let output = child.args(["--exact", name, "--nocapture"]).env(CHILD, "1").output();
    let output = output.expect("a run of this program");
    let place = format!("internal error at tests/cli/isolation.rs:{LINE} (dibber 0.1.0)\n");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    let help = stderr.strip_prefix(&format!("error: {place}")).expect(&stderr);
    assert!(help.starts_with("help: this is a bug in dibber: please report"), "{stderr}");
    assert_eq!(stderr.lines().count(), 2, "{stderr}");
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(stdout.matches(&place).count(), 2, "{stdout}");
    assert!(!stdout.contains("Ottilie") && !stderr.contains('\u{1B}'), "{stdout}{stderr}");
}

#[test]
fn work_on_one_skill_that_panics_is_an_error_that_names_the_skill() {
    let error = discover::isolated("skills/a\u{1B}/SKILL.md", || {
        panic_on_a_name();
        Ok(())
    });
    let Err(error @ DiscoverError { kind: DiscoverErrorKind::Internal(_), .. }) = error else {
        panic!("{error:?}");
    };
    assert!(error.to_string().starts_with("skills/a\\u{1b}/SKILL.md: internal error"), "{error}");
    assert!(!error.to_string().contains("Ottilie"), "{error}");
}

#[test]
fn a_child_in_the_path_of_a_skill_is_not_shown() {
    let settings = Settings::new(None, &[], TODAY).expect("settings").with_roster(test_roster());
    let error = isolated(panic_on_a_name).expect_err("a panic");
    let diagnostic = unchecked("skills/ottilie-story/SKILL.md", &settings, &error);
    assert!(!show(&[diagnostic]).to_lowercase().contains("ottilie"));
}

#[test]
fn no_waiver_covers_a_skill_that_was_not_checked() {
    let description = "description: Plans a day trip. Use when somebody asks where to go.";
    let comment = "# dibber: allow unchecked-skill — it is always like this";
    let skill = format!("---\nname: trip-planner\n{description}\n{comment}\n---\nAsk how far.\n");
    let tree = Tree::new();
    tree.write("trip-planner/SKILL.md", skill.as_bytes());
    let found = lint_directory(tree.path(), &[]);
    assert_eq!(found.len(), 1, "{}", show(&found));
    assert_eq!(found[0].rule.id, "malformed-waiver");
    let message = "`unchecked-skill` reports a bug in dibber and cannot be waived";
    assert_eq!(found[0].message, message);
}

#[test]
fn no_level_can_be_set_for_it() {
    let ended = Dibber::new(["lint", "--no-config", "--level", "unchecked-skill=allow"]).run();
    assert_eq!(ended.code, 2, "{}", ended.show());
    let message = "`unchecked-skill` is not a rule; its level is always deny";
    assert!(ended.stderr.contains(message), "{}", ended.show());
    for group in ["internal=allow", "internal=deny"] {
        assert_eq!(Dibber::new(["lint", "--no-config", "--level", group]).run().code, 2, "{group}");
    }
}

#[test]
fn it_is_explained_though_it_is_no_rule() {
    let ended = Dibber::new(["explain", UNCHECKED_SKILL.id]).run();
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert!(ended.stdout.contains("because of a bug in dibber"), "{}", ended.show());
}
