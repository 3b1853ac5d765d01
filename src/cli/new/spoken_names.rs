//! The names of children in answers, which no skill may contain.

use super::name_lists::{CHILD, join_children};
use crate::cli::term::answer_line::is_nothing;
use crate::cli::term::wording::capitalized;
use dibber_skill::contract::InputVariable;
use dibber_skill::names::{
    AnswerKind, Name, Roster, Scope, is_endearing, is_name, is_word, likely_names,
};
use dibber_skill::skill::placeholders;
use dibber_text::Span;
use std::collections::BTreeMap;

/// The input that has the name of a child.
pub(in crate::cli) const CHILD_NAME: &str = "child_name";
/// What is said about a name that becomes an input.
pub(super) const NAME_IS_INPUT: &str = "\
This name is not written into the text of the skill: it becomes `child_name`, which is filled in \
each time. `dibber names add` puts it on your private list, so that it is found in every skill.";
/// What is said about several names that become one input.
pub(super) const NAMES_ARE_INPUT: &str = "\
These names are not written into the text of the skill: they become `child_name`, which is filled in \
each time. `dibber names add` puts them on your private list, so that they are found in every skill.";
/// What is said about a name that no input replaces.
pub(in crate::cli) const NAME_IS_LEFT_OUT: &str = "\
Your answers are written with `the child` instead of this name. `dibber names add` puts it on \
your private list, so that it is found in every skill.";
/// What is written instead of a name.
const THE_CHILD: &str = "the child";
/// Words for one child, after which its name may be left out.
const RELATIVES: [&str; 16] = [
    "boy",
    "brother",
    "child",
    "cousin",
    "daughter",
    "friend",
    "girl",
    "grandchild",
    "granddaughter",
    "grandson",
    "kid",
    "nephew",
    "niece",
    "sister",
    "son",
    "toddler",
];
/// The most names in one answer.
const NAMES_MAX: usize = 4;

/// How many names the input for the name of a child has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum NameCount {
    One,
    Several,
}

impl NameCount {
    /// Returns `Several` if these places in a string have different names.
    pub(super) fn count(text: &str, names: &[Span]) -> Self {
        let mut names = names.iter().map(|span| &text[span.range()]);
        let first = names.next().unwrap_or_default();
        if names.any(|name| !is_same_child(name, first)) { Self::Several } else { Self::One }
    }
}

/// Returns the input that has the name of a child, or the names of several.
pub(in crate::cli) fn child_name_input(names: NameCount) -> InputVariable {
    let whom = match names {
        NameCount::One => "What the child is called",
        NameCount::Several => "What the children are called",
    };
    InputVariable {
        name: CHILD_NAME.to_owned(),
        description: Some(whom.to_owned()),
        ..InputVariable::default()
    }
}

/// Returns `true` if an answer consists of names: "Jay", "Jay and Mia". In a list, a word that is
/// more than a name is asked about: "Sage and River".
pub(super) fn is_names(text: &str) -> bool {
    let names: Vec<&str> = names_in(text).collect();
    let is_clear = |name: &&str| is_name(name) && (names.len() == 1 || !is_word(name));
    !names.is_empty() && names.len() <= NAMES_MAX && names.iter().all(is_clear)
}

/// Returns the names of an answer that consists of names.
pub(super) fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '&' | '.'));
    words.filter(|word| !word.is_empty() && !word.eq_ignore_ascii_case("and"))
}

/// Returns the names that were typed with commas between them, without those for no name.
pub(super) fn typed_names(text: &str) -> Vec<&str> {
    let parts = text.split([',', '&', '/', ';']).flat_map(|part| part.split(" and "));
    parts.map(str::trim).filter(|part| !part.is_empty() && !is_nothing(part)).collect()
}

/// Returns the probable names in an answer about which nothing is decided.
pub(in crate::cli) fn names_to_ask<'t>(
    text: &'t str,
    kind: AnswerKind,
    roster: &Roster,
    decided: impl Fn(&str) -> Option<bool>,
) -> Vec<&'t str> {
    let likely = likely_names(text, kind).into_iter().filter(|name| name.is_strong);
    let likely = likely.map(|name| &text[name.span.range()]).filter(|it| !is_listed(it, roster));
    let words = text.split(|c: char| !is_name_part(c));
    let listed = words.filter(|word| is_listed_in_uppercase(word, roster));
    let mut names: Vec<&str> = Vec::new();
    for name in likely.chain(listed).filter(|name| decided(name).is_none()) {
        if !names.iter().any(|other| is_same(other, name)) {
            names.push(name);
        }
    }
    names
}

