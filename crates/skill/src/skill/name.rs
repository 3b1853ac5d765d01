//! Which names the specification allows, and the valid name nearest to one that it does not.
//!
//! Its text asks for "unicode lowercase alphanumeric characters" and its brackets for `a-z` and
//! `0-9`. Here a letter or digit of any script is right as long as it is not uppercase.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

/// The most characters of a name.
pub const CHARACTERS_MAX: usize = 64;

/// What can be wrong with some characters of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameFault {
    /// Uppercase letters.
    Uppercase,
    /// White space.
    Space,
    /// Underscores.
    Underscore,
    /// Anything else that is neither a letter nor a digit nor a hyphen.
    Symbol,
    /// Hyphens before everything else.
    HyphenAtStart,
    /// Hyphens after everything else.
    HyphenAtEnd,
    /// Two or more hyphens in a row.
    HyphensInARow,
}

/// The form in which names are compared and counted: compatibility characters replaced, and
/// letters put together with their accents (NFKC).
pub fn normalized(name: &str) -> Cow<'_, str> {
    if name.is_ascii() { Cow::Borrowed(name) } else { Cow::Owned(name.nfkc().collect()) }
}

/// What is wrong with a name, with the bytes of each run of characters, in their order.
pub fn faults(name: &str) -> Vec<(NameFault, Range<usize>)> {
    let mut faults: Vec<(NameFault, Range<usize>)> = Vec::new();
    for (at, c) in name.char_indices() {
        let end = at + c.len_utf8();
        let Some(fault) = fault_at(name, at, c) else { continue };
        match faults.last_mut() {
            Some((last, range)) if *last == fault && range.end == at => range.end = end,
            _ => faults.push((fault, at..end)),
        }
    }
    faults
}

fn fault_at(name: &str, at: usize, c: char) -> Option<NameFault> {
    match c {
        '-' => fault_of_hyphen(name, at),
        'a'..='z' | '0'..='9' => None,
        '_' => Some(NameFault::Underscore),
        _ if c.is_whitespace() => Some(NameFault::Space),
        _ if is_uppercase(c) => Some(NameFault::Uppercase),
        _ if c.is_alphanumeric() => None,
        _ => Some(NameFault::Symbol),
    }
}

fn fault_of_hyphen(name: &str, at: usize) -> Option<NameFault> {
    let (before, after) = (&name.as_bytes()[..at], &name.as_bytes()[at + 1..]);
    match (before.last(), after.first()) {
        (None, _) => Some(NameFault::HyphenAtStart),
        (_, None) => Some(NameFault::HyphenAtEnd),
        (Some(b'-'), _) | (_, Some(b'-')) => Some(NameFault::HyphensInARow),
        _ => None,
    }
}

fn is_uppercase(c: char) -> bool {
    !c.to_lowercase().eq([c])
}

/// Returns `true` if the specification allows the name.
pub fn is_valid(name: &str) -> bool {
    let normalized = normalized(name);
    !normalized.is_empty()
        && normalized.chars().nth(CHARACTERS_MAX).is_none()
        && faults(&normalized).is_empty()
}

/// The valid name nearest to `name`: the directory's, if that is much the same, else one made of
/// its letters and digits.
pub fn corrected(name: &str, directory: Option<&str>) -> Option<String> {
    let name = normalized(name);
    let last_part = name.rsplit([':', '/', '@', '.', '\\']).next().unwrap_or(&name);
    let is_same = |directory: &&str| {
        let squashed = squashed(directory);
        is_valid(directory)
            && (squashed == self::squashed(&name) || squashed == self::squashed(last_part))
    };
    let made = || Some(with_hyphens(&name)).filter(|made| is_valid(made));
    directory.filter(is_same).map(str::to_owned).or_else(made)
}

/// The valid name nearest to `name` that has no letters but those from `a` to `z`: an accent goes,
/// and a letter of another script.
pub fn corrected_to_ascii(name: &str) -> Option<String> {
    let ascii: String = name.nfkd().filter(char::is_ascii).collect();
    corrected(&ascii, None)
}

/// The letters and digits alone, in lower case.
fn squashed(name: &str) -> String {
    normalized(name).chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The words of a name in lower case with hyphens between them; a single word is cut where a
/// uppercase letter follows a lowercase one, as in `TripPlanner`.
fn with_hyphens(name: &str) -> String {
    let is_one_word = name.chars().all(char::is_alphanumeric);
    let mut made = String::with_capacity(name.len() + 4);
    let mut before = '-';
    for c in name.chars() {
        let starts_word = is_one_word && is_uppercase(c) && before.is_lowercase();
        if !made.ends_with('-') && !made.is_empty() && (starts_word || !c.is_alphanumeric()) {
            made.push('-');
        }
        if c.is_alphanumeric() {
            made.extend(c.to_lowercase());
        }
        before = c;
    }
    made.truncate(made.trim_end_matches('-').len());
    made
}

/// Returns a name as a heading: `kid-quiz` as `Kid quiz`.
pub fn to_heading(name: &str) -> String {
    let words = name.replace(['-', '_', '.'], " ");
    let mut characters = words.trim().chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrects_to_the_nearest_valid_name() {
        let cases = [
            ("Trip Planner", None, Some("trip-planner")),
            ("TripPlanner", None, Some("trip-planner")),
            ("TripPlanner", Some("tripplanner"), Some("tripplanner")),
            ("trip__planner-", None, Some("trip-planner")),
            ("PDF", None, Some("pdf")),
            ("weekend:trip_planner", Some("trip-planner"), Some("trip-planner")),
            ("ada/trips@trip-planner", Some("trip-planner"), Some("trip-planner")),
            ("weekend:trip_planner", Some("other"), Some("weekend-trip-planner")),
            ("C++ & C#", None, Some("c-c")),
            ("Ausflüge", None, Some("ausflüge")),
            ("---", None, None),
            ("", Some("trip-planner"), None),
        ];
        for (name, directory, expected) in cases {
            assert_eq!(corrected(name, directory).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn faults_are_runs_of_bytes() {
        use NameFault::{HyphenAtEnd, HyphensInARow, Symbol, Uppercase};
        assert_eq!(faults("trip-planner-2"), []);
        assert_eq!(faults("ausflüge-旅行"), []);
        assert_eq!(faults("ABc"), [(Uppercase, 0..2)]);
        assert_eq!(faults("é--b!-"), [(HyphensInARow, 2..4), (Symbol, 5..6), (HyphenAtEnd, 6..7)]);
    }
}
