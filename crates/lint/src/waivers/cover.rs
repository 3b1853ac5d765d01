//! Which lines of a Markdown text a waiver comment speaks of.

use std::fmt;

use dibber_skill::skill::Markdown;
use dibber_text::{Source, Span};

/// A range of lines, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) first: usize,
    pub(super) last: usize,
}

impl Lines {
    pub(super) fn contains(self, line: usize) -> bool {
        self.first <= line && line <= self.last
    }
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first, self.last) {
            (first, last) if first == last => write!(f, "line {first}"),
            (first, last) => write!(f, "lines {first} to {last}"),
        }
    }
}

/// Finds the lines of comments, which must be asked for from the last one to the first.
pub(super) struct Coverage<'a> {
    source: &'a Source,
    markdown: &'a Markdown,
    lines: usize,
    /// The first line of the comment that was asked for before this one, and its cover.
    next_comment: Option<Lines>,
    /// A line, and the last line of the block that it lies in.
    known_block: Option<Lines>,
}

impl<'a> Coverage<'a> {
    pub(super) fn new(source: &'a Source, markdown: &'a Markdown) -> Self {
        let lines = source.lines().count(source.text());
        Self { source, markdown, lines, next_comment: None, known_block: None }
    }

    /// The lines that a comment covers.
    ///
    /// A comment beside other text speaks of its own lines. One that stands alone speaks of what
    /// follows too: the next line that is not blank and, when that opens a paragraph, a list or
    /// a table, everything up to the next blank line; when it opens a fence, up to its end. A
    /// comment that follows directly is passed over, so that several can stand above one block.
    pub(super) fn of(&mut self, comment: Span) -> Lines {
        let first = self.source.lines().line(comment.start);
        let own_last = self.source.lines().line(comment.end);
        let stands_alone = self.stands_alone(comment, first, own_last);
        let last = if stands_alone { self.end_of_next(own_last) } else { own_last };
        let cover = Lines { first, last };
        self.next_comment = stands_alone.then_some(cover);
        cover
    }

    fn stands_alone(&self, comment: Span, first: usize, last: usize) -> bool {
        let lines = self.source.lines();
        let start = lines.line_span(self.source.text(), first).start;
        let end = lines.line_span(self.source.text(), last).end;
        let before = self.source.slice(Span::new(start, comment.start));
        let behind = self.source.slice(Span::new(comment.end, end.max(comment.end)));
        without_markers(before).is_empty() && behind.trim().is_empty()
    }

    fn end_of_next(&mut self, own_last: usize) -> usize {
        let next = (own_last + 1..=self.lines).find(|&line| !self.line(line).trim().is_empty());
        let Some(next) = next else { return own_last };
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
        let index = code.partition_point(|code| code.start < span.start);
        let fence = code.get(index).filter(|code| code.start <= span.end);
        fence.map_or(line, |code| self.source.lines().line(code.end.max(1) - 1).max(line))
    }

    /// The last line in front of the next blank one. Lines that an earlier call has gone over
    /// are not looked at again.
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
        self.known_block = Some(Lines { first: line, last: end });
        end
    }
}

/// The line without the marks of quotes and list items that it begins with.
fn without_markers(line: &str) -> &str {
    let mut rest = line.trim_start();
    loop {
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let behind = if digits.len() < rest.len() {
            digits.strip_prefix(['.', ')'])
        } else {
            rest.strip_prefix(['>', '-', '*', '+'])
        };
        let is_marker = |behind: &&str| behind.is_empty() || behind.starts_with([' ', '\t', '>']);
        match behind.filter(is_marker) {
            Some(behind) => rest = behind.trim_start(),
            None => return rest,
        }
    }
}

fn is_heading(line: &str) -> bool {
    let behind = line.trim_start_matches('#');
    behind.len() < line.len() && behind.starts_with([' ', '\t'])
}
