//! `sarif`: SARIF 2.1.0, which code scanning services read.
//!
//! The section numbers below are those of the OASIS standard. Results are written as they come;
//! the rules come before them, the paths that could not be checked after them.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use serde::Serialize;

use super::format::{Context, Format, PathBase, Report};
use super::json_text::{self, Position};
use super::paragraphs::escape_paragraphs;
use super::problem::{HeldProblems, Problem};
use super::sarif_rule::{Descriptor, descriptor};
use super::severity::severity;
use super::summary::Summary;
use dibber_skill::diagnostic::{Applicability, Diagnostic, Edit, Excerpt, Fix, Range};
use dibber_text::{LineColumn, LineIndex, Span, escape_line};

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "sarif",
    summary: "SARIF 2.1.0, for code scanning services",
    paths: PathBase::Repository,
    open: |context: Context| Box::new(Sarif::new(context)),
    statistics: None,
};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The usual name of the root of the repository, which relative paths start from.
const ROOT: &str = "%SRCROOT%";
/// The name of the fingerprint; the number changes with the way it is computed.
const FINGERPRINT: &str = "dibber/v1";

struct Sarif {
    context: Context,
    rule_indices: HashMap<&'static str, usize>,
    position: Position,
    problems: HeldProblems,
}

impl Sarif {
    fn new(context: Context) -> Self {
        let ids = context.rules.iter().enumerate();
        let rule_indices = ids.map(|(index, rule)| (rule.id, index)).collect();
        let (position, problems) = (Position::default(), HeldProblems::default());
        Self { context, rule_indices, position, problems }
    }
}

impl Report for Sarif {
    fn begin(&mut self, out: &mut Vec<u8>) {
        let rules = self.context.rules.iter().map(|rule| descriptor(rule, &self.context)).collect();
        let Context { version, homepage, .. } = self.context;
        let driver = Driver { name: "dibber", version, information_uri: homepage, rules };
        out.extend_from_slice(
            format!("{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":")
                .as_bytes(),
        );
        json_text::write(&Tool { driver }, out);
        out.extend_from_slice(b",\n\"columnKind\":\"unicodeCodePoints\",\"results\":[");
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        let rule_index = self.rule_indices.get(diagnostic.rule.id).copied();
        json_text::write_element(&result(diagnostic, rule_index), self.position.advance(), out);
    }

    fn problem(&mut self, problem: &Problem, _out: &mut Vec<u8>) {
        self.problems.push(problem);
    }

    fn end(&mut self, _summary: &Summary, out: &mut Vec<u8>) {
        let problems = self.problems.take();
        let invocation = Invocation {
            execution_successful: problems.is_empty(),
            tool_execution_notifications: problems.iter().map(notification).collect(),
        };
        out.extend_from_slice(b"\n],\n\"invocations\":");
        json_text::write(&[invocation], out);
        out.extend_from_slice(b"}]}\n");
    }
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    information_uri: &'static str,
    rules: Vec<Descriptor>,
}

/// A `message` (3.11).
#[derive(Serialize)]
struct Text<'a> {
    text: Cow<'a, str>,
}

/// A `result` (3.27).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'a str,
    message: Text<'a>,
    locations: [SarifLocation<'a>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<SarifLocation<'a>>,
    partial_fingerprints: BTreeMap<&'a str, &'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<SarifFix<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifLocation<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifFix<'a> {
    description: Text<'a>,
    artifact_changes: [ArtifactChange<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange<'a> {
    artifact_location: ArtifactLocation,
    replacements: Vec<Replacement<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement<'a> {
    deleted_region: Region,
    inserted_content: Content<'a>,
}

#[derive(Serialize)]
struct Content<'a> {
    text: &'a str,
}

/// An `invocation` (3.20).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation<'a> {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification<'a>>,
}

#[derive(Serialize)]
struct Notification<'a> {
    level: &'static str,
    message: Text<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<SarifLocation<'a>>,
}

