//! What is typed as the answer to a question: one line, which the terminal itself edits.
//!
//! Nothing is decided by a single key, and no line is drawn again, so every terminal works, and
//! whatever is typed up to Enter belongs to its question.

use std::io::{self, BufRead, Read};

/// The most bytes of an answer.
const ANSWER_BYTES_MAX: u64 = 64 * 1024;
/// The words that do not say which item is meant.
const FILLERS: [&str; 11] = ["a", "an", "at", "by", "for", "in", "it", "of", "on", "the", "to"];
/// The fewest bytes of a word of an item that means it among other words.
const WORD_BYTES_MIN: usize = 4;
/// The fewest bytes of a part of an item that means it: a letter that was typed by mistake is in the
/// middle of some word.
const PART_BYTES_MIN: usize = 3;
/// What the Esc key types.
const ESCAPE: &str = "\u{1B}";
/// The word that leads to the question before.
const BACK: &str = "back";

/// The words with which people end a program.
const QUIT: [&str; 3] = ["quit", "exit", ":q"];

/// The answers that ask what a question means.
const HELP: [&str; 2] = ["?", "help"];

/// Words that mean "no" as an answer alone.
const NOTHING: [&str; 2] = ["nothing", "none"];
/// Words that add nothing to "yes" and "no".
const POLITE: [&str; 9] =
    ["please", "thanks", "thank", "you", "very", "much", "not", "else", "really"];
/// Words that may follow "yes" without a condition: "yes they are", "yes, of course, do it".
const AGREEING: &str = "a absolutely ahead all am are both child correct course definitely do go he i \
                        is it of please really right s she thank thanks that the them they this to \
                        very want we you";

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) enum AnswerLine {
    /// The line without white space around it.
    Typed(String),
    /// A line that is not text: it has control characters, as the arrow keys type them.
    Unreadable,
}

impl AnswerLine {
    /// Reads a line from standard input.
    pub(super) fn read() -> io::Result<Self> {
        let mut line = Vec::new();
        let read = io::stdin().lock().take(ANSWER_BYTES_MAX).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Self::parse(&line))
    }

    fn parse(line: &[u8]) -> Self {
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        let is_readable = text == ESCAPE
            || !text.contains(|c: char| c.is_control() || c == char::REPLACEMENT_CHARACTER);
        if is_readable { Self::Typed(text.to_owned()) } else { Self::Unreadable }
    }
}

/// Returns `true` if an answer asks for the question before.
pub(super) fn is_back(text: &str) -> bool {
    text == ESCAPE || text.eq_ignore_ascii_case(BACK)
}

/// Returns `true` if an answer asks for the end of the questions.
pub(super) fn is_quit(text: &str) -> bool {
    QUIT.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Returns `true` if an answer asks what the question means.
pub(super) fn is_help(text: &str) -> bool {
    HELP.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Returns the meaning of an answer that says only yes or no, to a question that expects more:
/// "yes please", "nothing else".
pub(in crate::cli) fn only_yes_or_no(text: &str) -> Option<bool> {
    let mut answers = Vec::new();
    for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
        let word = word.to_lowercase();
        if NOTHING.contains(&word.as_str()) {
            answers.push(false);
        } else if let Some(answer) = meaning(&word) {
            answers.push(answer);
        } else if !POLITE.contains(&word.as_str()) {
            return None;
        }
    }
    let first = *answers.first()?;
    answers.iter().all(|answer| *answer == first).then_some(first)
}

/// Returns `true` if an answer says only `nothing`: "nothing else", "none, thanks".
pub(in crate::cli) fn is_nothing(text: &str) -> bool {
    let is_no = |word: &str| NOTHING.iter().any(|nothing| word.eq_ignore_ascii_case(nothing));
    let is_polite = |word: &str| POLITE.iter().any(|polite| word.eq_ignore_ascii_case(polite));
    let words = || text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words().any(is_no) && words().all(|word| is_no(word) || is_polite(word))
}

/// Returns the meaning of an answer to a question for yes or no. What is more than a yes, such as
/// "yes, but not today", agrees to something else than the question.
pub(in crate::cli) fn yes_or_no(text: &str) -> Option<bool> {
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let answer = meaning(words.next()?)?;
    // "yes, no wait" and "y/n" are no answer.
    let confirms = |word: &str| match meaning(word) {
        Some(other) => other == answer,
        None => !answer || AGREEING.split(' ').any(|agreeing| word.eq_ignore_ascii_case(agreeing)),
    };
    words.all(confirms).then_some(answer)
}

/// Returns the meaning of a word.
fn meaning(word: &str) -> Option<bool> {
    match word.to_lowercase().as_str() {
        "y" | "yes" | "yeah" | "yep" | "ok" | "okay" | "sure" => Some(true),
        "n" | "no" | "nope" | "never" => Some(false),
        _ => None,
    }
}

/// Returns the index of the item that an answer means: its number, the beginning of its words, any
/// other part of them, or some of its words in another order, if no other item has the same.
pub(in crate::cli) fn item_of(text: &str, items: &[String]) -> Option<usize> {
    let text = text.trim_end_matches(['.', ')']);
    if let Ok(number) = text.parse::<usize>() {
        return number.checked_sub(1).filter(|index| *index < items.len());
    }
    let text = text.to_lowercase();
    let lower: Vec<String> = items.iter().map(|item| item.to_lowercase()).collect();
    let only = |matches: &dyn Fn(&String) -> bool| {
        let mut found = lower.iter().enumerate().filter(|(_, item)| matches(item));
        let (index, _) = found.next()?;
        found.next().is_none().then_some(index)
    };
    if text.is_empty() {
        return None;
    }
    only(&|item| **item == text)
        .or_else(|| only(&|item| item.starts_with(&text)))
        .or_else(|| only(&|item| text.len() >= PART_BYTES_MIN && item.contains(&text)))
        .or_else(|| only(&|item| has_words_of(item, &text)))
}

/// Returns the index of the only item that has a word of an answer with other words: "bedtime please".
/// An answer with a digit or with a no is none of them.
pub(in crate::cli) fn item_with_word_of(text: &str, items: &[String]) -> Option<usize> {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect()
    };
    let typed = words(text);
    let is_digit = |c: char| c.is_ascii_digit();
    if text.contains(is_digit) || typed.iter().any(|word| meaning(word) == Some(false)) {
        return None;
    }
    let items: Vec<Vec<String>> = items.iter().map(|item| words(item)).collect();
    let long = typed.iter().filter(|word| word.len() >= WORD_BYTES_MIN);
    let only_item_with = |word: &String| {
        let mut with_it = items.iter().enumerate().filter(|(_, item)| item.contains(word));
        let (index, _) = with_it.next()?;
        with_it.next().is_none().then_some(index)
    };
    let mut meant: Vec<usize> = long.filter_map(only_item_with).collect();
    meant.dedup();
    if let [only] = meant[..] { Some(only) } else { None }
}

