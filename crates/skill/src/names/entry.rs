//! One name as it is looked for: its words, and in which case they count.

use super::common_words::is_common;
use super::letters::{
    fold, folded, is_apostrophe, is_capitals, is_combining_mark, is_hyphen, is_joint, is_title,
    is_unspaced, is_word,
};
use super::list::{Case, Name};

/// The most characters between two words of a name: a line break, and what a list or a quotation
/// is moved in by.
const SEPARATOR_CHARACTERS_MAX: usize = 16;
/// How far marks are followed back to the letter that they stand on.
const MARKS_MAX: usize = 32;

/// How words are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// By what is between them.
    Apart,
    /// By that, and by capitals and digits inside of them: `emmaPlan2`.
    Joined,
}

/// One name.
#[derive(Clone)]
pub(super) struct Entry {
    /// Its words; there is at least one.
    pub(super) words: Vec<Word>,
    /// Whether any case counts, wherever the name stands.
    pub(super) any_case: bool,
    /// Whether it is a common word, so that small letters mean that word.
    pub(super) is_common: bool,
}

/// One word of a name.
#[derive(Clone)]
pub(super) struct Word {
    written: String,
    pub(super) folded: String,
    /// Whether it is found inside of longer runs of its script.
    pub(super) is_unspaced: bool,
}

impl Entry {
    pub(super) fn new(name: &Name) -> Self {
        let mut words: Vec<Word> = Vec::new();
        let mut last = None;
        for c in name.written().chars() {
            if !is_word(c) {
                last = None;
                continue;
            }
            if last != Some(is_unspaced(c)) {
                let is_unspaced = is_unspaced(c);
                words.push(Word { written: String::new(), folded: String::new(), is_unspaced });
            }
            last = Some(is_unspaced(c));
            let word = words.last_mut().expect("one was just added");
            word.written.push(c);
        }
        for word in &mut words {
            word.folded = folded(&word.written);
        }
        let is_common = words.len() == 1 && is_common(&words[0].folded);
        Self { words, any_case: name.case() == Case::Any, is_common }
    }

    /// The end of the name whose first word is `at..end` of the text, when all of it is there
    /// and written as it must be.
    pub(super) fn end(&self, text: &str, at: usize, end: usize, kind: Words) -> Option<usize> {
        let is_free = self.is_free(kind);
        let mut end = end;
        if !is_free && !self.words[0].is_written(&text[at..end]) {
            return None;
        }
        for pair in self.words.windows(2) {
            let [before, word] = pair else { continue };
            let start = after_separator(text, end, before, word, kind)?;
            end = word.end(text, start, kind)?;
            let found = &text[start..end];
            if !is_free && !word.is_written(found) && found != word.written {
                return None;
            }
        }
        let is_name = !is_contraction(text, end) && (is_free || !is_constant(text, at, end));
        is_name.then_some(end)
    }

    /// The most bytes of a text in which it can be written: no letter has more than twice the bytes
    /// of what it folds to.
    pub(super) fn bytes_max(&self) -> usize {
        let words: usize = self.words.iter().map(|word| 2 * word.folded.len()).sum();
        words + (self.words.len() - 1) * SEPARATOR_CHARACTERS_MAX * char::MAX.len_utf8()
    }

    /// Tells whether it counts in any case.
    fn is_free(&self, kind: Words) -> bool {
        self.any_case || kind == Words::Joined && !self.is_common
    }
}

impl Word {
    /// Tells whether letters that are this word apart from their case are written as a name is.
    fn is_written(&self, found: &str) -> bool {
        let is_as_in_list = found == self.written && !found.starts_with(char::is_lowercase);
        self.is_unspaced || is_as_in_list || is_title(found) || is_capitals(found)
    }

    /// The end of this word, when it starts at `start` and ends where a word ends.
    fn end(&self, text: &str, start: usize, kind: Words) -> Option<usize> {
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
        let is_whole = self.is_unspaced || is_end(text, end, kind);
        (left.is_empty() && is_whole).then_some(end)
    }
}

/// The start of the next word of a name, behind white space, a hyphen or an apostrophe.
fn after_separator(
    text: &str,
    end: usize,
    before: &Word,
    word: &Word,
    kind: Words,
) -> Option<usize> {
    let is_initial = before.written.chars().nth(1).is_none();
    let may_have_point = kind == Words::Joined || is_initial;
    let separates = |c: char| {
        c.is_whitespace()
            || is_hyphen(c)
            || is_apostrophe(c)
            || matches!(c, '_' | '\u{B7}' | '\u{30FB}')
            || c == '.' && may_have_point
    };
    let (mut at, mut lines) = (end, 0);
    for (count, c) in text[end..].chars().enumerate() {
        if !separates(c) {
            break;
        }
        lines += usize::from(c == '\n');
        if count == SEPARATOR_CHARACTERS_MAX || lines > 1 {
            return None;
        }
        at += c.len_utf8();
    }
    let may_touch = kind == Words::Joined || before.is_unspaced || word.is_unspaced;
    (at > end || may_touch).then_some(at)
}

/// Tells whether a word starts at byte `at`, where a letter or digit stands.
pub(super) fn is_start(text: &str, at: usize) -> bool {
    let before = &text[..at];
    let mut back = before.chars().rev().take(MARKS_MAX);
    let Some(base) = back.find(|c| c.is_ascii() || !is_combining_mark(*c)) else { return true };
    if !is_word(base) || is_unspaced(base) {
        return true;
    }
    is_behind_escape(before.as_bytes())
}

/// Tells whether a text ends in `\n` or its like, as programs write a line break: the `n` is no
/// letter of the word behind it.
pub(super) fn is_behind_escape(before: &[u8]) -> bool {
    matches!(before, [.., b'\\', b'n' | b'r' | b't'])
}

/// Tells whether a word ends in front of byte `at`, or its plural or genitive does: the `s` in
/// front of an apostrophe is no letter of the name.
pub(super) fn is_end(text: &str, at: usize, kind: Words) -> bool {
    let mut behind = text[at..].chars();
    let Some(first) = behind.next() else { return true };
    let next = behind.next();
    let Some(last) = text[..at].chars().next_back() else { return true };
    if !is_word(first) || is_unspaced(first) || is_unspaced(last) {
        return true;
    }
    let is_genitive = matches!(first, 's' | 'S') && next.is_some_and(is_apostrophe);
    is_genitive || kind == Words::Joined && is_joint(last, first, next)
}

/// Tells whether a word is cut short with `not`: `Don't` is about nobody called Don.
fn is_contraction(text: &str, end: usize) -> bool {
    let mut behind = text[end..].chars();
    behind.next().is_some_and(is_apostrophe)
        && behind.next().is_some_and(|c| matches!(c, 't' | 'T'))
        && !behind.next().is_some_and(is_word)
}

/// Tells whether capitals are part of the name of a constant: `MAX_RETRIES`, `RETRY_MAX`.
fn is_constant(text: &str, start: usize, end: usize) -> bool {
    let mut behind = text[end..].chars();
    let mut before = text[..start].chars().rev();
    let goes_on = behind.next() == Some('_') && behind.next().is_some_and(is_word);
    let comes_from = before.next() == Some('_') && before.next().is_some_and(is_word);
    (goes_on || comes_from) && is_capitals(&text[start..end])
}
