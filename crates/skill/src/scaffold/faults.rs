//! What is wrong with answers, whatever skill is made of them.

use std::collections::BTreeSet;

use super::sprout_file::Publication;
use super::{Answers, Template};
use crate::contract::Category;
use crate::manifest::MANIFEST_FILE_NAME;
use crate::skill::{INPUT_NAME_RULE, PROTOCOL_FILE_NAME, is_input_name, name};
use dibber_text::ellipsize;

/// The parts of a name in the Skills Protocol: whose, of what, and what it does.
const PROTOCOL_PARTS_MIN: usize = 3;

/// Something that is wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong, as a sentence fragment.
    pub message: String,
    /// The way out.
    pub help: String,
}

impl Fault {
    pub(super) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }
}

/// Everything that is wrong with the answers themselves.
pub fn faults(template: &Template, answers: &Answers) -> Vec<Fault> {
    let mut faults = Vec::new();
    let is_protocol = template.file(PROTOCOL_FILE_NAME).is_some();
    if let Some(name) = &answers.name {
        faults.extend(if is_protocol { protocol_name_fault(name) } else { name_fault(name) });
    }
    faults.extend(texts(answers).filter_map(|(what, text)| line_fault(what, text)));
    faults.extend(input_faults(answers));
    match template.file(MANIFEST_FILE_NAME) {
        Some(file) => faults.extend(schedule_fault(file.text, answers)),
        None => faults.extend(unpublished_fault(template, answers)),
    }
    faults
}

fn texts(answers: &Answers) -> impl Iterator<Item = (&'static str, &str)> {
    let label = answers.label.iter().map(|text| ("the label", text.as_str()));
    let description = answers.description.iter().map(|text| ("the description", text.as_str()));
    let inputs = answers
        .inputs
        .iter()
        .filter_map(|input| Some(("the description of an input", input.description.as_deref()?)));
    label.chain(description).chain(inputs)
}

fn line_fault(what: &str, text: &str) -> Option<Fault> {
    text.contains(char::is_control).then(|| {
        let message = format!("{what} has a line break, or another character that nobody sees");
        Fault::new(message, "write it on one line")
    })
}

fn name_fault(text: &str) -> Option<Fault> {
    if name::is_valid(text) && text.is_ascii() {
        return None;
    }
    let message = match text {
        "" => "the name is empty".to_owned(),
        _ => format!("`{}` cannot be the name of a skill", ellipsize(text)),
    };
    let rule = format!(
        "a name has small letters `a` to `z`, digits and single hyphens, and at most {} characters",
        name::CHARACTERS_MAX
    );
    Some(match name::corrected_to_ascii(text) {
        Some(corrected) => Fault::new(message, format!("write `{corrected}`; {rule}")),
        None => Fault::new(message, rule),
    })
}

fn protocol_name_fault(text: &str) -> Option<Fault> {
    let is_part = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let parts = text.split('.').count();
    if text.split('.').all(is_part)
        && parts >= PROTOCOL_PARTS_MIN
        && text.len() <= name::CHARACTERS_MAX
    {
        return None;
    }
    let message =
        format!("`{}` cannot be the name of a skill of the Skills Protocol", ellipsize(text));
    let dotted = name::corrected_to_ascii(text).map(|name| name.replace('-', "."));
    let dotted = dotted.filter(|name| name.split('.').count() >= PROTOCOL_PARTS_MIN);
    let example = dotted.unwrap_or_else(|| "family.dates.countdown".to_owned());
    let help = format!("write whose it is, what it is about and what it does: `{example}`");
    Some(Fault::new(message, help))
}

fn input_faults(answers: &Answers) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    for input in &answers.inputs {
        let shown = ellipsize(&input.name);
        if !is_input_name(&input.name) {
            let message = format!("`{shown}` cannot be the name of an input");
            let corrected = name::corrected_to_ascii(&input.name);
            let corrected = corrected.map(|name| name.replace('-', "_"));
            faults.push(match corrected.filter(|name| is_input_name(name)) {
                Some(corrected) => {
                    Fault::new(message, format!("write `{corrected}`; {INPUT_NAME_RULE}"))
                }
                None => Fault::new(message, INPUT_NAME_RULE),
            });
        }
        if !seen.insert(&input.name) {
            let message = format!("the input `{shown}` stands twice");
            faults.push(Fault::new(message, "give one of them another name"));
        }
    }
    faults
}

/// Whether a schedule can be one is for the linter to say; it knows nothing of who runs a skill.
fn schedule_fault(manifest: &str, answers: &Answers) -> Option<Fault> {
    let mut publication = Publication::of_template(manifest);
    publication.answer(answers, None);
    let is_for_home_agent = publication.category() == Category::HomeAgent;
    (answers.schedule.is_some() && is_for_home_agent).then(|| {
        let message = "Sprout does not run a skill for the home agent on a schedule";
        let help = "leave the schedule out and set it up in your own agent, or make the skill for \
                    either agent with `--for generic`";
        Fault::new(message, help)
    })
}

/// A template without a `sprout.yaml` has no place for what Sprout asks.
fn unpublished_fault(template: &Template, answers: &Answers) -> Option<Fault> {
    let asked = Answers { name: None, label: None, description: None, ..answers.clone() };
    (asked != Answers::default()).then(|| {
        let message = format!(
            "the template `{}` has no agent, ages, inputs, tools, schedule or canvases",
            template.name
        );
        Fault::new(message, "leave them out, or take another template: `dibber new --list`")
    })
}
