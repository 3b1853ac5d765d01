//! Words that are probably names in what a parent types, so that a question can be asked before
//! they are written into a skill: first names of many cultures, and words where the name of a child
//! is expected, such as every word in the answer for whom a skill is that is not an ordinary one.
//! Other capitalized words, such as the names of figures and places, and other unknown ones are weak:
//! nothing is asked about them, but they can be shown.

use super::answer::{Answer, AnswerKind, Word};
use super::famous::famous_words;
use super::first_names::{FirstName, first_name};
use super::ordinary::{
    is_address, is_animal, is_before_child, is_before_place, is_done_by_persons, is_endearing,
    is_known_word, is_nickname, is_ordinary, is_particle, is_person, is_thing, is_title_of_person,
};
use dibber_text::Span;

/// Words that are probably a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LikelyName {
    /// The whole name.
    pub span: Span,
    /// Whether it is so likely the name of a child that a question is worth it.
    pub is_strong: bool,
}

/// Returns the words of an answer that are probably names.
pub fn likely_names(text: &str, kind: AnswerKind) -> Vec<LikelyName> {
    Search { answer: Answer::new(text, kind), strong_end: None }.run()
}

/// Returns `true` if a word that is an answer alone is written as the name of a person: a first
/// name, or a capitalized word that is not an ordinary one.
pub fn is_name(word: &str) -> bool {
    let answer = Answer::new(word, AnswerKind::ForWhom);
    let [only] = answer.words.as_slice() else { return false };
    only.is_capitalized()
        && only.text.len() == word.len()
        && (only.first_name.is_some() || only.is_strange() && !is_plural(only))
}

/// Returns `true` for a word that is more than a name: `Rose`, `River`.
pub fn is_word(word: &str) -> bool {
    match first_name(word) {
        Some(name) => matches!(name, FirstName::Word | FirstName::Thing),
        None => is_known_word(word),
    }
}

/// Returns `true` for a word that may mean several persons: `babies`.
fn is_plural(word: &Word<'_>) -> bool {
    word.text.ends_with('s') || word.text.ends_with("ren")
}

/// The search in one answer.
struct Search<'a> {
    answer: Answer<'a>,
    /// The index after the last strong name.
    strong_end: Option<usize>,
}

