//! What is suspicious in the strings of a skill. The linter finds the same in files; an agent that
//! publishes a skill has none.

use super::problem::{ArgumentPart, DraftProblems};
use super::reason::Reason;
use crate::contract::SkillWrite;
use crate::draft::origins::Argument;
use crate::names::lookalike_word;
use crate::response_model;
use crate::scan::hidden_characters::{self, Escapes, HiddenRun};
use crate::scan::{downloads, hidden_in_label, secrets};
use dibber_text::{Message, Problem, Span, is_blank, message};

/// `MISLEADING_CHARACTERS`, `SECRET` and `PIPED_SHELL`.
pub(super) fn analyze(arguments: &SkillWrite, problems: &mut DraftProblems) {
    if !is_blank(&arguments.name) {
        add_hidden(Argument::Name, &hidden_in_label::find(&arguments.name), problems);
    }
    add_dangerous(Argument::Name, &arguments.name, problems);
    let mut check = |argument: Argument, text: &str| {
        add_hidden(argument, &hidden_characters::find(text, Escapes::All), problems);
        add_dangerous(argument, text, problems);
    };
    check(Argument::Description, &arguments.description);
    check(Argument::Prompt, &arguments.prompt);
    for (index, input) in arguments.input_variables.iter().enumerate() {
        check(Argument::InputDescription(index), input.description.as_deref().unwrap_or_default());
    }
    for text in arguments.response_model.iter().flat_map(response_model::strings) {
        check(Argument::ResponseModel, text);
    }
    if let Some(span) = lookalike_word(&arguments.name) {
        problems.push(Reason::MisleadingCharacters, || {
            let message = "the label has letters of two scripts in one word, which look alike";
            let help = "write each word in the letters of one script";
            part(Argument::Name, span, message.into(), help)
        });
    }
}

fn add_hidden(argument: Argument, found: &[HiddenRun], problems: &mut DraftProblems) {
    for hidden in found {
        problems.push(Reason::MisleadingCharacters, || {
            let message = "hidden characters, which a parent does not see and a model reads";
            let help = "remove them, and check where this text came from";
            part(argument, hidden.span, message.into(), help)
        });
    }
}

/// Adds the secrets, and the commands that run what they download.
fn add_dangerous(argument: Argument, text: &str, problems: &mut DraftProblems) {
    for secret in secrets::find(text) {
        problems.push(Reason::Secret, || {
            let help = "remove it and revoke it; let the agent read it from its own settings";
            part(argument, secret.span, message!["looks like ", secret.kind], help)
        });
    }
    for download in downloads::find(text) {
        problems.push(Reason::PipedShell, || {
            let message = "a command runs what it downloads without review";
            let help = "download to a file, check it, and then run it";
            part(argument, download.span, message.into(), help)
        });
    }
}

fn part(
    argument: Argument,
    span: Span,
    message: Message,
    help: &'static str,
) -> Problem<ArgumentPart> {
    Problem::new(ArgumentPart { argument, span: Some(span) }, message).with_help(help)
}
