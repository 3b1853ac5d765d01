//! The search for names: at the positions of a string at which one may begin.
//!
//! Every file of every skill is searched, and nearly all of them contain no name. So the sieve
//! tests eight bytes at a time (SIMD within a register): each byte of a `u64` is compared by adding
//! a constant that carries into its highest bit. Only the bytes marked like this are looked up in
//! the [`NameIndex`]. A byte may be marked wrongly, never missed: what a mark means is decided by
//! [`Scan`].

use super::entry::{WordBoundary, is_after_escape, is_start};
use super::index::{NameIndex, Starts, word_ends};
use super::letters::{is_joint, is_unspaced, is_word};
use dibber_text::Span;

/// The number of bytes that are tested together.
const BLOCK: usize = 8;
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;
/// The ASCII letters after the end of a word that show whether there is a joint.
const JOINT_BYTES: usize = 2;

/// A name in a string.
#[derive(Clone, Copy)]
pub(super) struct NameMatch {
    /// Its bytes.
    pub(super) span: Span,
    /// The index of its entry.
    pub(super) index: usize,
}

/// Finds the names in sentences, the longest where several begin. No match overlaps another.
pub(super) fn find_in_sentences(index: &NameIndex, text: &str) -> Vec<NameMatch> {
    let mut found = Vec::new();
    let mut done = 0;
    let mut scan = Scan { index, text, boundary: WordBoundary::Separator, run_end: 0 };
    Sieve::for_sentences(index.starts).each_place(index, text.as_bytes(), |at| {
        if at >= done
            && let Some((end, number)) = scan.name(at)
        {
            found.push(NameMatch { span: Span::new(at, end), index: number });
            done = end;
        }
    });
    found
}

/// Finds the names in text where words may be joined, also those that are common words: in the names
/// of files, and in all text that is masked. Matches may overlap.
pub(super) fn find_in_joined_words(index: &NameIndex, text: &str) -> Vec<NameMatch> {
    let mut found = Vec::new();
    let mut scan = Scan { index, text, boundary: WordBoundary::Joint, run_end: 0 };
    Sieve::for_joined_words(index.starts).each_place(index, text.as_bytes(), |at| {
        if let Some((end, number)) = scan.name(at) {
            found.push(NameMatch { span: Span::new(at, end), index: number });
        }
    });
    found
}

/// The bytes at which a name may begin: uppercase letters at the start of a word; lowercase letters
/// there and uppercase letters inside words, where these match too; and the first bytes of the
/// characters that are not ASCII and that a name begins with.
struct Sieve {
    /// All bits if lowercase letters and uppercase letters inside words match, otherwise none.
    any_case: u64,
    /// What carries the bytes from the lowest one on into the highest bit, and what carries those
    /// above the highest one.
    wide: (u64, u64),
}

/// What the last bytes of a block mean for the first bytes of the next, as marks on these.
#[derive(Clone, Copy, Default)]
struct Before {
    letters: u64,
    backslashes: u64,
}

impl Sieve {
    fn for_sentences(starts: Starts) -> Self {
        let any_case = if starts.lowercase { u64::MAX } else { 0 };
        Self { any_case, wide: wide(starts) }
    }

    fn for_joined_words(starts: Starts) -> Self {
        Self { any_case: u64::MAX, wide: wide(starts) }
    }

    /// Calls `visit` with each byte of a string at which a name may begin, by its first letters.
    fn each_place(&self, index: &NameIndex, bytes: &[u8], mut visit: impl FnMut(usize)) {
        let mut before = Before::default();
        let mut start = 0;
        while let Some(block) = bytes[start..].first_chunk() {
            let mut marks = self.marks(u64::from_le_bytes(*block), &mut before);
            while marks != 0 {
                let at = start + (marks.trailing_zeros() / 8) as usize;
                if index.may_begin(first_bytes(bytes, at)) {
                    visit(at);
                }
                marks &= marks - 1;
            }
            start += BLOCK;
        }
        for at in start..bytes.len() {
            if index.may_begin(first_bytes(bytes, at)) {
                visit(at);
            }
        }
    }

    /// Marks places by the highest bit of each byte.
    ///
    /// `low` has no highest bits, so that the addition to one byte never carries into the next.
    fn marks(&self, block: u64, before: &mut Before) -> u64 {
        let plain = !block & HIGH;
        let low = block & !HIGH;
        let folded = low | (0x20 * ONES);
        let letters = (folded + above(b'a' - 1)) & !(folded + above(b'z')) & plain;
        let backslashes = (HIGH - (low ^ (u64::from(b'\\') * ONES))) & plain;
        // The letter after a backslash is part of the escape, and the next one may begin a word.
        let begin = !(letters << 8 | before.letters) | backslashes << 16 | before.backslashes;
        *before = Before { letters: letters >> 56, backslashes: backslashes >> 48 };
        // Bit 5 distinguishes lowercase from uppercase; shifted by two, it is where the mark is.
        let uppercase = letters & !(block << 2);
        let wide = (low + self.wide.0) & !(low + self.wide.1) & block & HIGH;
        letters & begin & (self.any_case | uppercase) | uppercase & self.any_case | wide
    }
}

/// Returns what carries every ASCII byte above this one into the highest bit.
const fn above(byte: u8) -> u64 {
    ONES * (0x7F - byte as u64)
}

