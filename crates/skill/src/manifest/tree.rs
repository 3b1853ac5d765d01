//! From the text of a manifest to its YAML tree, and what keeps it from being read.

use super::faults::Faults;
use super::{Fault, MANIFEST_BYTES_MAX, MANIFEST_FILE_NAME, Syntax};
use crate::skill::{self, Node};
use dibber_text::{BYTE_ORDER_MARK, Encoding, Source, Span, ellipsize, line_around};

/// What to do about a manifest that is too large.
pub(super) const TOO_LARGE_HELP: &str =
    "keep only how the skill is published in it; what the agent is to do belongs into `SKILL.md`";

/// What a document of YAML may begin with.
const DOCUMENT_MARK: &str = "---";

/// The YAML of a manifest, as far as it can be read.
pub(super) fn parse(source: &Source, faults: &mut Faults) -> Option<Node> {
    let text = source.text();
    if text.len() > MANIFEST_BYTES_MAX {
        let message = format!("`{MANIFEST_FILE_NAME}` has more than 64 KiB, and was not read");
        faults.invalid(first_line(text), message, TOO_LARGE_HELP);
        return None;
    }
    if let Some(found) = source.not_utf8() {
        let span = Span::new(found.at, found.at + 1);
        faults.invalid(span, found.describe(), found.remedy());
        if matches!(found.encoding, Encoding::Utf16LittleEndian | Encoding::Utf16BigEndian) {
            return None;
        }
    } else if let Some(at) = memchr::memchr(0, text.as_bytes()) {
        let message = "a character here is NUL, which no text file has";
        faults.invalid(Span::new(at, at + 1), message, "save the file as text, in UTF-8");
        return None;
    }
    let (root, found) = parse_yaml(text);
    for fault in found {
        add(text, fault, faults);
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
    // What is broken was read key by key, and a `---` that the file begins with is no key.
    let without_mark = without_first_mark(text).map(|text| skill::parse_yaml(&text));
    without_mark.filter(|(_, faults)| !faults.is_empty()).unwrap_or(parsed)
}

/// The text with blanks in the place of a `---` that it begins with, comments aside.
fn without_first_mark(text: &str) -> Option<String> {
    let mut at = text.len() - text.trim_start_matches(BYTE_ORDER_MARK).len();
    for line in text[at..].split_inclusive(['\n', '\r']) {
        let content = line.trim_end();
        if content == DOCUMENT_MARK {
            let mut blanked = text.to_owned();
            blanked.replace_range(at..at + DOCUMENT_MARK.len(), "   ");
            return Some(blanked);
        }
        if !content.is_empty() && !content.starts_with('#') {
            break;
        }
        at += line.len();
    }
    None
}

fn first_line(text: &str) -> Span {
    let is_blank = |c: char| c.is_whitespace() || c == BYTE_ORDER_MARK;
    let start = text.len() - text.trim_start_matches(is_blank).len();
    let line = line_around(text, start);
    Span::new(start, line.end)
}

fn add(text: &str, fault: skill::Fault, faults: &mut Faults) {
    match fault.kind {
        skill::FaultKind::InvalidYaml { message, entry } => {
            faults.add_broken_lines(entry);
            if text[fault.span.start..].starts_with(DOCUMENT_MARK) {
                let start = fault.span.start;
                let span = Span::new(start, start + DOCUMENT_MARK.len());
                let message = "this line begins a second document, and the file is only one";
                let help = "delete it; keys below it then count like those above";
                faults.invalid(span, message, help);
                return;
            }
            let help = "put the value in quotes, or indent it below its key".to_owned();
            let sentence = format!("not valid YAML: {message}");
            faults.push(Fault {
                syntax: Some(Syntax { message, entry }),
                ..Fault::invalid(fault.span, sentence, Some(help))
            });
        }
        skill::FaultKind::Limit { what, max } => {
            faults.cut_off();
            let line = line_around(text, fault.span.start);
            let span = Span::new(fault.span.start, line.end.max(fault.span.start));
            let message = format!("`{MANIFEST_FILE_NAME}` has more than {max} {what}");
            faults.invalid(span, message, "make it smaller: what follows here was not read");
        }
        skill::FaultKind::NotAMapping { found } => {
            let message = format!("`{MANIFEST_FILE_NAME}` is {found}, not keys and values");
            let help = match found {
                "empty" => "write how the skill is published, or delete the file",
                _ => "begin each line with a key: `label: Homework check-in`",
            };
            faults.invalid(first_line(text), message, help);
        }
        skill::FaultKind::DuplicateKey { key, first } => {
            let message = format!("the key `{}` stands twice", ellipsize(&key));
            let help = "keep one of them".to_owned();
            let fault = Fault::invalid(fault.span, message, Some(help));
            faults
                .push(Fault { label: Some((first, "it stands here already".to_owned())), ..fault });
        }
        // Only `SKILL.md` has frontmatter.
        skill::FaultKind::MissingFrontmatter(_) | skill::FaultKind::UnclosedFrontmatter => {}
    }
}
