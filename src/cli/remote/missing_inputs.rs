//! The questions about the inputs that are missing to run a skill.

use serde_json::{Map, Value};

use super::session::Session;
use crate::cli::error::CommandError;
use crate::cli::new::free_text::parse_value;
use crate::cli::term::ask::{Asker, FIRST_QUESTION, Reply};
use dibber_skill::contract::{InputVariable, SkillId};
use dibber_text::{Message, message, quote_in_full};

const EXPLANATION: &str = "\
The skill has a place for it, where your answer is filled in for this run alone. `nothing` leaves it \
empty.";

/// Returns these inputs with what the server says of them.
pub(super) fn questions(names: &[&str], id: &SkillId, session: &Session) -> Vec<InputVariable> {
    let stored = session.block_on(session.client.skill_get(id)).ok();
    let known = stored.map(|it| it.skill.input_variables).unwrap_or_default();
    let input = |name: &&str| {
        let input = known.iter().find(|input| input.name == *name).cloned();
        let unknown = || InputVariable { name: (*name).to_owned(), ..InputVariable::default() };
        input.unwrap_or_else(unknown)
    };
    names.iter().map(input).collect()
}

/// Asks for a value of each input.
pub(super) fn ask(
    inputs: &[InputVariable],
    asker: &mut Asker<'_>,
) -> Result<Map<String, Value>, CommandError> {
    let mut answers = Map::new();
    let mut index = 0;
    while let Some(input) = inputs.get(index) {
        match asker.reply(question(input), &[], None)? {
            Reply::Back if index == 0 => asker.eprintln(FIRST_QUESTION),
            Reply::Back => index -= 1,
            Reply::Help => asker.eprintln(EXPLANATION),
            Reply::Given(typed) => match parse_value(&typed) {
                Ok(value) => {
                    answers.insert(input.name.clone(), Value::from(value));
                    index += 1;
                }
                Err(error) => asker.show_error(&error),
            },
        }
    }
    Ok(answers)
}

fn question(input: &InputVariable) -> Message {
    let name = message!["What is `", quote_in_full(&input.name), "`?"];
    match input.description.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
        Some(description) => message![name, " ", quote_in_full(description)],
        None => name,
    }
}
