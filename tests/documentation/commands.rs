//! The command lines of the README and the book: they run, print what the page shows, and use options
//! that exist.
//!
//! The blocks of a page run in their order in one directory, which has a copy of `examples` and of some
//! `fixtures`. A comment directly above a block says what is special about it:
//!
//! - `<!-- setup: COMMAND -->`: this command runs first, and is not shown.
//! - `<!-- file: PATH -->`: the block is the content of this file, which is written.
//! - `<!-- exit: CODE -->`: the last command of the block ends with this code, and not with 0.
//! - `<!-- not run: REASON -->`: the block cannot run here; its commands and options still exist.
//!
//! In a `console` block, a line `…` of the page matches any lines. `DIBBER_UPDATE=1 cargo test` writes
//! the real output into blocks without such a line.

use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::Command;
use std::thread;

use jiff::civil::Date;
use tempfile::TempDir;

use super::markdown::{Block, Page, written};
use crate::support::command::without_time;
use crate::support::{copy_directory, package};

/// The columns of the terminal, so that a block fits on a page.
const COLUMNS: &str = "92";
/// The digits of an id after its prefix; a hash, which is the same in each run, has more.
const ID_DIGITS: RangeInclusive<usize> = 16..=32;
/// What a comment above a block may say.
const MARKS: [&str; 4] = ["setup", "file", "exit", "not run"];
/// The languages of blocks that are run.
const RUN: [&str; 2] = ["console", "sh"];

/// The machine of a reader: a home directory, and in it the directory in which the commands run.
struct Machine {
    root: TempDir,
}

impl Machine {
    fn new() -> Self {
        let root = TempDir::new().expect("a directory");
        let work = root.path().join("home/jo/project");
        // The root of a repository: what is published from it is recorded there.
        fs::create_dir_all(work.join(".git")).expect("a directory");
        for directory in ["examples", "fixtures/drafts", "fixtures/problems"] {
            copy_directory(&package().join(directory), &work.join(directory));
        }
        Self { root }
    }

    /// Runs a script of the shell, and returns its exit code and everything that it prints.
    fn run(&self, script: &str) -> (i32, String) {
        let root = self.root.path().canonicalize().expect("a directory");
        let home = root.join("home/jo");
        let program = Path::new(env!("CARGO_BIN_EXE_dibber")).parent().expect("a directory");
        let path = std::env::var("PATH").expect("a path");
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{script}")])
            .env_clear()
            .env("PATH", format!("{}:{path}", program.display()))
            .env("HOME", &home)
            .env("XDG_CONFIG_HOME", home.join(".config"))
            .env("XDG_STATE_HOME", home.join(".local/state"))
            .env("TZ", "America/New_York")
            .env("COLUMNS", COLUMNS)
            .current_dir(home.join("project"))
            .output()
            .expect("a shell");
        let shown = String::from_utf8_lossy(&output.stdout).replace(&*root.to_string_lossy(), "");
        (output.status.code().unwrap_or(-1), shown)
    }

    fn write(&self, path: &str, content: &str) {
        let home = self.root.path().join("home/jo");
        let path = path
            .strip_prefix("~/")
            .map_or_else(|| home.join("project").join(path), |path| home.join(path));
        fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
        fs::write(path, content).expect("a file");
    }
}

/// A command of a `console` block with the output that the page shows.
struct Shown {
    script: String,
    output: Vec<String>,
}

/// Returns the commands of a `console` block. A `\` at the end continues a command.
fn commands(lines: &[&str]) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    for line in lines {
        let last = commands.last_mut();
        match (line.strip_prefix("$ "), last) {
            (Some(script), _) => {
                commands.push(Shown { script: script.to_owned(), output: Vec::new() });
            }
            (None, Some(last)) if last.output.is_empty() && last.script.ends_with('\\') => {
                last.script = format!("{}\n{line}", last.script);
            }
            (None, Some(last)) => last.output.push((*line).to_owned()),
            (None, None) => panic!("the block does not begin with a command: {line}"),
        }
    }
    commands
}

/// Returns `true` for an id that differs in each run, such as `sk_…`.
fn is_id(word: &str) -> bool {
    let is_digit = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    word.split_once('_')
        .is_some_and(|(_, id)| ID_DIGITS.contains(&id.len()) && id.bytes().all(is_digit))
}

/// Returns `true` for a date such as `2026-03-02`, with or without a time after it.
fn is_date(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    word.get(..10).is_some_and(|date| date.parse::<Date>().is_ok())
}

