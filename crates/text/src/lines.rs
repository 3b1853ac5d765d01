//! From byte offsets to lines and columns.

use std::sync::OnceLock;

use super::span::Span;

/// The number of bytes of a block, at whose start the characters are counted in advance.
const BLOCK_BYTES: usize = 1024;

/// A position as an editor shows it; both count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line.
    pub line: usize,
    /// The column, in characters (code points) and not in bytes.
    pub column: usize,
}

/// The start of each line of a string.
///
/// A line ends at `\n`, at `\r\n`, or at a `\r` on its own, which is what YAML and Markdown
/// both count.
#[derive(Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
    /// The number of characters before each block. They are counted when a column far into a line
    /// is needed: counting from the start of the line each time would take time proportional to
    /// the square of its length.
    blocks: OnceLock<Vec<usize>>,
}

impl LineIndex {
    /// Finds the line starts of `text`.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        starts.extend(memchr::memchr2_iter(b'\n', b'\r', bytes).filter_map(|at| {
            let is_first_half = bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
            (!is_first_half).then_some(at + 1)
        }));
        Self { starts, blocks: OnceLock::new() }
    }

    /// Returns the number of lines; a line break at the end of the text does not begin another one.
    pub fn count(&self, text: &str) -> usize {
        let last = self.starts[self.starts.len() - 1];
        if last == text.len() { self.starts.len() - 1 } else { self.starts.len() }
    }

    /// Returns the number, from 1, of the line that contains the byte `at`.
    pub fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|&start| start <= at)
    }

    /// Returns the first byte of a line (counted from 1), if there is such a line.
    pub fn start(&self, line: usize) -> Option<usize> {
        self.starts.get(line.checked_sub(1)?).copied()
    }

    /// Returns the line and column of the byte `at` in `text`.
    pub fn line_column(&self, text: &str, at: usize) -> LineColumn {
        let at = text.floor_char_boundary(at);
        let line = self.line(at);
        let start = self.starts[line - 1];
        let characters = if at - start <= BLOCK_BYTES {
            text[start..at].chars().count()
        } else {
            self.characters_before(text, at) - self.characters_before(text, start)
        };
        LineColumn { line, column: characters + 1 }
    }

    fn characters_before(&self, text: &str, at: usize) -> usize {
        let blocks = self.blocks.get_or_init(|| {
            let mut before = 0;
            let blocks = text.as_bytes().chunks(BLOCK_BYTES).map(|block| {
                let first = before;
                before += characters_that_start_in(block);
                first
            });
            blocks.collect()
        });
        // `at` is more than a block into the text here, so there is a block.
        let block = (at / BLOCK_BYTES).min(blocks.len() - 1);
        blocks[block] + characters_that_start_in(&text.as_bytes()[block * BLOCK_BYTES..at])
    }

    /// Returns the bytes of a line (counted from 1) without its line break.
    pub fn line_span(&self, text: &str, line: usize) -> Span {
        let start = self.starts[line - 1];
        let end = self.starts.get(line).copied().unwrap_or(text.len());
        let content = text[start..end].trim_end_matches(['\n', '\r']);
        Span::new(start, start + content.len())
    }
}

/// Returns the bytes of the line that contains the byte `at`, without its line break. It takes time
/// proportional to the length of the line, and needs no [`LineIndex`].
pub fn line_around(text: &str, at: usize) -> Span {
    let (before, after) = text.as_bytes().split_at(at);
    let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |line_break| line_break + 1);
    let end = memchr::memchr2(b'\n', b'\r', after).map_or(text.len(), |length| at + length);
    Span::new(start, end)
}

/// Returns the number of bytes that are not in the middle of a character.
fn characters_that_start_in(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}
