//! A baseline: the findings that a project had when it began, so that only new ones are reported.
//!
//! The file is JSON with one finding on a line, sorted, so that it changes little and a person
//! can read what it says. A finding is known by its rule, its path and its fingerprint, which is
//! made of the text of its line: it is still known after the line has moved, and new once the
//! line has changed. Two findings on equal lines of a file count as two.
//!
//! Paths are kept as they are shown, so a baseline is to be used from the folder that it was
//! written from.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use serde::Deserialize;

use dibber_skill::diagnostic::Diagnostic;
use dibber_text::{is_invisible, is_terminal_control};

/// The version of the format that is written and read.
const VERSION: u64 = 1;

/// Findings that are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    known: BTreeMap<Key, Known>,
}

/// What a finding is known by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    path: String,
    rule: String,
    fingerprint: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    /// How many of them are still expected.
    count: usize,
    /// What the first of them said, for people.
    message: String,
}

/// Why a text is no baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaselineError {
    /// It is not JSON of the right shape: the parser's words, with the line.
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
                "a baseline of version {version}, and only version {VERSION} is known; write it anew"
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
    findings: Vec<Line>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a finding")]
struct Line {
    rule: String,
    path: String,
    fingerprint: String,
    count: usize,
    message: String,
}

impl Baseline {
    /// Makes a baseline of all findings of a run.
    pub fn new<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>) -> Self {
        let mut baseline = Self::default();
        for diagnostic in diagnostics {
            baseline.add(Key::of(diagnostic), 1, &diagnostic.message);
        }
        baseline
    }

    /// Reads a baseline.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        let malformed = |error: serde_json::Error| BaselineError::Malformed(error.to_string());
        // The version comes first: another one may have another shape.
        let version = serde_json::from_str::<VersionOnly>(text).map_err(malformed)?.version;
        if version != VERSION {
            return Err(BaselineError::Version(version));
        }
        let file: File = serde_json::from_str(text).map_err(malformed)?;
        let mut baseline = Self::default();
        for Line { rule, path, fingerprint, count, message } in file.findings {
            baseline.add(Key { path, rule, fingerprint }, count, &message);
        }
        Ok(baseline)
    }

    fn add(&mut self, key: Key, count: usize, message: &str) {
        if count == 0 {
            return;
        }
        let new = || Known { count: 0, message: message.to_owned() };
        let known = self.known.entry(key).or_insert_with(new);
        known.count = known.count.saturating_add(count);
    }

    /// Writes it, with one finding on a line and a line break at the end.
    pub fn render(&self) -> String {
        let mut out = format!("{{\n  \"version\": {VERSION},\n  \"findings\": [");
        let still_known = self.known.iter().filter(|(_, known)| known.count > 0);
        for (index, (key, known)) in still_known.enumerate() {
            out.push_str(if index == 0 { "\n    {" } else { ",\n    {" });
            push_field(&mut out, "rule", &key.rule);
            push_field(&mut out, "path", &key.path);
            push_field(&mut out, "fingerprint", &key.fingerprint);
            write!(out, "\"count\": {}, ", known.count).expect("a string takes everything");
            push_field(&mut out, "message", &known.message);
            out.truncate(out.len() - ", ".len());
            out.push('}');
        }
        out.push_str(if self.is_empty() { "]\n}\n" } else { "\n  ]\n}\n" });
        out
    }

    /// Tells whether a finding is known, and takes it off the list: when it comes again on an
    /// equal line more often than the baseline has it, the rest are new.
    pub fn is_known(&mut self, diagnostic: &Diagnostic) -> bool {
        match self.known.get_mut(&Key::of(diagnostic)) {
            Some(known) if known.count > 0 => {
                known.count -= 1;
                true
            }
            _ => false,
        }
    }

    /// How many findings it holds that [`Baseline::is_known`] has not been asked for: after a
    /// whole run, those that are repaired.
    pub fn left(&self) -> usize {
        self.known.values().fold(0, |sum, known| sum.saturating_add(known.count))
    }

    /// Tells whether no finding is left in it.
    pub fn is_empty(&self) -> bool {
        self.left() == 0
    }
}

impl Key {
    fn of(diagnostic: &Diagnostic) -> Self {
        Self {
            path: diagnostic.path.clone(),
            rule: diagnostic.rule.id.to_owned(),
            fingerprint: diagnostic.fingerprint.clone(),
        }
    }
}

fn push_field(out: &mut String, name: &str, value: &str) {
    write!(out, "\"{name}\": \"").expect("a string takes everything");
    for c in value.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if is_terminal_control(c) || is_invisible(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}").expect("a string takes everything");
                }
            }
            c => out.push(c),
        }
    }
    out.push_str("\", ");
}
