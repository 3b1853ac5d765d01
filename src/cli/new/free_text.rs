//! Answers in words of one's own: those that are too long, those that say only yes or no, and those
//! that are the value of an input.

use crate::cli::error::CommandError;
use crate::cli::term::answer_line::{is_nothing, only_yes_or_no};
use dibber_text::{Message, message, quote_in_full};

/// The fewest characters of a sentence without spaces.
const CHARACTERS_WITHOUT_SPACES_MIN: usize = 4;

/// Words that lead to another one.
const LOOSE_ENDS: [&str; 18] = [
    "a", "about", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "that", "the",
    "to", "when", "which", "with",
];

/// Fails if an answer is empty or says only yes, where words are expected.
pub(in crate::cli) fn check_words(typed: &str) -> Result<(), CommandError> {
    if only_yes_or_no(typed) == Some(true) { Err(no_answer()) } else { check_answered(typed) }
}

/// Returns the question about the value of an input, whose answer is for [`parse_value`].
pub(in crate::cli) fn value_question(input: &str) -> Message {
    let when = "` when it runs by itself? (`nothing` leaves it empty)";
    message!["What is `", quote_in_full(input), when]
}

/// Returns the value of an input: the empty string for `nothing`, and any other answer as it was
/// typed, since yes and no are values, too. Fails if there is no answer.
pub(in crate::cli) fn parse_value(typed: &str) -> Result<String, CommandError> {
    check_answered(typed)?;
    Ok(if is_nothing(typed) { String::new() } else { typed.to_owned() })
}

/// Returns `true` for an answer of one word. A long one that is not ASCII may be a sentence of a
/// language without spaces.
pub(in crate::cli) fn is_single_word(typed: &str) -> bool {
    let is_short = typed.chars().count() < CHARACTERS_WITHOUT_SPACES_MIN;
    typed.split_whitespace().count() < 2 && (typed.is_ascii() || is_short)
}

/// Fails if an answer is empty.
fn check_answered(typed: &str) -> Result<(), CommandError> {
    if typed.is_empty() { Err(no_answer()) } else { Ok(()) }
}

fn no_answer() -> CommandError {
    let help = "type it in your own words, and press Enter; `?` explains the question";
    CommandError::new("there is no answer yet").help(help)
}

/// Fails if an answer has more characters than are possible.
pub(in crate::cli) fn check_length(typed: &str, characters_max: usize) -> Result<(), CommandError> {
    let count = typed.chars().count();
    if count <= characters_max {
        return Ok(());
    }
    let message = message!["this has ", count, " characters, at most ", characters_max];
    let help = message!["shorten it by ", count - characters_max];
    Err(CommandError::new(message![message, " are possible"]).help(help))
}

/// Returns the words of a sentence that fit into this number of characters.
pub(in crate::cli) fn cut(text: &str, characters_max: usize) -> String {
    let text = text.trim().trim_end_matches(['.', '!']);
    if text.chars().count() <= characters_max {
        return text.to_owned();
    }
    let start: String = text.chars().take(characters_max + 1).collect();
    let end = start.rfind(' ').unwrap_or(start.len());
    let words: String = start[..end].chars().take(characters_max).collect();
    without_loose_end(&words, ' ').to_owned()
}

/// Returns cut words without the last ones that lead to what was cut off, as "about" does. At least one
/// word remains.
pub(in crate::cli) fn without_loose_end(words: &str, separator: char) -> &str {
    let mut words = words.trim_end_matches(separator);
    while let Some((before, last)) = words.rsplit_once(separator) {
        if !LOOSE_ENDS.contains(&last) {
            break;
        }
        words = before.trim_end_matches(separator);
    }
    words
}
