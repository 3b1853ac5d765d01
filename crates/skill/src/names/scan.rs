//! Going through a text for the places where a name may begin.

use super::entry::{Words, is_behind_escape, is_start};
use super::index::{Index, Starts, ends};
use super::letters::{is_joint, is_unspaced, is_word};
use dibber_text::Span;

/// How many bytes are looked at together.
const BLOCK: usize = 8;
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;

/// A name in a text: its bytes, and its number from 0.
pub(super) type Found = (Span, usize);

/// The names in sentences, the longest where several begin; none overlaps another.
pub(super) fn in_sentences(index: &Index, text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut done = 0;
    let sieve = Sieve::for_sentences(index.starts);
    sieve.each_place(index, text.as_bytes(), |at| {
        if at < done {
            return;
        }
        if let Some((end, number)) = sentence_name(index, text, at) {
            found.push((Span::new(at, end), number));
            done = end;
        }
    });
    found
}

/// The names in whatever is written without regard to case and spaces: the names of files, and
/// all text that is to be shown. They may overlap.
pub(super) fn in_joined_words(index: &Index, text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut run = RunEnd::default();
    let sieve = Sieve::for_joined_words(index.starts);
    sieve.each_place(index, text.as_bytes(), |at| {
        if let Some((end, number)) = joined_name(index, text, at, &mut run) {
            found.push((Span::new(at, end), number));
        }
    });
    found
}

/// Which bytes are looked at one by one: capitals that begin a word; all other letters that do, or
/// all other capitals, when they count; and the first bytes of characters that are not ASCII and
/// that a name begins with. The rest of a text is passed over eight bytes at a time.
struct Sieve {
    /// All bits when small letters count, else none.
    small: u64,
    /// All bits when capitals inside of words count, else none.
    inner_capitals: u64,
    /// What carries the bytes that count into the highest bit, and what those above them.
    wide: (u64, u64),
}

/// What the last bytes of a block say of the first ones of the next, as marks on those.
#[derive(Clone, Copy, Default)]
struct Before {
    letters: u64,
    backslashes: u64,
}

impl Sieve {
    fn for_sentences(starts: Starts) -> Self {
        let small = if starts.small { u64::MAX } else { 0 };
        Self { small, inner_capitals: 0, wide: wide(starts) }
    }

    fn for_joined_words(starts: Starts) -> Self {
        Self { small: u64::MAX, inner_capitals: u64::MAX, wide: wide(starts) }
    }

    /// Looks at each place of a text where a name may begin by its first letters.
    fn each_place(&self, index: &Index, bytes: &[u8], mut look: impl FnMut(usize)) {
        let mut before = Before::default();
        let mut start = 0;
        while let Some(block) = bytes[start..].first_chunk() {
            let mut marks = self.marks(u64::from_le_bytes(*block), &mut before);
            while marks != 0 {
                let at = start + (marks.trailing_zeros() / 8) as usize;
                if index.may_begin(first_bytes(bytes, at)) {
                    look(at);
                }
                marks &= marks - 1;
            }
            start += BLOCK;
        }
        for at in start..bytes.len() {
            if index.may_begin(first_bytes(bytes, at)) {
                look(at);
            }
        }
    }

    /// Marks places by the highest bit of each byte.
    fn marks(&self, block: u64, before: &mut Before) -> u64 {
        let plain = !block & HIGH;
        let low = block & !HIGH;
        let small = low | (0x20 * ONES);
        let letters = (small + above(b'a' - 1)) & !(small + above(b'z')) & plain;
        let backslashes = (HIGH - (low ^ (u64::from(b'\\') * ONES))) & plain;
        // The letter behind a backslash belongs to it, and the next one may begin a word.
        let begin = !(letters << 8 | before.letters) | backslashes << 16 | before.backslashes;
        *before = Before { letters: letters >> 56, backslashes: backslashes >> 48 };
        // The bit that makes a letter small, where the mark is.
        let capitals = letters & !(block << 2);
        let wide = (low + self.wide.0) & !(low + self.wide.1) & block & HIGH;
        letters & begin & (self.small | capitals) | capitals & self.inner_capitals | wide
    }
}

