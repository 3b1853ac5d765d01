//! How findings list things: in a sentence, as labels, and as findings one by one.

use std::fmt::Write;

use dibber_skill::diagnostic::Finding;
use dibber_text::{Span, ellipsize};

/// The most words that a sentence names one by one.
const WORDS_MAX: usize = 6;
/// How many files of one skill a rule names one by one.
const FILES_MAX: usize = 5;
/// The most further places that one finding points at.
const LABELS_MAX: usize = 12;

/// Lists words: "a", "a and b", "a, b and c". Of a long list the first ones are named and the
/// others counted.
pub(super) fn listed<T: AsRef<str>>(words: &[T]) -> String {
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
        write!(list, " and {more} more").expect("a string takes everything");
    }
    list
}

/// Lists names, each in backticks and cut where it is long.
pub(super) fn listed_names<T: AsRef<str>>(names: &[T]) -> String {
    let shown = names.iter().take(WORDS_MAX).map(|name| in_backticks(name.as_ref()));
    let rest = names.iter().skip(WORDS_MAX).map(|_| String::new());
    listed(&shown.chain(rest).collect::<Vec<_>>())
}

/// A name in backticks, cut where it is long.
pub(super) fn in_backticks(name: &str) -> String {
    format!("`{}`", ellipsize(name))
}

/// Points at further places, as many as a reader can take in.
pub(super) fn labelled(finding: Finding, places: impl Iterator<Item = (Span, String)>) -> Finding {
    places.take(LABELS_MAX).fold(finding, |finding, (span, text)| finding.label(span, text))
}

/// The first few items, each with 0, and one more with how many come after it.
pub(super) fn first_few<T>(items: &[T]) -> impl Iterator<Item = (&T, usize)> {
    let further = |index| if index == FILES_MAX { items.len() - FILES_MAX - 1 } else { 0 };
    items.iter().take(FILES_MAX + 1).enumerate().map(move |(index, item)| (item, further(index)))
}
