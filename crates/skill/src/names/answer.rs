//! The words of an answer, and what is around each of them.

use super::first_names::{FirstName, first_name};
use super::letters::is_hidden;
use super::ordinary::{
    continues_after_person, is_age, is_before_age, is_done_by_person, is_known_word, is_ordinary,
    is_relative, is_unit_of_age,
};
use std::borrow::Cow;

/// The fewest letters of a name.
const LETTERS_MIN: usize = 2;
/// The most bytes of an abbreviation.
const ABBREVIATION_BYTES_MAX: usize = 4;
/// The most words that may be between a name and an age.
const WORDS_BEFORE_AGE_MAX: usize = 3;
/// The fewest letters of a word whose case shows whether a string is a title.
const TITLE_LETTERS_MIN: usize = 4;
/// Two or more uppercase letters with a period after each that are no initials.
const ABBREVIATIONS: [&str; 8] = ["U.S.", "U.K.", "U.S.A.", "D.C.", "P.E.", "A.M.", "P.M.", "E.U."];

/// What an answer is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerKind {
    /// Anything, in sentences or as a title.
    Sentence,
    /// For whom a skill is.
    ForWhom,
    /// Names of other things, such as inputs and folders.
    Names,
}

/// One word, without what surrounds it.
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
    /// What is between it and the word before.
    pub(super) gap: &'a str,
    pub(super) is_genitive: bool,
    pub(super) first_name: Option<FirstName>,
}

impl Word<'_> {
    pub(super) const fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn is_capitalized(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }

    /// Returns `true` for a capitalized word that is no abbreviation such as `NASA`.
    pub(super) fn is_capitalized_alone(&self) -> bool {
        self.is_capitalized() && self.text.contains(char::is_lowercase)
    }

    /// Returns `true` for initials: `J.J.`
    pub(super) fn is_initials(&self) -> bool {
        self.text.ends_with('.') && !ABBREVIATIONS.contains(&self.text)
    }

    /// Returns `true` for a word that may be a name that is on no list.
    pub(super) fn is_unknown(&self) -> bool {
        let is_part = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’' | '-');
        self.text.chars().all(is_part)
            && self.text.chars().nth(LETTERS_MIN - 1).is_some()
            && self.first_name.is_none()
            && !is_ordinary(self.text)
    }

    /// Returns `true` for a word that may be a name, as it is neither a first name nor an ordinary
    /// word in any form.
    pub(super) fn is_strange(&self) -> bool {
        let plain = visible(self.text);
        let is_name = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’' | '-');
        self.first_name.is_none()
            && plain.chars().all(is_name)
            && plain.chars().nth(LETTERS_MIN - 1).is_some()
            && !is_known_word(&plain)
    }

    /// Returns `true` for a short word in uppercase: `NASA`.
    pub(super) fn is_abbreviation(&self) -> bool {
        !self.text.contains(char::is_lowercase)
            && self.is_capitalized()
            && self.text.len() <= ABBREVIATION_BYTES_MAX
    }

    /// Returns `true` for a lowercase word that has an ending of other words than names.
    pub(super) fn is_inflected(&self) -> bool {
        let word = self.text.to_lowercase();
        ["s", "ing", "ed", "ly"].iter().any(|ending| word.ends_with(ending))
    }
}

/// An answer as it was typed.
pub(super) struct Answer<'a> {
    pub(super) words: Vec<Word<'a>>,
    /// What follows the last word.
    rest: &'a str,
    pub(super) kind: AnswerKind,
    /// Whether the words begin with capitals as in a title.
    pub(super) is_title: bool,
}

