//! What a word is made of, and what its letters are worth when case does not count.

pub(super) use unicode_normalization::char::is_combining_mark;

use dibber_text::is_invisible;

/// Tells whether a character stands in words: a letter, a digit, or a mark on one of them.
pub(super) fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    is_unspaced(c) || (c.is_alphanumeric() || is_combining_mark(c)) && !is_apostrophe(c)
}

/// Tells whether words of its script follow each other without a space: a name of such letters
/// is found inside of longer runs, because nobody can say where it would end. Korean has spaces,
/// but hangs its particles on the name.
pub(super) const fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1100}'..='\u{11FF}'
        | '\u{1780}'..='\u{17FF}' | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FA}'
        | '\u{30FC}'..='\u{30FF}' | '\u{3100}'..='\u{318F}' | '\u{31A0}'..='\u{31BF}'
        | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Tells whether a character is one of those that stand for an apostrophe. Some of them are
/// letters to Unicode.
pub(super) const fn is_apostrophe(c: char) -> bool {
    matches!(
        c,
        '\'' | '`' | '\u{B4}' | '\u{2BB}' | '\u{2BC}' | '\u{2018}' | '\u{2019}' | '\u{A78C}'
    )
}

/// Tells whether a character is one of those that stand for a hyphen; a long dash parts sentences.
pub(super) const fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2013}' | '\u{2212}')
}

/// Tells whether nobody sees the character, so that it hides no name. Line separators are white
/// space.
pub(super) const fn is_hidden(c: char) -> bool {
    let is_selector = matches!(c, '\u{FE00}'..='\u{FE0F}');
    (is_invisible(c) || is_selector) && !matches!(c, '\u{2028}' | '\u{2029}')
}

/// What a character is worth when case does not count, added to `folded`.
///
/// The capital is taken back to small letters, so that `ß` is `SS`, both small sigmas are one
/// and the Turkish letters `ı` and `İ` are `i`, as they are in the name of a file.
pub(super) fn fold(c: char, folded: &mut String) {
    if c.is_ascii() {
        folded.push(c.to_ascii_lowercase());
        return;
    }
    for small in c.to_uppercase().flat_map(char::to_lowercase) {
        let is_dot_on_i = small == '\u{307}' && (c == 'İ' || folded.ends_with('i'));
        if !is_dot_on_i {
            folded.push(small);
        }
    }
}

/// The folded form of a word.
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

/// Tells whether a word has no small letter, and at least one capital.
pub(super) fn is_capitals(word: &str) -> bool {
    word.contains(char::is_uppercase) && !word.contains(char::is_lowercase)
}

/// Tells whether a word begins with a capital and goes on in small letters. In scripts without
/// capitals, each word does.
pub(super) fn is_title(word: &str) -> bool {
    let mut characters = word.chars();
    let first = characters.next();
    first.is_some_and(|c| !c.is_lowercase()) && !characters.any(char::is_uppercase)
}

/// Tells whether a new word begins between two letters of a run, as in `emmaPlan`, `JSONPlan`
/// and `emma2`. `next` is the character behind.
pub(super) fn is_joint(before: char, c: char, next: Option<char>) -> bool {
    if !c.is_ascii() && is_combining_mark(c) {
        return false;
    }
    let begins_word = c.is_uppercase()
        && (!before.is_uppercase() && !before.is_numeric()
            || before.is_uppercase() && next.is_some_and(char::is_lowercase));
    begins_word || before.is_numeric() != c.is_numeric() && !is_combining_mark(before)
}
