//! The forms in which servers store what they are sent.
//!
//! A server may remove white space at the ends of strings, or keep only the names of inputs. What it
//! stores then differs from the draft without an edit, and an update would not make them equal.

use dibber_skill::content_hash::normal_inputs;
use dibber_skill::contract::{InputVariable, SkillWrite, StoredSkill};

/// Returns `true` if two strings differ only in what servers commonly normalize: white space at
/// their ends, and Windows line endings.
pub(crate) fn is_same_text(one: &str, other: &str) -> bool {
    normal_text(one) == normal_text(other)
}

fn normal_text(text: &str) -> String {
    text.trim().replace("\r\n", "\n")
}

/// Returns a stored skill in which each field that is another form of that of a draft has the form
/// of the draft, and the others have its line endings.
///
/// A server that computes content hashes stores what it is sent, so its skills are returned as they
/// are.
pub(crate) fn in_form_of(draft: &SkillWrite, stored: &StoredSkill) -> StoredSkill {
    let mut skill = stored.clone();
    if stored.content_hash.is_some() {
        return skill;
    }
    let fields = [
        (&mut skill.name, &draft.name),
        (&mut skill.description, &draft.description),
        (&mut skill.prompt, &draft.prompt),
    ];
    for (stored, sent) in fields {
        if is_same_text(stored, sent) {
            stored.clone_from(sent);
        } else if !sent.contains("\r\n") {
            *stored = stored.replace("\r\n", "\n");
        }
    }
    if are_same_inputs(&stored.input_variables, &draft.input_variables) {
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

/// Returns `true` if inputs have the same names, and the types and descriptions that were sent;
/// those are compared only if the server stores any.
fn are_same_inputs(stored: &[InputVariable], sent: &[InputVariable]) -> bool {
    let has_types = stored.iter().any(|input| input.kind.is_some());
    let has_descriptions = stored.iter().any(|input| input.description.is_some());
    let compared = |inputs: &[InputVariable]| -> Vec<InputVariable> {
        let inputs = normal_inputs(inputs).into_iter().map(|input| InputVariable {
            name: input.name.clone(),
            kind: input.kind.clone().filter(|_| has_types),
            description: input.description.clone().filter(|_| has_descriptions),
        });
        inputs.collect()
    };
    compared(stored) == compared(sent)
}