/// Returns `true` for the same name in another case.
pub(super) fn is_same(name: &str, other: &str) -> bool {
    name.to_lowercase() == other.to_lowercase()
}

/// Returns `true` for names that begin with the same word.
pub(in crate::cli) fn is_same_child(name: &str, other: &str) -> bool {
    let first = |name: &str| name.split_whitespace().next().map(str::to_lowercase);
    first(name) == first(other)
}

/// Returns `true` if the words of a name, from the first to the last, are on the list.
fn is_listed(name: &str, roster: &Roster) -> bool {
    let hits = roster.find(name, Scope::Prose);
    let begins = hits.first().is_some_and(|hit| hit.span.start == 0);
    begins && hits.last().is_some_and(|hit| hit.span.end == name.len())
}

/// Returns what is decided about a name by an answer, or by that about a longer name.
pub(in crate::cli) fn decision(names: &BTreeMap<String, bool>, name: &str) -> Option<bool> {
    let is_name = |other: &&str| is_same(other, name);
    let is_first_name = || with_first_names(confirmed(names)).iter().any(is_name);
    let known =
        names.get(name).or_else(|| names.iter().find(|(it, _)| is_same(it, name)).map(|it| it.1));
    known.copied().or_else(|| is_first_name().then_some(true))
}

/// Returns the names that are those of children, according to an answer.
pub(in crate::cli) fn confirmed(names: &BTreeMap<String, bool>) -> impl Iterator<Item = &str> {
    names.iter().filter(|(_, is_child)| **is_child).map(|(name, _)| name.as_str())
}

/// Returns names with their beginnings, such as the first name alone, and their words, longer ones
/// first: the first word may be none of the name, as in "Recite Mia".
pub(in crate::cli) fn with_first_names<'a>(
    names: impl IntoIterator<Item = &'a str>,
) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    for name in names {
        all.push(name);
        all.extend(name.match_indices(' ').map(|(end, _)| &name[..end]));
        all.extend(name.split(' ').skip(1).filter(|word| word.starts_with(char::is_uppercase)));
    }
    all.sort_by_key(|name| std::cmp::Reverse(name.len()));
    all
}

/// Returns `true` for a word in lowercase that is on the list and is not found there, because it is
/// a common word, too.
fn is_listed_in_uppercase(word: &str, roster: &Roster) -> bool {
    let is_found = |text: &str| !roster.find(text, Scope::Prose).is_empty();
    word.starts_with(char::is_lowercase) && is_found(&capitalized(word)) && !is_found(word)
}

fn is_name_part(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '-' | '\'' | '’')
}

/// Returns a string with "the child" in place of `spoken` names, longer ones first, and of listed
/// ones. Both are found in other spellings, too. After the word for a relative, as in "my daughter
/// Mia", a name is left out.
pub(in crate::cli) fn without_names<'a>(
    text: &str,
    roster: &Roster,
    spoken: impl IntoIterator<Item = &'a str>,
) -> String {
    without_spans(text, name_spans(text, roster, spoken))
}

/// Returns a string with "the child" in place of the names in these places, which are in order.
pub(in crate::cli) fn without_spans(text: &str, names: Vec<Span>) -> String {
    let mut out = text.to_owned();
    // What is after a name has been replaced before: its distance from the end remains.
    let replace = |span| {
        let child = replace_name(&mut out, span)?;
        Some(out.len() - child)
    };
    let replaced: Vec<usize> = names.into_iter().rev().filter_map(replace).collect();
    join_children(&out, &replaced)
}

/// Returns a sentence without names with a capital letter if it began with one.
pub(in crate::cli) fn in_case_of(typed: &str, clean: String) -> String {
    if typed.starts_with(char::is_uppercase) { capitalized(&clean) } else { clean }
}

