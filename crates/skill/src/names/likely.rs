//! Words that are probably the name of a child in what a parent types, so that a question can be
//! asked before they are written into a skill. A wrong guess costs one question.

use super::ordinary::{
    is_address, is_age, is_before_age, is_before_names, is_capitalized_person, is_described,
    is_only_thing, is_ordinary, is_particle, is_person, is_relative, is_thing,
};
use dibber_text::Span;

/// The most names in a string: more capitalized words are rather a title.
const NAMES_MAX: usize = 4;
/// The most names in the answer for whom a skill is.
const NAMES_FOR_WHOM_MAX: usize = 16;
/// The fewest letters of a name.
const LETTERS_MIN: usize = 2;
/// The most words that may be between a name and an age.
const WORDS_BEFORE_AGE_MAX: usize = 3;

/// Words that are probably the name of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LikelyName {
    /// The whole name.
    pub span: Span,
    /// The part that may be the name if the whole is none, where the limits of the name are not
    /// clear: after the first word of a sentence, and before a word in lowercase.
    pub part: Option<Span>,
}

/// Returns the words of a string that are probably the name of a child: after `for`, `tell` or `my
/// daughter`, before an age, or in the genitive. They are capitalized.
pub fn likely_names(text: &str) -> Vec<LikelyName> {
    Search { words: words(text), is_for_whom: false }.run(NAMES_MAX)
}

/// Returns the words that are probably names of children in the answer for whom a skill is. Of
/// those in lowercase, the ordinary ones are none, nor are those where no name is expected.
pub fn likely_names_for_whom(text: &str) -> Vec<LikelyName> {
    Search { words: words(text), is_for_whom: true }.run(NAMES_FOR_WHOM_MAX)
}

/// Returns `true` if a word that is an answer alone is written as the name of a person: capitalized,
/// and not an ordinary word.
pub fn is_name(word: &str) -> bool {
    is_capitalized_name(word) && !is_ordinary(word)
}

fn is_capitalized_name(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && is_name_form(word) && !is_capitalized_person(word)
}

fn is_name_form(word: &str) -> bool {
    let is_part = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’' | '-');
    word.chars().all(is_part) && word.chars().nth(LETTERS_MIN - 1).is_some()
}

/// One word, without what surrounds it.
struct Word<'a> {
    text: &'a str,
    start: usize,
    /// What is between it and the word before.
    gap: &'a str,
    is_genitive: bool,
}

impl Word<'_> {
    const fn end(&self) -> usize {
        self.start + self.text.len()
    }

    fn is_lowercase(&self) -> bool {
        !self.text.starts_with(char::is_uppercase)
    }

    fn begins_sentence(&self) -> bool {
        self.start == self.gap.len() || self.gap.contains(['.', '!', '?', ':', ';'])
    }
}

/// The search in one string.
struct Search<'a> {
    words: Vec<Word<'a>>,
    /// Whether it says for whom a skill is.
    is_for_whom: bool,
}

