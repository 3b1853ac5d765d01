//! Splits a schedule in words into words, numbers and signs. Every character belongs to one of
//! them, or is blank.

use super::vocabulary::{Term, term};
use dibber_text::Span;

/// The most digits of a number; a longer one is out of range everywhere.
const DIGITS_MAX: usize = 4;

/// Forms of "am" and "pm" with points, which would otherwise be two words.
const POINTED: [(&str, &str); 4] = [("a.m.", "am"), ("p.m.", "pm"), ("a.m", "am"), ("p.m", "pm")];

/// A word, a number or a sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme {
    pub(super) span: Span,
    pub(super) kind: LexemeKind,
    /// Whether nothing is between it and the one before it.
    pub(super) is_glued: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LexemeKind {
    Term(Term),
    Unknown,
    /// A number in digits, and whether it has two of them, as on a digital clock.
    Digits {
        value: u32,
        has_two: bool,
    },
    Sign(char),
}

/// Splits a string.
pub(super) fn lexemes(text: &str) -> Vec<Lexeme> {
    let mut lexemes: Vec<Lexeme> = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (length, kind) = lexeme(rest, first);
        let is_glued = lexemes.last().is_some_and(|before| before.span.end == at);
        lexemes.push(Lexeme { span: Span::new(at, at + length), kind, is_glued });
        at += length;
    }
    lexemes
}

/// Returns the bytes and the kind of the first lexeme of a string.
fn lexeme(rest: &str, first: char) -> (usize, LexemeKind) {
    let length = |is_part: fn(char) -> bool| rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    if first.is_ascii_digit() {
        let digits = &rest[..length(|c| c.is_ascii_digit())];
        let value = if digits.len() > DIGITS_MAX { None } else { digits.parse().ok() };
        let value = value.unwrap_or(u32::MAX);
        return (digits.len(), LexemeKind::Digits { value, has_two: digits.len() == 2 });
    }
    if first == '@' {
        return (1, LexemeKind::Term(Term::At));
    }
    if !first.is_alphabetic() {
        let sign = match first {
            '\u{2010}'..='\u{2014}' => '-',
            ';' => ',',
            sign => sign,
        };
        return (first.len_utf8(), LexemeKind::Sign(sign));
    }
    let is_pointed = |pointed: &&(&str, &str)| {
        rest.get(..pointed.0.len()).is_some_and(|start| start.eq_ignore_ascii_case(pointed.0))
    };
    if let Some((pointed, meaning)) = POINTED.iter().find(is_pointed) {
        let after = rest[pointed.len()..].chars().next();
        if !after.is_some_and(char::is_alphanumeric) {
            return (pointed.len(), term(meaning).map_or(LexemeKind::Unknown, LexemeKind::Term));
        }
    }
    let word = &rest[..length(|c| c.is_alphabetic() || matches!(c, '\'' | '\u{2019}'))];
    let lowercase = word.to_lowercase().replace('\u{2019}', "'");
    (word.len(), term(&lowercase).map_or(LexemeKind::Unknown, LexemeKind::Term))
}
