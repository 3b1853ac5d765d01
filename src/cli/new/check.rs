//! Checks of the answers: those of `scaffold`, those for children's names, and those of the linter
//! for the skill that the answers make.

use std::sync::Arc;

use crate::cli::error::CommandError;
use crate::cli::lint::today;
use dibber_lint::Settings;
use dibber_skill::names::{HELP_IN_NAMES, HELP_IN_PROSE, Roster, Scope};
use dibber_skill::scaffold::{self, Answers, Template};
use dibber_text::{Problem, message, quote_in_full};

/// The rule that reports children's names.
const CHILD_NAME: &str = "child-name";

/// Returns the problems of the answers as errors.
pub(super) fn errors(template: &Template, answers: &Answers, roster: &Roster) -> Vec<CommandError> {
    let to_error = |problem: Problem<()>| {
        CommandError::new(problem.message).help(problem.help.unwrap_or_default())
    };
    let mut problems = scaffold::problems(template, answers);
    problems.extend(names(answers, roster));
    // The linter would only repeat the problems that are reported already.
    let linted = if problems.is_empty() { answers.clone() } else { answers_for_linter(answers) };
    let skill = scaffold::plan(template, &linted).skill();
    let settings = Settings::new(None, &[], today()).expect("no configuration to be invalid");
    let mut errors: Vec<_> = problems.into_iter().map(to_error).collect();
    let linted = dibber_lint::lint(&skill, &settings.with_roster(Arc::new(roster.clone())));
    // Names in the answers are reported above.
    let findings = linted.diagnostics.into_iter().filter(|found| found.rule.id != CHILD_NAME);
    errors.extend(findings.map(|finding| {
        CommandError::new(quote_in_full(&finding.message))
            .help(quote_in_full(&finding.help.unwrap_or_default()))
    }));
    errors
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
