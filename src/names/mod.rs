//! Children's names: the private list of a family, and where one of them stands in a text.
//!
//! A name is never printed. Whoever finds one says `entry #3`, and whatever is shown goes through
//! [`Roster::mask`] first. Nothing here reads the list from a disk.

use std::borrow::Cow;
use std::fmt;

use crate::text::Span;

/// The names of a family's children.
#[derive(Clone, Default)]
pub struct Roster {
    entries: Vec<Entry>,
}

/// One name.
#[derive(Clone, PartialEq, Eq)]
struct Entry {
    name: String,
}

/// Where a text comes from, which decides how a name may be written in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Sentences: a name begins with a capital letter, or has nothing else.
    Prose,
    /// The name of a file or of a skill, in which there are no capital letters to go by:
    /// `emma-checkin`, `emmaCheckin`.
    FileName,
}

/// A name in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The bytes of it.
    pub span: Span,
    /// The number of the entry in the list, from 1.
    pub entry: usize,
}

/// Shows how many names there are, and none of them.
impl fmt::Debug for Roster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Roster of {}", self.entries.len())
    }
}

impl Roster {
    /// Tells whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The names in a text, in its order; what stands inside `{{…}}` does not count.
    pub fn find(&self, _text: &str, _scope: Scope) -> Vec<Hit> {
        Vec::new()
    }

    /// The text with `*` in the place of every character of a name, in whatever form it stands
    /// there. It has the same lines and as many characters.
    pub fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        Cow::Borrowed(text)
    }
}