/// Returns where `spoken` names and listed ones are, in order; of those that overlap, the first and
/// longest one. Names in placeholders are ignored.
pub(in crate::cli) fn name_spans<'a>(
    text: &str,
    roster: &Roster,
    spoken: impl IntoIterator<Item = &'a str>,
) -> Vec<Span> {
    let (mut spans, mut names) = (Vec::new(), Vec::new());
    for name in spoken {
        names.extend(Name::parse(name));
        let next = |from| word_span(text, name, from);
        spans.extend(std::iter::successors(next(0), |span| next(span.end)));
    }
    for roster in [&Roster::new(&names), roster] {
        spans.extend(roster.find(text, Scope::Prose).into_iter().map(|hit| hit.span));
    }
    let placeholders = placeholders(text);
    spans.retain(|span| !placeholders.iter().any(|it| it.span.overlaps(*span)));
    spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    drop_overlapping(&mut spans);
    spans
}

/// Drops the spans that begin within one before them; they are in the order in which they begin.
pub(in crate::cli) fn drop_overlapping(spans: &mut Vec<Span>) {
    let mut end = 0;
    spans.retain(|span| {
        let is_after = span.start >= end;
        end = end.max(span.end);
        is_after
    });
}

/// Returns the words for something without those for children; the name of the input for the name
/// of a child if nothing else is left: "the child's snack" is "snack".
pub(super) fn without_children(clean: &str) -> String {
    let mut rest = format!(" {clean} ");
    for word in
        [" the children's ", " the children ", " the child's ", " the child ", " the child-"]
    {
        rest = rest.replace(word, " ");
    }
    let is_filler = |word: &&str| matches!(*word, "of" | "for" | "and" | "the" | "with");
    let words: Vec<&str> = rest.split_whitespace().collect();
    let start = words.iter().take_while(|it| is_filler(it)).count();
    let end = words.len() - words.iter().rev().take_while(|it| is_filler(it)).count();
    match words.get(start..end) {
        None | Some([] | ["name"]) => CHILD_NAME.to_owned(),
        Some(words) => words.join(" "),
    }
}

/// Returns the name of a folder without names of children; none if nothing is left.
pub(in crate::cli) fn clean_folder(folder: &str, clean: impl Fn(&str) -> String) -> Option<String> {
    let words = folder.replace(['-', '_'], " ");
    let found = clean(&words);
    if found == words {
        return Some(folder.to_owned());
    }
    let rest = without_children(&found);
    (rest != CHILD_NAME).then(|| rest.split_whitespace().collect::<Vec<_>>().join("-"))
}

/// Returns the first place of a name from byte `from` on, as whole words. A name in lowercase is
/// found in any case.
pub(super) fn word_span(text: &str, name: &str, from: usize) -> Option<Span> {
    let is_lowercase = name.starts_with(char::is_lowercase);
    let is_found = |found: &str| found == name || is_lowercase && found.to_lowercase() == name;
    let starts = text[from..].char_indices().map(|(at, _)| from + at);
    let mut spans = starts.map(|start| Span::new(start, start + name.len()));
    spans.find(|span| {
        text.get(span.range()).is_some_and(is_found)
            && !text[..span.start].ends_with(char::is_alphanumeric)
            && !text[span.end..].starts_with(char::is_alphanumeric)
    })
}

