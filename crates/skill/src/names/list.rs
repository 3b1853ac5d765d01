//! The list of names as text: one on a line, with comments.

use std::collections::BTreeSet;
use std::fmt;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::Roster;
use super::letters::{folded, is_apostrophe, is_hidden, is_hyphen};

/// The most bytes of a list (1 MiB).
pub const LIST_BYTES_MAX: usize = 1 << 20;
/// The most names of a list.
pub const NAMES_MAX: usize = 10_000;
/// The fewest letters of a name: one alone stands in every text.
pub const LETTERS_MIN: usize = 2;
/// The most characters of a name.
pub const CHARACTERS_MAX: usize = 100;

/// What a comment begins with.
const COMMENT: char = '#';
/// What stands in front of a name that counts in any case.
const ANY_CASE: char = '~';

/// How a name must be written in a text to be found there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// With a capital in front, or all in capitals.
    Capitals,
    /// In any case.
    Any,
}

/// One name. It shows nothing of itself but its initials.
#[derive(Clone, PartialEq, Eq)]
pub struct Name {
    /// In normal form, with single spaces.
    written: String,
    /// The same for comparing, where case does not count.
    folded: String,
    case: Case,
}

/// What keeps a line from being a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameFault {
    /// Nothing in it is a letter.
    NoLetters,
    /// It has fewer than [`LETTERS_MIN`] letters.
    TooShort,
    /// It has more than [`CHARACTERS_MAX`] characters.
    TooLong,
    /// It has a character that no name has.
    Character,
}

/// A line that is not a name, or one too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListFault {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it; none for the first name beyond [`NAMES_MAX`].
    pub fault: Option<NameFault>,
}

/// The list, with its comments.
#[derive(Clone, Default)]
pub struct List {
    lines: Vec<Line>,
}

#[derive(Clone)]
struct Line {
    text: String,
    name: Option<Name>,
}

/// Where a name stands that was to be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It is new, with this number.
    New(usize),
    /// It was there already.
    Known(usize),
    /// It was there already, and now counts in any case.
    Widened(usize),
    /// It has no room: there are [`NAMES_MAX`] names.
    NoRoom,
}

/// Says what is wrong without quoting the line.
impl fmt::Display for NameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLetters => f.write_str("there is no letter in it"),
            Self::TooShort => write!(f, "a name has at least {LETTERS_MIN} letters"),
            Self::TooLong => write!(f, "a name has at most {CHARACTERS_MAX} characters"),
            Self::Character => {
                f.write_str("a name has letters, spaces, hyphens, apostrophes and points only")
            }
        }
    }
}

impl fmt::Display for ListFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fault {
            Some(fault) => write!(f, "line {}: {fault}", self.line),
            None => write!(f, "line {}: there are more than {NAMES_MAX} names", self.line),
        }
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Name {} ({:?})", self.initials(), self.case)
    }
}

/// Shows how many names there are, and none of them.
impl fmt::Debug for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "List of {}", self.len())
    }
}

impl Name {
    /// Reads a name; `~` in front of it says that any case counts.
    pub fn parse(text: &str) -> Result<Self, NameFault> {
        let text = text.trim();
        let (text, case) = match text.strip_prefix(ANY_CASE) {
            Some(name) => (name, Case::Any),
            None => (text, Case::Capitals),
        };
        // Normal form may be eighteen times as long.
        if text.chars().nth(CHARACTERS_MAX).is_some() {
            return Err(NameFault::TooLong);
        }
        let normal: String = text.chars().filter(|c| !is_hidden(*c)).nfkc().collect();
        let words: Vec<&str> = normal.split_whitespace().collect();
        let written = words.join(" ");
        if !written.chars().all(is_in_names) {
            return Err(NameFault::Character);
        }
        match written.chars().filter(|c| c.is_alphabetic()).count() {
            0 => Err(NameFault::NoLetters),
            letters if letters < LETTERS_MIN => Err(NameFault::TooShort),
            _ if written.chars().nth(CHARACTERS_MAX).is_some() => Err(NameFault::TooLong),
            _ => Ok(Self { folded: folded(&written), written, case }),
        }
    }

