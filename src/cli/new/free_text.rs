//! Answers in words of one's own: those that are too long, and those that say only yes or no.

use crate::cli::error::CommandError;
use crate::cli::term::answer_line::only_yes_or_no;
use dibber_text::message;

/// Returns the error of an answer that says only yes, where words are expected.
pub(in crate::cli) fn check_words(typed: &str) -> Result<(), CommandError> {
    if typed.is_empty() || only_yes_or_no(typed) == Some(true) {
        let help = "type it in your own words, and press Enter; `?` explains the question";
        return Err(CommandError::new("there is no answer yet").help(help));
    }
    Ok(())
}

/// Returns the error of an answer with more characters than are possible.
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
    start[..end].chars().take(characters_max).collect::<String>().trim_end().to_owned()
}
