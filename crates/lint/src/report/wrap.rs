//! Text in columns: how wide it is, and where its lines break.
//!
//! All strings here are escaped already.

use std::borrow::Cow;

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};
use unicode_width::UnicodeWidthStr;

/// The fewest columns in which text is wrapped, however narrow the terminal is.
const WRAP_COLUMNS_MIN: usize = 20;

/// Returns the number of columns that a string takes.
pub(super) fn columns(text: &str) -> usize {
    text.width()
}

/// Breaks a string at its spaces into lines of at most `room` columns. A longer word stays whole.
pub(super) fn wrap(text: &str, room: usize) -> Vec<Cow<'_, str>> {
    textwrap::wrap(text, options(room))
}

/// Like [`wrap`], for a string that begins after `used` columns of its first line.
pub(super) fn wrap_after(text: &str, used: usize, room: usize) -> Vec<String> {
    let label = " ".repeat(used);
    let lines = textwrap::wrap(text, options(room).initial_indent(&label));
    let lines = lines.iter().enumerate();
    // An empty string is a line without the indent.
    let start = |index| if index == 0 { used } else { 0 };
    lines.map(|(index, line)| line.get(start(index)..).unwrap_or_default().to_owned()).collect()
}

fn options(room: usize) -> Options<'static> {
    Options::new(room.max(WRAP_COLUMNS_MIN))
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
}
