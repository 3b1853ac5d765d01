//! The lines of a finding as they can be drawn: escaped, with tabs as spaces, and cut to a width
//! around what is marked.
//!
//! Drawing needs to know where a mark lies in the text *as it is shown*. So each line is turned
//! into what is shown character by character, and every mark moves with its characters.

use std::fmt::Write;

use unicode_width::UnicodeWidthChar;

use dibber_skill::diagnostic::{Diagnostic, Excerpt};
use dibber_text::{LineIndex, Span, is_invisible, is_terminal_control};

/// Marks the place of a cut.
const CUT: &str = "…";
/// The distance between two tab stops, in columns.
const TAB_COLUMNS: usize = 4;
/// The most bytes that are read from the start of a mark, also if their characters take no
/// columns.
const BYTES_MAX: usize = 2_048;
/// The most columns of a shown line, however wide the terminal is.
const COLUMNS_MAX: usize = 120;
/// The fewest columns of a shown line, however narrow the terminal is.
const COLUMNS_MIN: usize = 20;

/// Lines to draw.
pub(super) struct Snippet {
    /// The lines as they are shown; each ends in a line feed, and there is no other control.
    pub(super) text: String,
    /// The number of the first line, from 1.
    pub(super) line: usize,
    /// The number of lines.
    pub(super) line_count: usize,
    /// The marks in the order of the text; no two overlap.
    pub(super) marks: Vec<Mark>,
    /// The indices of the labels that lie elsewhere, across another mark, or over several lines
    /// (the arrow beside the lines is for the finding alone).
    pub(super) left_over: Vec<usize>,
}

/// A span to underline.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    /// What the span is.
    pub(super) role: Role,
    /// The bytes in the text of the snippet.
    pub(super) span: Span,
    /// The column of its first character in the shown line, from 0.
    pub(super) column: usize,
    /// The column after its last character, in the line where it ends.
    pub(super) column_end: usize,
}

/// What a mark points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The place of the finding.
    Finding,
    /// The label of that index.
    Label(usize),
}

/// A mark in bytes of the excerpt, and the lines on which it starts and ends there.
struct ExcerptMark {
    role: Role,
    span: Span,
    first: usize,
    last: usize,
}

impl ExcerptMark {
    fn new(role: Role, span: Span, lines: &LineIndex) -> Self {
        // A mark that ends with a line break ends on the line that it breaks.
        let end = if span.is_empty() { span.end } else { span.end - 1 };
        Self { role, span, first: lines.line(span.start), last: lines.line(end) }
    }
}

impl Snippet {
    /// Prepares the excerpt of `diagnostic` for `width` columns. Returns `None` if it is empty.
    pub(super) fn new(diagnostic: &Diagnostic, width: usize) -> Option<Self> {
        let excerpt = diagnostic.excerpt.as_ref().filter(|excerpt| !excerpt.text.is_empty())?;
        let lines = LineIndex::new(&excerpt.text);
        let (excerpt_marks, left_over) = excerpt_marks(diagnostic, excerpt, &lines)?;
        let first = excerpt_marks.iter().map(|mark| mark.first).min()?;
        let last = excerpt_marks.iter().map(|mark| mark.last).max()?;
        let unplaced = |mark: &ExcerptMark| Mark {
            role: mark.role,
            span: Span::empty(0),
            column: 0,
            column_end: 0,
        };
        let mut snippet = Self {
            text: String::new(),
            line: excerpt.line + first - 1,
            line_count: last + 1 - first,
            marks: excerpt_marks.iter().map(unplaced).collect(),
            left_over,
        };
        let columns = width.clamp(COLUMNS_MIN, COLUMNS_MAX);
        for number in first..=last {
            let span = lines.line_span(&excerpt.text, number);
            let is_cut_before = number == 1 && excerpt.column > 1;
            let focus = focus(&excerpt_marks, number, span);
            let line =
                ShownLine::new(&excerpt.text, span, focus, columns).crop(is_cut_before, columns);
            snippet.push_line(&line, number, span, &excerpt_marks);
        }
        Some(snippet)
    }

