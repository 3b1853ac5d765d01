//! One skill as it would be published: its arguments, and their hash when they are certain.

use serde_json::{Map, Value};

use super::error::CommandError;
use dibber_lint::{Settings, Waivers, report_findings};
use dibber_skill::contract::{SKILL_WRITE, SkillWrite};
use dibber_skill::diagnostic::{Diagnostic, Finding};
use dibber_skill::discover::{self, DiscoverError, FoundSkill};
use dibber_skill::draft::Draft;
use dibber_skill::skill::Skill;
use dibber_skill::spec_hash::SpecHash;
use dibber_text::{Message, message, quote_argument, quote_in_full};

/// A skill with its draft.
pub(super) struct Drafted {
    pub(super) skill: Skill,
    pub(super) draft: Draft,
    /// The hash of the arguments. If a file is ambiguous, the arguments are uncertain: then
    /// there is no hash, but the findings with the reasons.
    pub(super) hash: Result<SpecHash, Vec<Finding>>,
}

impl Drafted {
    /// Loads and drafts a skill. A panic is an error of this skill alone.
    pub(super) fn load(found: &FoundSkill) -> Result<Self, DiscoverError> {
        discover::isolated(&found.shown_skill_file(), || {
            discover::load_published(found).map(Self::from_skill)
        })
    }

    /// Drafts a skill that is loaded.
    fn from_skill(skill: Skill) -> Self {
        let draft = Draft::new(&skill);
        Self::with_draft(skill, draft)
    }

    /// Joins a skill with its draft.
    pub(super) fn with_draft(skill: Skill, draft: Draft) -> Self {
        let hash = match draft.certain() {
            Ok(arguments) => {
                let hash = SpecHash::compute(SKILL_WRITE, &as_json(arguments));
                Ok(hash.expect("there are no numbers among the arguments"))
            }
            Err(_) => Err(dibber_lint::draft_faults(&skill, &draft)),
        };
        Self { skill, draft, hash }
    }

    /// Returns the directory of the skill, as it is shown.
    pub(super) fn path(&self) -> &str {
        match self.skill.bundle.path.as_str() {
            "" => ".",
            path => path,
        }
    }

    /// Returns findings in this skill as diagnostics. Waiver comments are ignored: what keeps a
    /// skill from being published is shown in any case.
    pub(super) fn diagnostics(
        &self,
        findings: Vec<Finding>,
        settings: &Settings,
    ) -> Vec<Diagnostic> {
        report_findings(&self.skill, settings, findings, Waivers::Ignore).diagnostics
    }

    /// Returns the error for a skill without a hash, with the first finding.
    pub(super) fn no_hash(&self, faults: &[Finding], settings: &Settings) -> CommandError {
        let (argument, path) = (quote_argument(self.path()), quote_in_full(self.path()));
        let diagnostics = self.diagnostics(faults.to_vec(), settings);
        // A waiver does not make it certain what would be published.
        let waived = || faults.first().map(|fault| fault.message.clone()).unwrap_or_default();
        let first = diagnostics.first().map_or_else(waived, in_one_line);
        let more = match faults.len() {
            0 | 1 => Message::default(),
            count => message![" (and ", count - 1, " more)"],
        };
        CommandError::new(message![path, " has no spec-hash: ", first, more]).help(message![
            "`dibber dry-run ",
            argument,
            "` shows where, and what to write instead"
        ])
    }
}

/// Returns the arguments as they are sent.
pub(super) fn as_json(arguments: &SkillWrite) -> Map<String, Value> {
    match serde_json::to_value(arguments) {
        Ok(Value::Object(arguments)) => arguments,
        _ => unreachable!("a struct serializes as an object"),
    }
}

fn in_one_line(diagnostic: &Diagnostic) -> Message {
    let path = quote_in_full(&diagnostic.path);
    let message = quote_in_full(&diagnostic.message);
    match &diagnostic.range {
        Some(range) => {
            message![path, ":", range.start.line, ":", range.start.column, ": ", message]
        }
        None => message![path, ": ", message],
    }
}
