//! The paths in the skill that its text mentions, linked or not.
//!
//! Only a path that begins with a directory of the skill counts: in a skill without `scripts/`,
//! `scripts/run.py` is a file of another project.

use std::collections::HashSet;

use dibber_skill::skill::Bundle;
use dibber_text::Span;

/// The maximum length in bytes of a file extension.
const EXTENSION_BYTES_MAX: usize = 8;

/// The top-level directories of a skill.
pub(crate) struct TopDirectories<'s> {
    names: HashSet<&'s str>,
    /// The last bytes of the names, to reject most other words quickly.
    last_bytes: [bool; 256],
    skill_name: Option<&'s str>,
}

/// A path that is mentioned.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mention<'t> {
    /// The path from the root of the skill.
    pub path: &'t str,
    /// Its span in the file.
    pub span: Span,
    /// Whether it names one thing.
    pub kind: MentionKind,
}

/// Whether a mention names one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MentionKind {
    /// It names one file or directory.
    Exact,
    /// It has placeholders or wildcards.
    Pattern,
}

impl<'s> TopDirectories<'s> {
    /// Collects the directories; `None` if the skill has none.
    pub(crate) fn new(bundle: &'s Bundle) -> Option<Self> {
        let directories = bundle.files.iter().filter_map(|file| file.path.split_once('/'));
        let names: HashSet<&str> = directories.map(|(first, _)| first).collect();
        let mut last_bytes = [false; 256];
        for last in names.iter().filter_map(|name| name.bytes().last()) {
            last_bytes[usize::from(last)] = true;
        }
        let skill_name = bundle.name.as_deref();
        (!names.is_empty()).then_some(Self { names, last_bytes, skill_name })
    }

    /// Returns the paths in a part of `text` that begin with one of the directories, in order.
    pub(crate) fn mentions<'t>(
        &self,
        text: &'t str,
        part: Span,
    ) -> impl Iterator<Item = Mention<'t>> {
        let is_directory = |before: &[u8]| self.ends_with_directory(before);
        words_with(b'/', &text[part.range()], is_directory).filter_map(move |word| {
            let (path, kind) = self.path_in(&text[word.shift(part.start).range()])?;
            // `path` is a subslice of `text`, so the difference is its offset.
            let start = path.as_ptr() as usize - text.as_ptr() as usize;
            Some(Mention { path, span: Span::new(start, start + path.len()), kind })
        })
    }

    fn ends_with_directory(&self, before: &[u8]) -> bool {
        // This test fails for nearly every slash, and costs one table lookup.
        let is_possible = before.last().is_some_and(|last| self.last_bytes[usize::from(*last)]);
        is_possible && {
            let length =
                before.iter().rev().take_while(|byte| is_in_name(**byte) || **byte == b'.').count();
            let name = std::str::from_utf8(&before[before.len() - length..]);
            name.is_ok_and(|name| self.names.contains(name))
        }
    }

    fn path_in<'t>(&self, word: &'t str) -> Option<(&'t str, MentionKind)> {
        if word.contains("://") {
            return None;
        }
        let word = word.trim_start_matches(['*', '@']);
        let word = word.split(['#', '?', ':']).next().unwrap_or_default();
        let word = word.trim_end_matches(['.', '*', '!', '+']);
        let path = self.below_skill(word)?;
        let first = path.split('/').next().unwrap_or_default();
        if !self.names.contains(first) || path.len() == first.len() {
            return None;
        }
        let is_pattern = path.contains(['<', '>', '{', '}', '*', '$', '%', '~', '\\']);
        Some((path, if is_pattern { MentionKind::Pattern } else { MentionKind::Exact }))
    }

    /// Strips a prefix that means the skill's directory: `./`, `{baseDir}/`, `skills/<its name>/`.
    fn below_skill<'t>(&self, word: &'t str) -> Option<&'t str> {
        let mut path = word;
        while let Some(rest) = path.strip_prefix("./") {
            path = rest;
        }
        if path.starts_with(['{', '$', '<', '%']) {
            let (root, rest) = path.split_once('/')?;
            let root = root.to_ascii_lowercase();
            if !root.contains("skill") && !root.contains("basedir") {
                return None;
            }
            path = rest;
        }
        let first = path.split('/').next().unwrap_or_default();
        if self.names.contains(first) {
            return Some(path);
        }
        self.skill_name.and_then(|name| below_directory(path, name))
    }
}

/// Returns the part of a path below its first directory with that name.
fn below_directory<'t>(path: &'t str, name: &str) -> Option<&'t str> {
    let is_directory = |at: &usize| {
        (*at == 0 || path.as_bytes()[at - 1] == b'/')
            && path.as_bytes().get(at + name.len()) == Some(&b'/')
    };
    let at = path.match_indices(name).map(|(at, _)| at).find(is_directory)?;
    Some(&path[at + name.len() + 1..])
}

/// Returns the spans of the words that contain the byte `separator` where `accepts` returns `true`
/// for the bytes before it.
///
/// The test comes before the ends of the word are searched, because most separators fail it.
pub(crate) fn words_with(
    separator: u8,
    text: &str,
    accepts: impl Fn(&[u8]) -> bool,
) -> impl Iterator<Item = Span> {
    let bytes = text.as_bytes();
    let mut from = 0;
    // Words do not overlap: none begins before the end of the last one.
    let mut last_end = 0;
    std::iter::from_fn(move || {
        loop {
            let at = from + memchr::memchr(separator, &bytes[from..])?;
            from = at + 1;
            if accepts(&bytes[last_end..at]) {
                let before = bytes[last_end..at].iter().rev().take_while(|byte| is_word(**byte));
                let start = at - before.count();
                last_end = at + bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
                from = last_end;
                return Some(Span::new(start, last_end));
            }
        }
    })
}

/// Returns the words that look like the name of a file with one of the extensions, truncated at
/// the front to `bytes_max`.
pub(crate) fn file_names(
    text: &str,
    bytes_max: usize,
    is_extension: impl Fn(&str) -> bool,
) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'.', bytes).filter_map(move |dot| {
        let extension = bytes[dot + 1..].iter().take(EXTENSION_BYTES_MAX + 1);
        let end = dot + 1 + extension.take_while(|byte| is_in_name(**byte)).count();
        if !is_extension(&text[dot + 1..end]) {
            return None;
        }
        let stem = bytes[..dot].iter().rev().take(bytes_max);
        let stem = stem.take_while(|byte| is_in_name(**byte) || **byte == b'.').count();
        Some(text[dot - stem..end].trim_start_matches('.'))
    })
}

/// Returns `true` if `byte` can be part of a file name before its extension.
pub(super) const fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Returns `true` if `byte` can be part of a path or a template in prose.
const fn is_word(byte: u8) -> bool {
    let ends_word = matches!(
        byte,
        b'"' | b'\'' | b'`' | b'(' | b')' | b'[' | b']' | b',' | b';' | b'|' | b'=' | b'^'
    );
    byte.is_ascii_graphic() && !ends_word
}
