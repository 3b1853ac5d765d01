//! The syntax of a waiver comment: `allow RULE, RULE — reason`.

use super::waivable::{NotWaivable, waivable_rule};
use dibber_skill::diagnostic::RuleMeta;
use dibber_text::{Span, ellipsize};

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
    /// Its problems.
    pub(super) problems: Vec<DirectiveProblem>,
}

/// A problem of a comment.
#[derive(Debug)]
pub(super) struct DirectiveProblem {
    /// Its span; `None` if it concerns the whole comment.
    pub(super) span: Option<Span>,
    pub(super) message: String,
    pub(super) help: String,
}

/// Parses the text after the [`MARK`]; `offset` is its position in the file.
pub(super) fn parse(text: &str, offset: usize) -> Directive {
    let rest = text.trim_start();
    let word_length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    let (word, rest) = rest.split_at(word_length);
    if word != ALLOW {
        let message = match word {
            "" => "missing `allow` after `dibber:`".to_owned(),
            word => format!("unknown directive `{}`", ellipsize(word)),
        };
        return broken(message, RULE_PLACEHOLDER);
    }
    let (names, rest) = names(rest, offset + text.len() - rest.len());
    if names.is_empty() {
        return broken("the waiver names no rule".to_owned(), RULE_PLACEHOLDER);
    }
    if names.len() > NAMES_MAX {
        let message = format!("the waiver names more than {NAMES_MAX} rules");
        return broken(message, RULE_PLACEHOLDER);
    }
    let written_rules =
        || names.iter().map(|(name, _)| ellipsize(name)).collect::<Vec<_>>().join(", ");
    match reason(rest) {
        Reason::Given => with_rules(&names),
        Reason::Missing => broken("the waiver has no reason".to_owned(), &written_rules()),
        Reason::MissingDash => {
            let message = "missing dash between the rules and the reason".to_owned();
            broken(message, &written_rules())
        }
    }
}

fn broken(message: String, rules: &str) -> Directive {
    let help = format!("write `dibber: allow {rules} — the reason`");
    Directive { rules: Vec::new(), problems: vec![DirectiveProblem { span: None, message, help }] }
}

/// Returns the directive of a comment that is never closed.
pub(super) fn unclosed_comment() -> Directive {
    let message = "the comment with the waiver is never closed".to_owned();
    let problem = DirectiveProblem { span: None, message, help: "end it with `-->`".to_owned() };
    Directive { rules: Vec::new(), problems: vec![problem] }
}

fn with_rules(names: &[(&str, Span)]) -> Directive {
    let mut directive = Directive::default();
    for &(name, span) in names {
        match waivable_rule(name) {
            Ok(rule) => directive.rules.push((rule, span)),
            Err(NotWaivable { message, help }) => {
                directive.problems.push(DirectiveProblem { span: Some(span), message, help });
            }
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
