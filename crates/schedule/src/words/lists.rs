//! Sets of numbers, and lists of words.

/// The values of a set, in order.
pub(super) fn values(set: u64) -> Vec<u32> {
    (0..64).filter(|value| set >> value & 1 == 1).collect()
}

/// The runs of a set, each with its first and its last value.
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

/// The runs of a set in words, each value in the words of `word`: "1st", "5th to 9th". Two in a
/// row are two items: "the 1st and 2nd" is shorter than a range.
pub(super) fn run_words(runs: &[(u32, u32)], word: impl Fn(u32) -> String) -> Vec<String> {
    let items = runs.iter().flat_map(|(first, last)| match last.abs_diff(*first) {
        0 => vec![word(*first)],
        1 => vec![word(*first), word(*last)],
        _ => vec![format!("{} to {}", word(*first), word(*last))],
    });
    items.collect()
}

/// How far apart values are, if all of them are as far from the one before.
pub(super) fn step(values: &[u32]) -> Option<u32> {
    let [first, second, ..] = values else { return None };
    let step = second - first;
    values.windows(2).all(|pair| pair[1] - pair[0] == step).then_some(step)
}

/// "a", "a and b", "a, b and c".
pub(crate) fn listed(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} {word} {last}", others.join(", ")),
    }
}