/// Returns `true` if every word of `text` that matters is one of the words of an item. A number
/// matters, too: `every day at 25:00` is not `every day`.
fn has_words_of(item: &str, text: &str) -> bool {
    let words = |text| str::split(text, |c: char| !c.is_alphanumeric());
    let is_item_word = |word| words(item).any(|other| other == word);
    let is_filler = |word: &str| word.is_empty() || FILLERS.contains(&word);
    let mut typed = words(text).filter(|word| !is_filler(word));
    typed.next().is_some_and(is_item_word) && typed.all(is_item_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_without_its_end() {
        assert_eq!(AnswerLine::parse(b" to bed \r\n"), AnswerLine::Typed("to bed".to_owned()));
        assert_eq!(AnswerLine::parse(b"\x1b[A\n"), AnswerLine::Unreadable);
        assert_eq!(AnswerLine::parse(b"\xff\n"), AnswerLine::Unreadable);
        assert!(is_back("\u{1B}") && is_back("Back") && !is_back("backwards"));
    }

    #[test]
    fn yes_and_no_are_words() {
        let answers = ["yes please", "Y", "ok!", "no thanks", "n", "maybe", "", "yesterday", "5"];
        let meant: Vec<_> = answers.into_iter().map(yes_or_no).collect();
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(meant, [yes, yes, yes, no, no, None, None, None, None]);
        for contradiction in ["yes, no wait", "y/n", "no... yes", "Yes or no?"] {
            assert_eq!(yes_or_no(contradiction), None, "{contradiction}");
        }
        for reservation in [
            "yes, but not today",
            "yes don't",
            "yes i think not",
            "ok, wait",
            "yes 2",
            "sure, later",
        ] {
            assert_eq!(yes_or_no(reservation), None, "{reservation}");
        }
        for agreement in ["yes, ok", "yes they are", "Yes, of course!", "sure, do it", "yes it's"] {
            assert_eq!(yes_or_no(agreement), yes, "{agreement}");
        }
        assert_eq!(yes_or_no("no, that is the cat"), no);
    }

    #[test]
    fn an_answer_may_say_only_yes_or_no() {
        let answers =
            ["Yes please!", "no, thank you", "nothing else", "none", "yes, a fox", "a no"];
        let meant: Vec<_> = answers.into_iter().map(only_yes_or_no).collect();
        assert_eq!(meant, [Some(true), Some(false), Some(false), Some(false), None, None]);
        assert_eq!(["", "please", "yes or no", "no yes"].map(only_yes_or_no), [None; 4]);
        assert!(is_help("?") && is_help("Help") && !is_help("help me"));
        let answers = ["Nothing else!", "none", "no", "no thanks", "nothing 2", "thanks", ""];
        assert_eq!(answers.map(is_nothing), [true, true, false, false, false, false, false]);
    }

    #[test]
    fn an_item_is_meant_by_a_word_that_no_other_has() {
        let items = ["tell a story, at bedtime or later", "play a quiz", "play with words"];
        let items = items.map(str::to_owned);
        let meant = |text| item_with_word_of(text, &items);
        assert_eq!(meant("bedtime please"), Some(0));
        assert_eq!(meant("I want a Quiz!"), Some(1));
        for unclear in
            ["play something", "a story and a quiz", "no story", "2 stories", "other", ""]
        {
            assert_eq!(meant(unclear), None, "{unclear}");
        }
    }

    #[test]
    fn an_item_is_meant_by_its_number_or_its_words() {
        let items = ["skip: change nothing", "a quiz", "a quiet hour"].map(str::to_owned);
        let typed = ["1", "3.", "0", "4", "skip", "QUIZ", "a qui", "hour", "", "other"];
        let meant: Vec<_> = typed.into_iter().map(|text| item_of(text, &items)).collect();
        let (one, two, three) = (Some(0), Some(1), Some(2));
        assert_eq!(meant, [one, three, None, None, one, two, None, three, None, None]);
        let typed =
            ["the quiz", "an hour of quiet", "nothing to change", "a the", "a quiz hour", "z"];
        let meant: Vec<_> = typed.into_iter().map(|text| item_of(text, &items)).collect();
        assert_eq!(meant, [two, three, one, None, None, None]);
        let typed = ["the quiz 5", "a quiz at 25:00", "hour, 7", "quiz or so"];
        let meant: Vec<_> = typed.into_iter().map(|text| item_of(text, &items)).collect();
        assert_eq!(meant, [None; 4]);
    }
}
