//! Sets of numbers, and lists of words.

use crate::calendar::set_bits;

/// Returns the values of a set, in ascending order.
pub(super) fn values(set: u64) -> Vec<u32> {
    set_bits(set).collect()
}

/// Returns the runs of consecutive values, each as its first and its last value.
pub(super) fn runs(set: u64) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for value in values(set) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == value => *last = value,
            _ => runs.push((value, value)),
        }
    }
    runs
}

/// Returns the runs in words, each value in the words of `word`: "1st", "5th to 9th". A run of two
/// is two items: "the 1st and 2nd" is shorter than a range.
pub(super) fn run_words(runs: &[(u32, u32)], word: impl Fn(u32) -> String) -> Vec<String> {
    let items = runs.iter().flat_map(|(first, last)| match last.abs_diff(*first) {
        0 => vec![word(*first)],
        1 => vec![word(*first), word(*last)],
        _ => vec![format!("{} to {}", word(*first), word(*last))],
    });
    items.collect()
}

/// Returns the distance between consecutive values, if it is the same for all of them.
pub(super) fn step(values: &[u32]) -> Option<u32> {
    let [first, second, ..] = values else { return None };
    let step = second - first;
    values.windows(2).all(|pair| pair[1] - pair[0] == step).then_some(step)
}

/// Returns "a", "a and b", "a, b and c".
pub(crate) fn listed(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} {word} {last}", others.join(", ")),
    }
}
