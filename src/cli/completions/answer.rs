//! The answer to a shell that asks what can be typed next.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};

use clap::{Arg, Command as ClapCommand};
use clap_complete::env::Shells;
use clap_complete::{ArgValueCandidates, CompletionCandidate};

use super::candidates::{self, Candidate, CandidateSource};
use super::scripts::VARIABLE;

/// Prints what can be typed next, and returns `true`, if a shell asks with these arguments: the
/// variable names it, and the words of its command line come after `--`. The values of an argument
/// are those of the first source that knows it.
pub(in crate::cli) fn answer(
    arguments: &[OsString],
    definition: impl FnOnce() -> ClapCommand,
    sources: &'static [CandidateSource],
) -> bool {
    let Some(name) = env::var_os(VARIABLE) else { return false };
    let shells = Shells::builtins();
    let Some(shell) = name.to_str().and_then(|name| shells.completer(name)) else { return false };
    let [_, separator, words @ ..] = arguments else { return false };
    if separator != "--" || words.is_empty() {
        return false;
    }
    let quoting = if shell.name() == "bash" { Quoting::Backslash } else { Quoting::None };
    let mut definition = with_candidates(definition(), sources, quoting);
    let (mut answer, current_dir) = (Vec::new(), env::current_dir().ok());
    let completed =
        shell.write_complete(&mut definition, words.to_vec(), current_dir.as_deref(), &mut answer);
    if completed.is_ok() {
        // A shell that no longer reads has no use for the answer.
        let _ = io::stdout().write_all(&answer);
    }
    true
}

/// How a value is quoted by the program, because the shell does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quoting {
    None,
    Backslash,
}

/// Adds the values of arguments to a command and those in it.
fn with_candidates(
    command: ClapCommand,
    sources: &'static [CandidateSource],
    quoting: Quoting,
) -> ClapCommand {
    let command = command.mut_args(|argument| match values_of(&argument, sources) {
        Some(values) => argument.add(ArgValueCandidates::new(move || {
            let found = candidates::without_private(values());
            found.map(|candidate| to_shown(candidate, quoting)).collect::<Vec<_>>()
        })),
        None => argument,
    });
    command.mut_subcommands(move |command| with_candidates(command, sources, quoting))
}

/// Returns what lists the values of an argument: its name in the help says what it is.
fn values_of(argument: &Arg, sources: &[CandidateSource]) -> Option<fn() -> Vec<Candidate>> {
    if !argument.get_possible_values().is_empty() {
        return None;
    }
    let name = argument.get_value_names().and_then(<[_]>::first).map(ToString::to_string);
    let name = name.unwrap_or_else(|| argument.get_id().as_str().to_uppercase());
    sources.iter().find_map(|source| source(&name))
}

fn to_shown(candidate: Candidate, quoting: Quoting) -> CompletionCandidate {
    let value = match quoting {
        Quoting::None => candidate.value,
        Quoting::Backslash => with_backslashes(&candidate.value),
    };
    CompletionCandidate::new(value).help(candidate.help.map(Into::into))
}

/// Returns a value as it is typed in bash.
fn with_backslashes(value: &str) -> String {
    let mut quoted = String::with_capacity(value.len());
    for c in value.chars() {
        if c.is_ascii() && !c.is_ascii_alphanumeric() && !"/_-.,+@:=".contains(c) {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted
}