/// Replaces what differs from run to run: ids, times, and when a heartbeat fires unless the command
/// says from when on.
fn steady(script: &str, line: &str) -> String {
    let is_fixed = script.contains("--from");
    let before_time = line.find("next ").map(|at| at + "next".len()).filter(|_| !is_fixed);
    let line = &line[..before_time.unwrap_or(line.len())];
    let words = line.split(' ').map(|word| match word {
        word if is_id(word) => "ID",
        word if is_date(word) && !is_fixed => "DATE",
        word => word,
    });
    without_time(&words.collect::<Vec<_>>().join(" ")).trim_end().to_owned()
}

/// Returns `true` if the lines of the page are what was printed. A line `…` is any lines.
fn matches(page: &[String], printed: &[String]) -> bool {
    let Some((first, rest)) = page.split_first() else { return printed.is_empty() };
    if first == "…" {
        return (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]));
    }
    printed.first() == Some(first) && matches(rest, &printed[1..])
}

/// Returns a line as the page shows it already, with other ids and times, or else the line.
fn with_ids_of(shown: &Shown, line: String) -> String {
    let stable = steady(&shown.script, &line);
    let old = shown.output.iter().find(|old| steady(&shown.script, old) == stable);
    old.cloned().unwrap_or(line)
}

/// Runs a `console` block, and returns its lines as they should be.
fn console(machine: &Machine, page: &Page, block: &Block) -> Result<Vec<String>, String> {
    let lines = &page.lines()[block.lines.clone()];
    let commands = commands(lines);
    let count = commands.len();
    let mut right = Vec::new();
    for (number, shown) in commands.into_iter().enumerate() {
        let (code, printed) = machine.run(&shown.script);
        let expected = match block.mark("exit") {
            Some(code) if number + 1 == count => code.parse().expect("an exit code"),
            _ => 0,
        };
        let at = format!("`{}`", shown.script);
        if code != expected {
            return Err(format!("{at} ends with {code} instead of {expected}:\n{printed}"));
        }
        let stable = |lines: &[String]| -> Vec<String> {
            lines.iter().map(|line| steady(&shown.script, line)).collect()
        };
        let printed: Vec<_> = printed.lines().map(|line| line.trim_end().to_owned()).collect();
        right.extend(shown.script.lines().enumerate().map(|(number, line)| match number {
            0 => format!("$ {line}"),
            _ => line.to_owned(),
        }));
        if matches(&stable(&shown.output), &stable(&printed)) {
            right.extend(shown.output);
        } else if shown.output.iter().any(|line| line == "…") {
            return Err(format!("{at} prints something else:\n{}", printed.join("\n")));
        } else if printed.iter().any(|line| line.starts_with("```")) {
            return Err(format!("{at} prints a fence, which would end the block"));
        } else {
            right.extend(printed.into_iter().map(|line| with_ids_of(&shown, line)));
        }
    }
    Ok(right)
}

/// Runs a block of the shell, and returns the problem if it ends in another way than it should.
fn script(machine: &Machine, block: &Block, content: &str) -> Option<String> {
    let (code, printed) = machine.run(&format!("set -e\n{content}"));
    let expected = block.mark("exit").map_or(0, |code| code.parse().expect("an exit code"));
    (code != expected).then(|| format!("ends with {code} instead of {expected}:\n{printed}"))
}

/// Does what a block is for, and returns its lines as they should be if they are commands with their
/// output.
fn run_block(machine: &Machine, page: &Page, block: &Block) -> Result<Option<Vec<String>>, String> {
    let content = page.lines()[block.lines.clone()].join("\n");
    if let Some((key, _)) = block.marks.iter().find(|(key, _)| !MARKS.contains(&key.as_str())) {
        return Err(format!("`{key}` is not a mark"));
    }
    if let Some(command) = block.mark("setup") {
        let (code, printed) = machine.run(command);
        assert_eq!(code, 0, "{}: `{command}`: {printed}", page.path);
    }
    if let Some(path) = block.mark("file") {
        machine.write(path, &format!("{content}\n"));
        return Ok(None);
    }
    if block.mark("not run").is_some() {
        return Ok(None);
    }
    match block.language.as_str() {
        "console" => console(machine, page, block).map(Some),
        "sh" => script(machine, block, &content).map_or(Ok(None), Err),
        _ if content.lines().any(|line| line.starts_with("dibber ")) => {
            Err("commands belong in a block `console` or `sh`".to_owned())
        }
        _ => Ok(None),
    }
}

