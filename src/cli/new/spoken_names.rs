//! The names of children in answers, which no skill may contain.

use dibber_skill::names::{Roster, Scope, is_name, is_person_word, likely_names};
use dibber_text::{Message, Span, message, quote_in_full};

/// The input that has the name of a child.
pub(super) const CHILD_NAME: &str = "child_name";
/// What is said about a name that no input replaces.
pub(in crate::cli) const NAME_IS_LEFT_OUT: &str = "\
The name of a child is not written into the text of a skill: it says `the child` instead.";
/// What is written instead of a name.
const THE_CHILD: &str = "the child";
/// Words for one child, after which its name may be left out.
const RELATIVES: [&str; 6] = ["child", "daughter", "granddaughter", "grandson", "kid", "son"];
/// The most names in one answer.
const NAMES_MAX: usize = 4;

/// Returns `true` if an answer consists of names: "Jay", "Jay and Mia".
pub(super) fn is_names(text: &str) -> bool {
    let names: Vec<&str> = names_in(text).collect();
    !names.is_empty() && names.len() <= NAMES_MAX && names.iter().all(|name| is_name(name))
}

/// Returns the names of an answer that consists of names.
pub(super) fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '&' | '.'));
    words.filter(|word| !word.is_empty() && !word.eq_ignore_ascii_case("and"))
}

/// Returns the question about a word that is probably a name.
pub(in crate::cli) fn name_question(name: &str) -> Message {
    message!["Is `", quote_in_full(name), "` the name of a child?"]
}

/// Returns the probable names in an answer about which nothing is known, each once.
pub(in crate::cli) fn names_to_ask<'t>(
    text: &'t str,
    roster: &Roster,
    is_known: impl Fn(&str) -> bool,
) -> Vec<&'t str> {
    let mut names: Vec<&str> = Vec::new();
    for span in likely_names(text) {
        let name = &text[span.range()];
        let is_listed = || !roster.find(name, Scope::Prose).is_empty();
        if !names.contains(&name) && !is_known(name) && !is_listed() {
            names.push(name);
        }
    }
    for word in text.split(|c: char| !is_name_part(c)) {
        let is_new = !names.contains(&word) && !is_known(word);
        if is_new && is_listed_in_uppercase(word, roster) {
            names.push(word);
        }
    }
    names
}

/// Returns `true` for a word in lowercase that is on the list and is not found there, because it is
/// a common word, too.
fn is_listed_in_uppercase(word: &str, roster: &Roster) -> bool {
    let is_found = |text: &str| !roster.find(text, Scope::Prose).is_empty();
    word.starts_with(char::is_lowercase) && is_found(&capitalized(word)) && !is_found(word)
}

/// Returns `true` for an answer that is one word in lowercase and may be a name: not `everyone`.
pub(super) fn is_lowercase_name(text: &str) -> bool {
    let is_plain = text.starts_with(char::is_lowercase) && text.chars().all(is_name_part);
    is_plain && is_name(&capitalized(text)) && !is_person_word(text)
}

fn is_name_part(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '-' | '\'' | '’')
}

/// Returns a string with an uppercase first letter.
pub(super) fn capitalized(text: &str) -> String {
    let mut characters = text.trim().chars();
    let first = characters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(characters).collect()
}

/// Returns a string with "the child" in place of listed names and of `spoken` ones. After the word
/// for a relative, as in "my daughter Mia", a name is left out.
pub(in crate::cli) fn without_names<'a>(
    text: &str,
    roster: &Roster,
    spoken: impl IntoIterator<Item = &'a str>,
) -> String {
    let mut out = text.to_owned();
    for hit in roster.find(text, Scope::Prose).into_iter().rev() {
        replace_name(&mut out, hit.span);
    }
    for name in spoken {
        let mut from = 0;
        while let Some(span) = word_span(&out, name, from) {
            from = replace_name(&mut out, span);
        }
    }
    out.replace("the child and the child", "the children")
}

/// Returns the first place of a name from byte `from` on, as a whole word.
pub(super) fn word_span(text: &str, name: &str, from: usize) -> Option<Span> {
    let places = text[from..].match_indices(name);
    let mut spans = places.map(|(at, _)| Span::new(from + at, from + at + name.len()));
    spans.find(|span| {
        !text[..span.start].ends_with(char::is_alphanumeric)
            && !text[span.end..].starts_with(char::is_alphanumeric)
    })
}

/// Replaces a name. Returns the end of what replaces it.
fn replace_name(text: &mut String, span: Span) -> usize {
    let before = text[..span.start].strip_suffix(' ');
    let relative = before.filter(|before| {
        let word = before.rsplit(' ').next().unwrap_or_default().to_lowercase();
        RELATIVES.contains(&word.as_str())
    });
    if let Some(start) = relative.map(str::len) {
        text.replace_range(start..span.end, "");
        return start;
    }
    text.replace_range(span.range(), THE_CHILD);
    span.start + THE_CHILD.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dibber_skill::names::List;

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
    fn names_in_lowercase_are_asked_about() {
        for text in ["emma", "jonah", "anna-lena"] {
            assert!(is_lowercase_name(text), "{text}");
        }
        for text in ["", "Jay", "everyone", "me", "kids", "son", "my daughter", "e", "it's 4"] {
            assert!(!is_lowercase_name(text), "{text}");
        }
        let (list, _) = List::parse("Jay\nOttilie\n");
        let roster = Roster::new(list.names());
        let asked = |text| names_to_ask(text, &roster, |name| name == "known");
        assert_eq!(asked("a jay and its friends"), ["jay"]);
        assert_eq!(asked("jays for ottilie, and Jay"), Vec::<&str>::new());
    }

    #[test]
    fn typed_names_are_replaced_as_words() {
        let clean = |text: &str| without_names(text, &Roster::default(), ["Jay", "Mia"]);
        assert_eq!(clean("Tell Jay's story"), "Tell the child's story");
        assert_eq!(clean("Jayden meets Mia"), "Jayden meets the child");
        assert_eq!(clean("for my daughter Mia, who is six"), "for my daughter, who is six");
        assert_eq!(clean("my son Jay's homework"), "my son's homework");
        assert_eq!(clean("for Jay and Mia"), "for the children");
    }
}
