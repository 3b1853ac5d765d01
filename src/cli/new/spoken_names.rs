//! The names of children in answers, which no skill may contain.

use dibber_skill::names::{Roster, Scope};

/// The input that has the name of a child.
pub(super) const CHILD_NAME: &str = "child_name";
/// What is written instead of a name.
const THE_CHILD: &str = "the child";
/// The most names in one answer.
const NAMES_MAX: usize = 4;
/// Capitalized words for a person that are no names.
const NOT_NAMES: &[&str] = &[
    "all",
    "anybody",
    "anyone",
    "boys",
    "child",
    "children",
    "dad",
    "daddy",
    "everybody",
    "everyone",
    "family",
    "girls",
    "grandma",
    "grandpa",
    "i",
    "kids",
    "me",
    "mom",
    "mum",
    "mummy",
    "my",
    "nobody",
    "our",
    "parents",
    "students",
    "teens",
    "the",
    "toddlers",
    "us",
    "we",
];

/// Returns `true` if an answer consists of names: "Jay", "Jay and Mia".
pub(super) fn is_names(text: &str) -> bool {
    let names: Vec<&str> = names_in(text).collect();
    let is_name = |word: &&str| {
        word.starts_with(char::is_uppercase)
            && word.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
            && !NOT_NAMES.contains(&word.to_lowercase().as_str())
    };
    !names.is_empty() && names.len() <= NAMES_MAX && names.iter().all(is_name)
}

fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '&' | '.'));
    words.filter(|word| !word.is_empty() && !word.eq_ignore_ascii_case("and"))
}

/// Returns a string with "the child" in place of listed names and of `typed` names.
pub(super) fn without_names(text: &str, roster: &Roster, typed: Option<&str>) -> String {
    let mut out = text.to_owned();
    for hit in roster.find(text, Scope::Prose).into_iter().rev() {
        out.replace_range(hit.span.range(), THE_CHILD);
    }
    for name in typed.into_iter().flat_map(names_in) {
        let mut from = 0;
        while let Some(at) = out[from..].find(name).map(|at| at + from) {
            let end = at + name.len();
            let is_word = !out[..at].ends_with(char::is_alphanumeric)
                && !out[end..].starts_with(char::is_alphanumeric);
            from = if is_word {
                out.replace_range(at..end, THE_CHILD);
                at + THE_CHILD.len()
            } else {
                end
            };
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_capitalized_words_alone() {
        for text in ["Jay", "Jay and Mia", "Jay, Mia & Anna-Lena", "O'Neil"] {
            assert!(is_names(text), "{text}");
        }
        for text in
            ["", "kids", "Everyone", "my son", "The children", "Jay, 4 years old", "A B C D E"]
        {
            assert!(!is_names(text), "{text}");
        }
    }

    #[test]
    fn typed_names_are_replaced_as_words() {
        let clean = |text: &str| without_names(text, &Roster::default(), Some("Jay and Mia"));
        assert_eq!(clean("Tell Jay's story"), "Tell the child's story");
        assert_eq!(clean("Jayden meets Mia"), "Jayden meets the child");
    }
}
