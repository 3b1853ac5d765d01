//! Going through a text for the places where a name may begin.

use super::entry::{Words, is_behind_escape, is_start};
use super::index::{Index, Starts, ends};
use super::letters::{is_combining_mark, is_joint, is_unspaced, is_word};
use crate::text::Span;

/// How many bytes are looked at together.
const BLOCK: usize = 8;

/// A name in a text: its bytes, and its number from 0.
pub(super) type Found = (Span, usize);

/// The names in sentences, the longest where several begin; none overlaps another.
///
/// Only capitals that begin a word, small letters that do when there is a name for which they
/// count, and characters that are not ASCII when one begins with such are looked at one by one. The rest of a text is passed over
/// eight bytes at a time.
pub(super) fn in_sentences(index: &Index, text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut done = 0;
    let bytes = text.as_bytes();
    let mut look = |at: usize| {
        if at < done || !index.may_begin(first_bytes(bytes, at)) {
            return;
        }
        if let Some((end, number)) = sentence_name(index, text, at) {
            found.push((Span::new(at, end), number));
            done = end;
        }
    };
    let mut blocks = bytes.chunks_exact(BLOCK);
    let mut before = Before::default();
    for (block, chunk) in blocks.by_ref().enumerate() {
        let chunk = chunk.try_into().expect("a block of eight");
        let (mut marks, next) = candidates(u64::from_le_bytes(chunk), before, index.starts);
        before = next;
        while marks != 0 {
            look(block * BLOCK + (marks.trailing_zeros() / 8) as usize);
            marks &= marks - 1;
        }
    }
    for at in bytes.len() - blocks.remainder().len()..bytes.len() {
        look(at);
    }
    found
}

/// What the last bytes of a block say of the first ones of the next, as marks on those.
#[derive(Clone, Copy, Default)]
struct Before {
    letters: u64,
    backslashes: u64,
}

/// Marks, by the highest bit of each byte, where a name may begin.
fn candidates(block: u64, before: Before, starts: Starts) -> (u64, Before) {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    const SMALL: u64 = 0x20 * ONES;
    let plain = !block & HIGH;
    let low = block & !HIGH;
    let from = |low: u64, first: u8| low + ONES * (0x80 - u64::from(first));
    let between = |low: u64, first: u8, last: u8| from(low, first) & !from(low, last + 1);
    let letters = between(low | SMALL, b'a', b'z') & plain;
    let backslashes = (HIGH - (low ^ (u64::from(b'\\') * ONES))) & plain;
    // The letter behind a backslash belongs to it, and the next one may begin a word.
    let begin = !(letters << 8 | before.letters) | backslashes << 16 | before.backslashes;
    let next = Before { letters: letters >> 56, backslashes: backslashes >> 48 };
    let capitals = letters & !(block << 2);
    let mut marks = begin & if starts.small { letters } else { capitals };
    if let Some((first, last)) = starts.wide {
        marks |= between(low, first & 0x7F, last & 0x7F) & block & HIGH;
    }
    (marks, next)
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

/// The names in whatever is written without regard to case and spaces: the names of files, and
/// all text that is to be shown. They may overlap.
pub(super) fn in_joined_words(index: &Index, text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut joints = Vec::new();
    let mut at = 0;
    while let Some(start) = next_letter(text, at) {
        if let Some(end) = end_without_joint(text.as_bytes(), start)
            && !(index.may_begin(first_bytes(text.as_bytes(), start))
                && index.may_be_word(&text.as_bytes()[start..end]))
        {
            at = end;
            continue;
        }
        let first = text[start..].chars().next().unwrap_or(' ');
        if is_unspaced(first) && !index.has_unspaced() {
            let rest = &text[start..];
            at = start + rest.find(|c| !is_unspaced(c)).unwrap_or(rest.len());
            continue;
        }
        if is_unspaced(first) {
            let name = index.longest_unspaced(text, start, Words::Joined);
            found.extend(name.map(|(end, number)| (Span::new(start, end), number)));
            at = start + first.len_utf8();
            continue;
        }
        at = run_end(text, start).max(start + first.len_utf8());
        split(text, Span::new(start, at), &mut joints);
        // The last joint is the end.
        for (place, start) in joints[..joints.len() - 1].iter().enumerate() {
            if !index.may_begin(first_bytes(text.as_bytes(), *start)) {
                continue;
            }
            let later = &joints[place + 1..];
            let near = later.partition_point(|end| end - start <= index.word_bytes_max);
            let name = later[..near]
                .iter()
                .rev()
                .flat_map(|end| ends(text, *start, *end))
                .find_map(|end| index.longest(text, *start, end, Words::Joined));
            found.extend(name.map(|(end, number)| (Span::new(*start, end), number)));
        }
    }
    found
}

/// The end of the word of ASCII that starts there, if it is one word, however it is looked at:
/// nothing but small letters behind the first, and no backslash in front.
fn end_without_joint(bytes: &[u8], start: usize) -> Option<usize> {
    let small = bytes[start + 1..].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    let end = start + 1 + small;
    let goes_on =
        bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    let is_word = bytes[start].is_ascii_alphabetic() && !goes_on;
    (is_word && !bytes[..start].ends_with(b"\\")).then_some(end)
}

/// The next byte from `at` on at which a letter or digit stands.
fn next_letter(text: &str, at: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[at..];
    let length = bytes.iter().position(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())?;
    let start = at + length;
    if bytes[length].is_ascii() {
        return Some(start);
    }
    // A mark without a letter begins no word.
    let begins = |c: char| is_word(c) && !is_combining_mark(c);
    text[start..].find(begins).map(|length| start + length)
}

/// Where words may begin and end in a run of letters, its own start and end among them.
fn split(text: &str, run: Span, joints: &mut Vec<usize>) {
    joints.clear();
    joints.push(run.start);
    let mut characters = text[run.range()].char_indices().peekable();
    let mut before = None;
    let mut after_backslash = text[..run.start].ends_with('\\');
    while let Some((offset, c)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let is_behind_escape = offset == 1 && std::mem::take(&mut after_backslash);
        if before.is_some_and(|before| is_behind_escape || is_joint(before, c, next)) {
            joints.push(run.start + offset);
        }
        before = Some(c);
    }
    joints.push(run.end);
}
