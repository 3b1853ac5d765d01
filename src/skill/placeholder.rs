//! Placeholders in a prompt: `{{input.name}}`, which an agent fills at each run.
//!
//! A name is made of letters, digits and underscores of ASCII, and does not begin with a digit.
//! There are no spaces inside the braces. Other text in double braces belongs to somebody else
//! and is left alone, unless it was clearly meant as a placeholder.

use memchr::memmem;

use crate::text::Span;

const OPENING: &str = "{{";
const CLOSING: &str = "}}";
const PREFIX: &str = "input.";
/// The most bytes that are searched for the end of a placeholder.
const LENGTH_MAX: usize = 200;

/// Something between double braces that is, or was meant as, a placeholder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// The bytes, from the first brace to the last.
    pub span: Span,
    /// What it is.
    pub kind: PlaceholderKind,
}

/// The kinds of [`Placeholder`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceholderKind {
    /// `{{input.name}}`: the name.
    Input(String),
    /// Meant as a placeholder, but nothing will fill it.
    Malformed {
        /// What is wrong with it, as a sentence fragment.
        fault: &'static str,
        /// What was probably meant, braces included.
        correction: Option<String>,
    },
}

/// The placeholders of `text`, in its order, in bytes of it.
pub fn placeholders(text: &str) -> Vec<Placeholder> {
    let mut found = Vec::new();
    let mut read_to = 0;
    for at in memmem::find_iter(text.as_bytes(), OPENING) {
        // Of three braces in a row, the last two open.
        let is_pushed_on = text.as_bytes().get(at + OPENING.len()) == Some(&b'{');
        if at < read_to || is_pushed_on {
            continue;
        }
        let belongs_to_github = text[..at].ends_with('$');
        if let Some(placeholder) = read(text, at).filter(|_| !belongs_to_github) {
            read_to = placeholder.span.end;
            found.push(placeholder);
        }
    }
    found
}

/// Tells whether `name` can stand in a placeholder.
pub fn is_input_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(is_name_byte)
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Reads what the braces at byte `at` open; nothing when it is somebody else's.
fn read(text: &str, at: usize) -> Option<Placeholder> {
    let start = at + OPENING.len();
    let end = text.floor_char_boundary((start + LENGTH_MAX).min(text.len()));
    let rest = &text[start..end];
    let rest = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
    let closing = rest.find(CLOSING);
    let inner = &rest[..closing.unwrap_or(rest.len())];
    if let Some(nested) = inner.find(OPENING) {
        let is_meant = begins_like_input(&inner[..nested]);
        let span = Span::new(at, start + nested);
        return is_meant.then(|| malformed(span, "is not closed before the next one opens", None));
    }
    if closing.is_none() {
        let span = Span::new(at, start + inner.trim_end().len());
        return begins_like_input(inner).then(|| malformed(span, "is not closed with `}}`", None));
    }
    let span = Span::new(at, start + inner.len() + CLOSING.len());
    match inner.strip_prefix(PREFIX) {
        Some(name) if is_input_name(name) => {
            Some(Placeholder { span, kind: PlaceholderKind::Input(name.to_owned()) })
        }
        _ => slip(inner).map(|(fault, correction)| malformed(span, fault, correction)),
    }
}

fn malformed(span: Span, fault: &'static str, correction: Option<String>) -> Placeholder {
    Placeholder { span, kind: PlaceholderKind::Malformed { fault, correction } }
}

/// Tells whether the text behind two braces was meant to name an input.
fn begins_like_input(inner: &str) -> bool {
    split_word(inner).is_some()
}

/// Splits `input.`, or a word much like it, from what follows.
fn split_word(inner: &str) -> Option<(&str, &str)> {
    let trimmed = inner.trim_start();
    let length = trimmed.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (word, rest) = trimmed.split_at(length);
    let is_alike = word.eq_ignore_ascii_case("input") || word.eq_ignore_ascii_case("inputs");
    (is_alike && (rest.trim_start().starts_with('.') || rest.trim().is_empty()))
        .then_some((word, rest))
}

/// What is wrong with the inner part of a placeholder that is closed, and what was meant.
fn slip(inner: &str) -> Option<(&'static str, Option<String>)> {
    let (word, rest) = split_word(inner)?;
    let name = rest.trim().trim_start_matches('.').trim();
    let corrected = corrected_name(name);
    let fault = match (word, &corrected) {
        (_, None) => "names no input",
        ("input", Some(corrected)) if corrected == name => "has spaces inside the braces",
        ("input", Some(_)) => "has a name with other characters than letters, digits and `_`",
        _ => "does not begin with `input.`",
    };
    Some((fault, corrected.map(|name| format!("{OPENING}{PREFIX}{name}{CLOSING}"))))
}

/// The name with `_` in the place of each run of characters that a name cannot have; none when
/// that makes no name either.
pub fn corrected_name(name: &str) -> Option<String> {
    let parts: Vec<&str> = name
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|p| !p.is_empty())
        .collect();
    let joined = parts.join("_");
    is_input_name(&joined).then_some(joined)
}
