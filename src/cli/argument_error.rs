//! The errors of arguments that the parser rejects: what is wrong, and what to type instead.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command as ClapCommand, Error};

use super::corrected_line::TypedLine;
use super::error::CommandError;
use super::examples::example_of;
use dibber_text::{Message, closest_match, message, quote, quote_in_full, quote_lines};

/// The most values of an option that an error lists.
const VALUES_MAX: usize = 15;
/// Commands that list the values of their argument if it is left out.
const LISTING_COMMANDS: [&str; 1] = ["schema"];

/// How the parser ends the error of a number with other characters than digits.
const NOT_A_NUMBER: &str = ": invalid digit found in string";

/// What is typed for the option with a schedule, and the name of that option.
const TIME_WORDS: [&str; 3] = ["at", "time", "when"];
const SCHEDULE_OPTION: &str = "schedule";

/// The words that commands begin with, their arguments that name something, and how it is found. The
/// first one counts.
const LISTED: &[(&[&str], &str, &str)] = &[
    (&["run"], "<SKILL>", "it is the directory of the skill"),
    (&["protocol"], "<SKILL>", "`dibber protocol list` lists the skills"),
    (&[], "<HEARTBEAT>", "`dibber heartbeat list` lists the heartbeats"),
    (&[], "<SKILL>", "`dibber skill list` lists the skills"),
    (&[], "<TOOL>", "`dibber tools` lists the tools"),
];

/// Returns the error with what to type instead, if that is known. `words` are the command below
/// `root` that was given the arguments, and `line` is all of it.
pub(super) fn explain(
    error: &Error,
    root: &ClapCommand,
    words: &[&str],
    line: Option<TypedLine>,
) -> Option<CommandError> {
    let (shown, help) = match error.kind() {
        ErrorKind::MissingRequiredArgument => return missing(error, words, line),
        ErrorKind::UnknownArgument => (plain(error), unknown(error, root, words, line)?),
        ErrorKind::InvalidValue => return invalid(error, words),
        ErrorKind::ValueValidation => return invalid_format(error),
        ErrorKind::ArgumentConflict => (plain(error), "leave one of them out".into()),
        _ => return None,
    };
    Some(shown.help(help))
}

/// Returns what is wrong, in the words of the parser.
pub(super) fn plain(error: &Error) -> CommandError {
    CommandError::new(quote_lines(&first_part(error)))
}

/// Returns the parser's words without its hints.
fn first_part(error: &Error) -> String {
    let text = error.to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    first.strip_prefix("error: ").unwrap_or(first).trim_end().to_owned()
}

