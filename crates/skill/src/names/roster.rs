//! The names that are searched for, and their search and masking.

use std::borrow::Cow;
use std::fmt;

use memchr::memmem;

use super::entry::NameEntry;
use super::index::NameIndex;
use super::list::{List, Name};
use super::markup;
use super::normal::{Hidden, NormalizedText};
use super::passages::passages;
use super::scan::{self, NameMatch};
use dibber_text::{ENCODED_BYTES_MAX, Message, Span, message, same_size_mask};

/// The most bytes between two braces and those that close them.
const BRACES_BYTES_MAX: usize = 200;
/// The number of bytes before and after a name that decide whether it matches.
const AROUND_BYTES: usize = 16;

/// The names of a family's children.
#[derive(Clone, Default)]
pub struct Roster {
    names: usize,
    /// The number of those that are on the private list; the others are children of a family.
    listed: usize,
    /// The number of those that [`Roster::find`] finds; the others are only masked.
    found: usize,
    index: NameIndex,
}

/// The kind of a string, which decides where words begin and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Sentences, in which separators are between words.
    Prose,
    /// The name of a file, a skill or a tool, which may join words: `emma-checkin`, `emmaCheckin`.
    FileName,
}

/// A name in a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Its bytes.
    pub span: Span,
    /// The number of the entry in its list, from 1.
    pub entry: usize,
    /// Whether it is on the private list, and not only in the family of a server.
    pub is_listed: bool,
}

impl Hit {
    /// Returns a message about it, which does not show the name.
    pub fn message(&self) -> Message {
        if self.is_listed {
            message!["contains a child's name: entry #", self.entry, " of your list"]
        } else {
            message!["contains a child's name: child #", self.entry, " of your family"]
        }
    }
}

/// Shows the number of names, and none of them.
impl fmt::Debug for Roster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Roster of {}", self.names)
    }
}

