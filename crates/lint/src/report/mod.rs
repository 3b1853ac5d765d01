//! Reports: the findings of the linter as bytes, for people and for machines.
//!
//! A report is written piece by piece ([`Report`]): each call appends bytes to a buffer that the
//! caller writes out and clears, so twenty thousand findings take no more memory than one.
//! Nothing here writes to a stream or imports the rules: the [`Context`] has those that a format
//! lists.
//!
//! # Adding a format
//!
//! A format is one file in this directory with a `pub(super) const FORMAT: Format`, a type that
//! implements [`Report`], and the types that it serializes. It needs a `mod` line and a line in
//! [`FORMATS`] below; `tests/lint/reports.rs` creates its snapshot on the next run.
//!
//! Text from files is escaped in every format. Formats that people read use
//! [`escape_line`](dibber_text::escape_line); the JSON formats write invisible characters as
//! `\uXXXX` (see `json_text`), which decodes to the exact text again.

mod concise;
mod format;
mod from_root;
mod github;
mod gitlab;
mod human;
mod json;
mod json_summary;
mod json_text;
mod junit;
pub mod layout;
mod paint;
mod paragraphs;
mod problem;
mod repository;
mod sarif;
mod sarif_rule;
mod severity;
mod snippet;
mod statistics;
mod style;
mod summary;

pub use format::{Context, Format, PathBase, Report};
pub use json_text::{
    Position, write as write_json, write_element as write_json_element,
    write_pretty as write_json_pretty,
};
pub use paint::{Ink, paint};
pub use problem::{HeldProblems, Problem};
pub use repository::RepositoryPaths;
pub use style::{Color, Style};
pub use summary::Summary;

use from_root::FromRoot;

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

/// Starts a report with the paths of its format.
pub fn open(format: &Format, context: Context) -> Box<dyn Report> {
    let paths = match format.paths {
        PathBase::CurrentDirectory => None,
        PathBase::Repository => context.repository.clone(),
    };
    let report = (format.open)(context);
    match paths {
        Some(paths) => Box::new(FromRoot::new(report, paths)),
        None => report,
    }
}

/// Returns the format of that name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}