fn wide(starts: Starts) -> (u64, u64) {
    let first = |byte: u8| byte & 0x7F;
    starts
        .wide
        .map_or((0, 0), |(least, greatest)| (above(first(least) - 1), above(first(greatest))))
}

/// Returns the byte at `at` and the two after it; 0 after the end.
fn first_bytes(bytes: &[u8], at: usize) -> [u8; 3] {
    match bytes[at..] {
        [first, second, third, ..] => [first, second, third],
        [first, second] => [first, second, 0],
        [first] => [first, 0, 0],
        [] => [0; 3],
    }
}

/// The search at one place after the other, in the order of the text. What it finds in sentences,
/// it also finds where words may be joined, so that every name that is reported is masked.
struct Scan<'a> {
    index: &'a NameIndex,
    text: &'a str,
    /// Where a name that is a common word may begin and end. Other names may always begin and end at
    /// a joint, and the words of a name may always meet there.
    boundary: WordBoundary,
    /// The end of the last run of letters. A name may begin at each joint of a run, and searching
    /// for the end from each of them would take time proportional to the square of its length.
    run_end: usize,
}

impl Scan<'_> {
    /// Returns the longest name that begins at a byte: its end, and the index of its entry.
    fn name(&mut self, at: usize) -> Option<(usize, usize)> {
        let Self { index, text, boundary, .. } = *self;
        if boundary == WordBoundary::Separator && self.is_no_name(at) {
            return None;
        }
        let rest = if text.is_char_boundary(at) { &text[at..] } else { return None };
        let mut after = rest.chars();
        let (first, next) = (after.next()?, after.next());
        if is_unspaced(first) {
            return index.longest_unspaced(text, at, boundary);
        }
        let before = text[..at].chars().next_back();
        let is_after_joint = before.is_some_and(|before| is_joint(before, first, next));
        let is_start = is_after_joint || is_start(text, at);
        if !is_word(first) || !is_start {
            return None;
        }
        if at >= self.run_end {
            self.run_end = run_end(text, at);
        }
        let joints = self.joints(at);
        let ends = std::iter::once(self.run_end).chain(joints.into_iter().rev());
        let mut ends = ends.flat_map(|end| word_ends(text, at, end));
        ends.find_map(|end| index.longest(text, at, end, boundary))
    }

    /// Returns `true` if an ASCII letter does not begin a word that is a name, or that may have a name
    /// or the first words of one in it. It is fast, since in sentences most of the places do not.
    fn is_no_name(&self, at: usize) -> bool {
        let bytes = self.text.as_bytes();
        if !bytes[at].is_ascii() {
            return false;
        }
        let before = at.checked_sub(1).map_or(b' ', |before| bytes[before]);
        let may_be_name = |word: &[u8]| {
            let has_digit = || word.iter().any(u8::is_ascii_digit);
            let has_joint = || {
                word.iter().skip(1).any(u8::is_ascii_uppercase)
                    && word.iter().any(u8::is_ascii_lowercase)
            };
            self.index.may_be_word(word) || has_digit() || has_joint()
        };
        let is_inside = before.is_ascii_alphabetic() && !is_after_escape(&bytes[..at]);
        is_inside && !is_plain_joint(bytes, at)
            || self.plain_word(at).is_some_and(|word| !may_be_name(word))
    }

    /// Returns the letters and digits from `at` on, if they and the character after them are ASCII.
    ///
    /// Of a longer word than the first one of any name, only as much as shows whether such a word
    /// ends at a joint in it: a run of letters with many joints is read from each of them.
    fn plain_word(&self, at: usize) -> Option<&[u8]> {
        let bytes = &self.text.as_bytes()[at..];
        let letters = bytes.iter().take(self.index.word_bytes_max + JOINT_BYTES);
        let length = letters.take_while(|byte| byte.is_ascii_alphanumeric()).count();
        bytes.get(length).is_none_or(u8::is_ascii).then_some(&bytes[..length])
    }

    /// Returns the joints of the run of letters from `at` on, at which the first word of a name may
    /// end.
    fn joints(&self, at: usize) -> Vec<usize> {
        let mut joints = Vec::new();
        let mut characters = self.text[at..self.run_end].char_indices().peekable();
        let after = self.text[self.run_end..].chars().next();
        let Some((_, mut before)) = characters.next() else { return joints };
        while let Some((offset, c)) = characters.next() {
            if offset > self.index.word_bytes_max {
                break;
            }
            if is_joint(before, c, characters.peek().map(|(_, next)| *next).or(after)) {
                joints.push(at + offset);
            }
            before = c;
        }
        joints
    }
}

/// Returns `true` if a word may begin at a letter that is after another one, as in [`is_joint`]. What
/// is not ASCII may be a lowercase letter.
fn is_plain_joint(bytes: &[u8], at: usize) -> bool {
    let is_before_lowercase =
        || bytes.get(at + 1).is_some_and(|next| next.is_ascii_lowercase() || !next.is_ascii());
    bytes[at].is_ascii_uppercase() && (!bytes[at - 1].is_ascii_uppercase() || is_before_lowercase())
}

/// Returns the end of the run of letters that contains `at`.
fn run_end(text: &str, at: usize) -> usize {
    let bytes = &text.as_bytes()[at..];
    let plain = bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if bytes.get(plain).is_none_or(u8::is_ascii) {
        return at + plain;
    }
    let rest = &text[at + plain..];
    let length = rest.find(|c| !is_word(c) || is_unspaced(c)).unwrap_or(rest.len());
    at + plain + length
}