    fn push_line(
        &mut self,
        line: &ShownLine,
        number: usize,
        span: Span,
        excerpt_marks: &[ExcerptMark],
    ) {
        let offset = self.text.len();
        for (mark, in_excerpt) in self.marks.iter_mut().zip(excerpt_marks) {
            if in_excerpt.first == number {
                let (at, column) = line.place(in_excerpt.span.start.min(span.end), Side::Start);
                mark.span = Span::empty(offset + at);
                (mark.column, mark.column_end) = (column, column);
            }
            if in_excerpt.last == number && !in_excerpt.span.is_empty() {
                let (at, column) = line.place(in_excerpt.span.end.min(span.end), Side::End);
                // A mark of only the line break is after the line.
                let only_break = usize::from(in_excerpt.span.start >= span.end);
                mark.span.end = offset + at + only_break;
                mark.column_end = column + only_break;
            }
        }
        self.text.push_str(&line.shown);
        self.text.push('\n');
    }
}

/// Returns the marks in the order of the text, in bytes of the excerpt, and the indices of the
/// labels that cannot be among them.
fn excerpt_marks(
    diagnostic: &Diagnostic,
    excerpt: &Excerpt,
    lines: &LineIndex,
) -> Option<(Vec<ExcerptMark>, Vec<usize>)> {
    let text = &excerpt.text;
    let inside =
        |at: usize| text.floor_char_boundary(at.saturating_sub(excerpt.offset).min(text.len()));
    let range = diagnostic.range.as_ref()?;
    let start = inside(range.span.start);
    let span = Span::new(start, inside(range.span.end).max(start));
    let mut marks = vec![ExcerptMark::new(Role::Finding, span, lines)];
    let mut left_over = Vec::new();
    for (index, (range, _)) in diagnostic.labels.iter().enumerate() {
        let is_there = range.span.start >= excerpt.offset
            && range.span.start <= range.span.end
            && range.span.end <= excerpt.offset + text.len();
        let start = inside(range.span.start);
        let span = Span::new(start, inside(range.span.end).max(start));
        let mark = ExcerptMark::new(Role::Label(index), span, lines);
        let is_short = mark.first == mark.last;
        if is_there && is_short && marks.iter().all(|other| is_apart(other.span, span)) {
            marks.push(mark);
        } else {
            left_over.push(index);
        }
    }
    marks.sort_by_key(|mark| mark.span);
    Some((marks, left_over))
}

fn is_apart(a: Span, b: Span) -> bool {
    a.end < b.start || b.end < a.start || (!a.is_empty() && !b.is_empty() && !a.overlaps(b))
}

/// Returns the part of a line that must be visible: what the first mark on it covers.
fn focus(marks: &[ExcerptMark], number: usize, line: Span) -> Span {
    marks.iter().find(|mark| (mark.first..=mark.last).contains(&number)).map_or(
        Span::empty(line.start),
        |mark| {
            let start = mark.span.start.clamp(line.start, line.end);
            Span::new(start, mark.span.end.clamp(start, line.end))
        },
    )
}

/// The end of a mark to look up.
#[derive(Clone, Copy)]
enum Side {
    Start,
    End,
}

/// A line as it is shown, and where its characters are in it.
struct ShownLine {
    shown: String,
    /// For each character, and for the end: its byte in the excerpt, its byte in `shown`, and
    /// its column.
    places: Vec<(usize, usize, usize)>,
    focus: Span,
    is_cut_at_start: bool,
    is_cut_at_end: bool,
}

