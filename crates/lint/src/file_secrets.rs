//! The secrets of one file, and the parts of them that a finding may quote.

use std::cell::OnceCell;
use std::collections::HashSet;

use dibber_skill::scan::secrets::{self, Secret};
use dibber_text::{DecodedText, Source, Span};

/// The number of bytes from which a string is a part of a secret: a shorter one may be in it by
/// chance.
const PART_BYTES_MIN: usize = 8;

/// The secrets of one file.
#[derive(Debug)]
pub(crate) struct FileSecrets<'a> {
    source: Option<&'a Source>,
    secrets: Vec<Secret>,
    /// Every part of a secret of [`PART_BYTES_MIN`] bytes: a longer one consists of these.
    parts: OnceCell<HashSet<[u8; PART_BYTES_MIN]>>,
}

impl<'a> FileSecrets<'a> {
    /// Finds the secrets in a file.
    pub(crate) fn find(source: &'a Source) -> Self {
        let secrets = secrets::find(source.text());
        Self { source: Some(source), secrets, parts: OnceCell::new() }
    }

    /// Returns no secrets, for findings that quote no file.
    pub(crate) const fn none() -> Self {
        Self { source: None, secrets: Vec::new(), parts: OnceCell::new() }
    }

    /// Returns the secrets in order.
    pub(crate) fn secrets(&self) -> &[Secret] {
        &self.secrets
    }

    /// Returns a part of the file; the empty string if there is none.
    pub(crate) fn slice(&self, part: Span) -> &'a str {
        self.source.map_or("", |source| source.slice(part))
    }

    /// Returns a string that a finding quotes with `*` for every character of a part of a secret: a
    /// parser takes strings apart. Returns `None` if there is no such part.
    pub(crate) fn mask_parts(&self, text: &str) -> Option<String> {
        if self.secrets.is_empty() || text.len() < PART_BYTES_MIN {
            return None;
        }
        let mut is_part = vec![false; text.len()];
        self.each_part(text, |part| is_part[part.range()].fill(true));
        if let Some(decoded) = DecodedText::decode(text) {
            self.each_part(decoded.text(), |part| {
                is_part[decoded.original(part).range()].fill(true);
            });
        }
        is_part.contains(&true).then(|| {
            let is_masked = |at: usize, c: char| is_part[at] && !c.is_whitespace();
            let mask = |(at, c)| if is_masked(at, c) { '*' } else { c };
            text.char_indices().map(mask).collect()
        })
    }

    fn each_part(&self, text: &str, mut visit: impl FnMut(Span)) {
        let parts = self.parts.get_or_init(|| self.parts());
        // Where parts overlap, they are visited as one, since each is mapped to the original.
        let mut last: Option<Span> = None;
        for (start, part) in text.as_bytes().windows(PART_BYTES_MIN).enumerate() {
            if !part.try_into().is_ok_and(|part: [u8; PART_BYTES_MIN]| parts.contains(&part)) {
                continue;
            }
            let end = start + PART_BYTES_MIN;
            last = match last {
                Some(last) if start <= last.end => Some(Span::new(last.start, end)),
                Some(last) => {
                    visit(last);
                    Some(Span::new(start, end))
                }
                None => Some(Span::new(start, end)),
            };
        }
        last.into_iter().for_each(visit);
    }

    fn parts(&self) -> HashSet<[u8; PART_BYTES_MIN]> {
        let mut parts = HashSet::new();
        let mut add = |text: &str| {
            let windows = text.as_bytes().windows(PART_BYTES_MIN);
            parts.extend(windows.filter_map(|part| <[u8; PART_BYTES_MIN]>::try_from(part).ok()));
        };
        for secret in &self.secrets {
            let masked = self.slice(secret.masked);
            add(masked);
            if let Some(decoded) = DecodedText::decode(masked) {
                add(decoded.text());
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of the token are joined at run time, so that scanners do not report this file.
    fn token() -> String {
        ["ghp", "_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat()
    }

    #[test]
    fn a_part_is_masked_beside_other_text() {
        let (start, end) = ("zQWBuTSOoRi4A9sp", "HcVY5ncnsDkxkJ0mLq17");
        for written in
            [token(), token().replace("A9", r"\u0041\x39"), token().replace("HcVY", "HcVY&shy;")]
        {
            let source = Source::new("SKILL.md", format!("key: {written}\n"));
            let secrets = FileSecrets::find(&source);
            assert_eq!(secrets.secrets().len(), 1, "{written}");
            for (quoted, expected) in [
                (format!("x {start}"), Some(format!("x {}", "*".repeat(start.len())))),
                (format!("{end}, y"), Some(format!("{}, y", "*".repeat(end.len())))),
                (format!("é{end}é"), Some(format!("é{}é", "*".repeat(end.len())))),
                (end.replace('5', "%35"), Some("*".repeat(end.len() + 2))),
                (start[..7].to_owned(), None),
                ("ghp_ and nothing else".to_owned(), None),
            ] {
                assert_eq!(secrets.mask_parts(&quoted), expected, "{quoted} of {written}");
            }
        }
        assert_eq!(FileSecrets::none().mask_parts(&token()), None);
    }
}
