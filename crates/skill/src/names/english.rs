//! Ordinary English words, of which a name is none, and the forms of them.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The fewest letters that are left of a word without its ending.
const BASE_LETTERS_MIN: usize = 3;
/// The fewest letters of each part of a compound: `snowstorm`.
const PART_LETTERS_MIN: usize = 4;
/// Endings, and what the word has instead of them.
const ENDINGS: [(&str, &str); 29] = [
    ("ies", "y"),
    ("ied", "y"),
    ("ier", "y"),
    ("iest", "y"),
    ("ily", "y"),
    ("iness", "y"),
    ("s", ""),
    ("es", ""),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
    ("ings", ""),
    ("er", ""),
    ("er", "e"),
    ("ers", ""),
    ("ers", "e"),
    ("est", ""),
    ("est", "e"),
    ("ly", ""),
    ("y", ""),
    ("y", "e"),
    ("ness", ""),
    ("ful", ""),
    ("less", ""),
    ("able", ""),
    ("ment", ""),
    ("like", ""),
    ("ish", ""),
];

/// Returns `true` for an ordinary English word in any case and form. `is_other` adds words to those
/// of the list.
pub(super) fn is_english(word: &str, is_other: impl Fn(&str) -> bool) -> bool {
    let word = word.replace('\u{2019}', "'").to_lowercase();
    let is_known = |word: &str| ENGLISH.contains(word) || is_other(word);
    word.split('-').all(|part| {
        let part = part.strip_suffix("'").unwrap_or(part);
        part.is_empty() || is_form(part, &is_known) || is_compound(part, &is_known)
    })
}

/// Returns `true` for a known word, its plural and the other forms of it.
fn is_form(word: &str, is_known: &impl Fn(&str) -> bool) -> bool {
    let is_base = |(ending, instead): &(&str, &str)| {
        let Some(base) = word.strip_suffix(ending).filter(|it| it.len() >= BASE_LETTERS_MIN) else {
            return false;
        };
        // `swimming`
        let mut letters = base.chars().rev();
        let is_doubled = instead.is_empty()
            && base.is_ascii()
            && base.len() > BASE_LETTERS_MIN
            && letters.next() == letters.next();
        is_known(&format!("{base}{instead}")) || is_doubled && is_known(&base[..base.len() - 1])
    };
    is_known(word) || ENDINGS.iter().any(is_base)
}

fn is_compound(word: &str, is_known: &impl Fn(&str) -> bool) -> bool {
    let ends = (PART_LETTERS_MIN..word.len()).filter(|end| word.is_char_boundary(*end));
    ends.filter(|end| word.len() - end >= PART_LETTERS_MIN).any(|end| {
        let (first, last) = word.split_at(end);
        is_known(first) && is_form(last, is_known)
    })
}

static ENGLISH: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("english_words.txt").split_ascii_whitespace().collect());
