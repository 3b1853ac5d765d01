//! Typed values of a `skill.toml`, and the problems of those that have another type.

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::problem::{ProtocolProblem, ProtocolProblemKind as Kind};
use crate::manifest::{Located, PROBLEMS_MAX};
use crate::toml_syntax::{SyntaxErrors, describe};
use dibber_text::{Message, Problem, Span, closest_match, message, quote};

/// A value with its bytes.
pub(super) type Value<'a> = Spanned<DeValue<'a>>;

/// The keys of one table.
pub(super) struct Keys {
    /// The table, as messages name it.
    pub(super) of: &'static str,
    /// The keys, in the order of the documentation.
    pub(super) known: &'static [&'static str],
    /// What people write instead of one of them.
    pub(super) instead: &'static [(&'static str, &'static str)],
}

/// Collects problems while values are read.
#[derive(Default)]
pub(super) struct Reader {
    problems: Vec<ProtocolProblem>,
    /// Problems of keys that are not there; a line that cannot be read may hold them.
    missing: Vec<ProtocolProblem>,
}

impl Reader {
    pub(super) fn add(&mut self, kind: Kind, problem: Problem) {
        self.problems.push(ProtocolProblem { kind, problem });
    }

    /// Adds a problem of a value.
    pub(super) fn invalid(
        &mut self,
        span: Span,
        message: impl Into<Message>,
        help: impl Into<Message>,
    ) {
        self.add(Kind::Invalid, Problem::new(span, message).with_help(help));
    }

    /// Adds a problem of a key that is not there.
    pub(super) fn missing(
        &mut self,
        kind: Kind,
        (of, at): (&'static str, Span),
        key: &'static str,
        example: &'static str,
    ) {
        let message = message![of, " has no `", key, "`"];
        let help = message!["add a line such as `", key, " = ", example, "`"];
        let problem = Problem::new(at, message).with_help(help);
        self.missing.push(ProtocolProblem { kind, problem });
    }

    pub(super) fn wrong_type(&mut self, value: &Value<'_>, name: &'static str, example: Message) {
        let found = describe(value.get_ref());
        let message = message!["`", name, "` is ", found];
        self.invalid(span(value), message, message!["write ", example]);
    }

    pub(super) fn unknown_key(&mut self, key: &Spanned<DeString<'_>>, keys: &Keys) {
        let name = key.get_ref();
        let message = message!["`", quote(name), "` is not a key of ", keys.of];
        let instead = keys.instead.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        let meant = instead.map(|(_, key)| *key);
        let help = match meant.or_else(|| closest_match(name, keys.known.iter().copied())) {
            Some(meant) => message!["did you mean `", meant, "`?"],
            None => {
                message!["the keys are `", Message::join(keys.known.iter().copied(), "`, `"), "`"]
            }
        };
        let problem = Problem::new(Span::from(key.span()), message).with_help(help);
        self.add(Kind::UnknownKey, problem);
    }

    /// Reads a string; `example` is a valid one in quotes.
    pub(super) fn string(
        &mut self,
        value: &Value<'_>,
        name: &'static str,
        example: &'static str,
    ) -> Option<Located<String>> {
        let Some(text) = value.get_ref().as_str() else {
            self.wrong_type(value, name, message!["a string, such as `", example, "`"]);
            return None;
        };
        Some(Located { value: text.to_owned(), span: span(value) })
    }

    /// Reads a list of strings, each of which is there once.
    pub(super) fn strings(
        &mut self,
        value: &Value<'_>,
        name: &'static str,
        example: &'static str,
    ) -> Vec<Located<String>> {
        let Some(items) = value.get_ref().as_array() else {
            self.wrong_type(value, name, message!["a list of strings, such as `[", example, "]`"]);
            return Vec::new();
        };
        let mut strings: Vec<Located<String>> = Vec::new();
        for item in items {
            let Some(text) = item.get_ref().as_str() else {
                let found = describe(item.get_ref());
                let message = message!["an item of `", name, "` is ", found];
                self.invalid(
                    span(item),
                    message,
                    message!["write a string, such as `", example, "`"],
                );
                continue;
            };
            let string = Located { value: text.to_owned(), span: span(item) };
            if strings.iter().any(|known| known.value == string.value) {
                let message =
                    message!["`", quote(&string.value), "` is in `", name, "` more than once"];
                self.invalid(string.span, message, "remove all but one");
            } else {
                strings.push(string);
            }
        }
        strings
    }

    pub(super) fn table<'t, 'v>(
        &mut self,
        value: &'t Value<'v>,
        name: &'static str,
    ) -> Option<&'t DeTable<'v>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong_type(value, name, message!["a table that begins with `[", name, "]`"]);
        }
        table
    }

    /// Adds the errors of the TOML parser, and removes what may only follow from them.
    pub(super) fn add_syntax_errors(&mut self, syntax: SyntaxErrors) {
        self.problems.retain(|found| !syntax.is_guess(found.problem.place));
        if syntax.has_guess() {
            self.missing.clear();
        }
        for problem in syntax.problems {
            self.add(Kind::Invalid, problem);
        }
    }

    /// Returns the problems in the order of the file; of too many, the first ones, and one more
    /// that counts the others.
    pub(super) fn finish(self) -> Vec<ProtocolProblem> {
        let mut problems = self.problems;
        problems.extend(self.missing);
        problems.sort_by_key(|found| found.problem.place);
        // The parser reports the end of the file once for each bracket that is open there.
        problems.dedup();
        if let Some(first_omitted) = problems.get(PROBLEMS_MAX) {
            let place = first_omitted.problem.place;
            let omitted = problems.len() - PROBLEMS_MAX;
            let problem = Problem::new(place, message![omitted, " more problems begin here"])
                .with_help("fix those above first");
            problems.truncate(PROBLEMS_MAX);
            problems.push(ProtocolProblem { kind: Kind::Invalid, problem });
        }
        problems
    }
}

pub(super) fn span(value: &Value<'_>) -> Span {
    Span::from(value.span())
}
