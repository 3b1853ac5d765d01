//! `concise`: one line for each finding.

use super::format::{Context, Format, PathBase, Report};
use super::paint::{Ink, level_ink, paint};
use super::severity::severity;
use super::statistics::StatisticsText;
use super::style::Style;
use dibber_skill::diagnostic::Diagnostic;
use dibber_text::escape_line;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "concise",
    summary: "one line for each finding, as editors and grep understand it",
    paths: PathBase::CurrentDirectory,
    open: |Context { style, .. }| Box::new(Concise { style, line: String::new() }),
    statistics: Some(|Context { style, .. }| Box::new(StatisticsText::new(style))),
};

struct Concise {
    style: Style,
    line: String,
}

impl Report for Concise {
    fn diagnostic(&mut self, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        let (color, line) = (self.style.color, &mut self.line);
        line.clear();
        paint(line, color, Ink::Strong, &escape_line(&diagnostic.path));
        if let Some(range) = &diagnostic.range {
            for number in [range.start.line, range.start.column] {
                line.push(':');
                line.push_str(&number.to_string());
            }
        }
        line.push_str(": ");
        paint(line, color, level_ink(diagnostic.level), severity(diagnostic.level));
        line.push('[');
        line.push_str(diagnostic.rule.id);
        line.push_str("]: ");
        line.push_str(&escape_line(&diagnostic.message));
        line.push('\n');
        out.extend_from_slice(line.as_bytes());
    }
}
