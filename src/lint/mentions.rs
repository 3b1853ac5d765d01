//! The paths into the skill's folder that its texts mention, linked or not.
//!
//! A mention counts only when it begins with a folder that the skill has: `scripts/run.py` in a
//! skill without `scripts/` is somebody else's file.

use std::collections::HashSet;

use crate::skill::Bundle;
use crate::text::Span;

/// The folders at the top of a skill.
pub(super) struct TopFolders<'s> {
    names: HashSet<&'s str>,
    skill_name: Option<&'s str>,
}

/// A path that a text mentions.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mention<'t> {
    /// The path from the skill's folder.
    pub path: &'t str,
    /// Where it stands in its file.
    pub span: Span,
    /// Whether it names one thing.
    pub kind: MentionKind,
}

/// Whether a mention names one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MentionKind {
    /// It names one file or folder.
    Exact,
    /// It has placeholders or wildcards.
    Pattern,
}

impl<'s> TopFolders<'s> {
    /// Gathers them; none when the skill has no folder.
    pub(super) fn of(bundle: &'s Bundle) -> Option<Self> {
        let folders = bundle.files.iter().filter_map(|file| file.path.split_once('/'));
        let names: HashSet<&str> = folders.map(|(first, _)| first).collect();
        (!names.is_empty()).then(|| Self { names, skill_name: bundle.name.as_deref() })
    }

    /// The paths in a part of `text` that begin with one of the folders, in their order.
    pub(super) fn mentions<'t>(
        &self,
        text: &'t str,
        part: Span,
    ) -> impl Iterator<Item = Mention<'t>> {
        words_with(b'/', &text[part.range()]).filter_map(move |word| {
            let (path, kind) = self.path_in(&text[word.shift(part.start).range()])?;
            // `path` is a part of `text`, so that the difference is its place.
            let start = path.as_ptr() as usize - text.as_ptr() as usize;
            Some(Mention { path, span: Span::new(start, start + path.len()), kind })
        })
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

/// The words of a text that hold the byte `separator`, each as a span.
pub(super) fn words_with(separator: u8, text: &str) -> impl Iterator<Item = Span> {
    let bytes = text.as_bytes();
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = from + memchr::memchr(separator, &bytes[from..])?;
        let before = bytes[from..at].iter().rev().take_while(|byte| is_word(**byte)).count();
        let after = bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
        from = at + after.max(1);
        Some(Span::new(at - before, at + after))
    })
}

/// Tells whether a byte can stand in a path or a template as people write them in texts.
const fn is_word(byte: u8) -> bool {
    let ends_word = matches!(
        byte,
        b'"' | b'\'' | b'`' | b'(' | b')' | b'[' | b']' | b',' | b';' | b'|' | b'=' | b'^'
    );
    byte.is_ascii_graphic() && !ends_word
}
