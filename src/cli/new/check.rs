//! Whether answers are right: what `scaffold` says of them, the names of children in them, and
//! what the linter says of the skill that they make.

use crate::cli::error::CommandError;
use crate::cli::lint::today;
use dibber_lint::Settings;
use dibber_skill::names::{HELP_IN_NAMES, HELP_IN_PROSE, Roster, Scope};
use dibber_skill::scaffold::{self, Answers, Template};
use dibber_text::Problem;

/// What is wrong with answers, to be shown.
pub(super) fn errors(template: &Template, answers: &Answers, roster: &Roster) -> Vec<CommandError> {
    let to_error = |problem: Problem<()>| {
        CommandError::new(problem.message).help(problem.help.unwrap_or_default())
    };
    problems(template, answers, roster).into_iter().map(to_error).collect()
}

fn problems(template: &Template, answers: &Answers, roster: &Roster) -> Vec<Problem<()>> {
    let mut problems = scaffold::problems(template, answers);
    problems.extend(names(answers, roster));
    // A skill made of such answers would only repeat what is said already.
    let trusted = if problems.is_empty() { answers.clone() } else { left_to_the_linter(answers) };
    let skill = scaffold::plan(template, &trusted).skill();
    let settings = Settings::new(None, &[], today()).expect("nothing that could be wrong");
    for finding in dibber_lint::lint(&skill, &settings).diagnostics {
        let help = finding.help.unwrap_or_default();
        problems.push(Problem::new((), finding.message).with_help(help));
    }
    problems
}

/// The answers of which nothing has been said yet.
fn left_to_the_linter(answers: &Answers) -> Answers {
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
    let mut look = |what: &str, text: &str, scope: Scope, help: &str| {
        if let Some(hit) = roster.find(text, scope).first() {
            let message = hit.message(&format!("in {what}"));
            problems.push(Problem::new((), message).with_help(help));
        }
    };
    look("the name", answers.name.as_deref().unwrap_or_default(), Scope::FileName, HELP_IN_NAMES);
    look("the label", answers.label.as_deref().unwrap_or_default(), Scope::Prose, HELP_IN_PROSE);
    let description = answers.description.as_deref().unwrap_or_default();
    look("the description", description, Scope::Prose, HELP_IN_PROSE);
    for input in &answers.inputs {
        look("the name of an input", &input.name, Scope::FileName, HELP_IN_NAMES);
        let description = input.description.as_deref().unwrap_or_default();
        look("the description of an input", description, Scope::Prose, HELP_IN_PROSE);
    }
    problems
}
