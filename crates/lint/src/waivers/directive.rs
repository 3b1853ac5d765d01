//! The words of a waiver comment: `allow RULE, RULE — reason`.

use super::{NotWaivable, waivable};
use dibber_skill::diagnostic::RuleMeta;
use dibber_text::{Span, ellipsize};

/// What every waiver comment begins with.
pub(super) const MARK: &str = "dibber:";
/// The word behind it.
const ALLOW: &str = "allow";
/// What stands for a name in the form of a waiver.
const ANY_RULE: &str = "RULE";

/// The most rules that one comment names.
const NAMES_MAX: usize = 20;

/// What a comment says.
#[derive(Debug, Default)]
pub(super) struct Directive {
    /// The rules whose findings it keeps quiet, and where they are named.
    pub(super) rules: Vec<(&'static RuleMeta, Span)>,
    /// What is wrong with it.
    pub(super) faults: Vec<Fault>,
}

/// Something in a comment that cannot be followed.
#[derive(Debug)]
pub(super) struct Fault {
    /// Where; none when it is the comment as a whole.
    pub(super) span: Option<Span>,
    pub(super) message: String,
    pub(super) help: String,
}

/// Reads what stands behind the [`MARK`]; `offset` is where that is in the file.
pub(super) fn parse(text: &str, offset: usize) -> Directive {
    let rest = text.trim_start();
    let word_length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    let (word, rest) = rest.split_at(word_length);
    if word != ALLOW {
        let message = match word {
            "" => "the comment does not say what to do".to_owned(),
            word => format!("`{}` is not a word of waivers", ellipsize(word)),
        };
        return broken(message, ANY_RULE);
    }
    let (names, rest) = names(rest, offset + text.len() - rest.len());
    if names.is_empty() {
        return broken("the waiver names no rule".to_owned(), ANY_RULE);
    }
    if names.len() > NAMES_MAX {
        let message = format!("the waiver names more than {NAMES_MAX} rules");
        return broken(message, ANY_RULE);
    }
    let written_rules =
        || names.iter().map(|(name, _)| ellipsize(name)).collect::<Vec<_>>().join(", ");
    match reason(rest) {
        Reason::Given => with_rules(&names),
        Reason::Missing => broken("the waiver has no reason".to_owned(), &written_rules()),
        Reason::NoDash => {
            let message = "the waiver has no dash between its rules and its reason".to_owned();
            broken(message, &written_rules())
        }
    }
}

fn broken(message: String, rules: &str) -> Directive {
    let help = format!("write `dibber: allow {rules} — the reason`");
    Directive { rules: Vec::new(), faults: vec![Fault { span: None, message, help }] }
}

/// What a comment says that is never closed.
pub(super) fn unclosed() -> Directive {
    let message = "the comment with the waiver is never closed".to_owned();
    let fault = Fault { span: None, message, help: "end it with `-->`".to_owned() };
    Directive { rules: Vec::new(), faults: vec![fault] }
}

fn with_rules(names: &[(&str, Span)]) -> Directive {
    let mut directive = Directive::default();
    for &(name, span) in names {
        match waivable(name) {
            Ok(rule) => directive.rules.push((rule, span)),
            Err(NotWaivable { message, help }) => {
                directive.faults.push(Fault { span: Some(span), message, help });
            }
        }
    }
    directive
}

/// The names with commas between them, and what stands behind the last.
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
            Some(behind) if names.len() <= NAMES_MAX => rest = behind,
            _ => return (names, rest),
        }
    }
}

/// A dash is part of a name when something follows it: in `secret--` and `secret- ` it is not.
fn name_length(text: &str) -> usize {
    let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let length = text.find(|c| !is_name(c)).unwrap_or(text.len());
    let length = text[..length].find("--").unwrap_or(length);
    text[..length].trim_end_matches('-').len()
}

enum Reason {
    Given,
    Missing,
    NoDash,
}

fn reason(text: &str) -> Reason {
    let behind = text.trim_start_matches(['—', '–', '-', ':']);
    if behind.chars().any(char::is_alphanumeric) {
        if behind.len() < text.len() { Reason::Given } else { Reason::NoDash }
    } else {
        Reason::Missing
    }
}
