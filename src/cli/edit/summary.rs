//! What is different in a skill, in the words of the questions about it.

use super::question::Question;
use crate::cli::term::ui::Ui;
use dibber_skill::revision::{SkillAnswers, SkillChanges};
use dibber_text::{Message, message, quote_in_full};

/// Shows each answer that is different: what it is about, how it was, and how it becomes.
pub(super) fn show(known: &SkillAnswers, changes: &SkillChanges, ui: &mut Ui) {
    ui.eprintln("What is different:");
    let after = changes.applied_to(known);
    for line in lines(known, &after) {
        ui.eprintln(message!["  ", line]);
    }
    if changes.body.is_some() {
        ui.eprintln("  the text that an agent reads");
    }
}

/// Returns a line for each answer that is different, and for each input that is filled in otherwise
/// when the skill runs by itself.
fn lines(before: &SkillAnswers, after: &SkillAnswers) -> Vec<Message> {
    use Question::{Ages, Audience, Description, Inputs, KidCallable, Schedule, Title, Value};
    let questions = [Title, Description, Audience, KidCallable, Ages, Inputs, Schedule];
    let values = after.values.keys().cloned().map(Value);
    let line = |question: Question| {
        let (before, after) = (question.shown(before), question.shown(after));
        let (before, after) = (before != after).then_some((before, after))?;
        let change = [quote_in_full(&before), quote_in_full(&after)].map(Message::from);
        Some(message![question.label(), ": ", Message::join(change, " → ")])
    };
    questions.into_iter().chain(values).filter_map(line).collect()
}
