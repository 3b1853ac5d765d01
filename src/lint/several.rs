//! How findings about many files are kept short.

/// How many files of one skill a rule names one by one.
const NAMED_MAX: usize = 5;

/// The first few items, each with 0, and one more with how many come after it.
pub(super) fn first_few<T>(items: &[T]) -> impl Iterator<Item = (&T, usize)> {
    let further = |index| if index == NAMED_MAX { items.len() - NAMED_MAX - 1 } else { 0 };
    items.iter().take(NAMED_MAX + 1).enumerate().map(move |(index, item)| (item, further(index)))
}
