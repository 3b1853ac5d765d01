//! The list of names as text: one name on each line, with comments.

use std::collections::BTreeSet;
use std::fmt;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::common_words::is_common;
use super::letters::{folded, is_apostrophe, is_hidden, is_hyphen};
use super::words::{NameWord, name_words};

/// The most bytes of a list (1 MiB).
pub const LIST_BYTES_MAX: usize = 1 << 20;
/// The most names of a list.
pub const NAMES_MAX: usize = 10_000;
/// The fewest letters of a name: a single letter is in every text.
pub const LETTERS_MIN: usize = 2;
/// The most characters of a name.
pub const CHARACTERS_MAX: usize = 100;

/// What a comment begins with.
const COMMENT: char = '#';
/// The prefix of a name that matches in any case, even if it is a common word.
const ANY_CASE: char = '~';

/// The case in which a name matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// In any case, unless it is a common word: with an uppercase first letter then, or all in
    /// uppercase.
    Uppercase,
    /// In any case, even if it is a common word.
    Any,
}

/// One name. `Debug` shows only its initials.
#[derive(Clone, PartialEq, Eq)]
pub struct Name {
    /// In normal form, with single spaces.
    written: String,
    /// The same in folded form, to compare without case.
    folded: String,
    case: Case,
}

/// Why a string is not a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameError {
    /// It has no letters.
    NoLetters,
    /// It has fewer than [`LETTERS_MIN`] letters.
    TooShort,
    /// It has more than [`CHARACTERS_MAX`] characters.
    TooLong,
    /// It has a character that is not allowed in names.
    Character,
}

/// A line that is not a name, or the first name beyond the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListProblem {
    /// The number of the line, from 1.
    pub line: usize,
    /// Why it is not a name; none for the first name beyond [`NAMES_MAX`].
    pub error: Option<NameError>,
}

/// The list, with its comments.
#[derive(Clone, Default)]
pub struct List {
    lines: Vec<ListLine>,
}

#[derive(Clone)]
struct ListLine {
    text: String,
    name: Option<Name>,
}

/// The outcome of [`List::add`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddOutcome {
    /// It is new, with this number.
    New(usize),
    /// It is in the list already.
    Known(usize),
    /// It is in the list already, and now matches in any case.
    Widened(usize),
    /// It was not added: the list has [`NAMES_MAX`] names.
    Full,
}

/// Never quotes the line.
impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLetters => f.write_str("a name needs letters"),
            Self::TooShort => write!(f, "a name has at least {LETTERS_MIN} letters"),
            Self::TooLong => write!(f, "a name has at most {CHARACTERS_MAX} characters"),
            Self::Character => {
                f.write_str("a name has only letters, spaces, hyphens, apostrophes and periods")
            }
        }
    }
}

impl fmt::Display for ListProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error {
            Some(error) => write!(f, "line {}: {error}", self.line),
            None => write!(f, "line {}: more than {NAMES_MAX} names", self.line),
        }
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Name {} ({:?})", self.initials(), self.case)
    }
}

/// Shows the number of names, and none of them.
impl fmt::Debug for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "List of {}", self.len())
    }
}

