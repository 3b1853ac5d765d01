//! What is wrong with the answers themselves, in any template.

use std::collections::BTreeSet;

use super::answers::Answers;
use super::sprout_file::Publication;
use super::templates::Template;
use crate::contract::{Category, InputVariable};
use crate::manifest::MANIFEST_FILE_NAME;
use crate::protocol::{DOTTED_NAME_BYTES_MAX, DottedName};
use crate::skill::{INPUT_NAME_RULE, PROTOCOL_FILE_NAME, is_input_name, name};
use dibber_text::{Message, Problem, message, quote};

/// The name of the built-in guide of a server, which no other skill can have.
const GUIDE_NAME: &str = "skills.protocol.guide";

fn problem(message: impl Into<Message>, help: impl Into<Message>) -> Problem<()> {
    Problem::new((), message).with_help(help)
}

/// Returns everything that is wrong with the answers themselves.
pub fn problems(template: &Template, answers: &Answers) -> Vec<Problem<()>> {
    let mut problems = Vec::new();
    let is_protocol = template.file(PROTOCOL_FILE_NAME).is_some();
    if let Some(name) = &answers.name {
        problems.extend(if is_protocol { protocol_name_problem(name) } else { name_problem(name) });
    }
    problems.extend(strings_of(answers).filter_map(|(what, text)| line_problem(what, text)));
    problems.extend(input_problems(&answers.inputs));
    match template.file(MANIFEST_FILE_NAME) {
        Some(file) => problems.extend(schedule_problem(file.text, answers)),
        None => problems.extend(unpublished_problem(template, answers)),
    }
    problems
}

fn strings_of(answers: &Answers) -> impl Iterator<Item = (&'static str, &str)> {
    let label = answers.label.iter().map(|text| ("the label", text.as_str()));
    let description = answers.description.iter().map(|text| ("the description", text.as_str()));
    let inputs = answers
        .inputs
        .iter()
        .filter_map(|input| Some(("the description of an input", input.description.as_deref()?)));
    label.chain(description).chain(inputs)
}

fn line_problem(what: &'static str, text: &str) -> Option<Problem<()>> {
    text.contains(char::is_control).then(|| {
        let message = message![what, " has a line break, or another invisible character"];
        problem(message, "write it on one line")
    })
}

fn name_problem(text: &str) -> Option<Problem<()>> {
    if name::is_valid(text) && text.is_ascii() {
        return None;
    }
    let message = match text {
        "" => message!["the name is empty"],
        _ => message!["`", quote(text), "` is not a valid skill name"],
    };
    let rule = message![
        "a name has lowercase letters `a` to `z`, digits and single hyphens, and at most ",
        name::CHARACTERS_MAX,
        " characters"
    ];
    Some(match name::corrected_to_ascii(text) {
        Some(corrected) => {
            problem(message, message!["write `", quote(&corrected).derived_from(text), "`; ", rule])
        }
        None => problem(message, rule),
    })
}

fn protocol_name_problem(text: &str) -> Option<Problem<()>> {
    let is_valid = |name: &str| DottedName::parse(name).is_some();
    if text == GUIDE_NAME {
        let message = message!["`", GUIDE_NAME, "` is the name of the guide that each server has"];
        return Some(problem(message, "write another name"));
    }
    if is_valid(text) {
        return None;
    }
    let message = match text {
        "" => message!["the name is empty"],
        _ => message!["`", quote(text), "` is not a valid name in the Skills Protocol"],
    };
    let dotted = name::corrected_to_ascii(text).map(|name| name.replace('-', "."));
    let dotted = dotted.filter(|name| is_valid(name));
    let example = dotted.unwrap_or_else(|| "family.dates.countdown".to_owned());
    let help = message![
        "write `",
        quote(&example).derived_from(text),
        "`; a name has at least two words of lowercase letters and digits, with dots between them, \
         and at most ",
        DOTTED_NAME_BYTES_MAX,
        " characters"
    ];
    Some(problem(message, help))
}

/// Returns what is wrong with the names of inputs.
pub(crate) fn input_problems(inputs: &[InputVariable]) -> Vec<Problem<()>> {
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    for input in inputs {
        let shown = quote(&input.name);
        if !is_input_name(&input.name) {
            let message = message!["`", shown, "` is not a valid input name"];
            let corrected = name::corrected_to_ascii(&input.name);
            let corrected = corrected.map(|name| name.replace('-', "_"));
            problems.push(match corrected.filter(|name| is_input_name(name)) {
                Some(corrected) => problem(
                    message,
                    message![
                        "write `",
                        quote(&corrected).derived_from(&input.name),
                        "`; ",
                        INPUT_NAME_RULE
                    ],
                ),
                None => problem(message, INPUT_NAME_RULE),
            });
        }
        if !seen.insert(&input.name) {
            let message = message!["duplicate input `", shown, "`"];
            problems.push(problem(message, "rename one of them"));
        }
    }
    problems
}

/// Checks that the skill may have a schedule at all. Whether the schedule is valid is checked by
/// the linter, which does not know who runs a skill.
fn schedule_problem(manifest: &str, answers: &Answers) -> Option<Problem<()>> {
    let mut publication = Publication::from_template(manifest);
    publication.apply(answers, None);
    let is_for_home_agent = publication.category() == Category::HomeAgent;
    (answers.schedule.is_some() && is_for_home_agent).then(|| {
        let message = "Sprout does not run a skill for the home agent on a schedule";
        let help = "leave the schedule out and set it up in your own agent, or make the skill for \
                    either agent with `--for generic`";
        problem(message, help)
    })
}

/// Checks that a template without a `sprout.yaml` gets no answers that only Sprout uses.
fn unpublished_problem(template: &Template, answers: &Answers) -> Option<Problem<()>> {
    let asked = Answers { name: None, label: None, description: None, ..answers.clone() };
    (asked != Answers::default()).then(|| {
        let message = message![
            "the template `",
            template.name,
            "` has no agent, ages, inputs, tools, schedule or canvases"
        ];
        problem(message, "leave them out, or use another template: `dibber new --list`")
    })
}
