//! The lines of Markdown that a waiver comment covers.

use std::fmt;

use dibber_skill::skill::Markdown;
use dibber_text::{Source, Span};

/// A range of lines, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineRange {
    pub(super) first: usize,
    pub(super) last: usize,
}

impl LineRange {
    pub(super) fn contains(self, line: usize) -> bool {
        self.first <= line && line <= self.last
    }
}

impl fmt::Display for LineRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first, self.last) {
            (first, last) if first == last => write!(f, "line {first}"),
            (first, last) => write!(f, "lines {first} to {last}"),
        }
    }
}

/// Finds the lines that comments cover. The comments must be passed from the last to the first, so
/// that a comment can continue with what the next one covers, in linear time.
pub(super) struct Coverage<'a> {
    source: &'a Source,
    markdown: &'a Markdown,
    lines: usize,
    /// The first line of the comment that was passed before this one, and what it covers.
    next_comment: Option<LineRange>,
    /// A line that was scanned, and the last line of its block.
    known_block: Option<LineRange>,
}

impl<'a> Coverage<'a> {
    pub(super) fn new(source: &'a Source, markdown: &'a Markdown) -> Self {
        let lines = source.lines().count(source.text());
        Self { source, markdown, lines, next_comment: None, known_block: None }
    }

    /// Returns the lines that a comment covers.
    ///
    /// A comment next to other text covers its own lines. One on lines of its own also covers
    /// what follows: the next line that is not blank and, if that begins a paragraph, a list or a
    /// table, everything up to the next blank line; if it opens a fence, everything up to its end.
    /// A comment that follows directly is skipped, so that several can precede one block.
    pub(super) fn lines_of(&mut self, comment: Span) -> LineRange {
        let first = self.source.lines().line(comment.start);
        let own_last = self.source.lines().line(comment.end);
        let is_alone = self.is_alone(comment, first, own_last);
        let last = if is_alone { self.end_of_next(own_last) } else { own_last };
        let cover = LineRange { first, last };
        self.next_comment = is_alone.then_some(cover);
        cover
    }

    fn is_alone(&self, comment: Span, first: usize, last: usize) -> bool {
        let lines = self.source.lines();
        let start = lines.line_span(self.source.text(), first).start;
        let end = lines.line_span(self.source.text(), last).end;
        let before = self.source.slice(Span::new(start, comment.start));
        let after = self.source.slice(Span::new(comment.end, end.max(comment.end)));
        without_markers(before).is_empty() && after.trim().is_empty()
    }

    fn end_of_next(&mut self, own_last: usize) -> usize {
        let next = (own_last + 1..=self.lines).find(|&line| !self.line(line).trim().is_empty());
        let Some(next) = next else { return own_last };
        // Several comments above one block: this one ends where the next one does.
        if let Some(comment) = self.next_comment
            && comment.first == next
        {
            return comment.last;
        }
        let opening = without_markers(self.line(next));
        if opening.starts_with("```") || opening.starts_with("~~~") {
            return self.end_of_fence(next);
        }
        if is_heading(opening) { next } else { self.end_of_block(next) }
    }

    fn line(&self, line: usize) -> &'a str {
        self.source.slice(self.source.lines().line_span(self.source.text(), line))
    }

    fn end_of_fence(&self, line: usize) -> usize {
        let span = self.source.lines().line_span(self.source.text(), line);
        let code = &self.markdown.code;
        // The code blocks are sorted, and a fence begins its block.
        let index = code.partition_point(|code| code.start < span.start);
        let fence = code.get(index).filter(|code| code.start <= span.end);
        fence.map_or(line, |code| self.source.lines().line(code.end.max(1) - 1).max(line))
    }

    /// Returns the last line before the next blank one. Lines that an earlier call scanned are
    /// not scanned again; otherwise many comments above one long block would take quadratic time.
    fn end_of_block(&mut self, line: usize) -> usize {
        let mut end = line;
        while end < self.lines {
            if let Some(known) = self.known_block
                && known.first == end
            {
                end = known.last;
                break;
            }
            if self.line(end + 1).trim().is_empty() {
                break;
            }
            end += 1;
        }
        self.known_block = Some(LineRange { first: line, last: end });
        end
    }
}

/// Returns the line without the markers of quotes and list items at its start.
fn without_markers(line: &str) -> &str {
    let mut rest = line.trim_start();
    loop {
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let after = if digits.len() < rest.len() {
            digits.strip_prefix(['.', ')'])
        } else {
            rest.strip_prefix(['>', '-', '*', '+'])
        };
        let is_marker = |after: &&str| after.is_empty() || after.starts_with([' ', '\t', '>']);
        match after.filter(is_marker) {
            Some(after) => rest = after.trim_start(),
            None => return rest,
        }
    }
}

fn is_heading(line: &str) -> bool {
    let after = line.trim_start_matches('#');
    after.len() < line.len() && after.starts_with([' ', '\t'])
}
