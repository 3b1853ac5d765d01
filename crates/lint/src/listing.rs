//! Lists in findings: in a sentence, as labels, and as findings one by one.

use std::fmt::Write;

use dibber_skill::diagnostic::Finding;
use dibber_text::{Span, ellipsize};

/// The most words that a sentence names one by one.
const WORDS_MAX: usize = 6;
/// The number of files of one skill that a rule names one by one.
const FILES_MAX: usize = 5;
/// The most labels that one finding gets.
const LABELS_MAX: usize = 12;

/// Joins words for a sentence: "a", "a and b", "a, b and c". A long list names the first ones and
/// counts the others.
pub(super) fn join_words<T: AsRef<str>>(words: &[T]) -> String {
    let (named, more) = match words.len() {
        0..=WORDS_MAX => (words, 0),
        length => (&words[..WORDS_MAX], length - WORDS_MAX),
    };
    let mut list = String::new();
    for (index, word) in named.iter().enumerate() {
        let is_last = index + 1 == named.len() && more == 0;
        list += match index {
            0 => "",
            _ if is_last => " and ",
            _ => ", ",
        };
        list += word.as_ref();
    }
    if more > 0 {
        write!(list, " and {more} more").expect("writing to a string does not fail");
    }
    list
}

/// Joins names for a sentence, each in backticks and shortened where it is long.
pub(super) fn join_names<T: AsRef<str>>(names: &[T]) -> String {
    let shown = names.iter().take(WORDS_MAX).map(|name| quote_name(name.as_ref()));
    let rest = names.iter().skip(WORDS_MAX).map(|_| String::new());
    join_words(&shown.chain(rest).collect::<Vec<_>>())
}

/// Returns a name in backticks, shortened where it is long.
pub(super) fn quote_name(name: &str) -> String {
    format!("`{}`", ellipsize(name))
}

/// Adds labels to a finding, as many as a reader can take in.
pub(super) fn with_labels(
    finding: Finding,
    labels: impl Iterator<Item = (Span, String)>,
) -> Finding {
    labels.take(LABELS_MAX).fold(finding, |finding, (span, text)| finding.label(span, text))
}

/// Returns the first few items, each with 0, and one more with the number that come after it.
pub(super) fn first_few<T>(items: &[T]) -> impl Iterator<Item = (&T, usize)> {
    let further = |index| if index == FILES_MAX { items.len() - FILES_MAX - 1 } else { 0 };
    items.iter().take(FILES_MAX + 1).enumerate().map(move |(index, item)| (item, further(index)))
}
