//! A baseline: the known findings of a project, so that only new ones are reported.
//!
//! The file is JSON with one finding per line, sorted, so that diffs of it are small and readable.
//! A finding is identified by its rule, its path and its fingerprint, which is made of the content
//! of its line: it is still known after the line has moved, and new once the line has changed. Two
//! findings on equal lines of a file count as two. A finding on a whole file is identified by its
//! rule and its path alone, and several of one rule are counted. The message is for readers only:
//! it may have other words or numbers, and the finding is still known.
//!
//! Paths are stored as they are shown, so a baseline is to be used from the directory that it was
//! written from.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use serde::Deserialize;

use dibber_skill::diagnostic::Diagnostic;
use dibber_text::{is_invisible, is_terminal_control};

/// The version of the format that is written and read.
const VERSION: u64 = 1;

/// A set of known findings, with the number of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    known: BTreeMap<FindingKey, Known>,
}

/// What identifies a finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FindingKey {
    path: String,
    rule: String,
    fingerprint: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    /// The number of them that are still expected.
    count: usize,
    /// The message of the first of them, for people who read the file.
    message: String,
}

/// Why a file is not a valid baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaselineError {
    /// It is not JSON of the right shape: the message of the parser, with the line.
    Malformed(String),
    /// It has another version.
    Version(u64),
}

impl fmt::Display for BaselineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(message) => write!(f, "not a baseline: {message}"),
            Self::Version(version) => write!(
                f,
                "unsupported baseline version {version}, expected {VERSION}; write the baseline again"
            ),
        }
    }
}

impl std::error::Error for BaselineError {}

#[derive(Deserialize)]
#[serde(expecting = "a table with a version")]
struct VersionOnly {
    version: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table of findings")]
struct File {
    #[serde(rename = "version")]
    _version: u64,
    findings: Vec<FileFinding>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a finding")]
struct FileFinding {
    rule: String,
    path: String,
    fingerprint: String,
    count: usize,
    message: String,
}

impl Baseline {
    /// Creates a baseline of all findings of a run.
    pub fn new<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>) -> Self {
        let mut baseline = Self::default();
        for diagnostic in diagnostics {
            baseline.add(FindingKey::new(diagnostic), 1, &diagnostic.message);
        }
        baseline
    }

    /// Parses a baseline.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        let malformed = |error: serde_json::Error| BaselineError::Malformed(error.to_string());
        // The version is read first, since another version may have another shape.
        let version = serde_json::from_str::<VersionOnly>(text).map_err(malformed)?.version;
        if version != VERSION {
            return Err(BaselineError::Version(version));
        }
        let file: File = serde_json::from_str(text).map_err(malformed)?;
        let mut baseline = Self::default();
        for FileFinding { rule, path, fingerprint, count, message } in file.findings {
            baseline.add(FindingKey { path, rule, fingerprint }, count, &message);
        }
        Ok(baseline)
    }

    fn add(&mut self, key: FindingKey, count: usize, message: &str) {
        if count == 0 {
            return;
        }
        let new = || Known { count: 0, message: message.to_owned() };
        let known = self.known.entry(key).or_insert_with(new);
        known.count = known.count.saturating_add(count);
    }

    /// Returns it as JSON, with one finding per line and a final line break.
    pub fn render(&self) -> String {
        let mut out = format!("{{\n  \"version\": {VERSION},\n  \"findings\": [");
        let still_known = self.known.iter().filter(|(_, known)| known.count > 0);
        for (index, (key, known)) in still_known.enumerate() {
            out.push_str(if index == 0 { "\n    {" } else { ",\n    {" });
            push_field(&mut out, "rule", &key.rule);
            push_field(&mut out, "path", &key.path);
            push_field(&mut out, "fingerprint", &key.fingerprint);
            write!(out, "\"count\": {}, ", known.count).expect("writing to a string does not fail");
            push_field(&mut out, "message", &known.message);
            out.truncate(out.len() - ", ".len());
            out.push('}');
        }
        out.push_str(if self.is_empty() { "]\n}\n" } else { "\n  ]\n}\n" });
        out
    }

    /// Returns `true` if a finding is known, and removes it: if it occurs on equal lines more often
    /// than in the baseline, the rest are new.
    pub fn is_known(&mut self, diagnostic: &Diagnostic) -> bool {
        match self.known.get_mut(&FindingKey::new(diagnostic)) {
            Some(known) if known.count > 0 => {
                known.count -= 1;
                true
            }
            _ => false,
        }
    }

    /// The number of findings that [`Baseline::is_known`] has not removed: after a whole run, those
    /// that no longer occur.
    pub fn left(&self) -> usize {
        self.known.values().fold(0, |sum, known| sum.saturating_add(known.count))
    }

    /// Returns `true` if no finding is left.
    pub fn is_empty(&self) -> bool {
        self.left() == 0
    }
}

impl FindingKey {
    fn new(diagnostic: &Diagnostic) -> Self {
        Self {
            path: diagnostic.path.clone(),
            rule: diagnostic.rule.id.to_owned(),
            fingerprint: diagnostic.fingerprint.clone(),
        }
    }
}

fn push_field(out: &mut String, name: &str, value: &str) {
    write!(out, "\"{name}\": \"").expect("writing to a string does not fail");
    for c in value.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if is_terminal_control(c) || is_invisible(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}").expect("writing to a string does not fail");
                }
            }
            c => out.push(c),
        }
    }
    out.push_str("\", ");
}
