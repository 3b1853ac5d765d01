//! What is different at each run, in words, and the inputs for it.

use super::rhythm::parse_whole;
use crate::cli::error::CommandError;
use crate::cli::term::answer_line::only_yes_or_no;
use dibber_skill::skill::name;
use dibber_text::{message, quote};

/// The answer for no inputs.
pub(in crate::cli) const NOTHING: &str = "nothing";
/// The most inputs.
const INPUTS_MAX: usize = 5;

/// Returns the answer about what is different each time in the form in which it is kept.
pub(super) fn parse_changes(typed: &str) -> Result<String, CommandError> {
    if only_yes_or_no(typed) == Some(false) {
        return Ok(NOTHING.to_owned());
    }
    let count = change_names(typed).len();
    if count > INPUTS_MAX {
        let message = message!["these are ", count, " things, at most ", INPUTS_MAX];
        let message = message![message, " can be different"];
        return Err(CommandError::new(message).help(message!["leave out ", count - INPUTS_MAX]));
    }
    check_no_schedule(typed, "when it runs is asked next; Enter alone means nothing is different")?;
    Ok(typed.to_owned())
}

/// Fails if what is different each time is a schedule: that is another question.
pub(in crate::cli) fn check_no_schedule(
    typed: &str,
    help: &'static str,
) -> Result<(), CommandError> {
    if parse_whole(typed).is_err() {
        return Ok(());
    }
    let message = message!["`", quote(typed), "` is when it runs, and not what is different"];
    Err(CommandError::new(message).help(help))
}

/// The words before a thing that are no part of its name.
const ARTICLES: [&str; 3] = ["the ", "a ", "an "];

/// Returns the names of inputs, and the words that were typed for them.
pub(in crate::cli) fn change_names(text: &str) -> Vec<(String, String)> {
    let is_named = |part: &&str| !part.is_empty() && only_yes_or_no(part).is_none();
    let parts = text.split(',').map(str::trim).filter(is_named);
    let input = |part: &str| {
        let name = name::corrected_to_ascii(without_article(part));
        let name = name.map(|name| name.replace('-', "_"));
        (name.unwrap_or_else(|| part.to_owned()), part.to_owned())
    };
    parts.map(input).collect()
}

/// Returns "hero" for "the hero".
fn without_article(part: &str) -> &str {
    let thing = ARTICLES.iter().find_map(|article| {
        let (start, thing) = part.split_at_checked(article.len())?;
        start.eq_ignore_ascii_case(article).then_some(thing.trim_start())
    });
    thing.filter(|thing| !thing.is_empty()).unwrap_or(part)
}
