//! Text in columns: how wide it is, where its lines break, and where it is cut.
//!
//! All strings here are escaped already.

use textwrap::WordSeparator;
use textwrap::core::Word;
use textwrap::wrap_algorithms::wrap_first_fit;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The fewest columns in which text is wrapped, however narrow the terminal is.
const WRAP_COLUMNS_MIN: usize = 20;

/// Returns the number of columns that a string takes.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// Breaks a string at its spaces into lines of at most `room` columns. A longer word stays whole, and
/// so does what is between backticks, which may be a command to copy. There is always at least one
/// line.
pub fn wrap(text: &str, room: usize) -> Vec<&str> {
    wrap_after(text, room.max(WRAP_COLUMNS_MIN), room)
}

/// Like [`wrap`], with another number of columns for the first line.
pub fn wrap_after(text: &str, first: usize, rest: usize) -> Vec<&str> {
    let words = unbroken_words(text);
    let width = |room: usize| u32::try_from(room).map_or(f64::MAX, f64::from);
    let widths = [first, rest.max(WRAP_COLUMNS_MIN)].map(width);
    let mut start = 0;
    let lines = wrap_first_fit(&words, &widths).into_iter().map(|line| {
        // Words and the spaces after them follow each other in `text` without a gap.
        let end = start + line.iter().map(word_bytes).sum::<usize>();
        let line = text[start..end].trim_end();
        start = end;
        line
    });
    lines.collect()
}

/// Returns the words of a string, where what is between backticks is one word. A backtick without
/// another one joins nothing.
fn unbroken_words(text: &str) -> Vec<Word<'_>> {
    let (mut words, mut start, mut end, mut is_open) = (Vec::new(), 0, 0, false);
    for word in WordSeparator::AsciiSpace.find_words(text) {
        end += word_bytes(&word);
        is_open ^= word.matches('`').count() % 2 == 1;
        if !is_open {
            words.push(Word::from(&text[start..end]));
            start = end;
        }
    }
    words.extend(WordSeparator::AsciiSpace.find_words(&text[start..]));
    words
}

fn word_bytes(word: &Word) -> usize {
    word.word.len() + word.whitespace.len()
}

/// Cuts a string to at most `room` columns, with `…` at its end if anything was cut.
pub fn truncate(text: &str, room: usize) -> String {
    if columns(text) <= room {
        return text.to_owned();
    }
    let mut used = 1;
    let fitting = text.chars().take_while(|c| {
        used += c.width().unwrap_or_default();
        used <= room
    });
    fitting.chain(['…']).collect()
}
