//! `json`: one object with everything, for programs.
//!
//! Its shape is frozen by [`VERSION`] and described by `schemas/lint-report.schema.json`.
//! The structs below are that shape and nothing else, so that the linter's own types may change.
//! Strings are exact: an invisible character is written as `\uXXXX`, which decodes to it.

use serde::Serialize;

use super::format::{Context, Format, PathBase, Report};
use super::json_summary::summary_v2;
use super::json_text::{self, Position};
use super::problem::{HeldProblems, Problem};
use super::severity::severity;
use super::statistics::StatisticsJson;
use super::summary::Summary;
use dibber_skill::diagnostic::{Diagnostic, Edit, Fix, LevelSource, Range};
use dibber_text::LineColumn;

/// The version of the shape, incremented when a field changes its meaning or is removed.
const VERSION: u32 = 2;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "json",
    summary: "one JSON object with all that is known of each finding; the shape is versioned",
    paths: PathBase::CurrentDirectory,
    open: |_: Context| Box::new(Json::default()),
    statistics: Some(|_: Context| Box::new(StatisticsJson::default())),
};

#[derive(Default)]
struct Json {
    position: Position,
    problems: HeldProblems,
    fixed: Vec<FixedV2>,
}

impl Report for Json {
    fn begin(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("{{\"version\":{VERSION},\"items\":[").as_bytes());
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        json_text::write_element(&finding_v2(diagnostic), self.position.advance(), out);
    }

    fn problem(&mut self, problem: &Problem, _out: &mut Vec<u8>) {
        self.problems.push(problem);
    }

    fn fixed(&mut self, path: &str, titles: &[String], _out: &mut Vec<u8>) {
        self.fixed.push(FixedV2 { path: path.to_owned(), titles: titles.to_vec() });
    }

    fn end(&mut self, summary: &Summary, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\n],\"problems\":[");
        let mut position = Position::First;
        for problem in self.problems.take() {
            json_text::write_element(&problem, position.advance(), out);
        }
        out.extend_from_slice(b"\n],\"fixed\":");
        json_text::write(&std::mem::take(&mut self.fixed), out);
        out.extend_from_slice(b",\"summary\":");
        json_text::write(&summary_v2(summary), out);
        out.extend_from_slice(b"}\n");
    }
}

#[derive(Serialize)]
struct FindingV2<'a> {
    rule: &'a str,
    group: &'a str,
    level: &'a str,
    #[serde(rename = "because")]
    level_source: LevelSourceV2<'a>,
    path: &'a str,
    start: Option<PointV2>,
    end: Option<PointV2>,
    message: &'a str,
    note: Option<&'a str>,
    help: Option<&'a str>,
    labels: Vec<LabelV2<'a>>,
    fix: Option<FixV2<'a>>,
    fingerprint: &'a str,
}

#[derive(Serialize)]
#[serde(tag = "source", rename_all = "kebab-case")]
enum LevelSourceV2<'a> {
    Default,
    Config { path: &'a str, line: usize, key: &'a str },
    CommandLine { setting: &'a str },
}

#[derive(Serialize)]
struct PointV2 {
    line: usize,
    column: usize,
    byte: usize,
}

#[derive(Serialize)]
struct LabelV2<'a> {
    start: PointV2,
    end: PointV2,
    text: &'a str,
}

#[derive(Serialize)]
struct FixV2<'a> {
    title: &'a str,
    applicability: &'a str,
    edits: Vec<EditV2<'a>>,
}

#[derive(Serialize)]
struct EditV2<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

/// The fixes that were written to a file.
#[derive(Serialize)]
struct FixedV2 {
    path: String,
    titles: Vec<String>,
}

fn finding_v2(diagnostic: &Diagnostic) -> FindingV2<'_> {
    let range = diagnostic.range.as_ref();
    let labels = diagnostic.labels.iter().map(|(range, text)| LabelV2 {
        start: start_v2(range),
        end: end_v2(range),
        text,
    });
    FindingV2 {
        rule: diagnostic.rule.id,
        group: diagnostic.rule.group.name(),
        level: severity(diagnostic.level),
        level_source: level_source_v2(&diagnostic.level_source),
        path: &diagnostic.path,
        start: range.map(start_v2),
        end: range.map(end_v2),
        message: &diagnostic.message,
        note: diagnostic.note.as_deref(),
        help: diagnostic.help.as_deref(),
        labels: labels.collect(),
        fix: diagnostic.fix.as_ref().map(fix_v2),
        fingerprint: &diagnostic.fingerprint,
    }
}

fn level_source_v2(source: &LevelSource) -> LevelSourceV2<'_> {
    match source {
        LevelSource::Default => LevelSourceV2::Default,
        LevelSource::Config { path, line, key } => LevelSourceV2::Config { path, line: *line, key },
        LevelSource::CommandLine(setting) => LevelSourceV2::CommandLine { setting },
    }
}

fn start_v2(range: &Range) -> PointV2 {
    point_v2(range.start, range.span.start)
}

fn end_v2(range: &Range) -> PointV2 {
    point_v2(range.end, range.span.end)
}

fn point_v2(at: LineColumn, byte: usize) -> PointV2 {
    PointV2 { line: at.line, column: at.column, byte }
}

fn fix_v2(fix: &Fix) -> FixV2<'_> {
    FixV2 {
        title: &fix.title,
        applicability: fix.applicability.name(),
        edits: fix.edits.iter().map(edit_v2).collect(),
    }
}

fn edit_v2(edit: &Edit) -> EditV2<'_> {
    EditV2 { start: edit.span.start, end: edit.span.end, text: &edit.text }
}
