//! The answer for whom a skill is.

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

/// Returns an answer without the words that the text of a skill has before it: `for`, `it is for`,
/// `a story for`.
pub(super) fn without_introduction(text: &str) -> &str {
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
    use super::without_introduction;

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
