//! The places that repeat a former title or description, which can be changed together with it.

use super::check::Checker;
use crate::cli::error::CommandError;
use crate::cli::term::ask::Asker;
use dibber_skill::revision::{Repetition, SkillChanges};
use dibber_text::{Message, message};

/// What the question means.
const EXPLANATION: &str = "\
With yes, the new words are written in these places, too. With no, the former words stay there.";

/// Offers to change the places that repeat an answer which these changes replace. Returns `false` if
/// the question before is to be asked again.
pub(super) fn offer(
    checker: &Checker<'_>,
    changes: &mut SkillChanges,
    asker: &mut Asker<'_>,
) -> Result<bool, CommandError> {
    let (next, places) = checker.with_repetitions(changes);
    if places.is_empty() {
        return Ok(true);
    }
    let files = checker.files(&next);
    if !files.is_ok_and(|files| checker.new_errors(&files).is_empty()) {
        return Ok(true);
    }
    let places = Message::join(places.into_iter().map(words), ", ");
    let question = message!["The former words are also ", places, ". Change them there, too?"];
    let Some(is_agreed) = asker.confirm_or_back(question, EXPLANATION, true)? else {
        return Ok(false);
    };
    if is_agreed {
        *changes = next;
    }
    Ok(true)
}

/// Returns where a place is.
fn words(place: Repetition) -> Message {
    match place {
        Repetition::Heading => "in the heading",
        Repetition::FirstParagraph => "in the first paragraph",
        Repetition::ScheduleName => "in the name of the schedule",
    }
    .into()
}
