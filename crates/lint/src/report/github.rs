//! `github`: workflow commands, which GitHub Actions shows beside the lines of a change.
//!
//! A command is one line; `%`, line breaks, and in properties `:` and `,` are escaped as the
//! toolkit of GitHub Actions does it (`packages/core/src/command.ts`). The runner drops columns
//! when a finding spans several lines, so they are left out then.

use std::borrow::Cow;
use std::fmt::Write;

use super::format::{Context, Format, PathBase, Report};
use super::paragraphs::escape_paragraphs;
use super::problem::Problem;
use super::severity::severity;
use dibber_skill::diagnostic::Diagnostic;
use dibber_text::escape_line;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "github",
    summary: "workflow commands that GitHub Actions turns into annotations",
    paths: PathBase::Repository,
    open: |_: Context| Box::new(GitHub::default()),
    statistics: None,
};

#[derive(Default)]
struct GitHub {
    line: String,
}

impl Report for GitHub {
    fn diagnostic(&mut self, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        let line = &mut self.line;
        line.clear();
        line.push_str("::");
        line.push_str(severity(diagnostic.level));
        line.push_str(" file=");
        line.push_str(&property(&escape_line(&diagnostic.path)));
        push_place(line, diagnostic);
        line.push_str(",title=");
        line.push_str(&property(diagnostic.rule.id));
        line.push_str("::");
        // The log shows nothing but the message, so the message says the place once more.
        line.push_str(&data(&escape_line(&diagnostic.path)));
        if let Some(range) = &diagnostic.range {
            push(line, format_args!(":{}:{}", range.start.line, range.start.column));
        }
        line.push_str(": ");
        line.push_str(&data(&escape_line(&diagnostic.message)));
        for (word, text) in [("note", &diagnostic.note), ("help", &diagnostic.help)] {
            if let Some(text) = text {
                push(line, format_args!("%0A{word}: {}", data(&escape_paragraphs(text))));
            }
        }
        line.push('\n');
        out.extend_from_slice(line.as_bytes());
    }

    fn problem(&mut self, problem: &Problem, out: &mut Vec<u8>) {
        let path = escape_line(&problem.path);
        let message = escape_line(&problem.message);
        let (file, text) = (property(&path), data(&message));
        out.extend_from_slice(
            format!("::error file={file},title=could not be checked::{text}\n").as_bytes(),
        );
    }
}

fn push_place(line: &mut String, diagnostic: &Diagnostic) {
    let Some(range) = &diagnostic.range else { return };
    let (start, end) = (range.start, range.end);
    if start.line == end.line {
        let (line_number, first, last) = (start.line, start.column, end.column);
        push(
            line,
            format_args!(",line={line_number},col={first},endLine={line_number},endColumn={last}"),
        );
    } else {
        push(line, format_args!(",line={},endLine={}", start.line, end.line));
    }
}

fn push(line: &mut String, text: std::fmt::Arguments<'_>) {
    line.write_fmt(text).expect("writing to a string cannot fail");
}

/// Escapes the value of a property.
fn property(text: &str) -> Cow<'_, str> {
    encode(text, &['%', '\r', '\n', ':', ','])
}

/// Escapes the message.
fn data(text: &str) -> Cow<'_, str> {
    encode(text, &['%', '\r', '\n'])
}

fn encode<'a>(text: &'a str, special: &[char]) -> Cow<'a, str> {
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut encoded = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if special.contains(&c) {
            push(&mut encoded, format_args!("%{:02X}", u32::from(c)));
        } else {
            encoded.push(c);
        }
    }
    Cow::Owned(encoded)
}
