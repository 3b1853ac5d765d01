//! Keys and tokens, found by the formats of their vendors.
//!
//! Only what could be a real secret counts: a body of the exact length and alphabet, with a valid
//! checksum where there is one, random enough, and without the signs of an example. `secret`
//! reports what is found here, and every report masks it.

mod encoding;
mod keys;
mod placeholder;
mod secret;
mod vendors;

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Match};

use crate::scan::word_finder::{Case, finder};
use keys::ANCHORED_FORMATS;
use vendors::TOKEN_FORMATS;

use dibber_text::{
    DecodedText, EncodedChar, Span, decoded_surroundings, encoded_chars, same_size_mask,
};

pub use secret::Secret;

static ANCHORS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let prefixes = TOKEN_FORMATS.iter().map(|vendor| vendor.prefix);
    let anchors = ANCHORED_FORMATS.iter().map(|key| key.anchor);
    finder(prefixes.chain(anchors), Case::Sensitive)
});

/// Returns the secrets in order, also those with characters in encoded form, such as `%5F` in a
/// link, `\x5f` in YAML and `&#95;` in HTML, and those with invisible characters inside.
pub fn find(text: &str) -> Vec<Secret> {
    let anchors = anchors(text);
    let found = read(text, &anchors);
    let Some(decoded) = decoded_with_anchor(text, &anchors) else { return found };
    let found_decoded = read(decoded.text(), &self::anchors(decoded.text())).into_iter();
    let found_decoded = found_decoded.map(|secret| Secret {
        span: decoded.original(secret.span),
        masked: decoded.original(secret.masked),
        ..secret
    });
    merge(found.into_iter().chain(found_decoded).collect())
}

/// Sorts secrets, and joins those that overlap: the same one may be found twice.
fn merge(mut secrets: Vec<Secret>) -> Vec<Secret> {
    secrets.sort_by_key(|secret| (secret.span.start, secret.masked.start));
    let mut merged: Vec<Secret> = Vec::with_capacity(secrets.len());
    for secret in secrets {
        match merged.last_mut().filter(|last| secret.span.start < end(last)) {
            Some(last) => {
                last.masked = union(last.masked, secret.masked);
                last.span = union(last.span, secret.span);
            }
            None => merged.push(secret),
        }
    }
    merged
}

fn union(a: Span, b: Span) -> Span {
    Span::new(a.start.min(b.start), a.end.max(b.end))
}

fn end(secret: &Secret) -> usize {
    secret.span.end.max(secret.masked.end)
}

fn anchors(text: &str) -> Vec<Match> {
    ANCHORS.find_iter(text).collect()
}

/// Returns the decoded text if it contains an anchor, without which there is no secret. The anchor
/// is either in the text as it is written, or an encoded character is part of it. Few strings
/// have one, so most are not decoded.
fn decoded_with_anchor(text: &str, anchors: &[Match]) -> Option<DecodedText> {
    let has_decoded_anchor = || {
        encoded_chars(text).any(|encoded| may_be_in_anchor(text, encoded))
            && decoded_surroundings(text, ANCHORS.max_pattern_len())
                .is_some_and(|surroundings| ANCHORS.is_match(&surroundings))
    };
    if !anchors.is_empty() || has_decoded_anchor() { DecodedText::decode(text) } else { None }
}

/// Returns `true` if an encoded or invisible character may be part of an anchor. If the one beside
/// it is encoded too, it is enough that this holds for either.
fn may_be_in_anchor(text: &str, encoded: EncodedChar) -> bool {
    let EncodedChar { span, decoded } = encoded;
    let (before, after) = (&text[..span.start], &text[span.end..]);
    match decoded {
        None => before.ends_with(is_in_anchors) || after.starts_with(is_in_anchors),
        Some(' ') => before.ends_with("PRIVATE") || after.starts_with("KEY"),
        Some(c) => is_in_anchors(c),
    }
}

const fn is_in_anchors(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':')
}

fn read(text: &str, anchors: &[Match]) -> Vec<Secret> {
    let mut found: Vec<Secret> = Vec::new();
    for hit in anchors {
        let index = hit.pattern().as_usize();
        let secret = match TOKEN_FORMATS.get(index) {
            Some(vendor) => vendor.read(text, hit.start()),
            None => (ANCHORED_FORMATS[index - TOKEN_FORMATS.len()].read)(text, hit.start()),
        };
        let Some(secret) = secret else { continue };
        // The anchor of one format may be inside the body of another, such as `eyJ` in a token.
        let is_inside_last = found.last().is_some_and(|last| secret.span.start < end(last));
        if !is_inside_last {
            found.push(secret);
        }
    }
    found
}

/// Replaces every character of a secret in `text` by `*`, or by a dot of as many bytes if it is not
/// ASCII, so that spans into the text stay valid; `text` starts at byte `offset` of the file in
/// which the secrets were found.
pub fn mask(text: &str, offset: usize, secrets: &[Secret]) -> String {
    let end = offset + text.len();
    let first = secrets.partition_point(|secret| secret.masked.end <= offset);
    let mut masked = String::with_capacity(text.len());
    let mut done = 0;
    for secret in secrets[first..].iter().take_while(|secret| secret.masked.start < end) {
        let from = secret.masked.start.max(offset) - offset;
        let to = secret.masked.end.min(end) - offset;
        masked.push_str(&text[done..from]);
        let characters = text[from..to].chars();
        masked.extend(characters.map(|c| if c.is_whitespace() { c } else { same_size_mask(c) }));
        done = to;
    }
    masked + &text[done..]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of the token are joined at run time, so that scanners do not report this file.
    fn token() -> String {
        ["ghp", "_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat()
    }

    #[test]
    fn anchors_have_only_characters_that_are_searched_for_when_encoded() {
        let prefixes = TOKEN_FORMATS.iter().map(|vendor| vendor.prefix);
        for anchor in prefixes.chain(ANCHORED_FORMATS.iter().map(|key| key.anchor)) {
            for (at, c) in anchor.char_indices() {
                let span = Span::new(at, at + c.len_utf8());
                let encoded = EncodedChar { span, decoded: Some(c) };
                assert!(may_be_in_anchor(anchor, encoded), "{c:?} in {anchor}");
            }
        }
    }

    #[test]
    fn masks_only_the_body() {
        let text = format!("a {} b", token());
        let secrets = find(&text);
        assert_eq!(secrets.len(), 1);
        let masked = mask(&text[1..], 1, &secrets);
        assert_eq!(masked, format!(" ghp_{} b", "*".repeat(36)));
        assert_eq!(mask("b", text.len() - 1, &secrets), "b");
    }
}
