//! Sets of small numbers as the bits of a word.

/// Returns the bits from `first` to `last`.
pub(super) const fn bit_range(first: u32, last: u32) -> u64 {
    u64::MAX >> (63 - last) & u64::MAX << first
}

/// Returns the numbers of a set, in ascending order.
pub(crate) fn set_bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros())?;
        // Clears the lowest bit.
        set &= set - 1;
        Some(first)
    })
}

/// Returns `true` if two sets of several words have a number in common.
pub(super) fn have_common_bits<const WORDS: usize>(a: &[u64; WORDS], b: &[u64; WORDS]) -> bool {
    a.iter().zip(b).fold(0, |common, (a, b)| common | (a & b)) != 0
}