/// What carries every byte of ASCII above this one into the highest bit.
const fn above(byte: u8) -> u64 {
    ONES * (0x7F - byte as u64)
}

fn wide(starts: Starts) -> (u64, u64) {
    let first = |byte: u8| byte & 0x7F;
    starts
        .wide
        .map_or((0, 0), |(least, greatest)| (above(first(least) - 1), above(first(greatest))))
}

/// The byte at `at` and the two behind it; 0 for what is not there.
fn first_bytes(bytes: &[u8], at: usize) -> [u8; 3] {
    match bytes[at..] {
        [first, second, third, ..] => [first, second, third],
        [first, second] => [first, second, 0],
        [first] => [first, 0, 0],
        [] => [0; 3],
    }
}

fn sentence_name(index: &Index, text: &str, at: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    if bytes[at].is_ascii() {
        let before = at.checked_sub(1).map_or(b' ', |before| bytes[before]);
        if before.is_ascii_alphanumeric() && !is_behind_escape(&bytes[..at])
            || plain_word(text, at).is_some_and(|word| !index.may_be_word(word))
        {
            return None;
        }
    }
    let first = if text.is_char_boundary(at) { text[at..].chars().next()? } else { return None };
    if is_unspaced(first) {
        return index.longest_unspaced(text, at, Words::Apart);
    }
    if !is_word(first) || !is_start(text, at) {
        return None;
    }
    let end = run_end(text, at);
    ends(text, at, end).find_map(|end| index.longest(text, at, end, Words::Apart))
}

/// The letters and digits from `at` on, when there is nothing but ASCII in them and behind them.
fn plain_word(text: &str, at: usize) -> Option<&[u8]> {
    let bytes = &text.as_bytes()[at..];
    let length = bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    bytes.get(length).is_none_or(u8::is_ascii).then_some(&bytes[..length])
}

fn joined_name(index: &Index, text: &str, at: usize, run: &mut RunEnd) -> Option<(usize, usize)> {
    let rest = if text.is_char_boundary(at) { &text[at..] } else { return None };
    let mut characters = rest.char_indices().peekable();
    let (_, first) = characters.next()?;
    if is_unspaced(first) {
        return index.longest_unspaced(text, at, Words::Joined);
    }
    let next = characters.peek().map(|(_, next)| *next);
    let before = text[..at].chars().next_back();
    let is_after_joint = before.is_some_and(|before| is_joint(before, first, next));
    if !is_word(first) || !is_after_joint && !is_start(text, at) {
        return None;
    }
    let end = run.end(text, at);
    let (mut joints, mut before) = (Vec::new(), first);
    while let Some((offset, c)) = characters.next() {
        if at + offset >= end || offset > index.word_bytes_max {
            break;
        }
        if is_joint(before, c, characters.peek().map(|(_, next)| *next)) {
            joints.push(at + offset);
        }
        before = c;
    }
    joints.push(end);
    let mut ends = joints.iter().rev().flat_map(|end| ends(text, at, *end));
    ends.find_map(|end| index.longest(text, at, end, Words::Joined))
}

/// The end of the last run of letters. A name may begin at each joint of a run, and looking for
/// the end from each of them would take time that grows with the square of its length.
#[derive(Default)]
struct RunEnd(usize);

impl RunEnd {
    /// Returns the end of the run that holds the letter at `at`. Calls are in the order of the
    /// text, so that a letter before the end of the last run belongs to that one.
    fn end(&mut self, text: &str, at: usize) -> usize {
        if at >= self.0 {
            self.0 = run_end(text, at);
        }
        self.0
    }
}

/// The end of the letters that stand together from `at` on.
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
