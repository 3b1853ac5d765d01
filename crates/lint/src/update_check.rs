//! What is wrong with the new strings of a stored skill: the same as rules find in the files of a
//! skill before a push.

use super::draft_findings::{is_found_in_files, rule_of};
use dibber_skill::contract::{SkillUpdate, SkillWrite, StoredSkill};
use dibber_skill::diagnostic::Level;
use dibber_skill::draft::{Argument, DraftProblem, Reason, analyze};
use dibber_skill::names::Roster;
use dibber_text::Message;

/// A problem of a string that an update sets.
#[derive(Clone, Debug)]
pub struct UpdateProblem {
    /// The string.
    pub argument: Argument,
    /// Its line, from 1.
    pub line: usize,
    /// The cause.
    pub reason: Reason,
    /// What is wrong.
    pub message: Message,
    /// What to write instead.
    pub help: Option<Message>,
}

impl UpdateProblem {
    /// Returns `true` if the rule that finds it prevents a push by default; else it is to be
    /// reviewed.
    pub fn is_denied(&self) -> bool {
        rule_of(self.reason).level == Level::Deny
    }
}

/// Returns the secrets, children's names, hidden characters and piped shells in the label, the
/// summary and the prompt that an update sets. A server judges the rest, with the whole skill.
pub fn check_update(
    update: &SkillUpdate,
    stored: &StoredSkill,
    roster: &Roster,
) -> Vec<UpdateProblem> {
    let string = |new: &Option<String>| new.clone().unwrap_or_default();
    let strings = SkillWrite {
        name: string(&update.name),
        description: string(&update.description),
        prompt: string(&update.instructions),
        input_variables: stored.input_variables.clone(),
        ..SkillWrite::default()
    };
    let problem = |found: DraftProblem| {
        let DraftProblem { reason, problem, .. } = found;
        let argument = problem.place.argument;
        let string = match argument {
            Argument::Name => &strings.name,
            Argument::Description => &strings.description,
            Argument::Prompt => &strings.prompt,
            _ => return None,
        };
        let start = problem.place.span.map_or(0, |span| span.start);
        let line = 1 + string[..start].matches('\n').count();
        let (message, help) = (problem.message, problem.help);
        is_found_in_files(reason).then_some(UpdateProblem { argument, line, reason, message, help })
    };
    analyze(&strings, roster).into_iter().filter_map(problem).collect()
}
