//! Text in columns: how wide it is, where its lines break, and where it is cut.
//!
//! All strings here are escaped already.

use textwrap::wrap_algorithms::wrap_first_fit;
use textwrap::{WordSeparator, core};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The fewest columns in which text is wrapped, however narrow the terminal is.
const WRAP_COLUMNS_MIN: usize = 20;

/// Returns the number of columns that a string takes.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// Breaks a string at its spaces into lines of at most `room` columns. A longer word stays whole.
/// There is always at least one line.
pub fn wrap(text: &str, room: usize) -> Vec<&str> {
    wrap_after(text, room.max(WRAP_COLUMNS_MIN), room)
}

/// Like [`wrap`], with another number of columns for the first line.
pub fn wrap_after(text: &str, first: usize, rest: usize) -> Vec<&str> {
    let words: Vec<_> = WordSeparator::AsciiSpace.find_words(text).collect();
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

fn word_bytes(word: &core::Word) -> usize {
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
