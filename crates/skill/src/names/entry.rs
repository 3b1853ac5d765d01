//! One name as it is searched for: its words, and in which case they match.

use super::common_words::is_common;
use super::letters::{
    is_apostrophe, is_combining_mark, is_hyphen, is_joint, is_unspaced, is_uppercase_word, is_word,
};
use super::list::Name;
use super::markup::{TAG_BYTES_MAX, tag_end};
use super::words::{NameWord, name_words};

/// The most characters between two words of a name, except those of tags: a line break, and the
/// indentation of a list or a quotation.
const SEPARATOR_CHARACTERS_MAX: usize = 16;
/// The most tags between two words of a name.
const SEPARATOR_TAGS_MAX: usize = 4;
/// The most combining marks that are skipped to find the letter that they belong to.
const MARKS_MAX: usize = 32;

/// Where a word ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordBoundary {
    /// At a character that is not part of a word.
    Separator,
    /// There, between a letter and a digit, and before uppercase letters inside a word:
    /// `emmaPlan2`.
    Joint,
}

/// One name of the list, as it is searched for.
#[derive(Clone)]
pub(super) struct NameEntry {
    /// The index of the name in the list.
    pub(super) index: usize,
    /// Its words; there is at least one.
    pub(super) words: Vec<NameWord>,
    /// Whether any case matches. Otherwise, it is a common word, which lowercase letters are read
    /// as.
    pub(super) ignores_case: bool,
}

impl NameEntry {
    pub(super) fn new(index: usize, name: &Name) -> Self {
        let words = name_words(name.written());
        let ignores_case = !name.needs_uppercase();
        Self { index, words, ignores_case }
    }

    /// Returns the same name with its words joined to one (`Annalena`), if it has several and that
    /// is not a common word.
    pub(super) fn joined(&self) -> Option<Self> {
        let is_unspaced = self.words.iter().any(|word| word.is_unspaced);
        if self.words.len() == 1 || is_unspaced || !self.ignores_case {
            return None;
        }
        let written: String = self.words.iter().map(|word| word.written.as_str()).collect();
        let folded: String = self.words.iter().map(|word| word.folded.as_str()).collect();
        let is_name = !is_common(&folded);
        let words = vec![NameWord { written, folded, is_unspaced }];
        is_name.then_some(Self { words, ..*self })
    }

    /// Returns the end of the name whose first word is `at..end` of the text, if all of it is there
    /// and in a case that matches.
    pub(super) fn end(
        &self,
        text: &str,
        at: usize,
        end: usize,
        boundary: WordBoundary,
    ) -> Option<usize> {
        let ignores_case = self.ignores_case;
        let boundary = if ignores_case { WordBoundary::Joint } else { boundary };
        if boundary == WordBoundary::Separator && !is_start(text, at) {
            return None;
        }
        let mut end = end;
        if !ignores_case && !self.words[0].is_written(&text[at..end]) {
            return None;
        }
        for pair in self.words.windows(2) {
            let [before, word] = pair else { continue };
            let start = after_separator(text, end, before, word, boundary)?;
            end = word.end(text, start)?;
            let found = &text[start..end];
            if !ignores_case && !word.is_written(found) && found != word.written {
                return None;
            }
        }
        let is_unspaced = self.words.last().is_some_and(|word| word.is_unspaced);
        let is_whole = is_unspaced
            || is_end(text, end, boundary)
            || ignores_case && is_plural(text, end, boundary);
        let is_name =
            is_whole && !is_contraction(text, end) && (ignores_case || !is_constant(text, at, end));
        is_name.then_some(end)
    }

    /// Returns the most bytes that the name can have in a string: no letter has more than twice the
    /// bytes of what it folds to.
    pub(super) fn bytes_max(&self) -> usize {
        let words: usize = self.words.iter().map(|word| 2 * word.folded.len()).sum();
        let separator = SEPARATOR_CHARACTERS_MAX * char::MAX.len_utf8();
        words + (self.words.len() - 1) * (separator + SEPARATOR_TAGS_MAX * TAG_BYTES_MAX)
    }
}

