//! What the linter finds in a skill that is not installed yet.
//!
//! What may harm the user is looked for in every file, also in those that the linter leaves out, and
//! nothing in the skill can allow it.

use std::path::Path;

use dibber_lint::{Settings, Waivers, lint};
use dibber_skill::diagnostic::{Group, Level};
use dibber_skill::discover::{self, IgnoreFiles};
use dibber_skill::scan::hidden_characters::{self, Escapes};
use dibber_skill::scan::{downloads, secrets};
use dibber_text::Source;

use crate::added::write_contents;
use crate::contents::SkillContents;

/// Something in a skill that speaks against it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReviewFinding {
    /// The path in the skill.
    pub path: String,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The rule of the linter.
    pub rule: &'static str,
    /// It may harm the user.
    pub is_security: bool,
    /// What is wrong.
    pub message: String,
}

/// The most findings of a rule in a file.
const FINDINGS_MAX: usize = 5;

/// Returns what may harm the user, in every file.
pub(super) fn security_findings(contents: &SkillContents) -> Vec<ReviewFinding> {
    let mut findings = Vec::new();
    for (path, file) in contents.files() {
        let source = Source::from_bytes(path.as_str(), file.bytes.clone());
        let text = source.text();
        let mut add = |rule, message: &str, starts: Vec<usize>| {
            for at in starts.into_iter().take(FINDINGS_MAX) {
                findings.push(ReviewFinding {
                    path: path.as_str().to_owned(),
                    line: Some(source.line_column(at).line),
                    rule,
                    is_security: true,
                    message: message.to_owned(),
                });
            }
        };
        let name = hidden_characters::find(path.as_str(), Escapes::All);
        if !name.is_empty() {
            add("hidden-unicode", "the name of the file has characters that are hidden", vec![0]);
        }
        let is_markdown = Path::new(path.as_str())
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("md"));
        let nul = text.find('\0').filter(|_| is_markdown);
        add("hidden-unicode", "a NUL character, which no text has", nul.into_iter().collect());
        // A binary file has such bytes by chance.
        if is_markdown || !is_binary(&file.bytes, text) {
            let escapes = if is_markdown { Escapes::All } else { Escapes::ExceptColors };
            let hidden = hidden_characters::find(text, escapes);
            let starts = hidden.iter().map(|run| run.span.start).collect();
            add("hidden-unicode", "characters that are hidden from a reader", starts);
        }
        let starts = secrets::find(text).iter().map(|secret| secret.span.start).collect();
        add("secret", "what looks like a secret", starts);
        let starts = downloads::find(text).iter().map(|download| download.span.start).collect();
        add("piped-shell", "a command runs what it downloads without review", starts);
    }
    findings.sort();
    findings
}

/// Returns `true` if a file is not UTF-8 and has a NUL, and if more than a fiftieth of it are characters
/// that no text has: a single one could be there to hide the others.
fn is_binary(bytes: &[u8], text: &str) -> bool {
    if !bytes.contains(&0) || std::str::from_utf8(bytes).is_ok() {
        return false;
    }
    let is_foreign = |c: &char| matches!(*c, '\0' | char::REPLACEMENT_CHARACTER);
    let foreign = text.chars().filter(is_foreign).count();
    foreign > text.chars().count() / 50
}

/// Returns the other findings of the linter at level `deny`. Nothing if the skill cannot be written into
/// a temporary directory, from which it is read.
pub(super) fn denied_findings(contents: &SkillContents, name: &str) -> Vec<ReviewFinding> {
    let Ok(temporary) = tempfile::Builder::new().prefix("dibber-review").tempdir() else {
        return Vec::new();
    };
    let directory = temporary.path().join(name);
    if write_contents(&directory, contents).is_err() {
        return Vec::new();
    }
    let (found, _) = discover::find_with(std::slice::from_ref(&directory), IgnoreFiles::Ignore);
    let settings = Settings::default().with_comments(Waivers::Ignore);
    let mut findings = Vec::new();
    for found in &found {
        let outcome = discover::isolated(&found.shown_skill_file(), || {
            discover::load(found).map(|skill| lint(&skill, &settings))
        });
        let Ok(outcome) = outcome else { continue };
        let denied = outcome.diagnostics.into_iter().filter(|diagnostic| {
            diagnostic.level == Level::Deny && diagnostic.rule.group != Group::Security
        });
        findings.extend(denied.map(|diagnostic| ReviewFinding {
            path: below(&directory, &diagnostic.path),
            line: diagnostic.range.as_ref().map(|range| range.start.line),
            rule: diagnostic.rule.id,
            is_security: false,
            message: diagnostic.message,
        }));
    }
    findings
}

fn below(directory: &Path, shown: &str) -> String {
    let directory = discover::shown_path(directory);
    let below = shown.strip_prefix(&directory).map(|path| path.trim_start_matches('/'));
    below.filter(|path| !path.is_empty()).unwrap_or("SKILL.md").to_owned()
}