impl Name {
    /// Parses a name; with the prefix `~`, it matches in any case.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        let text = text.trim();
        let (text, case) = match text.strip_prefix(ANY_CASE) {
            Some(name) => (name, Case::Any),
            None => (text, Case::Uppercase),
        };
        // Checked before normalizing, which may make a string eighteen times as long.
        if text.chars().nth(CHARACTERS_MAX).is_some() {
            return Err(NameError::TooLong);
        }
        let normal: String = text.chars().filter(|c| !is_hidden(*c)).nfkc().collect();
        let words: Vec<&str> = normal.split_whitespace().collect();
        let written = words.join(" ");
        if !written.chars().all(is_allowed_in_names) {
            return Err(NameError::Character);
        }
        // Only what is compared counts: a name of apostrophes or diacritics would match nothing.
        match name_words(&written).iter().map(NameWord::letter_count).sum::<usize>() {
            0 => Err(NameError::NoLetters),
            letters if letters < LETTERS_MIN => Err(NameError::TooShort),
            _ if written.chars().nth(CHARACTERS_MAX).is_some() => Err(NameError::TooLong),
            _ => Ok(Self { folded: folded(&written), written, case }),
        }
    }

    /// Returns the same name, matching in any case.
    #[must_use]
    pub fn in_any_case(self) -> Self {
        Self { case: Case::Any, ..self }
    }

    /// Returns the name itself, in normal form. It must not be shown.
    pub fn normal_form(&self) -> &str {
        &self.written
    }

    /// Returns the case in which it matches.
    pub fn case(&self) -> Case {
        self.case
    }

    /// Returns `true` if it is a common word as well, so that it is not found in lowercase unless it
    /// matches in any case.
    pub fn needs_uppercase(&self) -> bool {
        self.case == Case::Uppercase
            && name_words(&self.written).iter().all(|word| is_common(&word.folded))
    }

    /// Returns the first letter of each of its words, each with a period: `A. L.`
    pub fn initials(&self) -> String {
        let words = self.written.split(|c: char| c == ' ' || is_hyphen(c));
        let initials = words.filter_map(|word| word.chars().find(|c| c.is_alphabetic()));
        let initials: Vec<String> = initials.map(|c| format!("{}.", c.to_uppercase())).collect();
        initials.join(" ")
    }

    /// Returns the name in normal form.
    pub(super) fn written(&self) -> &str {
        &self.written
    }

    fn line(&self) -> ListLine {
        let prefix = if self.case == Case::Any { ANY_CASE.to_string() } else { String::new() };
        ListLine { text: prefix + &self.written, name: Some(self.clone()) }
    }
}

fn is_allowed_in_names(c: char) -> bool {
    c.is_alphabetic()
        || is_combining_mark(c)
        || is_hyphen(c)
        || is_apostrophe(c)
        || matches!(c, ' ' | '.' | '\u{B7}' | '\u{30FB}')
}

impl List {
    /// Parses a list. Returns the names, and the lines that are not names.
    pub fn parse(text: &str) -> (Self, Vec<ListProblem>) {
        let (mut list, mut problems) = (Self::default(), Vec::new());
        let text = text.trim_start_matches(dibber_text::BYTE_ORDER_MARK);
        let mut names = 0;
        for (index, line) in text.lines().enumerate() {
            let before_comment = line.split(COMMENT).next().unwrap_or_default();
            let mut name = None;
            if !before_comment.trim().is_empty() {
                match Name::parse(before_comment) {
                    Ok(_) if names == NAMES_MAX => {
                        problems.push(ListProblem { line: index + 1, error: None });
                        break;
                    }
                    Ok(parsed) => {
                        names += 1;
                        name = Some(parsed);
                    }
                    Err(error) => {
                        problems.push(ListProblem { line: index + 1, error: Some(error) });
                    }
                }
            }
            list.lines.push(ListLine { text: line.to_owned(), name });
        }
        (list, problems)
    }

    /// Returns the text of the list with its comments; it ends with a line break.
    pub fn render(&self) -> String {
        self.lines.iter().map(|line| format!("{}\n", line.text)).collect()
    }

    /// Returns the names, in the order of their numbers.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.lines.iter().filter_map(|line| line.name.as_ref())
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.names().count()
    }

    /// Returns `true` if there are no names.
    pub fn is_empty(&self) -> bool {
        self.names().next().is_none()
    }

    /// Returns the number, from 1, of a name that differs from this one at most in case.
    pub fn number(&self, name: &Name) -> Option<usize> {
        self.names().position(|known| known.folded == name.folded).map(|index| index + 1)
    }

    /// Adds a name at the end, unless the list has it.
    pub fn add(&mut self, name: &Name) -> AddOutcome {
        let known = self.lines.iter_mut().filter(|line| line.name.is_some());
        let is_same = |known: &Name| known.folded == name.folded;
        let known = known.enumerate().find(|(_, line)| line.name.as_ref().is_some_and(is_same));
        let Some((index, ListLine { text, name: Some(known) })) = known else {
            if self.len() == NAMES_MAX {
                return AddOutcome::Full;
            }
            self.lines.push(name.line());
            return AddOutcome::New(self.len());
        };
        if (known.case, name.case) != (Case::Uppercase, Case::Any) {
            return AddOutcome::Known(index + 1);
        }
        text.insert(0, ANY_CASE);
        known.case = Case::Any;
        AddOutcome::Widened(index + 1)
    }

    /// Removes the names with these numbers; those after them move up.
    pub fn remove(&mut self, numbers: &BTreeSet<usize>) {
        let mut number = 0;
        self.lines.retain(|line| {
            number += usize::from(line.name.is_some());
            line.name.is_none() || !numbers.contains(&number)
        });
    }
}