/// Returns the start of the next word of a name: after whitespace, hyphens, apostrophes, emphasis and
/// tags (`**Anna** Lena`), after a single sign that joins words (`anna.lena`, `Anna:Lena`), or at a
/// joint (`AnnaLena`).
fn after_separator(
    text: &str,
    end: usize,
    before: &NameWord,
    word: &NameWord,
    boundary: WordBoundary,
) -> Option<usize> {
    let is_initial = before.written.chars().nth(1).is_none();
    let at = separator_end(text, end, is_initial)?;
    if at > end {
        return Some(at);
    }
    let mut after = text[end..].chars();
    let (last, next) = (text[..end].chars().next_back()?, after.next()?);
    if matches!(next, '.' | '+' | '/' | ':') {
        return Some(end + next.len_utf8());
    }
    let may_touch = boundary == WordBoundary::Joint || before.is_unspaced || word.is_unspaced;
    (may_touch || is_joint(last, next, after.next())).then_some(at)
}

/// Returns the end of what is between two words of a name from byte `start` on; none if it is too
/// much. A line break may be followed by the sign of a quotation, and an initial by a period.
fn separator_end(text: &str, start: usize, is_initial: bool) -> Option<usize> {
    let separates = |c: char| {
        c.is_whitespace()
            || is_hyphen(c)
            || is_apostrophe(c)
            || matches!(c, '_' | '*' | '~' | '\u{B7}' | '\u{30FB}')
            || c == '.' && is_initial
    };
    let (mut at, mut characters, mut tags, mut lines) = (start, 0, 0, 0);
    while let Some(c) = text[at..].chars().next() {
        if separates(c) || c == '>' && lines > 0 {
            lines += usize::from(c == '\n');
            characters += 1;
            at += c.len_utf8();
        } else if let Some(end) = tag_end(text.as_bytes(), at) {
            tags += 1;
            at = end;
        } else {
            break;
        }
        if characters > SEPARATOR_CHARACTERS_MAX || tags > SEPARATOR_TAGS_MAX || lines > 1 {
            return None;
        }
    }
    Some(at)
}

/// Returns `true` if a word starts at byte `at`, which is a letter or digit.
pub(super) fn is_start(text: &str, at: usize) -> bool {
    let before = &text[..at];
    let mut back = before.chars().rev().take(MARKS_MAX);
    let Some(base) = back.find(|c| c.is_ascii() || !is_combining_mark(*c)) else { return true };
    if !is_word(base) || is_unspaced(base) {
        return true;
    }
    is_after_escape(before.as_bytes())
}

/// Returns `true` if the bytes end in an escape such as `\n`: its `n` does not belong to the word
/// after it.
pub(super) fn is_after_escape(before: &[u8]) -> bool {
    matches!(before, [.., b'\\', b'n' | b'r' | b't'])
}

/// Returns `true` if a word ends before byte `at`, or its plural or genitive does: an `s` before
/// an apostrophe does not belong to the name.
pub(super) fn is_end(text: &str, at: usize, boundary: WordBoundary) -> bool {
    let mut after = text[at..].chars();
    let Some(first) = after.next() else { return true };
    let next = after.next();
    let Some(last) = text[..at].chars().next_back() else { return true };
    if !is_word(first) || is_unspaced(first) || is_unspaced(last) {
        return true;
    }
    let is_genitive = matches!(first, 's' | 'S') && next.is_some_and(is_apostrophe);
    is_genitive
        || match boundary {
            WordBoundary::Separator => false,
            WordBoundary::Joint => is_joint(last, first, next),
        }
}

/// Returns `true` if an `s` follows, and a word ends after it. A common word has that plural, too.
fn is_plural(text: &str, at: usize, boundary: WordBoundary) -> bool {
    let has_s = matches!(text.as_bytes().get(at), Some(b's' | b'S'));
    has_s && is_end(text, at + 1, boundary)
}

/// Returns `true` if a word is a contraction with `not`: `Don't` is not the name Don.
fn is_contraction(text: &str, end: usize) -> bool {
    let mut after = text[end..].chars();
    after.next().is_some_and(is_apostrophe)
        && after.next().is_some_and(|c| matches!(c, 't' | 'T'))
        && !after.next().is_some_and(is_word)
}

/// Returns `true` if uppercase letters are part of a constant: `MAX_RETRIES`, `RETRY_MAX`.
fn is_constant(text: &str, start: usize, end: usize) -> bool {
    let mut after = text[end..].chars();
    let mut before = text[..start].chars().rev();
    let continues = after.next() == Some('_') && after.next().is_some_and(is_word);
    let is_continued = before.next() == Some('_') && before.next().is_some_and(is_word);
    (continues || is_continued) && is_uppercase_word(&text[start..end])
}
