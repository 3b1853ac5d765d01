//! The words of a name, as they are searched for.

use super::letters::{fold, folded, is_title, is_unspaced, is_uppercase_word, is_word};
use super::normal::{Hidden, NormalizedText};

/// One word of a name.
#[derive(Clone)]
pub(super) struct NameWord {
    pub(super) written: String,
    pub(super) folded: String,
    /// Whether it matches inside longer runs of its script.
    pub(super) is_unspaced: bool,
}

/// Returns the words of a name in normal form. There are none if it consists of what is not
/// compared, such as apostrophes and diacritics.
pub(super) fn name_words(name: &str) -> Vec<NameWord> {
    let mut words: Vec<NameWord> = Vec::new();
    let mut last = None;
    for c in NormalizedText::new(name, Hidden::Dropped).text.chars() {
        if !is_word(c) {
            last = None;
            continue;
        }
        if last != Some(is_unspaced(c)) {
            let is_unspaced = is_unspaced(c);
            words.push(NameWord { written: String::new(), folded: String::new(), is_unspaced });
        }
        last = Some(is_unspaced(c));
        let word = words.last_mut().expect("one was just added");
        word.written.push(c);
    }
    for word in &mut words {
        word.folded = folded(&word.written);
    }
    words
}

impl NameWord {
    /// Returns `true` if letters that differ from this word only in case are in the case of a name.
    pub(super) fn is_written(&self, found: &str) -> bool {
        let is_as_in_list = found == self.written && !found.starts_with(char::is_lowercase);
        self.is_unspaced || is_as_in_list || is_title(found) || is_uppercase_word(found)
    }

    /// Returns the end of this word, if it starts at `start`.
    pub(super) fn end(&self, text: &str, start: usize) -> Option<usize> {
        let mut left = self.folded.as_str();
        let mut end = start;
        let mut piece = String::new();
        for c in text[start..].chars() {
            if left.is_empty() {
                break;
            }
            piece.clear();
            fold(c, &mut piece);
            left = left.strip_prefix(piece.as_str())?;
            end += c.len_utf8();
        }
        left.is_empty().then_some(end)
    }

    /// Returns the number of letters that are compared.
    pub(super) fn letter_count(&self) -> usize {
        self.folded.chars().filter(|c| c.is_alphabetic()).count()
    }
}
