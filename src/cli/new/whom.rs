//! The answer for whom a skill is.

use crate::cli::error::CommandError;
use crate::cli::term::answer_line::only_yes_or_no;
use dibber_text::{message, quote};

/// What an answer may begin with before `for`: `it is`, `just`.
const SUBJECTS: [&str; 11] =
    ["it", "is", "it's", "it’s", "its", "this", "that", "that's", "just", "only", "mainly"];
/// What a skill is called in an answer.
const KINDS: [&str; 13] = [
    "story",
    "stories",
    "tale",
    "quiz",
    "routine",
    "summary",
    "practice",
    "help",
    "plan",
    "game",
    "activity",
    "skill",
    "something",
];
/// The most words before `for`.
const WORDS_MAX: usize = 5;

/// Words that greet.
const GREETINGS: [&str; 5] = ["hi", "hello", "hey", "hiya", "test"];

/// What a sentence about children begins with, which does not fit after `for`.
const SENTENCES: [&str; 6] = ["he's", "he’s", "she's", "she’s", "they're", "they’re"];
/// Words that begin a sentence if one of [`VERBS`] is next.
const PRONOUNS: [&str; 3] = ["he", "she", "they"];
/// See [`PRONOUNS`].
const VERBS: [&str; 8] = ["is", "are", "has", "have", "like", "likes", "love", "loves"];

/// Returns the answer as the text of a skill has it after `for`. Fails if it only greets, says only yes
/// or no, or is a sentence about children: "they are 5 and 7".
pub(super) fn parse_whom(typed: &str) -> Result<String, CommandError> {
    let mut words = typed.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_greeting = |word: &str| GREETINGS.iter().any(|it| word.eq_ignore_ascii_case(it));
    if only_yes_or_no(typed).is_none() && !words.all(is_greeting) && !is_sentence(typed) {
        return Ok(without_introduction(typed).to_owned());
    }
    let error = CommandError::new(message!["`", quote(typed), "` does not say for whom it is"]);
    Err(error.help("type the child or the children, such as: my daughter, who is six"))
}

fn is_sentence(text: &str) -> bool {
    let mut words = text.split_whitespace().map(str::to_lowercase);
    let first = words.next().unwrap_or_default();
    let mut is_verb = || words.next().is_some_and(|word| VERBS.contains(&word.as_str()));
    let first = first.as_str();
    SENTENCES.contains(&first) || PRONOUNS.contains(&first) && is_verb()
}

/// Returns an answer without the words that the text of a skill has before it: `for`, `it is for`,
/// `a story for`.
fn without_introduction(text: &str) -> &str {
    let words = || text.split_whitespace().map(str::to_lowercase);
    let Some(count) = words().position(|word| word == "for").filter(|count| *count <= WORDS_MAX)
    else {
        return text;
    };
    let before: Vec<String> = words().take(count).collect();
    let is_one_of = |word: &String, list: &[&str]| list.contains(&word.as_str());
    let is_subject = before.iter().all(|word| is_one_of(word, &SUBJECTS));
    let is_kind = before.last().is_some_and(|word| is_one_of(word, &KINDS))
        && before.first().is_some_and(|word| {
            is_one_of(word, &SUBJECTS)
                || is_one_of(word, &KINDS)
                || matches!(word.as_str(), "a" | "an" | "the")
        });
    if !is_subject && !is_kind {
        return text;
    }
    let rest = (0..=count).try_fold(text.trim_start(), |rest, _| {
        rest.split_once(char::is_whitespace).map(|(_, rest)| rest.trim_start())
    });
    rest.filter(|rest| !rest.is_empty()).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::{parse_whom, without_introduction};

    #[test]
    fn a_greeting_or_a_sentence_is_no_audience() {
        for text in
            ["hi", "Hello!", "no", "yes please", "they are 5 and 7", "She's six", "he likes owls"]
        {
            assert!(parse_whom(text).is_err(), "{text}");
        }
        for text in ["Jo", "nobody's child", "the whole family", "She-Ra", "children: they are 5"] {
            assert_eq!(parse_whom(text).ok().as_deref(), Some(text));
        }
    }

    #[test]
    fn an_answer_fits_behind_for() {
        for (text, expected) in [
            ("for jay", "jay"),
            ("For  my kids", "my kids"),
            ("it's for my kids", "my kids"),
            ("a story for emma", "emma"),
            ("it is a bedtime story for emma, for the evening", "emma, for the evening"),
        ] {
            assert_eq!(without_introduction(text), expected, "{text}");
        }
        for text in ["for", "", "jay", "a class for beginners", "kids who love a story for bed"] {
            assert_eq!(without_introduction(text), text);
        }
    }
}
