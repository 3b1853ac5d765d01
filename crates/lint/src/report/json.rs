//! `json`: one object with everything, for programs.
//!
//! Its shape is frozen by [`VERSION`] and described by `tests/reference/lint-report.schema.json`.
//! The structs below are that shape and nothing else, so that the linter's own types may change.
//! Strings are exact: an invisible character is written as `\uXXXX`, which decodes to it.

use serde::Serialize;

use super::format::{Context, Format, Report};
use super::json_text::{self, Position};
use super::problem::{HeldProblems, Problem};
use super::severity::severity;
use super::summary::Summary;
use dibber_skill::diagnostic::{Diagnostic, Edit, Fix, LevelSource, Range};
use dibber_text::LineColumn;

/// The version of the shape, incremented when a field changes its meaning or is removed.
const VERSION: u32 = 1;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "json",
    summary: "one JSON object with all that is known of each finding; the shape is versioned",
    open: |_: Context| Box::new(Json::default()),
};

#[derive(Default)]
struct Json {
    position: Position,
    problems: HeldProblems,
}

impl Report for Json {
    fn begin(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("{{\"version\":{VERSION},\"findings\":[").as_bytes());
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        json_text::write_element(&finding_v1(diagnostic), self.position.advance(), out);
    }

    fn problem(&mut self, problem: &Problem, _out: &mut Vec<u8>) {
        self.problems.push(problem);
    }

    fn end(&mut self, summary: &Summary, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\n],\"problems\":[");
        let mut position = Position::First;
        for problem in self.problems.take() {
            let problem = ProblemV1 { path: &problem.path, message: &problem.message };
            json_text::write_element(&problem, position.advance(), out);
        }
        out.extend_from_slice(b"\n],\"summary\":");
        json_text::write(&summary_v1(summary), out);
        out.extend_from_slice(b"}\n");
    }
}

#[derive(Serialize)]
struct FindingV1<'a> {
    rule: &'a str,
    group: &'a str,
    level: &'a str,
    #[serde(rename = "because")]
    level_source: LevelSourceV1<'a>,
    path: &'a str,
    start: Option<PointV1>,
    end: Option<PointV1>,
    message: &'a str,
    note: Option<&'a str>,
    help: Option<&'a str>,
    labels: Vec<LabelV1<'a>>,
    fix: Option<FixV1<'a>>,
    fingerprint: &'a str,
}

#[derive(Serialize)]
#[serde(tag = "source", rename_all = "kebab-case")]
enum LevelSourceV1<'a> {
    Default,
    Config { path: &'a str, line: usize, key: &'a str },
    CommandLine { setting: &'a str },
}

#[derive(Serialize)]
struct PointV1 {
    line: usize,
    column: usize,
    byte: usize,
}

#[derive(Serialize)]
struct LabelV1<'a> {
    start: PointV1,
    end: PointV1,
    text: &'a str,
}

#[derive(Serialize)]
struct FixV1<'a> {
    title: &'a str,
    applicability: &'a str,
    edits: Vec<EditV1<'a>>,
}

#[derive(Serialize)]
struct EditV1<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

#[derive(Serialize)]
struct ProblemV1<'a> {
    path: &'a str,
    message: &'a str,
}

#[derive(Serialize)]
struct SummaryV1 {
    skills: usize,
    errors: usize,
    warnings: usize,
    fixable: usize,
    fixable_unsafe: usize,
    fixed: usize,
    waived: usize,
    waived_security: usize,
    known: usize,
    problems: usize,
    elapsed_ms: u64,
}

fn finding_v1(diagnostic: &Diagnostic) -> FindingV1<'_> {
    let range = diagnostic.range.as_ref();
    let labels = diagnostic.labels.iter().map(|(range, text)| LabelV1 {
        start: start_v1(range),
        end: end_v1(range),
        text,
    });
    FindingV1 {
        rule: diagnostic.rule.id,
        group: diagnostic.rule.group.name(),
        level: severity(diagnostic.level),
        level_source: level_source_v1(&diagnostic.level_source),
        path: &diagnostic.path,
        start: range.map(start_v1),
        end: range.map(end_v1),
        message: &diagnostic.message,
        note: diagnostic.note.as_deref(),
        help: diagnostic.help.as_deref(),
        labels: labels.collect(),
        fix: diagnostic.fix.as_ref().map(fix_v1),
        fingerprint: &diagnostic.fingerprint,
    }
}

fn level_source_v1(source: &LevelSource) -> LevelSourceV1<'_> {
    match source {
        LevelSource::Default => LevelSourceV1::Default,
        LevelSource::Config { path, line, key } => LevelSourceV1::Config { path, line: *line, key },
        LevelSource::CommandLine(setting) => LevelSourceV1::CommandLine { setting },
    }
}

fn start_v1(range: &Range) -> PointV1 {
    point_v1(range.start, range.span.start)
}

fn end_v1(range: &Range) -> PointV1 {
    point_v1(range.end, range.span.end)
}

fn point_v1(at: LineColumn, byte: usize) -> PointV1 {
    PointV1 { line: at.line, column: at.column, byte }
}

fn fix_v1(fix: &Fix) -> FixV1<'_> {
    FixV1 {
        title: &fix.title,
        applicability: fix.applicability.name(),
        edits: fix.edits.iter().map(edit_v1).collect(),
    }
}

fn edit_v1(edit: &Edit) -> EditV1<'_> {
    EditV1 { start: edit.span.start, end: edit.span.end, text: &edit.text }
}

fn summary_v1(summary: &Summary) -> SummaryV1 {
    SummaryV1 {
        skills: summary.skills,
        errors: summary.errors,
        warnings: summary.warnings,
        fixable: summary.fixable,
        fixable_unsafe: summary.fixable_unsafe,
        fixed: summary.fixed,
        waived: summary.waived,
        waived_security: summary.waived_security,
        known: summary.known,
        problems: summary.problems,
        elapsed_ms: u64::try_from(summary.elapsed.as_millis()).unwrap_or(u64::MAX),
    }
}
