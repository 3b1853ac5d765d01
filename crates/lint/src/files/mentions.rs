//! The paths into the skill's folder that its texts mention, linked or not.
//!
//! A mention counts only when it begins with a folder that the skill has: `scripts/run.py` in a
//! skill without `scripts/` is somebody else's file.

use std::collections::HashSet;

use dibber_skill::skill::Bundle;
use dibber_text::Span;

/// The most bytes of the ending of a file's name that is looked for.
const ENDING_BYTES_MAX: usize = 8;

/// The folders at the top of a skill.
pub(crate) struct TopFolders<'s> {
    names: HashSet<&'s str>,
    /// Which bytes the names end in, to pass over most other words at once.
    last_bytes: [bool; 256],
    skill_name: Option<&'s str>,
}

/// A path that a text mentions.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mention<'t> {
    /// The path from the skill's folder.
    pub path: &'t str,
    /// Where it stands in its file.
    pub span: Span,
    /// Whether it names one thing.
    pub kind: MentionKind,
}

/// Whether a mention names one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MentionKind {
    /// It names one file or folder.
    Exact,
    /// It has placeholders or wildcards.
    Pattern,
}

impl<'s> TopFolders<'s> {
    /// Gathers them; none when the skill has no folder.
    pub(crate) fn of(bundle: &'s Bundle) -> Option<Self> {
        let folders = bundle.files.iter().filter_map(|file| file.path.split_once('/'));
        let names: HashSet<&str> = folders.map(|(first, _)| first).collect();
        let mut last_bytes = [false; 256];
        for last in names.iter().filter_map(|name| name.bytes().last()) {
            last_bytes[usize::from(last)] = true;
        }
        let skill_name = bundle.name.as_deref();
        (!names.is_empty()).then_some(Self { names, last_bytes, skill_name })
    }

    /// The paths in a part of `text` that begin with one of the folders, in their order.
    pub(crate) fn mentions<'t>(
        &self,
        text: &'t str,
        part: Span,
    ) -> impl Iterator<Item = Mention<'t>> {
        let is_folder = |before: &[u8]| self.ends_with_folder(before);
        words_with(b'/', &text[part.range()], is_folder).filter_map(move |word| {
            let (path, kind) = self.path_in(&text[word.shift(part.start).range()])?;
            // `path` is a part of `text`, so that the difference is its place.
            let start = path.as_ptr() as usize - text.as_ptr() as usize;
            Some(Mention { path, span: Span::new(start, start + path.len()), kind })
        })
    }

    fn ends_with_folder(&self, before: &[u8]) -> bool {
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

    /// Takes away what stands for the skill's folder: `./`, `{baseDir}/`, `skills/<its name>/`.
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
        self.skill_name.and_then(|name| below_folder(path, name))
    }
}

/// The part of a path below the first folder of that name in it.
fn below_folder<'t>(path: &'t str, name: &str) -> Option<&'t str> {
    let is_folder = |at: &usize| {
        (*at == 0 || path.as_bytes()[at - 1] == b'/')
            && path.as_bytes().get(at + name.len()) == Some(&b'/')
    };
    let at = path.match_indices(name).map(|(at, _)| at).find(is_folder)?;
    Some(&path[at + name.len() + 1..])
}

/// The words of a text that hold the byte `separator` behind bytes that `accepts` agrees to, each
/// as a span.
pub(crate) fn words_with(
    separator: u8,
    text: &str,
    accepts: impl Fn(&[u8]) -> bool,
) -> impl Iterator<Item = Span> {
    let bytes = text.as_bytes();
    let mut from = 0;
    // Where the last word ended: no word begins in front of it.
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

/// The words of a text that look like the name of a file with one of the endings, cut in front
/// when they are longer than `bytes_max`.
pub(crate) fn file_names(
    text: &str,
    bytes_max: usize,
    is_ending: impl Fn(&str) -> bool,
) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'.', bytes).filter_map(move |dot| {
        let ending = bytes[dot + 1..].iter().take(ENDING_BYTES_MAX + 1);
        let end = dot + 1 + ending.take_while(|byte| is_in_name(**byte)).count();
        if !is_ending(&text[dot + 1..end]) {
            return None;
        }
        let stem = bytes[..dot].iter().rev().take(bytes_max);
        let stem = stem.take_while(|byte| is_in_name(**byte) || **byte == b'.').count();
        Some(text[dot - stem..end].trim_start_matches('.'))
    })
}

/// Tells whether a byte can stand in the name of a file, in front of its ending.
pub(super) const fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Tells whether a byte can stand in a path or a template as people write them in texts.
const fn is_word(byte: u8) -> bool {
    let ends_word = matches!(
        byte,
        b'"' | b'\'' | b'`' | b'(' | b')' | b'[' | b']' | b',' | b';' | b'|' | b'=' | b'^'
    );
    byte.is_ascii_graphic() && !ends_word
}
