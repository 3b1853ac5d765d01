//! What is different in a skill, in the words of the questions about it.

use super::question::AUDIENCES;
use super::schedule_words::words_of;
use crate::cli::new::changes::NOTHING;
use crate::cli::term::ui::Ui;
use dibber_skill::revision::{SkillAnswers, SkillChanges};
use dibber_text::{Message, message, quote_in_full};

/// Shows each answer that is different: what it is about, how it was, and how it becomes.
pub(super) fn show(known: &SkillAnswers, changes: &SkillChanges, ui: &mut Ui) {
    ui.eprintln("What is different:");
    let after = changes.applied_to(known);
    for line in lines(known, &after).into_iter().chain(values(known, &after)) {
        ui.eprintln(message!["  ", line]);
    }
    if changes.body.is_some() {
        ui.eprintln("  the text that an agent reads");
    }
}

fn lines(before: &SkillAnswers, after: &SkillAnswers) -> Vec<Message> {
    let is_callable = |answers: &SkillAnswers| answers.kid_callable.unwrap_or(false);
    let yes_no = |answers| Some(if is_callable(answers) { "yes" } else { "no" }.to_owned());
    let rows = [
        ("title", before.label.clone(), after.label.clone()),
        ("what it does", before.description.clone(), after.description.clone()),
        ("who runs it", audience(before), audience(after)),
        ("a child may start it", yes_no(before), yes_no(after)),
        ("ages", before.ages.clone(), after.ages.clone()),
        ("different each time", inputs(before), inputs(after)),
        ("runs by itself", Some(words_of(&before.schedule)), Some(words_of(&after.schedule))),
    ];
    let line = |(label, before, after)| line(Message::from(label), before, after);
    rows.into_iter().filter_map(line).collect()
}

/// Returns a line for each input that is filled in otherwise when the skill runs by itself.
fn values(before: &SkillAnswers, after: &SkillAnswers) -> Vec<Message> {
    let changed = after.values.iter().filter_map(|(input, value)| {
        let label = message!["with ", quote_in_full(input)];
        line(label, before.values.get(input).cloned(), Some(value.clone()))
    });
    changed.collect()
}

/// Returns the line of an answer that is different; an empty answer is nothing.
fn line(label: Message, before: Option<String>, after: Option<String>) -> Option<Message> {
    let words = |answer: Option<String>| {
        answer.filter(|answer| !answer.is_empty()).unwrap_or_else(|| NOTHING.to_owned())
    };
    let (before, after) = (words(before), words(after));
    if before == after {
        return None;
    }
    Some(message![label, ": ", quote_in_full(&before), " → ", quote_in_full(&after)])
}

fn audience(answers: &SkillAnswers) -> Option<String> {
    let category = answers.category.unwrap_or_default();
    let (words, _) = AUDIENCES.iter().find(|(_, other)| *other == category)?;
    Some((*words).to_owned())
}

fn inputs(answers: &SkillAnswers) -> Option<String> {
    (!answers.inputs.is_empty()).then(|| answers.inputs.join(", "))
}
