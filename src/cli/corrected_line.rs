//! A command as it was typed, corrected, to be typed again.

use std::ffi::OsString;

use clap::{Arg, Command as ClapCommand};

use dibber_text::Mask;

/// The option that gives an input.
const INPUT: &str = "input";
/// What is shown instead of something private.
const LEFT_OUT: &str = "…";

/// A command line that was typed.
#[derive(Clone, Copy)]
pub(super) struct TypedLine<'a> {
    root: &'a ClapCommand,
    command: &'a ClapCommand,
    /// What was typed after the name of the program.
    arguments: &'a [OsString],
    /// What must not be shown.
    mask: &'a dyn Mask,
}

impl<'a> TypedLine<'a> {
    /// Returns the line of the command that these words below `root` call.
    pub(super) fn new(
        root: &'a ClapCommand,
        words: &[&str],
        arguments: &'a [OsString],
        mask: &'a dyn Mask,
    ) -> Option<Self> {
        let command = words.iter().try_fold(root, |command, word| command.find_subcommand(word))?;
        Some(Self { root, command, arguments: arguments.get(1..)?, mask })
    }

    /// Returns the line with `--input` before each input, whether it was typed as `name=Jay` or as
    /// `--name Jay`; none if there is no such input, or the command has none.
    pub(super) fn with_inputs(self) -> Option<String> {
        self.option(INPUT).filter(|option| has_values(option))?;
        let (mut out, mut count) = (vec!["dibber".to_owned()], 0);
        let mut typed = self.arguments.iter().map(|argument| argument.to_string_lossy()).peekable();
        while let Some(argument) = typed.next() {
            let Some(long) = argument.strip_prefix("--").filter(|long| !long.is_empty()) else {
                let name = argument.split_once('=').map(|(name, _)| name.trim_end_matches(':'));
                if name.is_some_and(is_input_name) {
                    count += 1;
                    out.extend(self.input(&argument));
                } else {
                    out.push(self.word(&argument));
                }
                continue;
            };
            let (name, value) = long.split_once('=').map_or((long, None), |(n, v)| (n, Some(v)));
            if let Some(option) = self.option(name) {
                out.push(self.word(&argument));
                if option.get_action().takes_values() && value.is_none() {
                    out.extend(typed.next().map(|value| self.word(&value)));
                }
                continue;
            }
            let value = match value {
                Some(value) => value.to_owned(),
                None => typed.next_if(|next| !next.starts_with('-'))?.into_owned(),
            };
            if !is_input_name(name) {
                return None;
            }
            count += 1;
            out.extend(self.input(&format!("{name}={value}")));
        }
        (count > 0).then(|| out.join(" "))
    }

    /// Returns the name of the first argument of the command, which these words call, if one was
    /// typed directly after them.
    pub(super) fn first_argument(self, words: &[&str]) -> Option<&'a str> {
        let is_called = words.iter().zip(self.arguments).all(|(word, typed)| typed == *word);
        let typed = self.arguments.get(words.len()).filter(|_| is_called)?;
        let first = self.command.get_positionals().next()?;
        let name = first.get_value_names()?.first()?.as_str();
        (!typed.to_string_lossy().starts_with('-')).then_some(name)
    }

    /// Returns the value that was typed after an option, as it is typed in a shell.
    pub(super) fn value_after(self, option: &str) -> Option<String> {
        let mut typed = self.arguments.iter().map(|argument| argument.to_string_lossy());
        let after = typed.find_map(|it| it.strip_prefix(option).map(str::to_owned))?;
        match after.strip_prefix('=') {
            Some(value) => Some(self.word(value)),
            None => typed.next().filter(|it| !it.starts_with('-')).map(|value| self.word(&value)),
        }
    }

    /// Returns an option of the command, or of every command.
    fn option(self, name: &str) -> Option<&'a Arg> {
        let mut options = self.command.get_arguments().chain(self.root.get_arguments());
        options.find(|option| {
            let aliases = option.get_all_aliases().unwrap_or_default();
            option.get_long() == Some(name) || aliases.contains(&name)
        })
    }

    /// Returns an input as it is typed: only its name, if the value is private.
    fn input(self, pair: &str) -> [String; 2] {
        let name = pair.split_once('=').map_or(pair, |(name, _)| name);
        let is_private = self.is_private(pair) && !self.is_private(name);
        let shown = if is_private { format!("{name}={LEFT_OUT}") } else { self.word(pair) };
        [format!("--{INPUT}"), shown]
    }

    /// Returns an argument as it is typed in a shell.
    fn word(self, argument: &str) -> String {
        if self.is_private(argument) {
            return LEFT_OUT.to_owned();
        }
        let is_plain = |c: char| c.is_alphanumeric() || "_-./:=@%+,".contains(c);
        if !argument.is_empty() && argument.chars().all(is_plain) {
            argument.to_owned()
        } else {
            format!("'{}'", argument.replace('\'', r"'\''"))
        }
    }

    fn is_private(self, text: &str) -> bool {
        self.mask.mask(text) != text
    }
}

/// Returns `true` for an option that fills inputs in, and not for one that adds them to a skill.
fn has_values(option: &Arg) -> bool {
    option.get_value_names().is_some_and(|names| names.iter().any(|name| name == "NAME=VALUE"))
}

fn is_input_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{commands, definition::definition};

    /// Masks one name.
    struct Name(&'static str);

    impl Mask for Name {
        fn mask<'t>(&self, text: &'t str) -> std::borrow::Cow<'t, str> {
            if text.contains(self.0) { text.replace(self.0, "***").into() } else { text.into() }
        }
    }

    fn corrected(typed: &[&str]) -> Option<String> {
        let root = definition(&commands());
        let arguments: Vec<_> = ["dibber"].iter().chain(typed).map(OsString::from).collect();
        TypedLine::new(&root, &["render"], &arguments, &Name("Zebu"))?.with_inputs()
    }

    #[test]
    fn inputs_are_given_with_their_option() {
        let cases: &[(&[&str], Option<&str>)] = &[
            (&["render", "a", "x=1"], Some("dibber render a --input x=1")),
            (
                &["render", "a", "--x", "1", "y:=2"],
                Some("dibber render a --input x=1 --input y:=2"),
            ),
            (&["render", "a", "--x=b c"], Some("dibber render a --input 'x=b c'")),
            (&["render", "a", "--x", "it's"], Some(r"dibber render a --input 'x=it'\''s'")),
            (&["render", "a", "x=Zebu"], Some("dibber render a --input x=…")),
            (
                &["render", "--input", "x=1", "a", "y=2"],
                Some("dibber render --input x=1 a --input y=2"),
            ),
            (&["render", "a", "--verbose"], None),
            (&["render", "a", "b"], None),
        ];
        for (typed, expected) in cases {
            assert_eq!(corrected(typed).as_deref(), *expected, "{typed:?}");
        }
    }
}
