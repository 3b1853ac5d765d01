//! Checks of the answers: those of `scaffold`, those for children's names, and those of the linter
//! for the skill that the answers make.

use std::sync::Arc;

use crate::cli::error::CommandError;
use crate::cli::lint::today;
use dibber_lint::Settings;
use dibber_lint::rules::DESCRIPTION_CHARACTERS_MIN;
use dibber_skill::diagnostic::Diagnostic;
use dibber_skill::names::{HELP_IN_NAMES, HELP_IN_PROSE, Roster, Scope};
use dibber_skill::scaffold::{self, Answers, Template};
use dibber_text::{Problem, message, quote_in_full};

/// The rule that reports descriptions that say too little.
const SHORT_DESCRIPTION: &str = "short-description";
/// The rule that reports children's names.
const CHILD_NAME: &str = "child-name";

/// The rule that reports a skill for children without their ages.
const NO_AGE_RANGE: &str = "kid-callable-without-age-range";

/// The rule that reports schedules of skills for the home agent, among others.
const UNSCHEDULABLE_SKILL: &str = "unschedulable-skill";

/// Returns the problems of single answers as errors.
pub(super) fn invalid(
    template: &Template,
    answers: &Answers,
    roster: &Roster,
) -> Vec<CommandError> {
    problems(template, answers, roster).into_iter().map(to_error).collect()
}

fn problems(template: &Template, answers: &Answers, roster: &Roster) -> Vec<Problem<()>> {
    let mut problems = scaffold::problems(template, answers);
    problems.extend(names(answers, roster));
    problems
}

fn to_error(problem: Problem<()>) -> CommandError {
    CommandError::new(problem.message).help(problem.help.unwrap_or_default())
}

/// Returns the problems of the answers as errors, and those of the skill that they make.
pub(super) fn errors(template: &Template, answers: &Answers, roster: &Roster) -> Vec<CommandError> {
    let problems = problems(template, answers, roster);
    // The linter would only repeat the problems that are reported already.
    let has_problems = !problems.is_empty();
    let linted = if problems.is_empty() { answers.clone() } else { answers_for_linter(answers) };
    let linted_description = linted.description.clone().unwrap_or_default();
    let skill = scaffold::plan(template, &linted).skill();
    let settings = Settings::new(None, &[], today()).expect("no configuration to be invalid");
    let mut errors: Vec<_> = problems.into_iter().map(to_error).collect();
    let linted = dibber_lint::lint(&skill, &settings.with_roster(Arc::new(roster.clone())));
    // Names in the answers are reported above, and so is a schedule for the home agent.
    let is_new = |found: &Diagnostic| match found.rule.id {
        CHILD_NAME => false,
        UNSCHEDULABLE_SKILL => !has_problems,
        _ => true,
    };
    let findings = linted.diagnostics.into_iter().filter(is_new);
    errors.extend(findings.map(|finding| finding_error(finding, &linted_description)));
    errors
}

/// Converts a finding in the skill that the answers make to the error of an answer.
fn finding_error(finding: Diagnostic, description: &str) -> CommandError {
    let error = if finding.rule.id == SHORT_DESCRIPTION {
        let characters = description.chars().count();
        let message = message!["the description needs at least ", DESCRIPTION_CHARACTERS_MIN];
        CommandError::new(message![message, " characters; it has ", characters, " so far"])
    } else {
        CommandError::new(quote_in_full(&finding.message))
    };
    if finding.rule.id == NO_AGE_RANGE {
        // The help of the rule is about sprout.yaml.
        return error
            .help("add `--ages` with the lowest and the highest age, such as `--ages 5-7`");
    }
    error.help(quote_in_full(&finding.help.unwrap_or_default()))
}

/// Returns the answers without those that only `scaffold` checks.
fn answers_for_linter(answers: &Answers) -> Answers {
    Answers {
        name: None,
        label: None,
        description: answers.description.clone().filter(|text| !text.contains(char::is_control)),
        inputs: Vec::new(),
        ..answers.clone()
    }
}

fn names(answers: &Answers, roster: &Roster) -> Vec<Problem<()>> {
    let mut problems = Vec::new();
    let mut check = |what: &'static str, text: &str, scope: Scope, help: &'static str| {
        if let Some(hit) = roster.find(text, scope).first() {
            let message = message![what, " ", hit.message()];
            problems.push(Problem::new((), message).with_help(help));
        }
    };
    check("the name", answers.name.as_deref().unwrap_or_default(), Scope::FileName, HELP_IN_NAMES);
    check("the label", answers.label.as_deref().unwrap_or_default(), Scope::Prose, HELP_IN_PROSE);
    let description = answers.description.as_deref().unwrap_or_default();
    check("the description", description, Scope::Prose, HELP_IN_PROSE);
    for input in &answers.inputs {
        check("the name of an input", &input.name, Scope::FileName, HELP_IN_NAMES);
        let description = input.description.as_deref().unwrap_or_default();
        check("the description of an input", description, Scope::Prose, HELP_IN_PROSE);
    }
    problems
}
