//! The syntax of a waiver comment: `allow RULE, RULE — reason`.

use super::waivable::waivable_rule;
use dibber_skill::diagnostic::RuleMeta;
use dibber_text::{Message, Problem, Span, message, quote};

/// What every waiver comment begins with.
pub(super) const MARK: &str = "dibber:";
/// The keyword after the mark.
const ALLOW: &str = "allow";
/// The placeholder for a rule in help.
const RULE_PLACEHOLDER: &str = "RULE";

/// The maximum number of rules in one comment.
const NAMES_MAX: usize = 20;

/// A parsed comment.
#[derive(Debug, Default)]
pub(super) struct Directive {
    /// The rules whose findings it waives, with the spans of their names.
    pub(super) rules: Vec<(&'static RuleMeta, Span)>,
    /// Its problems, each with the span of a name; without one, it concerns the whole comment.
    pub(super) problems: Vec<Problem<Option<Span>>>,
}

/// Parses the text after the [`MARK`]; `offset` is its position in the file.
pub(super) fn parse(text: &str, offset: usize) -> Directive {
    let rest = text.trim_start();
    let word_length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    let (word, rest) = rest.split_at(word_length);
    if word != ALLOW {
        let message = match word {
            "" => message!["missing `allow` after `dibber:`"],
            word => message!["unknown directive `", quote(word), "`"],
        };
        return broken(message, RULE_PLACEHOLDER);
    }
    let (names, rest) = names(rest, offset + text.len() - rest.len());
    if names.is_empty() {
        return broken(message!["the waiver names no rule"], RULE_PLACEHOLDER);
    }
    if names.len() > NAMES_MAX {
        let message = message!["the waiver names more than ", NAMES_MAX, " rules"];
        return broken(message, RULE_PLACEHOLDER);
    }
    let written_rules = || Message::join(names.iter().map(|(name, _)| quote(name)), ", ");
    match reason(rest) {
        Reason::Given => with_rules(&names),
        Reason::Missing => broken(message!["the waiver has no reason"], written_rules()),
        Reason::MissingDash => {
            let message = message!["missing dash between the rules and the reason"];
            broken(message, written_rules())
        }
    }
}

fn broken(message: Message, rules: impl Into<Message>) -> Directive {
    let help = message!["write `dibber: allow ", rules.into(), " — the reason`"];
    Directive { rules: Vec::new(), problems: vec![Problem::new(None, message).with_help(help)] }
}

/// Returns the directive of a comment that is never closed.
pub(super) fn unclosed_comment() -> Directive {
    let message = message!["the comment with the waiver is never closed"];
    let problem = Problem::new(None, message).with_help("end it with `-->`");
    Directive { rules: Vec::new(), problems: vec![problem] }
}

fn with_rules(names: &[(&str, Span)]) -> Directive {
    let mut directive = Directive::default();
    for &(name, span) in names {
        match waivable_rule(name) {
            Ok(rule) => directive.rules.push((rule, span)),
            Err(problem) => directive.problems.push(problem.map_place(|()| Some(span))),
        }
    }
    directive
}

/// Parses comma-separated names; returns them and the rest of the text.
fn names(text: &str, offset: usize) -> (Vec<(&str, Span)>, &str) {
    let mut names = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let name = &rest[..name_length(rest)];
        if name.is_empty() {
            return (names, rest);
        }
        let start = offset + text.len() - rest.len();
        names.push((name, Span::new(start, start + name.len())));
        rest = rest[name.len()..].trim_start();
        match rest.strip_prefix(',') {
            // One name more than the limit is read, so that the caller can report it.
            Some(after) if names.len() <= NAMES_MAX => rest = after,
            _ => return (names, rest),
        }
    }
}

/// Returns the length of a name. A dash is part of it only if more of the name follows, because a
/// dash also separates the reason: not in `secret--` and `secret- `.
fn name_length(text: &str) -> usize {
    let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let length = text.find(|c| !is_name(c)).unwrap_or(text.len());
    let length = text[..length].find("--").unwrap_or(length);
    text[..length].trim_end_matches('-').len()
}

enum Reason {
    Given,
    Missing,
    MissingDash,
}

fn reason(text: &str) -> Reason {
    let after = text.trim_start_matches(['—', '–', '-', ':']);
    if after.chars().any(char::is_alphanumeric) {
        if after.len() < text.len() { Reason::Given } else { Reason::MissingDash }
    } else {
        Reason::Missing
    }
}