impl Search<'_> {
    fn run(mut self) -> Vec<LikelyName> {
        let mut found: Vec<LikelyName> = Vec::new();
        let mut at = 0;
        while at < self.answer.words.len() {
            let famous = famous_words(&self.answer.words[at..]);
            let is_strong = famous == 0 && self.is_strong(at);
            let (first, end) = if is_strong {
                (self.first_of(at), self.end_of(at))
            } else if famous > 0 {
                (at, at + famous)
            } else {
                (at, self.end_of_weak(at))
            };
            if is_strong {
                self.strong_end = Some(end);
            }
            if end > first {
                let words = &self.answer.words;
                let span = Span::new(words[first].start, words[end - 1].end());
                found.retain(|name| name.span.end <= span.start);
                found.push(LikelyName { span, is_strong });
            }
            at = end.max(at + 1);
        }
        found
    }

    fn is_strong(&self, at: usize) -> bool {
        let word = &self.answer.words[at];
        if self.is_of_another(at) {
            return false;
        }
        match word.first_name {
            _ if word.is_initials() => true,
            Some(FirstName::Only) => true,
            Some(FirstName::WordInLowercase) => {
                let is_name = word.is_capitalized() && !self.answer.is_before_number(at);
                is_name || self.is_expected(at)
            }
            Some(FirstName::Word) => {
                let is_clear = word.is_capitalized()
                    && !self.answer.is_title
                    && (!self.answer.begins_sentence(at) || self.answer.is_before_deed(at));
                is_clear || self.is_expected(at)
            }
            Some(FirstName::Thing) => {
                let is_subject = word.is_capitalized()
                    && self.answer.begins_sentence(at)
                    && self.answer.is_before_deed(at);
                is_subject || self.is_expected(at)
            }
            None if word.is_strange() && self.is_expected_strange(at) => true,
            None => word.is_unknown() && !is_thing(word.text) && self.is_expected_unknown(at),
        }
    }

    /// Returns `true` for a word that is no ordinary one, where the name of a child may be: anywhere
    /// in the answer for whom a skill is; as the first word of another; and after `for`, `my` and
    /// such.
    fn is_expected_strange(&self, at: usize) -> bool {
        let answer = &self.answer;
        let word = &answer.words[at];
        let before = answer.joined_before(at);
        if answer.kind == AnswerKind::ForWhom {
            let is_place = before.is_some_and(|before| is_before_place(before.text));
            return !(is_place && word.is_capitalized());
        }
        if word.is_abbreviation() {
            return false;
        }
        let text_before = |count: usize| Some(answer.words.get(at.checked_sub(count)?)?.text);
        let is_friend_of = text_before(1) == Some("of")
            && text_before(2).is_some_and(|it| is_before_child(it) && !is_address(it));
        let is_called = matches!(text_before(2), Some("name" | "names"));
        at == 0 && word.is_capitalized()
            || before.is_some_and(|before| is_before_child(before.text))
            || is_friend_of
            || is_called
            || answer.relative_before(at).is_some() && !word.is_inflected()
            || answer.is_before_age(at)
            || self.is_listed(at)
    }

    /// Returns `true` for a first name that is also a word, where a name is expected.
    fn is_expected(&self, at: usize) -> bool {
        let answer = &self.answer;
        let word = &answer.words[at];
        if answer.kind == AnswerKind::Names {
            return false;
        }
        // `for april and may`
        let is_thing = !word.is_capitalized() && word.first_name == Some(FirstName::Thing);
        let follows = answer.relative_before(at).is_some()
            || answer.is_after_age(at)
            || self.is_addressed(at) && !is_thing && (word.is_capitalized() || !self.is_own(at))
            || self.is_listed(at)
            || answer.kind == AnswerKind::ForWhom && answer.begins_sentence(at);
        answer.is_before_age(at)
            || follows && (answer.continues_as_person(at) || self.end_of(at) > at + 1)
            || self.is_one_of_pair(at)
    }

    /// Returns `true` for a word that is no first name, and may be an ordinary one, where the name of
    /// a child is expected: `my son Ocean`.
    fn is_expected_unknown(&self, at: usize) -> bool {
        let answer = &self.answer;
        let word = &answer.words[at];
        if answer.kind == AnswerKind::Names {
            return false;
        }
        let relative = answer.relative_before(at);
        let is_direct = relative.is_some_and(|it| it + 1 == at) && word.gap == " ";
        if !word.is_capitalized() {
            let is_for_whom = answer.kind == AnswerKind::ForWhom;
            return is_for_whom && is_direct && answer.ends_phrase(at) && !word.is_inflected();
        }
        let is_person = answer.continues_as_person(at) && !answer.is_title;
        let follows = relative.is_some()
            || answer.is_after_age(at)
            || self.is_addressed(at)
            || self.is_listed(at) && word.is_capitalized_alone();
        answer.is_before_age(at) || is_direct || follows && is_person
    }

    /// Returns `true` for a name that is not that of a child: `Uncle Ben`, `a dog named Max`.
    fn is_of_another(&self, at: usize) -> bool {
        let words = &self.answer.words[..at];
        let is_joined = matches!(self.answer.words[at].gap, " " | ". " | "-");
        let Some(before) = words.last().filter(|it| is_joined && !it.is_genitive) else {
            return false;
        };
        let is_called = matches!(before.text, "called" | "named");
        let noun = if is_called { words.iter().rev().nth(1) } else { Some(before) };
        let is_for_whom = self.answer.kind == AnswerKind::ForWhom;
        let is_animal = |noun: &str| is_animal(noun) && !(is_for_whom && is_nickname(noun));
        is_title_of_person(before.text) || noun.is_some_and(|noun| is_animal(noun.text))
    }

    /// Returns `true` after a word that addresses a person: `tell Zyx`, `our Zyx`.
    fn is_addressed(&self, at: usize) -> bool {
        let is_title =
            |at: usize| self.answer.words[at].is_capitalized() && !self.answer.begins_sentence(at);
        let before = self.answer.joined_before(at).filter(|_| !is_title(at - 1));
        before.is_some_and(|before| is_address(before.text))
    }

    /// Returns `true` after a word before endearments: `my angel`.
    fn is_own(&self, at: usize) -> bool {
        let before = self.answer.joined_before(at);
        before.is_some_and(|before| is_endearing(before.text))
    }

    /// Returns `true` after a strong name, as in `Mia and Zyx` and `Mia, Zyx`; in the answer for
    /// whom a skill is, also in `my wife and Zyx`.
    fn is_listed(&self, at: usize) -> bool {
        let words = &self.answer.words;
        let gap = words[at].gap;
        let is_and = at >= 1 && is_and(words[at - 1].text) && gap == " ";
        let end = if is_and { at - 1 } else { at };
        if !is_and && !is_list_sign(gap) || end == 0 {
            return false;
        }
        let is_for_whom = self.answer.kind == AnswerKind::ForWhom;
        self.strong_end == Some(end) || is_for_whom && is_person(words[end - 1].text)
    }

    /// Returns `true` for two first names that are joined where an answer begins: `April and June`.
    fn is_one_of_pair(&self, at: usize) -> bool {
        let words = &self.answer.words;
        if self.answer.is_title || !words[at].is_capitalized() {
            return false;
        }
        if self.strong_end == Some(1) && at == 2 && words[0].first_name.is_some() {
            return is_and(words[1].text);
        }
        let [_, and, other, rest @ ..] = words.as_slice() else { return false };
        let is_said = rest.first().is_some_and(|it| is_done_by_persons(it.text));
        at == 0
            && is_and(and.text)
            && other.is_capitalized()
            && other.first_name.is_some()
            && is_said
    }

    /// Returns the index of the first word of the name: before an age, other capitalized words may
    /// belong to it.
    fn first_of(&self, at: usize) -> usize {
        let mut first = at;
        while first > self.strong_end.unwrap_or_default()
            && self.answer.words[at].first_name.is_none()
        {
            let before = self.answer.joined_before(first).filter(|word| {
                let is_name = word.is_unknown() || word.first_name.is_some();
                word.is_capitalized_alone() && is_name && !is_thing(word.text)
            });
            if before.is_none() {
                break;
            }
            first -= 1;
        }
        first
    }

    /// Returns the index after the last word of the name, which other names may follow.
    fn end_of(&self, at: usize) -> usize {
        let words = &self.answer.words;
        let mut end = at + 1;
        while !words[end - 1].is_genitive {
            let particles =
                words[end..].iter().take_while(|it| it.gap == " " && is_particle(it.text));
            let surname = end + particles.count();
            let is_joined = words.get(surname).is_some_and(|word| word.gap == " ");
            if !is_joined || famous_words(&words[surname..]) > 0 || !self.is_surname(surname) {
                break;
            }
            end = surname + 1;
        }
        end
    }

    fn is_surname(&self, at: usize) -> bool {
        let word = &self.answer.words[at];
        let is_name = word.is_unknown() || word.first_name.is_some();
        if word.is_capitalized() {
            let is_end = self.answer.ends_phrase(at) || !self.answer.is_title;
            return is_name && !is_thing(word.text) && is_end && !word.is_initials();
        }
        let is_scottish = ["o'", "o’", "mc", "d'"].iter().any(|start| word.text.starts_with(start));
        let is_end = self.answer.kind == AnswerKind::ForWhom
            && !word.is_inflected()
            && self.answer.continues_as_person(at)
            && !self.answer.is_before_deed(at);
        word.is_strange() && (is_scottish || is_end)
    }

    /// Returns the index after a weak name: capitalized words that begin no sentence, and unknown
    /// ones. None is there if it is `at` itself.
    fn end_of_weak(&self, at: usize) -> usize {
        let words = &self.answer.words;
        let is_part = |index: usize| {
            let word = &words[index];
            let is_place = !self.answer.begins_sentence(index)
                || word.first_name.is_some_and(|_| self.is_of_another(index));
            let is_name = word.is_capitalized_alone() && !is_ordinary(word.text);
            let is_shown = is_place && is_name && !is_thing(word.text) && !self.answer.is_title;
            is_shown || word.is_strange() && !word.is_abbreviation()
        };
        let mut end = at;
        while end < words.len() && is_part(end) && (end == at || words[end].gap == " ") {
            if end > at && self.is_strong(end) {
                break;
            }
            end += 1;
        }
        end
    }
}

fn is_and(word: &str) -> bool {
    matches!(word, "and" | "und" | "And" | "or" | "n")
}

fn is_list_sign(gap: &str) -> bool {
    matches!(gap.trim(), "," | "&" | "/" | "+" | ", &")
}
