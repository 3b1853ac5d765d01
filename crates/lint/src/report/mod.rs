//! Reports: what the linter found, as bytes for people and for machines.
//!
//! A report is written piece by piece ([`Report`]): each call appends bytes to a buffer that the
//! caller writes out and clears, so twenty thousand findings take no more memory than one.
//! Nothing here writes to a stream, and nothing knows which rules there are: those that a format
//! lists come in with the [`Context`].
//!
//! # Adding a format
//!
//! A format is one file in this directory. It holds a `pub(super) const FORMAT: Format`, a type that
//! implements [`Report`], and whatever types it serializes. Then it takes a `mod` line and one
//! line in [`FORMATS`] below, and `tests/lint/reports.rs` makes its snapshot on the next run.
//!
//! Text from files is shown escaped in every format. Formats that people read as they are take
//! [`escape_line`]; the JSON formats write invisible characters as
//! `\uXXXX` (see `json_text`), which decodes to the exact text again.

mod concise;
mod github;
mod gitlab;
mod human;
mod json;
mod json_text;
mod junit;
mod paint;
mod sarif;
mod snippet;
mod wrap;

use std::time::Duration;

pub use json_text::{
    Position, write as write_json, write_element as write_json_element,
    write_pretty as write_json_pretty,
};

use dibber_skill::diagnostic::{Diagnostic, Level, RuleMeta};
use dibber_text::escape_line;

/// Every format, those for people first.
pub static FORMATS: &[Format] = &[
    human::FORMAT,
    concise::FORMAT,
    json::FORMAT,
    sarif::FORMAT,
    github::FORMAT,
    gitlab::FORMAT,
    junit::FORMAT,
];

/// The most problems that a report holds back until its end; the rest is only counted.
const PROBLEMS_HELD_MAX: usize = 1_000;

/// One report format.
#[derive(Debug)]
pub struct Format {
    /// The name, as it is given to `--format`.
    pub name: &'static str,
    /// One line, without a full stop.
    pub summary: &'static str,
    /// Starts a report.
    pub open: fn(Context) -> Box<dyn Report>,
}

/// Returns the format of that name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// What a report needs before it begins.
#[derive(Clone, Debug)]
pub struct Context {
    /// How it looks; only the formats for people care.
    pub style: Style,
    /// The rules that findings may come from, for formats that list them (SARIF).
    pub rules: Vec<&'static RuleMeta>,
    /// The version of dibber, for formats that name it.
    pub version: &'static str,
}

/// How a report for people looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether it is coloured.
    pub color: Color,
    /// The width of the terminal, in columns.
    pub width: usize,
}

/// Whether there is colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// Always: the caller has looked at the terminal already.
    Always,
    /// Never.
    Never,
}

/// A report being written.
///
/// Each call appends bytes; the caller writes them out and clears the buffer, so memory does not
/// grow.
pub trait Report {
    /// Starts the report.
    fn begin(&mut self, _out: &mut Vec<u8>) {}

    /// Writes one finding. Findings of one file come one after the other.
    fn diagnostic(&mut self, diagnostic: &Diagnostic, out: &mut Vec<u8>);

    /// Writes a path that could not be checked, between any two findings. The caller shows it on
    /// stderr too, so formats for people leave it out; formats for machines carry it.
    fn problem(&mut self, _problem: &Problem, _out: &mut Vec<u8>) {}

    /// Ends the report.
    fn end(&mut self, _summary: &Summary, _out: &mut Vec<u8>) {}
}

/// A path that could not be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The path, as it is shown.
    pub path: String,
    /// What went wrong, as one sentence that names the path.
    pub message: String,
}

/// The result of a run, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The skills that were checked.
    pub skills: usize,
    /// The findings at level deny.
    pub errors: usize,
    /// The findings at level warn.
    pub warnings: usize,
    /// The findings among them that a safe fix repairs.
    pub fixable: usize,
    /// The findings among them that only an unsafe fix repairs.
    pub fixable_unsafe: usize,
    /// The findings that were repaired, and so are not among those above.
    pub fixed: usize,
    /// The findings that would be repaired if that were not only shown.
    pub would_fix: usize,
    /// The findings that a waiver suppresses.
    pub waived: usize,
    /// The findings that the baseline hides.
    pub known: usize,
    /// The paths that could not be checked.
    pub problems: usize,
    /// How long it took.
    pub elapsed: Duration,
}

/// Returns the word for a level before a message.
const fn severity(level: Level) -> &'static str {
    match level {
        Level::Deny => "error",
        Level::Allow | Level::Warn => "warning",
    }
}

/// Escapes text that may go over several lines; the lines stay apart.
fn escape_paragraphs(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(escape_line).collect();
    lines.join("\n")
}

/// The problems that a report holds back because their place is after the findings.
#[derive(Debug, Default)]
pub struct HeldProblems {
    held: Vec<Problem>,
    dropped: usize,
}

impl HeldProblems {
    /// Keeps a problem, or counts it when there are too many.
    pub fn push(&mut self, problem: &Problem) {
        if self.held.len() < PROBLEMS_HELD_MAX {
            self.held.push(problem.clone());
        } else {
            self.dropped += 1;
        }
    }

    /// Returns the problems; the last one has the number of those beyond the limit.
    pub fn take(&mut self) -> Vec<Problem> {
        let mut problems = std::mem::take(&mut self.held);
        if self.dropped > 0 {
            let message = format!("{} more paths could not be checked", self.dropped);
            problems.push(Problem { path: String::new(), message });
        }
        problems
    }
}
