//! How findings list things, in a sentence and as labels.

use std::fmt::Write;

use crate::diagnostic::Finding;
use crate::text::{Span, shorten};

/// The most things that a sentence names one by one.
const NAMED_MAX: usize = 6;
/// The most further places that one finding points at.
const LABELS_MAX: usize = 12;

/// Lists words: "a", "a and b", "a, b and c". Of a long list the first ones are named and the
/// others counted.
pub(super) fn listed<T: AsRef<str>>(words: &[T]) -> String {
    let (named, more) = match words.len() {
        0..=NAMED_MAX => (words, 0),
        length => (&words[..NAMED_MAX], length - NAMED_MAX),
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
    let shown = names.iter().take(NAMED_MAX).map(|name| quoted(name.as_ref()));
    let rest = names.iter().skip(NAMED_MAX).map(|_| String::new());
    listed(&shown.chain(rest).collect::<Vec<_>>())
}

/// A name in backticks, cut where it is long.
pub(super) fn quoted(name: &str) -> String {
    format!("`{}`", shorten(name))
}

/// Points at further places, as many as a reader can take in.
pub(super) fn labelled(finding: Finding, places: impl Iterator<Item = (Span, String)>) -> Finding {
    places.take(LABELS_MAX).fold(finding, |finding, (span, text)| finding.label(span, text))
}