impl ShownLine {
    /// Reads the characters that may be visible: `columns` before the start of the focus, and as
    /// many after it.
    fn new(text: &str, line: Span, focus: Span, columns: usize) -> Self {
        let before = text[line.start..focus.start].char_indices();
        let start = before.rev().nth(columns).map_or(line.start, |(at, _)| line.start + at);
        let bytes_end = text.floor_char_boundary((focus.start + BYTES_MAX).min(line.end));
        let mut shown = String::with_capacity(2 * columns);
        let mut places = Vec::with_capacity(2 * columns + 2);
        let (mut end, mut column, mut column_end) = (start, 0, usize::MAX);
        for c in text[start..bytes_end].chars() {
            if end == focus.start {
                column_end = column + columns;
            }
            if column > column_end {
                break;
            }
            places.push((end, shown.len(), column));
            column += push_shown(&mut shown, c, column);
            end += c.len_utf8();
        }
        places.push((end, shown.len(), column));
        let (is_cut_at_start, is_cut_at_end) = (start > line.start, end < line.end);
        Self { shown, places, focus, is_cut_at_start, is_cut_at_end }
    }

    /// Cuts the line to `columns` around the focus, and marks the cuts.
    fn crop(mut self, is_cut_before: bool, columns: usize) -> Self {
        self.is_cut_at_start |= is_cut_before;
        let total = self.places.last().map_or(0, |place| place.2);
        let cuts = usize::from(self.is_cut_at_start) + usize::from(self.is_cut_at_end);
        if total + cuts > columns {
            self.cut(columns - 2);
        }
        if self.is_cut_at_start {
            self.shown.insert_str(0, CUT);
            for place in &mut self.places {
                place.1 += CUT.len();
                place.2 += 1;
            }
        }
        if self.is_cut_at_end {
            self.shown.push_str(CUT);
        }
        self
    }

    fn cut(&mut self, room: usize) {
        let (start, end) = (self.column(self.focus.start), self.column(self.focus.end));
        let spare = room.saturating_sub(end - start);
        // The mark goes in the middle, even at the end of the line, where its label needs the
        // room after it. A long one leaves little room, of which a part goes before it.
        let from = start.saturating_sub((spare / 2).max(room / 8));
        let first = self.places.partition_point(|place| place.2 < from);
        let last = self.places.partition_point(|place| place.2 <= from + room) - 1;
        let last = last.max(first);
        self.is_cut_at_start |= first > 0;
        self.is_cut_at_end |= last + 1 < self.places.len();
        let (shown_start, shown_end) = (self.places[first].1, self.places[last].1);
        let column = self.places[first].2;
        self.shown = self.shown[shown_start..shown_end].to_owned();
        self.places = self.places[first..=last].to_vec();
        for place in &mut self.places {
            place.1 -= shown_start;
            place.2 -= column;
        }
    }

    fn column(&self, at: usize) -> usize {
        let index = self.places.partition_point(|place| place.0 < at);
        self.places[index.min(self.places.len() - 1)].2
    }

    /// Returns the byte and the column at which the byte `at` of the excerpt is shown: those of the
    /// cut, if the byte is cut away.
    fn place(&self, at: usize, side: Side) -> (usize, usize) {
        let (first, last) = (self.places[0], self.places[self.places.len() - 1]);
        match side {
            _ if at < first.0 => (0, 0),
            Side::Start if at > last.0 => (last.1, last.2),
            Side::End if at > last.0 => (self.shown.len(), last.2 + 1),
            _ => {
                let index = self.places.partition_point(|place| place.0 < at);
                (self.places[index].1, self.places[index].2)
            }
        }
    }
}

/// Appends a character in the given column as it is shown. Returns the number of its columns.
fn push_shown(shown: &mut String, c: char, column: usize) -> usize {
    if c == '\t' {
        let columns = TAB_COLUMNS - column % TAB_COLUMNS;
        shown.extend(std::iter::repeat_n(' ', columns));
        columns
    } else if is_terminal_control(c) || is_invisible(c) {
        let before = shown.len();
        write!(shown, "{}", c.escape_unicode()).expect("writing to a string cannot fail");
        shown.len() - before
    } else {
        shown.push(c);
        c.width().unwrap_or_default()
    }
}