impl Roster {
    /// Creates a roster of the names of a list.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a Name>) -> Self {
        Self::with_children(names, [])
    }

    /// Creates a roster of the names of a list, and of the children of a family.
    pub fn with_children<'a>(
        names: impl IntoIterator<Item = &'a Name>,
        children: impl IntoIterator<Item = &'a Name>,
    ) -> Self {
        let roster = Self::with_masked(names, children);
        Self { found: roster.names, ..roster }
    }

    /// Creates a roster of the names of a list, and of others that are masked, but not found: a check
    /// of the server decides about them.
    pub fn with_masked<'a>(
        names: impl IntoIterator<Item = &'a Name>,
        masked: impl IntoIterator<Item = &'a Name>,
    ) -> Self {
        let listed: Vec<_> = names.into_iter().collect();
        let all = listed.iter().copied().chain(masked).enumerate();
        let mut entries: Vec<_> = all.map(|(index, name)| NameEntry::new(index, name)).collect();
        let (names, listed) = (entries.len(), listed.len());
        let joined: Vec<_> = entries.iter().filter_map(NameEntry::joined).collect();
        entries.extend(joined);
        Self { names, listed, found: listed, index: NameIndex::new(entries) }
    }

    /// Returns `true` if there are no names.
    pub fn is_empty(&self) -> bool {
        self.names == 0
    }

    /// Finds the names in a string, in order. Names inside `{{…}}` are ignored.
    pub fn find(&self, text: &str, scope: Scope) -> Vec<Hit> {
        let mut found = self.search(
            text,
            match scope {
                Scope::Prose => scan::find_in_sentences,
                Scope::FileName => scan::find_in_joined_words,
            },
        );
        found.retain(|hit| hit.index < self.found);
        if found.is_empty() {
            return Vec::new();
        }
        // Of matches that overlap, the first and longest one counts.
        found.sort_by_key(|hit| (hit.span.start, std::cmp::Reverse(hit.span.end), hit.index));
        let mut end = 0;
        found.retain(|hit| {
            let is_free = hit.span.start >= end;
            end = if is_free { hit.span.end } else { end };
            is_free
        });
        let braces = braces(text);
        let is_inside = |span: &Span| {
            let next = braces.partition_point(|braces| braces.end < span.end);
            braces.get(next).is_some_and(|braces| braces.start <= span.start)
        };
        found.retain(|hit| !is_inside(&hit.span));
        let hit = |found: NameMatch| {
            let is_listed = found.index < self.listed;
            let before = if is_listed { 0 } else { self.listed };
            Hit { span: found.span, entry: found.index + 1 - before, is_listed }
        };
        found.into_iter().map(hit).collect()
    }

    /// Finds the names whose words are in neighbouring items of a list, as in `Anna`, `Lena`. Returns
    /// the index of the item in which each begins.
    pub fn find_across_items(&self, items: &[String]) -> Vec<usize> {
        let joined = items.join(" ");
        let hits = self.find(&joined, Scope::FileName).into_iter();
        let across = hits.filter_map(|hit| {
            let mut start = 0;
            let first = items.iter().position(|item| {
                start += item.len() + 1;
                hit.span.start < start
            })?;
            (hit.span.end >= start).then_some(first)
        });
        across.collect()
    }

    /// Returns `true` if a string contains a name in any form in which it is masked.
    pub fn has_name(&self, text: &str) -> bool {
        !self.search(text, scan::find_in_joined_words).is_empty()
    }

    /// Returns the text with `*` for every character of a name, in any case. The text keeps its
    /// lines and its number of characters.
    pub(crate) fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.mask_with(text, |_| '*')
    }

    /// Returns a part of a string with every name masked, even one that is only partly in it. The
    /// part keeps its number of bytes: a character of more than one byte becomes a dot of as many.
    pub(crate) fn mask_part<'a>(&self, text: &'a str, part: Span) -> Cow<'a, str> {
        if self.is_empty() {
            return Cow::Borrowed(&text[part.range()]);
        }
        let around = self.index.name_bytes_max * ENCODED_BYTES_MAX + AROUND_BYTES;
        let start = text.floor_char_boundary(part.start.saturating_sub(around));
        let end = text.ceil_char_boundary((part.end + around).min(text.len()));
        let around = self.mask_with(&text[start..end], same_size_mask);
        match around {
            Cow::Borrowed(_) => Cow::Borrowed(&text[part.range()]),
            Cow::Owned(around) => {
                Cow::Owned(around[part.start - start..part.end - start].to_owned())
            }
        }
    }

    fn mask_with<'a>(&self, text: &'a str, mask: impl Fn(char) -> char) -> Cow<'a, str> {
        let mut found = self.search(text, scan::find_in_joined_words);
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        found.sort_by_key(|hit| hit.span);
        let mut masked = String::with_capacity(text.len());
        let mut done = 0;
        for NameMatch { span, .. } in found {
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

    /// Searches a string in normal form. If it has invisible characters, it is searched twice: with
    /// them removed, and with them replaced by spaces. So they neither split a name nor join one
    /// to the word beside it. The passages around its markup are also searched as they are
    /// rendered.
    fn search(&self, text: &str, scan: fn(&NameIndex, &str) -> Vec<NameMatch>) -> Vec<NameMatch> {
        if self.is_empty() {
            return Vec::new();
        }
        let normal = NormalizedText::new(text, Hidden::Dropped);
        let mut found = self.search_in(&normal, scan);
        if normal.has_hidden {
            found.extend(self.search_in(&NormalizedText::new(text, Hidden::Space), scan));
        }
        for passage in passages(text, &markup::find(text)) {
            let matches = self.search_in(&NormalizedText::rendered(text, &passage), scan);
            let start = passage.span.start;
            let matches = matches.into_iter();
            found.extend(matches.map(|hit| NameMatch { span: hit.span.shift(start), ..hit }));
        }
        found
    }

    fn search_in(
        &self,
        normal: &NormalizedText<'_>,
        scan: fn(&NameIndex, &str) -> Vec<NameMatch>,
    ) -> Vec<NameMatch> {
        let found = scan(&self.index, &normal.text).into_iter();
        found.map(|hit| NameMatch { span: normal.original(hit.span), ..hit }).collect()
    }
}

impl List {
    /// Creates the roster of the names, to search for them.
    pub fn roster(&self) -> Roster {
        Roster::new(self.names())
    }
}

/// Returns what is between double braces on one line, braces included.
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