impl<'a> Answer<'a> {
    pub(super) fn new(text: &'a str, kind: AnswerKind) -> Self {
        let words = words(text, kind);
        let rest = &text[words.last().map_or(0, Word::end)..];
        let long = words.iter().skip(1).filter(|it| it.text.len() >= TITLE_LETTERS_MIN);
        let is_title = long.clone().all(Word::is_capitalized) && {
            let is_ordinary = |word: &Word<'_>| {
                word.is_capitalized() && word.first_name.is_none() && is_ordinary(word.text)
            };
            words.iter().skip(1).any(is_ordinary)
        };
        let is_title = is_title || !text.contains(char::is_lowercase) && words.len() > 1;
        Self { words, rest, kind, is_title }
    }

    pub(super) fn begins_sentence(&self, at: usize) -> bool {
        let signs: &[char] = match self.kind {
            AnswerKind::Names => &['.', '!', '?', ':', ';', '"', '“', ',', '/'],
            _ => &['.', '!', '?', ':', ';', '"', '“'],
        };
        at == 0 || self.words[at].gap.contains(signs)
    }

    /// Returns the word before, if it is joined by a space and not in the genitive.
    pub(super) fn joined_before(&self, at: usize) -> Option<&Word<'a>> {
        let before = &self.words[at.checked_sub(1)?];
        (self.words[at].gap == " " && !before.is_genitive).then_some(before)
    }

    /// Returns what separates a word from the next one.
    fn gap_after(&self, at: usize) -> &'a str {
        self.words.get(at + 1).map_or(self.rest, |after| after.gap)
    }

    /// Returns `true` at the end of a phrase: `for zyx, who is six`.
    pub(super) fn ends_phrase(&self, at: usize) -> bool {
        let gap = self.gap_after(at);
        at + 1 == self.words.len() || self.words[at].is_genitive || gap.chars().any(is_sign)
    }

    /// Returns `true` if what follows a word is said of a person: `Zyx and`, `Zyx loves`.
    pub(super) fn continues_as_person(&self, at: usize) -> bool {
        self.ends_phrase(at)
            || self.words.get(at + 1).is_some_and(|after| {
                continues_after_person(after.text) || is_done_by_person(after.text)
            })
    }

    /// Returns `true` before what a person does: `Rose loves`.
    pub(super) fn is_before_deed(&self, at: usize) -> bool {
        let after = self.words.get(at + 1).filter(|after| after.gap == " ");
        after.is_some_and(|after| is_done_by_person(after.text))
    }

    /// Returns `true` before a number: `Max 10 minutes`.
    pub(super) fn is_before_number(&self, at: usize) -> bool {
        self.words.get(at + 1).is_some_and(|after| {
            after.gap == " " && after.text.starts_with(|c: char| c.is_ascii_digit())
        })
    }

    /// Returns `true` before an age: `, six years old`, `(6)`, `is 6`.
    pub(super) fn is_before_age(&self, at: usize) -> bool {
        let words = &self.words[at + 1..];
        let between = words.iter().take(WORDS_BEFORE_AGE_MAX);
        let skipped = between.take_while(|word| is_before_age(word.text)).count();
        let Some(age) = words.get(skipped) else { return false };
        let is_apart = skipped > 0 || age.gap.contains([',', '(']);
        let mut parts = age.text.split('-');
        let number = parts.next().unwrap_or_default();
        let is_number = number.len() <= 2 && number.bytes().all(|byte| byte.is_ascii_digit());
        let at = at + 1 + skipped;
        let unit = parts.next().or_else(|| Some(self.words.get(at + 1)?.text));
        let is_alone = parts.next().is_none() && self.gap_after(at).chars().any(is_sign);
        let ends = is_alone || unit.is_none_or(is_unit_of_age);
        is_apart && ends && (is_number && !number.is_empty() || is_age(number))
    }

    /// Returns `true` after the age of a child of the family: `my 6 year old theo`.
    pub(super) fn is_after_age(&self, at: usize) -> bool {
        let Some(before) = self.joined_before(at) else { return false };
        let count = match before.text {
            "old" => 3,
            age if age.ends_with("-year-old") || age.ends_with("year-old") => 1,
            _ => return false,
        };
        let words = &self.words[..at];
        let is_own =
            |word: &Word<'_>| ["my", "our"].iter().any(|own| word.text.eq_ignore_ascii_case(own));
        words.iter().rev().skip(count.min(words.len())).take(2).any(is_own)
    }

    /// Returns the index of the relative after whom a name is expected: `my daughter Zyx`, `my
    /// daughter, Zyx`, `a boy called Zyx`, `my daughter's name is Zyx`.
    pub(super) fn relative_before(&self, at: usize) -> Option<usize> {
        let is_relative_at = |index: usize| is_relative(self.words[index].text);
        let before = at.checked_sub(1)?;
        let gap = self.words[at].gap;
        if is_relative_at(before) && !self.words[before].is_genitive {
            return Some(before).filter(|_| gap == " " || gap.chars().any(is_sign));
        }
        let is_verb = matches!(self.words[before].text, "called" | "named" | "is" | "are");
        let subject = before.checked_sub(1).filter(|_| is_verb)?;
        let is_name = matches!(self.words[subject].text, "name" | "names" | "is" | "are" | "who");
        let subject = if is_name { subject.checked_sub(1)? } else { subject };
        is_relative_at(subject).then_some(subject)
    }
}

