//! What the linter says about the changed skill, and did not say before.

use std::sync::Arc;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::lint::today;
use dibber_lint::Settings;
use dibber_skill::diagnostic::Level;
use dibber_skill::discover::FoundSkill;
use dibber_skill::names::Roster;
use dibber_skill::revision::{
    Repetition, RevisedFile, SkillAnswers, SkillChanges, revise, with_files, with_repetitions,
};
use dibber_skill::skill::Skill;
use dibber_text::{Problem, message, quote_in_full};

/// The rule that finds names of children.
const CHILD_NAME_RULE: &str = "child-name";

/// A skill as it is, to which changes are compared.
pub(super) struct Checker<'a> {
    skill: &'a Skill,
    known: &'a SkillAnswers,
    settings: Settings,
    /// The errors that it has without any change.
    errors: Vec<SkillError>,
}

/// An error that the linter reports.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct SkillError {
    message: String,
    help: String,
}

impl<'a> Checker<'a> {
    /// Creates the checker of a skill whose files were read to their ends.
    pub(super) fn new(
        found: &FoundSkill,
        skill: &'a Skill,
        known: &'a SkillAnswers,
        roster: &Roster,
    ) -> Result<Self, CommandError> {
        if !is_whole(skill) {
            let path = quote_in_full(&found.shown);
            let message = message!["a file of ", path, " is not UTF-8, or is too large"];
            return Err(CommandError::new(message).exit(Exit::BadInput));
        }
        let settings = Settings::new(None, &[], today()).expect("no configuration to be invalid");
        let settings = settings.with_roster(Arc::new(roster.clone()));
        let errors = errors(skill, &settings);
        Ok(Self { skill, known, settings, errors })
    }

    /// Returns the files that are different with these changes.
    pub(super) fn files(&self, changes: &SkillChanges) -> Result<Vec<RevisedFile>, CommandError> {
        let changes = changes.clone().without_known(self.known);
        let missing = changes.removed_inputs.iter().find(|name| !self.known.inputs.contains(name));
        if let Some(missing) = missing {
            let message = message!["there is no input `", quote_in_full(missing), "` to remove"];
            return Err(CommandError::new(message).exit(Exit::BadInput));
        }
        if changes.is_empty() {
            return Ok(Vec::new());
        }
        revise(self.skill, &changes).map_err(problem_error)
    }

    /// Returns the answers that the files give without any change.
    pub(super) const fn known(&self) -> &'a SkillAnswers {
        self.known
    }

    /// Returns the changes with those of the places that repeat a former answer, and these places.
    pub(super) fn with_repetitions(
        &self,
        changes: &SkillChanges,
    ) -> (SkillChanges, Vec<Repetition>) {
        with_repetitions(self.skill, changes)
    }

    /// Returns the text that an agent reads.
    pub(super) fn body(&self) -> &'a str {
        self.skill.body_text()
    }

    /// Returns the lines in which the skill with these files contains a name, after the paths of the
    /// files from its directory; without its own name, which is that of the directory.
    pub(super) fn lines_with_names(
        &self,
        files: &[RevisedFile],
        roster: Roster,
    ) -> Vec<(String, usize)> {
        if roster.is_empty() {
            return Vec::new();
        }
        let settings = self.settings.clone().with_roster(Arc::new(roster));
        let skill = with_files(self.skill, files);
        let name =
            skill.string_field("name").map(|(_, span)| skill.source.lines().line(span.start));
        let is_name = |path: &str, line| path == skill.bundle.skill_file && Some(line) == name;
        let found = dibber_lint::lint(&skill, &settings).diagnostics.into_iter();
        let found = found.filter(|found| found.rule.id == CHILD_NAME_RULE);
        // The path is masked, but has the same components.
        let parents = skill.source.path().matches('/').count();
        let lines = found.filter_map(|found| {
            let path = found.path.splitn(parents + 1, '/').last()?.to_owned();
            Some((path, found.range?.start.line))
        });
        lines.filter(|(path, line)| !is_name(path, *line)).collect()
    }

    /// Returns the errors of the skill with these files that it does not have without them.
    pub(super) fn new_errors(&self, files: &[RevisedFile]) -> Vec<SkillError> {
        let after = errors(&with_files(self.skill, files), &self.settings);
        after.into_iter().filter(|error| !self.errors.contains(error)).collect()
    }
}

impl SkillError {
    pub(super) fn to_command_error(&self) -> CommandError {
        let error = CommandError::new(quote_in_full(&self.message)).exit(Exit::BadInput);
        if self.help.is_empty() { error } else { error.help(quote_in_full(&self.help)) }
    }
}

/// Returns changes in which each added input has a value on the schedules of the skill.
pub(super) fn with_values(
    changes: SkillChanges,
    known: &SkillAnswers,
) -> Result<SkillChanges, CommandError> {
    let Some(missing) = changes.inputs_without_value(known).first().map(|name| quote_in_full(name))
    else {
        return Ok(changes);
    };
    let message = message!["the schedule needs a value for the input `", missing, "`"];
    let help =
        message!["add what it is when the skill runs by itself: `--value ", missing, "=TEXT`"];
    Err(CommandError::new(message).exit(Exit::BadInput).help(help))
}

fn errors(skill: &Skill, settings: &Settings) -> Vec<SkillError> {
    let found = dibber_lint::lint(skill, settings).diagnostics.into_iter();
    let found = found.filter(|found| found.level == Level::Deny);
    found.map(|it| SkillError { message: it.message, help: it.help.unwrap_or_default() }).collect()
}

/// Returns `true` if the files were read as they are on disk, to the byte.
fn is_whole(skill: &Skill) -> bool {
    skill.is_whole_text() && skill.resources.iter().all(|file| file.source.not_utf8().is_none())
}

fn problem_error(problem: Problem<()>) -> CommandError {
    let error = CommandError::new(problem.message).exit(Exit::BadInput);
    match problem.help {
        Some(help) => error.help(help),
        None => error,
    }
}
