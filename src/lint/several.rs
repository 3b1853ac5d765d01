//! How findings about many files, and names that are long, are kept short.

use std::borrow::Cow;

/// How many files of one skill a rule names one by one.
const NAMED_MAX: usize = 5;
/// The most characters of a text from a file that a message shows.
const SHOWN_CHARACTERS_MAX: usize = 60;

/// The first few items, each with 0, and one more with how many come after it.
pub(super) fn first_few<T>(items: &[T]) -> impl Iterator<Item = (&T, usize)> {
    let further = |index| if index == NAMED_MAX { items.len() - NAMED_MAX - 1 } else { 0 };
    items.iter().take(NAMED_MAX + 1).enumerate().map(move |(index, item)| (item, further(index)))
}

/// The text, cut with `…` when it is long.
pub(super) fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHOWN_CHARACTERS_MAX) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
    }
}
