//! `junit`: the XML that test reporters read.
//!
//! A suite for each file with findings, and a case for each finding. It fails if the finding fails the
//! run; a warning that does not is a skipped case, so that a report is not red where a job is green.
//! A skill without findings is a suite with one case that passed. If nothing was checked there is one,
//! too, because some readers reject a report without cases.
//!
//! The start tag of a suite has the number of its cases, so the cases of a file are buffered until
//! its last one; a file with very many findings gets more than one suite.

use std::borrow::Cow;
use std::fmt::Write;

use super::format::{Context, Format, PathBase, Report};
use super::paragraphs::escape_paragraphs;
use super::problem::Problem;
use super::severity::severity;
use super::summary::Summary;
use dibber_skill::diagnostic::{Diagnostic, Level};
use dibber_text::escape_line;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "junit",
    summary: "JUnit XML, for test reporters",
    paths: PathBase::Repository,
    open: |Context { fails_on, .. }| Box::new(JUnit::new(fails_on)),
    statistics: None,
};

/// The most cases of one suite.
const CASES_MAX: usize = 1_000;

struct JUnit {
    fails_on: Level,
    path: String,
    cases: String,
    counts: Counts,
    suites: usize,
    /// Whether the skill under way has findings.
    has_findings: bool,
}

impl Report for JUnit {
    fn begin(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.extend_from_slice(b"<testsuites name=\"dibber lint\">\n");
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        if self.path != diagnostic.path || self.counts.tests == CASES_MAX {
            self.flush(out);
            diagnostic.path.clone_into(&mut self.path);
        }
        self.has_findings = true;
        self.counts.tests += 1;
        if diagnostic.level >= self.fails_on {
            self.counts.failures += 1;
            push_case(&mut self.cases, diagnostic, CaseOutcome::Failed);
        } else {
            self.counts.skipped += 1;
            push_case(&mut self.cases, diagnostic, CaseOutcome::Skipped);
        }
    }

    fn checked(&mut self, path: &str, out: &mut Vec<u8>) {
        self.flush(out);
        if !std::mem::take(&mut self.has_findings) {
            self.write_passed(path, out);
        }
    }

    fn problem(&mut self, problem: &Problem, out: &mut Vec<u8>) {
        self.flush(out);
        let path = xml(&escape_line(&problem.path)).into_owned();
        let message = xml(&escape_line(&problem.message)).into_owned();
        let case = format!(
            "    <testcase name=\"could not be checked\" classname=\"{path}\">\n      \
             <error type=\"problem\" message=\"{message}\"/>\n    </testcase>\n"
        );
        self.write_suite(&path, Counts { tests: 1, errors: 1, ..Counts::default() }, &case, out);
    }

    fn end(&mut self, _summary: &Summary, out: &mut Vec<u8>) {
        self.flush(out);
        if self.suites == 0 {
            self.write_passed("dibber lint", out);
        }
        out.extend_from_slice(b"</testsuites>\n");
    }
}

#[derive(Clone, Copy, Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

/// The outcome of a case with a finding.
#[derive(Clone, Copy)]
enum CaseOutcome {
    Failed,
    Skipped,
}

impl JUnit {
    fn new(fails_on: Level) -> Self {
        let (path, cases) = (String::new(), String::new());
        let counts = Counts::default();
        Self { fails_on, path, cases, counts, suites: 0, has_findings: false }
    }

    /// Writes a suite with one case that passed.
    fn write_passed(&mut self, name: &str, out: &mut Vec<u8>) {
        let name = xml(&escape_line(name)).into_owned();
        let case = format!("    <testcase name=\"no findings\" classname=\"{name}\"/>\n");
        self.write_suite(&name, Counts { tests: 1, ..Counts::default() }, &case, out);
    }

    /// Writes the suite of the current file.
    fn flush(&mut self, out: &mut Vec<u8>) {
        if self.counts.tests > 0 {
            let cases = std::mem::take(&mut self.cases);
            let counts = std::mem::take(&mut self.counts);
            let name = xml(&escape_line(&self.path)).into_owned();
            self.write_suite(&name, counts, &cases, out);
        }
    }

    fn write_suite(&mut self, name: &str, counts: Counts, cases: &str, out: &mut Vec<u8>) {
        self.suites += 1;
        let Counts { tests, failures, errors, skipped } = counts;
        let head = format!(
            "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" \
             errors=\"{errors}\" skipped=\"{skipped}\">\n"
        );
        for text in [&head, cases, "  </testsuite>\n"] {
            out.extend_from_slice(text.as_bytes());
        }
    }
}

fn push_case(cases: &mut String, diagnostic: &Diagnostic, outcome: CaseOutcome) {
    let path = escape_line(&diagnostic.path);
    let place = diagnostic.range.as_ref().map(|range| (range.start.line, range.start.column));
    let level = severity(diagnostic.level);
    let (rule, message) = (diagnostic.rule.id, escape_line(&diagnostic.message));
    push(cases, format_args!("    <testcase name=\"{rule}\" classname=\"{}\"", xml(&path)));
    if let Some((line, column)) = place {
        push(cases, format_args!(" line=\"{line}\" column=\"{column}\""));
    }
    let message = xml(&message);
    let end = match outcome {
        CaseOutcome::Failed => {
            push(cases, format_args!(">\n      <failure type=\"{level}\" message=\"{message}\">"));
            "</failure>"
        }
        // A skipped case has no text of its own.
        CaseOutcome::Skipped => {
            push(
                cases,
                format_args!(">\n      <skipped message=\"{message}\"/>\n      <system-out>"),
            );
            "</system-out>"
        }
    };
    cases.push_str(&xml(&path));
    if let Some((line, column)) = place {
        push(cases, format_args!(":{line}:{column}"));
    }
    push(cases, format_args!(": {level}[{rule}]: {message}"));
    for (word, text) in [("note", &diagnostic.note), ("help", &diagnostic.help)] {
        if let Some(text) = text {
            push(cases, format_args!("\n{word}: {}", xml(&escape_paragraphs(text))));
        }
    }
    push(cases, format_args!("{end}\n    </testcase>\n"));
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string cannot fail");
}

/// Escapes text for an attribute or an element. XML 1.0 forbids control characters, which are
/// escaped already, and two noncharacters, which are escaped here.
fn xml(text: &str) -> Cow<'_, str> {
    let special = |c: char| matches!(c, '<' | '>' | '&' | '"' | '\'' | '\u{FFFE}' | '\u{FFFF}');
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 32);
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            c if special(c) => escaped.extend(c.escape_unicode()),
            c => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}