/// Replaces a name by "the child", and returns where the word "child" begins; none if the name is left
/// out.
pub(in crate::cli) fn replace_name(text: &mut String, span: Span) -> Option<usize> {
    let before = text[..span.start].strip_suffix(' ').unwrap_or_default();
    let word = before.rsplit(' ').next().unwrap_or_default().to_lowercase();
    if RELATIVES.contains(&word.as_str()) {
        text.replace_range(before.len()..span.end, "");
        return None;
    }
    let child = if is_endearing(&word) { CHILD } else { THE_CHILD };
    let begins_sentence = before.ends_with(['.', '!', '?']);
    let child = if begins_sentence { capitalized(child) } else { child.to_owned() };
    text.replace_range(span.range(), &child);
    Some(span.start + child.len() - CHILD.len())
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
        for text in [
            "",
            "kids",
            "Everyone",
            "my son",
            "The children",
            "Jay, 4 years old",
            "A B C D E",
            "Beginners",
            "Little Finn",
            "Captain Leo",
            "Astronauts",
            "Quinn, Sage and River",
        ] {
            assert!(!is_names(text), "{text}");
        }
    }

    #[test]
    fn names_are_asked_about_until_all_are_decided() {
        let (list, _) = List::parse("Jay\nOttilie\n");
        let roster = Roster::new(list.names());
        let asked = |text: &'static str, decided: &[(&str, bool)]| {
            let decided: BTreeMap<String, bool> =
                decided.iter().map(|(name, is_child)| ((*name).to_owned(), *is_child)).collect();
            names_to_ask(text, AnswerKind::Sentence, &roster, |name| decision(&decided, name))
        };
        let none = [""; 0];
        assert_eq!(asked("a jay and its friends", &[]), ["jay"]);
        assert_eq!(asked("a jay and its friends", &[("jay", false)]), none);
        assert_eq!(asked("jays for ottilie, and Jay", &[]), none);
        // Where only the first name is on the list, the surname is not.
        assert_eq!(asked("for Jay Smith", &[]), ["Jay Smith"]);
        let poem = "Recite Mia's poem for Tom, and what MIA likes";
        assert_eq!(asked(poem, &[]), ["Mia", "Tom"]);
        assert_eq!(asked(poem, &[("mia", true)]), ["Tom"]);
        assert_eq!(asked(poem, &[("Mia", false), ("Tom", true)]), none);
        assert_eq!(asked("a poem for Ava", &[("Ava Smith", true)]), none);
    }

    #[test]
    fn typed_names_are_replaced_as_words() {
        let clean = |text: &str| without_names(text, &Roster::default(), ["Jay", "Mia"]);
        assert_eq!(clean("Tell Jay's story"), "Tell the child's story");
        assert_eq!(clean("Jayden meets Mia"), "Jayden meets the child");
        assert_eq!(clean("for my daughter Mia, who is six"), "for my daughter, who is six");
        assert_eq!(clean("my son Jay's homework"), "my son's homework");
        assert_eq!(clean("for Jay and Mia"), "for the children");
        assert_eq!(clean("for our Jay"), "for our child");
        assert_eq!(clean("for our Jay and Mia"), "for our children");
        assert_eq!(clean("Hi. Jay & Mia's owl"), "Hi. The children's owl");
        assert_eq!(clean("Jay's and Mia's owl"), "the children's owl");
        assert_eq!(clean("for my kids Jay and Mia, 5"), "for my kids, 5");
        assert_eq!(clean("when Jay or Mia asks"), "when one of the children asks");
        assert_eq!(clean("Jay, Mia, and Jay"), "the children");
        assert_eq!(clean("Jay, Mia and Jayden"), "the children and Jayden");
        assert_eq!(clean("my godchild and Mia"), "my godchild and the child");
        assert_eq!(clean("Tell a story. Jay likes owls"), "Tell a story. The child likes owls");
        // Words that a parent has typed are no names.
        for typed in ["my child, the child next door", "the child or the child minder"] {
            assert_eq!(clean(typed), typed);
        }
        assert_eq!(clean("Mia, the child next door"), "the child, the child next door");
        let names = with_first_names(["Zoë", "Recite Nora"]);
        let clean = |text: &str| without_names(text, &Roster::default(), names.clone());
        assert_eq!(clean("a story about zoe"), "a story about the child");
        assert_eq!(clean("Nora sleeps when nora wants"), "the child sleeps when the child wants");
        let names = with_first_names(["Ava", "Ava Lena Smith", "mia o'brien"]);
        let clean = |text: &str| without_names(text, &Roster::default(), names.iter().copied());
        assert_eq!(clean("Ava Lena Smith, and Ava's dog"), "the child, and the child's dog");
        assert_eq!(clean("Ava Lena and Mia O'Brien"), "the children");
        let (list, _) = List::parse("Jay\n");
        let roster = Roster::new(list.names());
        assert_eq!(
            without_names("Jay Smith, and Jay", &roster, ["Jay Smith"]),
            "the child, and the child"
        );
    }
}
