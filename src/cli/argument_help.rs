//! What to type instead of arguments that the parser rejects.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command as ClapCommand, Error};

use super::examples::example_of;
use dibber_text::{Message, closest_match, message, quote, quote_in_full};

/// Arguments that name something a command lists, and how to list it.
const LISTED: &[(&str, &str)] = &[
    ("<HEARTBEAT>", "`dibber heartbeat list` lists the heartbeats"),
    ("<SKILL>", "`dibber skill list` lists the skills"),
    ("<TOOL>", "`dibber tools` lists the tools"),
];

/// Returns what to type instead, if the error does not say it. `words` are the command below `root`
/// that was given the arguments.
pub(super) fn help(error: &Error, root: &ClapCommand, words: &[&str]) -> Option<Message> {
    match error.kind() {
        ErrorKind::MissingRequiredArgument => missing(error, words),
        ErrorKind::UnknownArgument => unknown(error, root, words),
        ErrorKind::InvalidValue => no_value(error),
        ErrorKind::ValueValidation => range(error),
        ErrorKind::ArgumentConflict => Some("leave one of them out".into()),
        _ => None,
    }
}

fn string(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

/// Returns the help for missing arguments: how the command is called, and where the names are.
fn missing(error: &Error, words: &[&str]) -> Option<Message> {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let first = missing.first()?;
    if !first.starts_with('<') {
        return Some(message!["add `", quote_in_full(first), "`"]);
    }
    let example = example_of(words)?;
    let listed = LISTED.iter().find(|(name, _)| first.starts_with(name));
    Some(match listed {
        Some((_, list)) => message!["write it as in `", example, "`; ", *list],
        None => message!["write it as in `", example, "`"],
    })
}

/// Returns the option that an unknown one is spelled most like.
fn unknown(error: &Error, root: &ClapCommand, words: &[&str]) -> Option<Message> {
    let typed = string(error, ContextKind::InvalidArg)?;
    if error.get(ContextKind::SuggestedArg).is_some() {
        return None;
    }
    let name = typed.strip_prefix("--")?;
    let command = words.iter().try_fold(root, |command, word| command.find_subcommand(word))?;
    let known = command.get_arguments().filter_map(clap::Arg::get_long);
    if let Some(meant) = closest_match(name, known) {
        return Some(message!["did you mean `--", quote(meant), "`?"]);
    }
    let line = ["dibber"].iter().chain(words).copied().collect::<Vec<_>>().join(" ");
    Some(message!["`", quote_in_full(&line), " --help` lists the options"])
}

/// Returns the help for an option without its value.
fn no_value(error: &Error) -> Option<Message> {
    let has_none = string(error, ContextKind::InvalidValue).is_some_and(str::is_empty);
    let option = string(error, ContextKind::InvalidArg).filter(|_| has_none)?;
    if !option.starts_with('-') {
        return None;
    }
    Some(message!["write the value after it: `", quote_in_full(option), "`"])
}

/// Returns the help for a number out of range, which the parser shows as `1..=1000`.
fn range(error: &Error) -> Option<Message> {
    let text = error.to_string();
    let (_, range) = text.lines().next()?.split_once(" is not in ")?;
    let (first, last) = range.split_once("..=")?;
    Some(message!["write a number from ", quote_in_full(first), " to ", quote_in_full(last)])
}
