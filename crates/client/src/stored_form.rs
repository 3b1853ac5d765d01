//! The forms in which servers store what they are sent.
//!
//! A server may remove white space at the ends of strings, or keep only the names of inputs. What it
//! stores then differs from the draft without an edit, and an update would not make them equal.

use std::collections::BTreeSet;

use dibber_skill::content_hash::{ContentHash, normal_inputs};
use dibber_skill::contract::{InputVariable, SkillWrite, StoredSkill};
use dibber_skill::skill::{PlaceholderKind, placeholders};

/// Returns `true` if two strings differ only in what servers commonly normalize: white space at
/// their ends, and Windows line endings.
pub(crate) fn is_same_text(one: &str, other: &str) -> bool {
    normal_text(one) == normal_text(other)
}

fn normal_text(text: &str) -> String {
    text.trim().replace("\r\n", "\n")
}

/// Returns a stored string with the line endings of one that was sent, and with its blank lines at
/// the ends; the one that was sent if they differ only in what servers commonly normalize.
pub fn text_in_form_of(sent: &str, stored: &str) -> String {
    if is_same_text(stored, sent) {
        return sent.to_owned();
    }
    let has_windows_endings = sent.contains("\r\n");
    let text = if has_windows_endings { stored.to_owned() } else { stored.replace("\r\n", "\n") };
    let (content, sent_content) = (without_blank_ends(&text), without_blank_ends(sent));
    if content.is_empty() || sent_content.is_empty() {
        return text;
    }
    let (before, after) = sent.split_once(sent_content).unwrap_or_default();
    format!("{before}{content}{after}")
}

/// Returns a string without the blank lines at its ends. Its first line stays indented.
fn without_blank_ends(text: &str) -> &str {
    let content = text.trim_end();
    let indented = content.len() - content.trim_start().len();
    let start = content[..indented].rfind('\n').map_or(0, |index| index + 1);
    &content[start..]
}

/// Returns `true` if a stored skill has the content of a draft.
pub(crate) fn has_content_of(draft: &SkillWrite, stored: &StoredSkill) -> bool {
    ContentHash::of_stored(&in_form_of(draft, stored)) == ContentHash::of_write(draft)
}

/// Returns a stored skill in which each field that is another form of that of a draft has the form
/// of the draft, and the others have its line endings and its blank lines at the ends.
///
/// A server that computes content hashes stores what it is sent, so its skills are returned as they
/// are.
pub(crate) fn in_form_of(draft: &SkillWrite, stored: &StoredSkill) -> StoredSkill {
    let mut skill = stored.clone();
    // A server that stores none was not sent one.
    if stored.response_model.is_not_sent() {
        skill.response_model = draft.response_model.clone().into();
    }
    if stored.content_hash.is_some() {
        return skill;
    }
    let fields = [
        (&mut skill.name, &draft.name),
        (&mut skill.description, &draft.description),
        (&mut skill.prompt, &draft.prompt),
    ];
    for (stored, sent) in fields {
        *stored = text_in_form_of(sent, stored);
    }
    if are_same_inputs(stored, draft) {
        skill.input_variables.clone_from(&draft.input_variables);
    }
    skill
}

/// Returns what [`in_form_of`] returns, in which strings have the upper and lower case of the draft,
/// too.
pub(crate) fn in_case_of(draft: &SkillWrite, stored: &StoredSkill) -> StoredSkill {
    let mut skill = in_form_of(draft, stored);
    let is_same = |one: &str, other: &str| is_same_text(&one.to_lowercase(), &other.to_lowercase());
    let fields = [
        (&mut skill.name, &draft.name),
        (&mut skill.description, &draft.description),
        (&mut skill.prompt, &draft.prompt),
    ];
    for (stored, sent) in fields {
        if is_same(stored, sent) {
            stored.clone_from(sent);
        }
    }
    skill
}

/// Returns the inputs that the placeholders of a prompt need, by their names.
pub(crate) fn inputs_of_prompt(prompt: &str) -> Vec<InputVariable> {
    let mut seen = BTreeSet::new();
    let found = placeholders(prompt).into_iter().filter_map(|found| match found.kind {
        PlaceholderKind::Input(name) => seen.insert(name.clone()).then_some(name),
        _ => None,
    });
    found.map(|name| InputVariable { name, ..InputVariable::default() }).collect()
}

/// Returns `true` if inputs have the same names, and the types and descriptions that were sent;
/// those are compared only if the server stores any. Otherwise it may list the placeholders of the
/// prompt only, so an input that the prompt does not use is not compared.
fn are_same_inputs(stored: &StoredSkill, sent: &SkillWrite) -> bool {
    let has_types = stored.input_variables.iter().any(|input| input.kind.is_some());
    let has_descriptions = stored.input_variables.iter().any(|input| input.description.is_some());
    if !has_types && !has_descriptions {
        return used_names(&stored.input_variables, &stored.prompt)
            == used_names(&sent.input_variables, &sent.prompt);
    }
    let compared = |inputs: &[InputVariable]| -> Vec<InputVariable> {
        let inputs = normal_inputs(inputs).into_iter().map(|input| InputVariable {
            name: input.name.clone(),
            kind: input.kind.clone().filter(|_| has_types),
            description: input.description.clone().filter(|_| has_descriptions),
        });
        inputs.collect()
    };
    compared(&stored.input_variables) == compared(&sent.input_variables)
}

fn used_names(inputs: &[InputVariable], prompt: &str) -> BTreeSet<String> {
    let used = inputs_of_prompt(prompt).into_iter().map(|input| input.name);
    used.filter(|name| inputs.iter().any(|input| input.name == *name)).collect()
}
