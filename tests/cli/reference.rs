//! What is generated from the code and kept in the repository: completions, manual pages, and
//! the references of rules and commands. `DIBBER_UPDATE=1 cargo test` writes them again.

use std::ffi::OsStr;
use std::fmt::Debug;
use std::fs;
use std::path::Path;

use dibber_lint::{RULES, UNCHECKED_SKILL};
use dibber_skill::diagnostic::FixAvailability;

use crate::support::command::Dibber;
use crate::support::package;

/// The variable that makes the tests write instead of compare.
const UPDATE: &str = "DIBBER_UPDATE";

fn compare(path: &str, generated: &str) {
    let file = package().join(path);
    if std::env::var_os(UPDATE).is_some() {
        fs::create_dir_all(file.parent().expect("a parent")).expect("a directory");
        fs::write(&file, generated).expect("a file");
    }
    let present = fs::read_to_string(&file).unwrap_or_default();
    let is_same = present.replace("\r\n", "\n") == generated;
    assert!(is_same, "{path} is not what the code makes; run `{UPDATE}=1 cargo test`");
}

fn printed<S: AsRef<OsStr> + Debug>(arguments: &[S]) -> String {
    let ended = Dibber::new(arguments).env("COLUMNS", "100").run();
    assert_eq!(ended.code, 0, "{arguments:?}: {}", ended.stderr);
    ended.stdout
}

/// The words of every command, and of the commands in it that its manual page refers to.
fn commands() -> Vec<Vec<String>> {
    let mut commands = Vec::new();
    for command in dibber::cli::commands() {
        let name = command.name.to_owned();
        let page = printed(&["man", &name]).replace("\\-", "-");
        let prefix = format!("dibber-{name}-");
        let references = page.lines().filter_map(|line| line.strip_prefix(&prefix));
        let actions = references.filter_map(|rest| rest.strip_suffix("(1)"));
        let with_action = actions.map(|action| vec![name.clone(), action.to_owned()]).collect();
        commands.extend([vec![vec![name.clone()]], with_action].concat());
    }
    commands
}

/// No line of a help text is broken by the terminal.
#[test]
fn help_fits_80_columns() {
    let mut lines = commands();
    lines.push(Vec::new());
    for mut line in lines {
        line.push("--help".to_owned());
        let ended = Dibber::new(&line).env("COLUMNS", "80").run();
        let is_long = |line: &&str| line.chars().count() > 80;
        let long: Vec<_> = ended.stdout.lines().filter(is_long).collect();
        assert!(ended.code == 0 && long.is_empty(), "{line:?}: {long:#?}");
    }
}

#[test]
fn completions() {
    let shells = [
        ("bash", "dibber.bash"),
        ("elvish", "dibber.elv"),
        ("fish", "dibber.fish"),
        ("powershell", "_dibber.ps1"),
        ("zsh", "_dibber"),
    ];
    for (shell, file) in shells {
        compare(&format!("completions/{file}"), &printed(&["completions", shell]));
    }
}

#[test]
fn manual_pages() {
    compare("completions/man/dibber.1", &printed(&["man"]));
    for words in commands() {
        let page = printed(&[&["man".to_owned()], &words[..]].concat());
        compare(&format!("completions/man/dibber-{}.1", words.join("-")), &page);
    }
}

#[test]
fn command_line_reference() {
    let mut page = "# The command line\n".to_owned();
    let help = |arguments: &[String]| format!("\n```text\n{}```\n", printed(arguments));
    page += &help(&["--help".to_owned()]);
    for words in commands() {
        let shown = help(&[&words[..], &["--help".to_owned()]].concat());
        page += &format!("\n## `dibber {}`\n{shown}", words.join(" "));
    }
    compare("docs/src/commands.md", &page);
}

#[test]
fn rule_reference() {
    let mut page = "# The rules\n".to_owned();
    let mut group = None;
    let rules = RULES.iter().map(|rule| &rule.meta);
    for meta in rules.chain([&UNCHECKED_SKILL]) {
        if group != Some(meta.group) {
            page += &format!("\n## {}\n", meta.group.name());
            group = Some(meta.group);
        }
        let fix = match meta.fix {
            FixAvailability::None => "no fix".to_owned(),
            FixAvailability::Sometimes(fix) => format!("sometimes a {} fix", fix.name()),
            FixAvailability::Always(fix) => format!("a {} fix", fix.name()),
        };
        page += &format!("\n### `{}`\n\n{}\n\n", meta.id, sentence(meta.summary));
        page += &format!("Level {}, {fix}, since {}.\n\n", meta.level.name(), meta.since);
        page += &deeper_headings(meta.docs.trim());
    }
    compare("docs/src/rules.md", &page);
}

fn sentence(summary: &str) -> String {
    let mut chars = summary.chars();
    let first = chars.next().expect("a summary").to_uppercase();
    format!("{first}{}.", chars.as_str())
}

/// Puts the headings of a rule's page under the rule's own.
fn deeper_headings(docs: &str) -> String {
    let mut fence: Option<&str> = None;
    let mut out = String::new();
    for line in docs.lines() {
        let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            Some(open) if ticks == open => fence = None,
            None if ticks.len() >= 3 => fence = Some(ticks),
            _ => {}
        }
        let is_heading = fence.is_none() && line.starts_with("# ");
        out += if is_heading { "###" } else { "" };
        out += line;
        out.push('\n');
    }
    out
}

#[test]
fn no_file_is_left_over() {
    let expected: Vec<String> = commands()
        .iter()
        .map(|words| format!("dibber-{}.1", words.join("-")))
        .chain(["dibber.1".to_owned()])
        .collect();
    let present =
        fs::read_dir(Path::new(&package()).join("completions/man")).expect("manual pages");
    for entry in present {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        assert!(expected.contains(&name), "completions/man/{name} belongs to no command");
    }
}
