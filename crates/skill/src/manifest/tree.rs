//! From the text of a manifest to its YAML tree, and why it cannot be read.

use super::model::{MANIFEST_BYTES_MAX, MANIFEST_FILE_NAME};
use super::problem::{ManifestProblem, SyntaxError, TOO_LARGE_HELP};
use super::problems::Problems;
use crate::skill::{self, Node};
use dibber_text::{
    BYTE_ORDER_MARK, Encoding, Problem, Source, Span, line_around, message, quote, quote_in_full,
};

/// What a document of YAML may begin with.
const DOCUMENT_MARK: &str = "---";

/// Parses the YAML of a manifest, as far as it can be read.
pub(super) fn parse(source: &Source, problems: &mut Problems) -> Option<Node> {
    let text = source.text();
    if text.len() > MANIFEST_BYTES_MAX {
        let message =
            message!["`", MANIFEST_FILE_NAME, "` is larger than 64 KiB, and was not read"];
        problems.push_invalid(Problem::new(first_line(text), message).with_help(TOO_LARGE_HELP));
        return None;
    }
    if let Some(found) = source.not_utf8() {
        let span = Span::new(found.at, found.at + 1);
        problems.push_invalid(Problem::new(span, found.describe()).with_help(found.help()));
        if matches!(found.encoding, Encoding::Utf16LittleEndian | Encoding::Utf16BigEndian) {
            return None;
        }
    } else if let Some(at) = memchr::memchr(0, text.as_bytes()) {
        let problem = Problem::new(Span::new(at, at + 1), "a NUL character in a text file");
        problems.push_invalid(problem.with_help("save the file as UTF-8 text"));
        return None;
    }
    let (root, found) = parse_yaml(text);
    for fault in found {
        add(text, fault, problems);
    }
    root
}

fn parse_yaml(text: &str) -> (Option<Node>, Vec<skill::Fault>) {
    let parsed = skill::parse_yaml(text);
    let is_broken =
        |fault: &skill::Fault| matches!(fault.kind, skill::FaultKind::InvalidYaml { .. });
    if !parsed.1.iter().any(is_broken) {
        return parsed;
    }
    // Broken YAML is read key by key, and a `---` at the beginning of the file is not a key.
    let without_mark = without_first_mark(text).map(|text| skill::parse_yaml(&text));
    without_mark.filter(|(_, faults)| !faults.is_empty()).unwrap_or(parsed)
}

/// Returns the text with spaces instead of a `---` that it begins with, after comments.
fn without_first_mark(text: &str) -> Option<String> {
    let start = text.len() - text.trim_start_matches(BYTE_ORDER_MARK).len();
    for line in skill::lines_of(text, Span::new(start, text.len())) {
        let content = text[line.range()].trim_end();
        if content == DOCUMENT_MARK {
            let mut blanked = text.to_owned();
            blanked.replace_range(line.start..line.start + DOCUMENT_MARK.len(), "   ");
            return Some(blanked);
        }
        if !content.is_empty() && !content.starts_with('#') {
            break;
        }
    }
    None
}

/// Returns `true` if `text` has nothing but comments: it is a manifest without settings.
fn has_only_comments(text: &str) -> bool {
    let mut lines = text.trim_start_matches(BYTE_ORDER_MARK).lines();
    lines.all(|line| line.trim_start_matches(' ').is_empty() || line.trim_start().starts_with('#'))
}

fn first_line(text: &str) -> Span {
    let is_blank = |c: char| c.is_whitespace() || c == BYTE_ORDER_MARK;
    let start = text.len() - text.trim_start_matches(is_blank).len();
    let line = line_around(text, start);
    Span::new(start, line.end)
}

fn add(text: &str, fault: skill::Fault, problems: &mut Problems) {
    match fault.kind {
        skill::FaultKind::InvalidYaml { message, entry } => {
            problems.add_broken_lines(entry);
            problems.push(invalid_yaml(text, fault.span, message, entry));
        }
        skill::FaultKind::Limit { what, max } => {
            problems.cut_off();
            let line = line_around(text, fault.span.start);
            let span = Span::new(fault.span.start, line.end.max(fault.span.start));
            let message = message!["`", MANIFEST_FILE_NAME, "` has more than ", max, " ", what];
            let help = "make it smaller; what follows here was not read";
            problems.push_invalid(Problem::new(span, message).with_help(help));
        }
        skill::FaultKind::NotAMapping { .. } if has_only_comments(text) => {}
        skill::FaultKind::NotAMapping { found } => {
            let message = message!["`", MANIFEST_FILE_NAME, "` is ", found, ", not a mapping"];
            let help = match found {
                "empty" => "write how the skill is published, or delete the file",
                _ => "begin each line with a key: `label: Homework check-in`",
            };
            problems.push_invalid(Problem::new(first_line(text), message).with_help(help));
        }
        skill::FaultKind::DuplicateKey { key, first } => {
            let message = message!["duplicate key `", quote(&key), "`"];
            let problem = Problem::new(fault.span, message).with_help("keep one of them");
            problems.push_invalid(problem.with_label(first, "first used here"));
        }
        // Only `SKILL.md` has frontmatter.
        skill::FaultKind::MissingFrontmatter(_) | skill::FaultKind::UnclosedFrontmatter => {}
    }
}

fn invalid_yaml(text: &str, span: Span, message: String, entry: Span) -> ManifestProblem {
    if text[span.start..].starts_with(DOCUMENT_MARK) {
        let span = Span::new(span.start, span.start + DOCUMENT_MARK.len());
        let message = "a second document begins here, and the file must have only one";
        let help = "delete the line; the keys below it then count like those above";
        return ManifestProblem::invalid(Problem::new(span, message).with_help(help));
    }
    let problem = Problem::new(span, message!["not valid YAML: ", quote_in_full(&message)])
        .with_help("put the value in quotes, or indent it below its key");
    let syntax = Some(SyntaxError { message, entry });
    ManifestProblem { syntax, ..ManifestProblem::invalid(problem) }
}