/// Returns `true` for a character that separates phrases.
fn is_sign(c: char) -> bool {
    !c.is_alphanumeric() && !c.is_whitespace()
}

/// Returns the length of initials at the beginning of a string: `J.J.`
fn initials(text: &str) -> Option<usize> {
    let mut length = 0;
    let mut characters = text.chars();
    while let (Some(letter), Some('.')) = (characters.next(), characters.next()) {
        if !letter.is_uppercase() {
            break;
        }
        length += letter.len_utf8() + 1;
    }
    (length >= 4).then_some(length)
}

fn words(text: &str, kind: AnswerKind) -> Vec<Word<'_>> {
    let is_hyphen = |c: char| c == '-' && kind != AnswerKind::Names;
    let is_part =
        |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’') || is_hyphen(c) || is_hidden(c);
    let mut words = Vec::new();
    let mut end = 0;
    while let Some(offset) = text[end..].find(|c: char| c.is_alphanumeric()) {
        let start = end + offset;
        let rest = &text[start..];
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let whole = match initials(rest) {
            Some(length) => &rest[..length],
            None => {
                rest[..length].trim_end_matches(|c| matches!(c, '\'' | '’' | '-') || is_hidden(c))
            }
        };
        let base = ["'s", "’s", "'S", "’S"].iter().find_map(|suffix| whole.strip_suffix(suffix));
        let (text_of, first_name, is_genitive) = match (base, known(base.unwrap_or(whole))) {
            (Some(base), first_name) => (base, first_name, true),
            (None, None) => match whole.strip_suffix('s').map(|base| (base, first_name(base))) {
                // `mias` is `mia's`, but `jades` are stones.
                Some((base, Some(FirstName::Only))) => (base, Some(FirstName::Only), true),
                _ => known_part(whole),
            },
            (None, first_name) => (whole, first_name, false),
        };
        let gap = &text[end..start];
        words.push(Word { text: text_of, start, gap, is_genitive, first_name });
        end = start + whole.len();
    }
    words
}

/// Returns a word without invisible characters.
fn visible(word: &str) -> Cow<'_, str> {
    if word.contains(is_hidden) { word.replace(is_hidden, "").into() } else { word.into() }
}

/// Returns what a word is as a first name, also if names are joined in it: `Anna-Lena`.
fn known(word: &str) -> Option<FirstName> {
    let word = &*visible(word);
    let is_only_name = |part: &str| first_name(part) == Some(FirstName::Only);
    let is_joined = word.contains('-') && word.split('-').all(is_only_name);
    if is_joined { Some(FirstName::Only) } else { first_name(word) }
}

/// Returns the first name with which a word begins: `mia-friendly`, `mia2`.
fn known_part(word: &str) -> (&str, Option<FirstName>, bool) {
    let length = word.find(|c: char| !c.is_alphabetic()).unwrap_or_default();
    let (part, rest) = word.split_at(length);
    if first_name(part) != Some(FirstName::Only) {
        return (word, None, false);
    }
    let is_name = rest.strip_prefix('-').is_some_and(|it| it.starts_with(char::is_uppercase));
    (if is_name { word } else { part }, Some(FirstName::Only), false)
}
