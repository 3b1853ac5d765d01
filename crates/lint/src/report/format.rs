//! What a report format is: a name, and a [`Report`] that is written piece by piece.

use super::problem::Problem;
use super::repository::RepositoryPaths;
use super::style::Style;
use super::summary::Summary;
use dibber_skill::diagnostic::{Diagnostic, Level, RuleMeta};

/// One report format.
#[derive(Debug)]
pub struct Format {
    /// The name, as in `--format`.
    pub name: &'static str,
    /// One line, without a full stop.
    pub summary: &'static str,
    /// What its paths are relative to.
    pub paths: PathBase,
    /// Starts a report whose paths are those of the findings; [`open`](super::open) starts one with
    /// the paths of the format.
    pub open: fn(Context) -> Box<dyn Report>,
    /// Starts a report that only counts the findings of each rule, if the format has one.
    pub statistics: Option<fn(Context) -> Box<dyn Report>>,
}

/// What the paths of a report are relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathBase {
    /// The current directory, so that a reader can open them.
    CurrentDirectory,
    /// The root of the repository, where a service looks for them.
    Repository,
}

/// What a report needs at its start.
#[derive(Clone, Debug)]
pub struct Context {
    /// How it looks; used only by the formats for people.
    pub style: Style,
    /// The rules that findings may come from, for formats that list them (SARIF).
    pub rules: Vec<&'static RuleMeta>,
    /// The version of dibber, for formats that name it.
    pub version: &'static str,
    /// The address of the source of dibber, for formats that link to the documentation of rules;
    /// empty without one.
    pub homepage: &'static str,
    /// The level from which findings fail the run.
    pub fails_on: Level,
    /// Where the repository is, for formats whose paths begin at its root.
    pub repository: Option<RepositoryPaths>,
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

    /// Ends a skill, after its findings: it was checked, or could not be.
    fn checked(&mut self, _path: &str, _out: &mut Vec<u8>) {}

    /// Writes the titles of the fixes that were written to a file.
    fn fixed(&mut self, _path: &str, _titles: &[String], _out: &mut Vec<u8>) {}

    /// Ends the report.
    fn end(&mut self, _summary: &Summary, _out: &mut Vec<u8>) {}
}