/// Runs the blocks of a page, and returns it as it should be.
fn run_page(page: &Page) -> Result<String, String> {
    let machine = Machine::new();
    let mut replaced = Vec::new();
    for block in page.blocks() {
        match run_block(&machine, page, &block) {
            Ok(Some(right)) => replaced.push((block.lines, right)),
            Ok(None) => {}
            Err(problem) => return Err(format!("{}:{}: {problem}", page.path, block.line)),
        }
    }
    let mut lines: Vec<String> = page.lines().into_iter().map(str::to_owned).collect();
    // From the last to the first, so that the indices stay valid.
    for (range, right) in replaced.into_iter().rev() {
        lines.splice(range, right);
    }
    Ok(lines.join("\n") + "\n")
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "`sed -i` has other arguments elsewhere")]
fn every_block_of_commands_runs_and_prints_what_is_shown() {
    let pages = written();
    let results = thread::scope(|scope| {
        let running = pages.iter().map(|page| scope.spawn(|| run_page(page)));
        let running: Vec<_> = running.collect();
        running.into_iter().map(|page| page.join().expect("no panic")).collect::<Vec<_>>()
    });
    let mut problems = Vec::new();
    for (page, result) in pages.iter().zip(results) {
        match result {
            Ok(right) if right == page.text => {}
            Ok(right) if std::env::var_os("DIBBER_UPDATE").is_some() => {
                fs::write(package().join(&page.path), right).expect("a page");
            }
            Ok(right) => {
                let pairs = page.text.lines().zip(right.lines());
                let different = pairs.enumerate().find(|(_, (page, right))| page != right);
                let (index, (old, new)) =
                    different.unwrap_or((page.text.lines().count(), ("", "")));
                problems.push(format!(
                    "{}:{}: the page shows\n  {old}\nand the command prints\n  {new}\nRun \
                     `DIBBER_UPDATE=1 cargo test -- documentation`",
                    page.path,
                    index + 1
                ));
            }
            Err(problem) => problems.push(problem),
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

/// Returns the part of the command line reference about the command that a line names.
fn reference<'a>(sections: &[(&str, &'a str)], words: &[&str]) -> Option<&'a str> {
    (1..=words.len()).rev().find_map(|count| {
        let name = words[..count].join(" ");
        sections.iter().find(|(other, _)| *other == name).map(|(_, text)| *text)
    })
}

/// Returns what is wrong with a command line that is not run.
fn problem(sections: &[(&str, &str)], all: &str, line: &str) -> Option<String> {
    let line = line.trim_start_matches("$ ");
    let words: Vec<_> = line.split(' ').collect();
    let is_flag = |word: &&&str| word.starts_with("--") && word.len() > 2;
    let flag_of = |word: &str| {
        let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(word.len());
        word[..end].to_owned()
    };
    let known = |text: &str, flag: &str| {
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').any(|word| word == flag)
    };
    let text = match words[0] {
        "dibber" => {
            let words: Vec<_> =
                words[1..].iter().take_while(|word| !word.starts_with('-')).copied().collect();
            match reference(sections, &words) {
                Some(text) => text,
                None if words.first().is_some_and(|word| word.chars().all(char::is_lowercase)) => {
                    return Some(format!("`{line}`: no such command"));
                }
                None => all,
            }
        }
        word if word.starts_with("--") => all,
        _ => return None,
    };
    let flags = words.iter().filter(is_flag).map(|word| flag_of(word));
    let mut unknown = flags.filter(|flag| !known(text, flag));
    unknown.next().map(|flag| format!("`{line}`: no option `{flag}`"))
}

#[test]
fn every_command_and_option_that_is_named_exists() {
    let reference = Page::read("docs/src/commands.md");
    let sections: Vec<_> = reference
        .text
        .split("\n## `dibber ")
        .skip(1)
        .filter_map(|section| section.split_once('`'))
        .collect();
    let mut problems = Vec::new();
    for page in written() {
        let lines = page.lines();
        let blocks = page.blocks();
        let in_blocks = blocks.iter().filter(|block| {
            block.mark("not run").is_some() && RUN.contains(&block.language.as_str())
        });
        let in_blocks = in_blocks.flat_map(|block| lines[block.lines.clone()].iter());
        let named = in_blocks.map(|line| (*line).to_owned()).chain(page.inline_code());
        let found = named.filter_map(|line| problem(&sections, &reference.text, &line));
        problems.extend(found.map(|problem| format!("{}: {problem}", page.path)));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
