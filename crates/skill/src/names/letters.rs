//! The characters of words, and their folding to compare without case.

pub(super) use unicode_normalization::char::is_combining_mark;

use dibber_text::{is_invisible, is_variation_selector};

/// Returns `true` if a character is part of words: a letter, a digit, or a mark on one of them.
pub(super) fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    is_unspaced(c) || (c.is_alphanumeric() || is_combining_mark(c)) && !is_apostrophe(c)
}

/// Returns `true` if the words of a character's script are written without spaces: a name of such
/// letters matches inside longer runs, because its end cannot be determined. Korean has spaces,
/// but attaches its particles to the name.
pub(super) const fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1100}'..='\u{11FF}'
        | '\u{1780}'..='\u{17FF}' | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FA}'
        | '\u{30FC}'..='\u{30FF}' | '\u{3100}'..='\u{318F}' | '\u{31A0}'..='\u{31BF}'
        | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Returns `true` if a character is used as an apostrophe. Unicode calls some of them letters.
pub(super) const fn is_apostrophe(c: char) -> bool {
    matches!(
        c,
        '\'' | '`' | '\u{B4}' | '\u{2BB}' | '\u{2BC}' | '\u{2018}' | '\u{2019}' | '\u{A78C}'
    )
}

/// Returns `true` if a character is used as a hyphen; a long dash separates sentences.
pub(super) const fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2013}' | '\u{2212}')
}

/// Returns `true` if a character is invisible, so that it must not hide a name. Line separators
/// are whitespace.
pub(super) const fn is_hidden(c: char) -> bool {
    (is_invisible(c) || is_variation_selector(c)) && !matches!(c, '\u{2028}' | '\u{2029}')
}

/// Appends the folded form of a character, which is equal for letters that differ only in case.
///
/// A letter is converted to uppercase and back to lowercase, so that `ß` is `ss`, both lowercase
/// sigmas are equal, and the Turkish letters `ı` and `İ` are `i`, as they are in file names.
pub(super) fn fold(c: char, folded: &mut String) {
    if c.is_ascii() {
        folded.push(c.to_ascii_lowercase());
        return;
    }
    for lowercase in c.to_uppercase().flat_map(char::to_lowercase) {
        let is_dot_on_i = lowercase == '\u{307}' && (c == 'İ' || folded.ends_with('i'));
        if !is_dot_on_i {
            folded.push(lowercase);
        }
    }
}

/// Returns the folded form of a word.
pub(super) fn folded(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    word.chars().for_each(|c| fold(c, &mut folded));
    folded
}

/// Returns the folded form of a word, or none if that has more than `bytes_max` bytes. A long word
/// is not read to its end.
pub(super) fn folded_within(word: &str, bytes_max: usize) -> Option<String> {
    let mut folded = String::with_capacity(word.len().min(bytes_max));
    for c in word.chars() {
        fold(c, &mut folded);
        if folded.len() > bytes_max {
            return None;
        }
    }
    Some(folded)
}

/// Returns `true` if a word has an uppercase letter, and no lowercase one.
pub(super) fn is_uppercase_word(word: &str) -> bool {
    word.contains(char::is_uppercase) && !word.contains(char::is_lowercase)
}

/// Returns `true` if a word begins with an uppercase letter and continues in lowercase. In scripts
/// without case, every word does.
pub(super) fn is_title(word: &str) -> bool {
    let mut characters = word.chars();
    let first = characters.next();
    first.is_some_and(|c| !c.is_lowercase()) && !characters.any(char::is_uppercase)
}

/// Returns `true` if a new word begins between two letters of a run, as in `emmaPlan`, `JSONPlan`
/// and `emma2`. `next` is the character after them.
pub(super) fn is_joint(before: char, c: char, next: Option<char>) -> bool {
    if !c.is_ascii() && is_combining_mark(c) {
        return false;
    }
    let begins_word = c.is_uppercase()
        && (!before.is_uppercase() && !before.is_numeric()
            || before.is_uppercase() && next.is_some_and(char::is_lowercase));
    begins_word || before.is_numeric() != c.is_numeric() && !is_combining_mark(before)
}