fn result(diagnostic: &Diagnostic, rule_index: Option<usize>) -> SarifResult<'_> {
    let mut text = escape_line(&diagnostic.message).into_owned();
    for (word, more) in [("note", &diagnostic.note), ("help", &diagnostic.help)] {
        if let Some(more) = more {
            write!(text, "\n{word}: {}", escape_paragraphs(more))
                .expect("writing to a string cannot fail");
        }
    }
    let path = &diagnostic.path;
    let related =
        diagnostic.labels.iter().enumerate().map(|(index, (range, text))| SarifLocation {
            id: Some(index + 1),
            physical_location: physical(path, Some(range)),
            message: Some(message(escape_line(text))),
        });
    SarifResult {
        rule_id: diagnostic.rule.id,
        rule_index,
        level: severity(diagnostic.level),
        message: message(Cow::Owned(text)),
        locations: [SarifLocation {
            id: None,
            physical_location: physical(path, diagnostic.range.as_ref()),
            message: None,
        }],
        related_locations: related.collect(),
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, &*diagnostic.fingerprint)]),
        fixes: fix(diagnostic).into_iter().collect(),
    }
}

fn notification(problem: &Problem) -> Notification<'_> {
    let location = || SarifLocation {
        id: None,
        physical_location: physical(&problem.path, None),
        message: None,
    };
    Notification {
        level: "error",
        message: message(escape_line(&problem.message)),
        locations: (!problem.path.is_empty()).then(location).into_iter().collect(),
    }
}

/// Returns a message of plain text: braces are doubled (3.11.5), and the syntax of links is
/// escaped (3.11.6).
fn message(text: Cow<'_, str>) -> Text<'_> {
    if !text.contains(['{', '}']) && !text.contains("](") {
        return Text { text };
    }
    let mut plain = text.replace('{', "{{").replace('}', "}}");
    if plain.contains("](") {
        plain = plain.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]");
    }
    Text { text: Cow::Owned(plain) }
}

fn physical(path: &str, range: Option<&Range>) -> PhysicalLocation {
    let region = range.map(|range| region(range.start, range.end));
    PhysicalLocation { artifact_location: artifact(path), region }
}

const fn region(start: LineColumn, end: LineColumn) -> Region {
    Region {
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

/// Returns the location of a file as a URI reference (3.10): relative to the root, or absolute.
fn artifact(path: &str) -> ArtifactLocation {
    let has_drive = path.as_bytes().get(1) == Some(&b':') && path.as_bytes().get(2) == Some(&b'/');
    let (prefix, path, uri_base_id) = if has_drive {
        ("file:///", path, None)
    } else if path.starts_with('/') {
        ("file://", path, None)
    } else {
        let path = path.strip_prefix("./").unwrap_or(path);
        ("", path, (!path.starts_with("../")).then_some(ROOT))
    };
    let mut uri = prefix.to_owned();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => write!(uri, "%{byte:02X}").expect("writing to a string cannot fail"),
        }
    }
    ArtifactLocation { uri, uri_base_id }
}

/// Returns the fix, if all of its edits lie in the excerpt, where their lines are known. Edits
/// are of `SKILL.md`, so a finding in another file has none here.
fn fix(diagnostic: &Diagnostic) -> Option<SarifFix<'_>> {
    let file = diagnostic.path.rsplit('/').next()?;
    if !file.eq_ignore_ascii_case("SKILL.md") {
        return None;
    }
    let Fix { title, applicability, edits } = diagnostic.fix.as_ref()?;
    let excerpt = diagnostic.excerpt.as_ref()?;
    let lines = LineIndex::new(&excerpt.text);
    let replacements =
        edits.iter().map(|edit| replacement(excerpt, &lines, edit)).collect::<Option<Vec<_>>>()?;
    let artifact_location = artifact(&diagnostic.path);
    let description = match applicability {
        Applicability::Safe => escape_line(title),
        Applicability::Unsafe => Cow::Owned(format!("{} (look at the result)", escape_line(title))),
    };
    Some(SarifFix {
        description: message(description),
        artifact_changes: [ArtifactChange { artifact_location, replacements }],
    })
}

fn replacement<'a>(
    excerpt: &Excerpt,
    lines: &LineIndex,
    edit: &'a Edit,
) -> Option<Replacement<'a>> {
    let deleted_region = region_in(excerpt, lines, edit.span)?;
    Some(Replacement { deleted_region, inserted_content: Content { text: &edit.text } })
}

fn region_in(excerpt: &Excerpt, lines: &LineIndex, span: Span) -> Option<Region> {
    let place = |at: usize| {
        let at = at.checked_sub(excerpt.offset).filter(|at| *at <= excerpt.text.len())?;
        let mut place = lines.line_column(&excerpt.text, at);
        if place.line == 1 {
            place.column += excerpt.column - 1;
        }
        place.line += excerpt.line - 1;
        Some(place)
    };
    Some(region(place(span.start)?, place(span.end)?))
}