impl Search<'_> {
    fn run(&self, names_max: usize) -> Vec<LikelyName> {
        let mut found: Vec<LikelyName> = Vec::new();
        let mut next = 0;
        while next < self.words.len() && found.len() < names_max {
            let (free_from, at) = (self.free_from(&found), next);
            next += 1;
            if !self.is_name_at(at, found.last()) {
                continue;
            }
            let (first, last) = (self.first_of(at, free_from), self.last_of(at));
            let clear_last = if self.words[last].is_lowercase() { at } else { last };
            let is_first_clear = first == at || !self.words[first].begins_sentence();
            let clear_first = if is_first_clear { first } else { at };
            let span = |first: usize, last: usize| {
                Span::new(self.words[first].start, self.words[last].end())
            };
            let (whole, part) = (span(first, last), span(clear_first, clear_last));
            found.push(LikelyName { span: whole, part: Some(part).filter(|part| *part != whole) });
            next = last + 1;
        }
        found
    }

    /// Returns the index of the first word after the names that were found.
    fn free_from(&self, found: &[LikelyName]) -> usize {
        let end = found.last().map_or(0, |name| name.span.end);
        self.words.partition_point(|word| word.start < end)
    }

    fn is_name_at(&self, at: usize, last_found: Option<&LikelyName>) -> bool {
        if self.is_for_whom {
            return self.is_name_for_whom_at(at, last_found);
        }
        let word = &self.words[at];
        // Words such as `NASA` are abbreviations.
        if !is_capitalized_name(word.text) || !word.text.contains(char::is_lowercase) {
            return false;
        }
        let is_known_place = word.is_genitive || self.is_before_age(at);
        let Some(before) = self.joined_before(at) else {
            let is_listed = self.is_listed(at, last_found);
            return (is_known_place || is_listed) && !is_thing(word.text);
        };
        if is_relative(before.text) {
            return true;
        }
        // `Our Weekly Plan` is a title.
        let is_addressed =
            is_address(before.text) && (before.is_lowercase() || self.is_lowercase_after(at));
        let follows = before.text != "and" && is_before_names(before.text);
        (is_known_place || self.is_listed(at, last_found) || follows || is_addressed)
            && !is_thing(word.text)
    }

    fn is_name_for_whom_at(&self, at: usize, last_found: Option<&LikelyName>) -> bool {
        let word = &self.words[at];
        if !is_name_form(word.text) || is_ordinary(word.text) {
            return false;
        }
        let begins_sentence = word.begins_sentence();
        let before = at.checked_sub(1).map(|before| &self.words[before]);
        let before = before.filter(|before| !before.is_genitive && !begins_sentence);
        if before.is_some_and(|before| is_relative(before.text)) {
            return true;
        }
        if is_only_thing(word.text) {
            return false;
        }
        let describes =
            self.words.get(at + 1).is_some_and(|it| it.gap == " " && is_described(it.text));
        if describes && (word.is_lowercase() || begins_sentence) {
            return false;
        }
        let follows = before.is_some_and(|before| {
            is_address(before.text) || matches!(before.text, "for" | "called" | "named")
        });
        let is_place = begins_sentence || follows || self.is_before_age(at);
        is_place || self.is_listed(at, last_found) || !word.is_lowercase()
    }

    /// Returns the word before, if it is joined by a space and not in the genitive.
    fn joined_before(&self, at: usize) -> Option<&Word<'_>> {
        let before = &self.words[at.checked_sub(1)?];
        (self.words[at].gap == " " && !before.is_genitive).then_some(before)
    }

    fn is_lowercase_after(&self, at: usize) -> bool {
        self.words.get(at + 1).is_some_and(|after| after.gap == " " && after.is_lowercase())
    }

    /// Returns `true` after a name, as in `Mia and Jay` and `Mia, Jay`; in the answer for whom a
    /// skill is, also in `my wife and Jay`.
    fn is_listed(&self, at: usize, last_found: Option<&LikelyName>) -> bool {
        let Some(before) = at.checked_sub(1).map(|before| &self.words[before]) else {
            return false;
        };
        let is_person = |word: &Word<'_>| {
            last_found.is_some_and(|last| last.span.end == word.end())
                || self.is_for_whom && is_person(word.text)
        };
        let after_and = before.text == "and" && at >= 2 && is_person(&self.words[at - 2]);
        after_and || matches!(self.words[at].gap, ", " | " & " | ",") && is_person(before)
    }

    /// Returns `true` before an age: `, six years old`, `(6)`, `is 6`.
    fn is_before_age(&self, at: usize) -> bool {
        let words = &self.words[at + 1..];
        let between = words.iter().take(WORDS_BEFORE_AGE_MAX);
        let skipped = between.take_while(|word| is_before_age(word.text)).count();
        let Some(age) = words.get(skipped) else { return false };
        let is_apart = skipped > 0 || age.gap.contains([',', '(']);
        let number = age.text.split('-').next().unwrap_or_default();
        let is_number = number.len() <= 2 && number.bytes().all(|byte| byte.is_ascii_digit());
        is_apart && (is_number && !number.is_empty() || is_age(number))
    }

    /// Returns the index of the first word of the name: capitalized words before it belong to it.
    fn first_of(&self, at: usize, free_from: usize) -> usize {
        let mut first = at;
        let mut index = at;
        while index > free_from {
            let Some(before) = self.joined_before(index) else { break };
            index -= 1;
            if is_forename(before) {
                first = index;
            } else if !is_particle(before.text) {
                break;
            }
        }
        first
    }

    /// Returns the index of the last word of the name, which a surname may follow.
    fn last_of(&self, at: usize) -> usize {
        let mut last = at;
        while !self.words[last].is_genitive {
            let rest = &self.words[last + 1..];
            let particles = rest.iter().take_while(|it| it.gap == " " && is_particle(it.text));
            let surname = last + 1 + particles.count();
            let is_joined = self.words.get(surname).is_some_and(|word| word.gap == " ");
            if !is_joined || !self.is_surname(surname) {
                break;
            }
            last = surname;
            if self.words[last].is_lowercase() {
                break;
            }
        }
        last
    }

    fn is_surname(&self, at: usize) -> bool {
        let word = &self.words[at];
        if !word.is_lowercase() {
            return is_capitalized_name(word.text) && !is_thing(word.text);
        }
        // A word in lowercase is one where the name ends: not in `emma sleeps badly`.
        let is_end = word.is_genitive
            || self.words.get(at + 1).is_none_or(|after| {
                after.gap != " " || after.text == "and" || is_before_age(after.text)
            });
        self.is_for_whom && is_end && is_name_form(word.text) && !is_ordinary(word.text)
    }
}

/// Returns `true` for a word that may belong to the name after it.
fn is_forename(word: &Word<'_>) -> bool {
    is_capitalized_name(word.text)
        && word.text.contains(char::is_lowercase)
        && !is_ordinary(word.text)
        && !is_only_thing(word.text)
}

fn words(text: &str) -> Vec<Word<'_>> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '-');
    let mut words = Vec::new();
    let mut end = 0;
    while let Some(offset) = text[end..].find(|c: char| c.is_alphanumeric()) {
        let start = end + offset;
        let length = text[start..].find(|c| !is_part(c)).unwrap_or(text.len() - start);
        let whole = text[start..start + length].trim_end_matches(['\'', '’', '-']);
        let base = ["'s", "’s"].iter().find_map(|suffix| whole.strip_suffix(suffix));
        words.push(Word {
            text: base.unwrap_or(whole),
            start,
            gap: &text[end..start],
            is_genitive: base.is_some(),
        });
        end = start + whole.len();
    }
    words
}
