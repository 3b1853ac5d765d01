//! Children's names: the private list of a family, and where one of them stands in a text.
//!
//! A name is never printed. Whoever finds one says `entry #3`, and whatever is shown goes through
//! [`Roster::mask`] first. Nothing here reads the list from a disk.
//!
//! # What counts as the name
//!
//! Texts and names are compared in normal form (NFKC) and without the characters that nobody
//! sees. A name stands in a text as a whole word: `Emma`, `Emma's`, `Emma-Marie`, `_Emma_`,
//! `Emma_plan.md`, and not in `Emmaus`. It begins with a capital or has nothing else, unless its
//! line in the list begins with `~`; in the names of files any case counts, but for names that
//! are common words. `MAX_RETRIES` is a constant, and `Don't` is about nobody called Don.
//!
//! Chinese, Japanese, Korean and the scripts of South-East Asia do not part words, or not from
//! their particles, so that a name in them is found wherever its characters stand in a row.
//! Accents count: whoever writes Zoë and Zoe lists both.

mod common_words;
mod entry;
mod index;
mod letters;
mod list;
mod normal;
mod scan;

use std::borrow::Cow;
use std::fmt;

use memchr::memmem;

pub use list::{
    Added, CHARACTERS_MAX, Case, LETTERS_MIN, LIST_BYTES_MAX, List, ListFault, NAMES_MAX, Name,
    NameFault,
};

use dibber_text::{Mask, Span};
use entry::Entry;
use index::Index;
use normal::{Hidden, Normal};
use scan::Found;

/// The way out for a child's name in the prompt.
pub const WAY_OUT_IN_PROMPT: &str = "write `{{input.child_name}}` and declare that input, so that \
                                     each family fills in its own";
/// The way out for a child's name in other sentences, in which nothing is filled in.
pub const WAY_OUT_IN_PROSE: &str = "write \"the child\" here; in the steps, \
                                    `{{input.child_name}}` is filled with the name at each run, \
                                    when `child_name` is an input";
/// The way out for a child's name in the name of a skill, an input, a file or a folder.
pub const WAY_OUT_IN_NAMES: &str = "call it by what it is for; its name travels with the skill";

/// The most bytes between two braces and those that close them.
const BRACES_BYTES_MAX: usize = 200;
/// How many bytes behind a name, and in front of it, say whether it is one.
const AROUND_BYTES: usize = 16;

/// The names of a family's children.
#[derive(Clone, Default)]
pub struct Roster {
    names: usize,
    index: Index,
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

impl Hit {
    /// What is to be said of it, as a sentence fragment. `place` is "here", or a place that
    /// cannot be pointed at.
    pub fn message(&self, place: &str) -> String {
        format!("a child's name stands {place}: entry #{} of your list", self.entry)
    }
}

/// Shows how many names there are, and none of them.
impl fmt::Debug for Roster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Roster of {}", self.names)
    }
}

impl Mask for Roster {
    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        Self::mask(self, text)
    }
}

impl Roster {
    fn new<'a>(names: impl Iterator<Item = &'a Name>) -> Self {
        let entries: Vec<Entry> = names.map(Entry::new).collect();
        Self { names: entries.len(), index: Index::new(entries) }
    }

    /// Tells whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.names == 0
    }

    /// The names in a text, in its order; what stands inside `{{…}}` does not count.
    pub fn find(&self, text: &str, scope: Scope) -> Vec<Hit> {
        let mut found = self.look(
            text,
            match scope {
                Scope::Prose => scan::in_sentences,
                Scope::FileName => scan::in_joined_words,
            },
        );
        if found.is_empty() {
            return Vec::new();
        }
        // Of names that overlap, the first and longest counts.
        found.sort_by_key(|(span, number)| (span.start, std::cmp::Reverse(span.end), *number));
        let mut end = 0;
        found.retain(|(span, _)| {
            let is_free = span.start >= end;
            end = if is_free { span.end } else { end };
            is_free
        });
        let braces = braces(text);
        let is_inside = |span: &Span| {
            let next = braces.partition_point(|braces| braces.end < span.end);
            braces.get(next).is_some_and(|braces| braces.start <= span.start)
        };
        found.retain(|(span, _)| !is_inside(span));
        found.into_iter().map(|(span, number)| Hit { span, entry: number + 1 }).collect()
    }

    /// The text with `*` in the place of every character of a name, in whatever form it stands
    /// there. It has the same lines and as many characters.
    pub fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.mask_with(text, |_| '*')
    }

    /// A part of a text with every name masked, also one that lies in it only partly. It has as
    /// many bytes as before, so that whoever points into it still can: a character of more than
    /// one byte becomes a dot that has as many.
    ///
    /// # Panics
    /// When the part does not lie on character boundaries inside the text.
    pub fn mask_part<'a>(&self, text: &'a str, part: Span) -> Cow<'a, str> {
        if self.is_empty() {
            return Cow::Borrowed(&text[part.range()]);
        }
        let around = self.index.name_bytes_max + AROUND_BYTES;
        let start = text.floor_char_boundary(part.start.saturating_sub(around));
        let end = text.ceil_char_boundary((part.end + around).min(text.len()));
        let around = self.mask_with(&text[start..end], |c| match c.len_utf8() {
            1 => '*',
            2 => '\u{B7}',
            3 => '\u{2022}',
            _ => '\u{1F784}',
        });
        match around {
            Cow::Borrowed(_) => Cow::Borrowed(&text[part.range()]),
            Cow::Owned(around) => {
                Cow::Owned(around[part.start - start..part.end - start].to_owned())
            }
        }
    }

    fn mask_with<'a>(&self, text: &'a str, mask: impl Fn(char) -> char) -> Cow<'a, str> {
        let mut found = self.look(text, scan::in_joined_words);
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        found.sort_by_key(|(span, _)| *span);
        let mut masked = String::with_capacity(text.len());
        let mut done = 0;
        for (span, _) in found {
            let start = span.start.max(done);
            if start < span.end {
                masked.push_str(&text[done..start]);
                let characters = text[start..span.end].chars();
                masked.extend(characters.map(|c| if c.is_whitespace() { c } else { mask(c) }));
                done = span.end;
            }
        }
        Cow::Owned(masked + &text[done..])
    }

    /// Looks through a text in normal form. Where there is something that nobody sees, it is
    /// taken for nothing and for a space in turn, so that it neither parts a name nor joins one
    /// to its neighbour.
    fn look(&self, text: &str, scan: fn(&Index, &str) -> Vec<Found>) -> Vec<Found> {
        if self.is_empty() {
            return Vec::new();
        }
        let mut found = self.look_in(&Normal::of(text, Hidden::Dropped), scan);
        if found.1 {
            found.0.extend(self.look_in(&Normal::of(text, Hidden::Space), scan).0);
        }
        found.0
    }

    fn look_in(
        &self,
        normal: &Normal<'_>,
        scan: fn(&Index, &str) -> Vec<Found>,
    ) -> (Vec<Found>, bool) {
        let found = scan(&self.index, &normal.text).into_iter();
        let found = found.map(|(span, number)| (normal.original(span), number)).collect();
        (found, normal.has_hidden)
    }
}

/// What stands between double braces on one line, braces included.
fn braces(text: &str) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    for at in memmem::find_iter(text.as_bytes(), "{{") {
        if found.last().is_some_and(|last| at < last.end) {
            continue;
        }
        let limit = text.floor_char_boundary((at + BRACES_BYTES_MAX).min(text.len()));
        let rest = &text[at..limit];
        let line = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
        if let Some(length) = line.find("}}") {
            found.push(Span::new(at, at + length + 2));
        }
    }
    found
}