fn string(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

/// Returns the error of missing arguments: how the command is called, and where the names are.
fn missing(error: &Error, words: &[&str], typed: Option<TypedLine>) -> Option<CommandError> {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let first = missing.first()?;
    let line = line_of(words);
    let needed = match first.strip_prefix("<--").and_then(|rest| rest.strip_suffix('>')) {
        // The parser joins options of which one is needed.
        Some(options) => format!("one of `--{}`", options.replace('|', "`, `")),
        None => format!("`{}`", missing.join("`, `")),
    };
    let shown = message!["`", quote_in_full(&line), "` needs ", quote_in_full(&needed)];
    let shown = CommandError::new(shown);
    let example = example_of(words);
    if first.starts_with('-') {
        let option = first.split(' ').next();
        let has_option = |example: &&str| example.split(' ').any(|word| Some(word) == option);
        // What was typed before the options may be private, and is shown by its name.
        let argument = typed.and_then(|typed| typed.first_argument(words));
        return Some(shown.help(match example.filter(has_option) {
            Some(example) => {
                let options = example.strip_prefix(&*line).filter(|rest| rest.starts_with(" -"));
                match (argument, options) {
                    (Some(argument), Some(options)) => {
                        let line = format!("{line} {argument}{options}");
                        message!["write it as in `", quote_in_full(&line), "`"]
                    }
                    _ => message!["write it as in `", example, "`"],
                }
            }
            None => message!["add `", quote_in_full(first), "`"],
        }));
    }
    let example = example?;
    let listed =
        LISTED.iter().find(|(start, name, _)| words.starts_with(start) && first.starts_with(name));
    Some(shown.help(match listed {
        Some((.., list)) => message!["write it as in `", example, "`; ", *list],
        None => message!["write it as in `", example, "`"],
    }))
}

/// Returns a command as it is typed.
fn line_of(words: &[&str]) -> String {
    ["dibber"].iter().chain(words).copied().collect::<Vec<_>>().join(" ")
}

/// Returns the option that an unknown one is spelled most like, or the command with what was typed as
/// an input.
fn unknown(
    error: &Error,
    root: &ClapCommand,
    words: &[&str],
    line: Option<TypedLine>,
) -> Option<Message> {
    let typed = string(error, ContextKind::InvalidArg)?;
    let corrected = line.and_then(TypedLine::with_inputs);
    let write = |line: String| message!["write `", quote_in_full(&line), "`"];
    let Some(name) = typed.strip_prefix("--") else { return corrected.map(write) };
    let command = words.iter().try_fold(root, |command, word| command.find_subcommand(word))?;
    let known = || command.get_arguments().filter_map(clap::Arg::get_long);
    if TIME_WORDS.contains(&name)
        && let Some(meant) = known().find(|known| *known == SCHEDULE_OPTION)
    {
        let value = line.and_then(|line| line.value_after(typed));
        let value = value.map(|value| format!(" {value}")).unwrap_or_default();
        return Some(message!["did you mean `--", quote(meant), quote_in_full(&value), "`?"]);
    }
    let suggested = string(error, ContextKind::SuggestedArg);
    let suggested = suggested.map(|meant| meant.trim_start_matches('-'));
    let corrected = corrected.map(|line| message!["for an input, ", write(line)]);
    Some(match (suggested.or_else(|| closest_match(name, known())), corrected) {
        (Some(meant), _) if meant == name => {
            // The command has the option, which was typed before its name.
            let line = line_of(words);
            message!["write it after the command: `", quote_in_full(&line), " ", quote(typed), "`"]
        }
        (Some(meant), None) => message!["did you mean `--", quote(meant), "`?"],
        (Some(meant), Some(write)) => message!["did you mean `--", quote(meant), "`? ", write],
        (None, corrected) => {
            let list = message!["`", quote_in_full(&line_of(words)), " --help` lists the options"];
            Message::join(corrected.into_iter().chain([list]), "; ")
        }
    })
}

/// Returns the error of an option without its value, or with a value that it does not have.
fn invalid(error: &Error, words: &[&str]) -> Option<CommandError> {
    let typed = string(error, ContextKind::InvalidValue)?;
    let option = string(error, ContextKind::InvalidArg)?;
    if typed.is_empty() {
        let help = message!["write the value after it: `", quote_in_full(option), "`"];
        return option.starts_with('-').then(|| plain(error).help(help));
    }
    let values = match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(values)) => values.as_slice(),
        _ => &[],
    };
    let meant = string(error, ContextKind::SuggestedValue);
    let meant = meant.map(|meant| message!["did you mean `", quote(meant), "`?"]);
    if values.len() <= VALUES_MAX {
        return Some(plain(error).help(meant?));
    }
    let text = first_part(error);
    let shown = CommandError::new(quote_in_full(text.lines().next().unwrap_or_default()));
    let list = words.first().filter(|word| LISTING_COMMANDS.contains(word));
    let list = match list {
        Some(word) => message!["`dibber ", quote(word), "` lists them"],
        None => message!["`", quote_in_full(&line_of(words)), " --help` lists them"],
    };
    Some(shown.help(match meant {
        Some(meant) => message![meant, " ", list],
        None => list,
    }))
}

/// Returns the error of a value in an invalid format, whose reason may end with what to write.
fn invalid_format(error: &Error) -> Option<CommandError> {
    let text = first_part(error);
    if let Some(help) = range(&text) {
        return Some(plain(error).help(help));
    }
    if let Some(value) = text.strip_suffix(NOT_A_NUMBER) {
        let message = message![quote_lines(value), ": it is not a whole number"];
        return Some(CommandError::new(message).help("write a whole number, such as `10`"));
    }
    let (reason, help) = text.split_once("; write ")?;
    let shown = CommandError::new(quote_lines(reason));
    Some(shown.help(message!["write ", quote_in_full(help)]))
}

/// Returns the help for a number out of range, which the parser shows as `1..=1000`.
fn range(text: &str) -> Option<Message> {
    let (_, range) = text.lines().next()?.split_once(" is not in ")?;
    let (first, last) = range.split_once("..=").or_else(|| range.split_once(".."))?;
    if last.parse() == Ok(u64::MAX) {
        return Some(message!["write a number of at least ", quote_in_full(first)]);
    }
    Some(message!["write a number from ", quote_in_full(first), " to ", quote_in_full(last)])
}
