//! Pictures as lines of a terminal.

use std::fmt;

use super::drawing::Picture;
use super::grid::{Cell, CellContent, Grid, PeriodKind};
use super::legend::{LegendEntry, LegendSign, with_cells, wrapped};
use super::marks::mark;

/// The widest line of a picture in a terminal, in characters.
pub const PICTURE_WIDTH: usize = 80;

/// The characters of a row's label.
const LABEL_WIDTH: usize = 6;
/// The characters before the text of a legend with signs.
const SIGN_WIDTH: usize = 3;

/// The characters of a date before what is in its cell, on a page of a calendar.
const DATE_WIDTH: usize = 3;

/// A part of a line with one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureSegment {
    /// The role.
    pub role: PictureRole,
    /// Escaped text.
    pub text: String,
}

/// The role of a segment of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureRole {
    /// The heading.
    Title,
    /// The labels of rows and columns.
    Label,
    /// An hour or a day without a fire.
    Quiet,
    /// Fires.
    Fire,
    /// Two heartbeats in the same minute.
    Clash,
    /// A clock change.
    Change,
    /// The words of the legend, and spaces.
    Plain,
}

impl fmt::Display for Picture {
    /// Writes the lines without colour.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.lines() {
            for segment in line {
                f.write_str(&segment.text)?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

impl Picture {
    /// Returns the picture as lines of a terminal, at most [`PICTURE_WIDTH`] characters each. All
    /// text is escaped.
    pub fn lines(&self) -> Vec<Vec<PictureSegment>> {
        let grid = &self.grid;
        let content = content(grid);
        let mut lines = vec![
            vec![PictureSegment { role: PictureRole::Title, text: grid.title.clone() }],
            Vec::new(),
            vec![PictureSegment { role: PictureRole::Label, text: header(grid, content) }],
        ];
        for row in &grid.rows {
            let mut line = SegmentLine::default();
            line.push(PictureRole::Label, &format!("{:LABEL_WIDTH$}", row.label));
            for cell in &row.cells {
                match cell {
                    Some(cell) => line.push_cell(cell, content, grid.period.kind),
                    None => line.push(PictureRole::Plain, &" ".repeat(column_width(grid, content))),
                }
            }
            lines.push(line.into_segments());
        }
        let legend = with_cells(&self.legend, grid, content);
        let has_signs = legend.iter().any(|entry| sign(entry.sign, content).is_some());
        if !legend.is_empty() {
            lines.push(Vec::new());
        }
        lines.extend(legend.iter().flat_map(|entry| entry_lines(entry, content, has_signs)));
        lines
    }
}

/// Returns the characters of a column, with the one before it.
fn column_width(grid: &Grid, content: CellContent) -> usize {
    let date = if grid.period.kind == PeriodKind::Month { DATE_WIDTH } else { 0 };
    1 + date + content.width
}

/// Returns what cells show: there is room for marks in a week and a month, but not in a year.
fn content(grid: &Grid) -> CellContent {
    match grid.period.kind {
        PeriodKind::Week => CellContent { marks: grid.has_several, width: 2 },
        PeriodKind::Month => CellContent { marks: grid.has_several, width: 3 },
        PeriodKind::Year => CellContent { marks: false, width: 1 },
    }
}

/// Returns the labels of the columns.
fn header(grid: &Grid, content: CellContent) -> String {
    let mut text = String::new();
    for (column, word) in &grid.header {
        let start = LABEL_WIDTH + column * column_width(grid, content) + 1;
        text = format!("{text:start$}{word}");
    }
    text
}

/// Returns the sign before an entry of the legend.
fn sign(sign: LegendSign, content: CellContent) -> Option<(PictureRole, char)> {
    match sign {
        LegendSign::Heartbeat(index) if content.marks => Some((PictureRole::Fire, mark(index))),
        LegendSign::Heartbeat(_) | LegendSign::None => None,
        LegendSign::More => Some((PictureRole::Fire, '+')),
        LegendSign::Clash => Some((PictureRole::Clash, '!')),
        LegendSign::Change => Some((PictureRole::Change, '~')),
    }
}

/// Returns the lines of an entry: its sign, and its words after that.
fn entry_lines(
    entry: &LegendEntry,
    content: CellContent,
    has_signs: bool,
) -> Vec<Vec<PictureSegment>> {
    let indent = if has_signs { SIGN_WIDTH } else { 0 };
    let wrapped_lines = wrapped(&entry.text, PICTURE_WIDTH - indent);
    let lines = wrapped_lines.into_iter().enumerate().map(|(number, text)| {
        let mut line = SegmentLine::default();
        match sign(entry.sign, content).filter(|_| number == 0) {
            Some((role, sign)) => line.push(role, &format!("{sign:indent$}")),
            None => line.push(PictureRole::Plain, &" ".repeat(indent)),
        }
        line.push(PictureRole::Plain, &text);
        line.into_segments()
    });
    lines.collect()
}

/// A line, to which segments are appended.
#[derive(Default)]
struct SegmentLine {
    segments: Vec<PictureSegment>,
}

impl SegmentLine {
    fn push(&mut self, role: PictureRole, text: &str) {
        match self.segments.last_mut() {
            Some(last) if last.role == role => last.text.push_str(text),
            _ => self.segments.push(PictureSegment { role, text: text.to_owned() }),
        }
    }

    fn push_cell(&mut self, cell: &Cell, content: CellContent, kind: PeriodKind) {
        let role = match cell.fires {
            0 => PictureRole::Quiet,
            _ if cell.clash => PictureRole::Clash,
            _ => PictureRole::Fire,
        };
        if cell.change {
            self.push(PictureRole::Change, "~");
        } else {
            self.push(PictureRole::Plain, " ");
        }
        if kind == PeriodKind::Month {
            self.push(PictureRole::Label, &format!("{:>2} ", cell.start.day()));
        }
        let text = cell.text(content);
        let blanks = content.width - text.len();
        self.push(role, &text);
        self.push(PictureRole::Plain, &" ".repeat(blanks));
    }

    /// Returns the segments, without the spaces at the end of the line.
    fn into_segments(mut self) -> Vec<PictureSegment> {
        while let Some(last) = self.segments.last_mut() {
            last.text.truncate(last.text.trim_end().len());
            if !last.text.is_empty() {
                break;
            }
            self.segments.pop();
        }
        self.segments.retain(|segment| !segment.text.is_empty());
        self.segments
    }
}