    /// The same name, found in any case.
    #[must_use]
    pub fn in_any_case(self) -> Self {
        Self { case: Case::Any, ..self }
    }

    /// How it must be written to be found.
    pub fn case(&self) -> Case {
        self.case
    }

    /// The first letter of each of its words, each with a point: `A. L.`
    pub fn initials(&self) -> String {
        let words = self.written.split(|c: char| c == ' ' || is_hyphen(c));
        let initials = words.filter_map(|word| word.chars().find(|c| c.is_alphabetic()));
        let initials: Vec<String> = initials.map(|c| format!("{}.", c.to_uppercase())).collect();
        initials.join(" ")
    }

    /// As it is written, in normal form.
    pub(super) fn written(&self) -> &str {
        &self.written
    }

    fn line(&self) -> Line {
        let sign = if self.case == Case::Any { ANY_CASE.to_string() } else { String::new() };
        Line { text: sign + &self.written, name: Some(self.clone()) }
    }
}

fn is_in_names(c: char) -> bool {
    c.is_alphabetic()
        || is_combining_mark(c)
        || is_hyphen(c)
        || is_apostrophe(c)
        || matches!(c, ' ' | '.' | '\u{B7}' | '\u{30FB}')
}

impl List {
    /// Reads a list; gives what could be read, and the lines that could not.
    pub fn parse(text: &str) -> (Self, Vec<ListFault>) {
        let (mut list, mut faults) = (Self::default(), Vec::new());
        let text = text.trim_start_matches(dibber_text::BYTE_ORDER_MARK);
        let mut names = 0;
        for (index, line) in text.lines().enumerate() {
            let before_comment = line.split(COMMENT).next().unwrap_or_default();
            let mut name = None;
            if !before_comment.trim().is_empty() {
                match Name::parse(before_comment) {
                    Ok(_) if names == NAMES_MAX => {
                        faults.push(ListFault { line: index + 1, fault: None });
                        break;
                    }
                    Ok(parsed) => {
                        names += 1;
                        name = Some(parsed);
                    }
                    Err(fault) => faults.push(ListFault { line: index + 1, fault: Some(fault) }),
                }
            }
            list.lines.push(Line { text: line.to_owned(), name });
        }
        (list, faults)
    }

    /// Writes the list, comments included, with a line break at the end.
    pub fn render(&self) -> String {
        self.lines.iter().map(|line| format!("{}\n", line.text)).collect()
    }

    /// The names, in the order of their numbers.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.lines.iter().filter_map(|line| line.name.as_ref())
    }

    /// Counts the names.
    pub fn len(&self) -> usize {
        self.names().count()
    }

    /// Tells whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.names().next().is_none()
    }

    /// The number of a name, from 1, however it is written and whatever case counts.
    pub fn number(&self, name: &Name) -> Option<usize> {
        self.names().position(|known| known.folded == name.folded).map(|index| index + 1)
    }

    /// Adds a name at the end, unless it is there.
    pub fn add(&mut self, name: &Name) -> Added {
        let known = self.lines.iter_mut().filter(|line| line.name.is_some());
        let is_same = |known: &Name| known.folded == name.folded;
        let known = known.enumerate().find(|(_, line)| line.name.as_ref().is_some_and(is_same));
        let Some((index, Line { text, name: Some(known) })) = known else {
            if self.len() == NAMES_MAX {
                return Added::NoRoom;
            }
            self.lines.push(name.line());
            return Added::New(self.len());
        };
        if (known.case, name.case) != (Case::Capitals, Case::Any) {
            return Added::Known(index + 1);
        }
        text.insert(0, ANY_CASE);
        known.case = Case::Any;
        Added::Widened(index + 1)
    }

    /// Takes out the names with these numbers; the others move up.
    pub fn remove(&mut self, numbers: &BTreeSet<usize>) {
        let mut number = 0;
        self.lines.retain(|line| {
            number += usize::from(line.name.is_some());
            line.name.is_none() || !numbers.contains(&number)
        });
    }

    /// The names, ready to be looked for.
    pub fn roster(&self) -> Roster {
        Roster::new(self.names())
    }
}
