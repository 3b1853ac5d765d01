//! Lists in findings: in a sentence, as labels, and as findings one by one.

use dibber_skill::diagnostic::Finding;
use dibber_text::{Message, Part, Span, message, quote};

/// The most words that a sentence names one by one.
const WORDS_MAX: usize = 6;
/// The number of files of one skill that a rule names one by one.
const FILES_MAX: usize = 5;
/// The most labels that one finding gets.
const LABELS_MAX: usize = 12;

/// Joins words for a sentence: "a", "a and b", "a, b and c". A long list names the first ones and
/// counts the others.
pub(super) fn join_words<'a, P: Into<Part<'a>>>(words: Vec<P>) -> Message {
    let (named, more) = match words.len() {
        length @ 0..=WORDS_MAX => (length, 0),
        length => (WORDS_MAX, length - WORDS_MAX),
    };
    let mut list = Message::default();
    for (index, word) in words.into_iter().take(named).enumerate() {
        let is_last = index + 1 == named && more == 0;
        list.push(match index {
            0 => "",
            _ if is_last => " and ",
            _ => ", ",
        });
        list.push(word);
    }
    if more > 0 {
        list.push(message![" and ", more, " more"]);
    }
    list
}

/// Joins names for a sentence, each in backticks.
pub(super) fn join_names(names: &[&str]) -> Message {
    join_words(names.iter().map(|name| quote_name(name)).collect())
}

/// Returns a name in backticks.
pub(super) fn quote_name(name: &str) -> Message {
    message!["`", quote(name), "`"]
}

/// Adds labels to a finding, as many as a reader can take in.
pub(super) fn with_labels(
    finding: Finding,
    labels: impl Iterator<Item = (Span, Message)>,
) -> Finding {
    labels.take(LABELS_MAX).fold(finding, |finding, (span, text)| finding.label(span, text))
}

/// Returns the first few items, each with 0, and one more with the number that come after it.
pub(super) fn first_few<T>(items: &[T]) -> impl Iterator<Item = (&T, usize)> {
    let further = |index| if index == FILES_MAX { items.len() - FILES_MAX - 1 } else { 0 };
    items.iter().take(FILES_MAX + 1).enumerate().map(move |(index, item)| (item, further(index)))
}
