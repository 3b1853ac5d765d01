//! Pictures as lines of a terminal.

use std::fmt;

use super::grid::{Cell, Content, Grid, Kind};
use super::legend::{self, Entry, Sign};
use super::{PICTURE_WIDTH, Picture, mark};

/// The characters of a row's label.
const LABEL_WIDTH: usize = 6;
/// The characters in front of the text of a legend, when it has signs.
const SIGN_WIDTH: usize = 3;

/// A piece of a line, with what it is for. The text is escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What it is for.
    pub role: Role,
    /// What is written.
    pub text: String,
}

/// What a piece of a picture is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The heading.
    Title,
    /// The words around the grid.
    Label,
    /// An hour or a day without a fire.
    Quiet,
    /// Fires.
    Fire,
    /// Two heartbeats in the same minute.
    Clash,
    /// A change of the clocks.
    Change,
    /// The words of the legend, and blanks.
    Plain,
}

impl fmt::Display for Picture {
    /// The lines without colour, each with a line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.lines() {
            for piece in line {
                f.write_str(&piece.text)?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

pub(super) fn lines(picture: &Picture) -> Vec<Vec<Piece>> {
    let grid = &picture.grid;
    let content = content(grid);
    let mut lines = vec![
        vec![Piece { role: Role::Title, text: grid.title.clone() }],
        Vec::new(),
        vec![Piece { role: Role::Label, text: header(grid, content) }],
    ];
    for row in &grid.rows {
        let mut line = Line::default();
        line.push(Role::Label, &format!("{:LABEL_WIDTH$}", row.label));
        for cell in &row.cells {
            match cell {
                Some(cell) => line.push_cell(cell, content),
                None => line.push(Role::Plain, &" ".repeat(content.width + 1)),
            }
        }
        lines.push(line.pieces());
    }
    let legend = legend::with_cells(&picture.legend, grid, content);
    let has_signs = legend.iter().any(|entry| sign(entry.sign, content).is_some());
    if !legend.is_empty() {
        lines.push(Vec::new());
    }
    lines.extend(legend.iter().flat_map(|entry| entry_lines(entry, content, has_signs)));
    lines
}

/// A week has room for marks; the days of a year are counted.
fn content(grid: &Grid) -> Content {
    match grid.period.kind {
        Kind::Week => Content { marks: grid.has_several, width: 2 },
        Kind::Year => Content { marks: false, width: 1 },
    }
}

/// The words above the columns.
fn header(grid: &Grid, content: Content) -> String {
    let mut text = String::new();
    for (column, word) in &grid.header {
        let start = LABEL_WIDTH + column * (content.width + 1) + 1;
        text = format!("{text:start$}{word}");
    }
    text
}

/// The sign in front of an entry of the legend.
fn sign(sign: Sign, content: Content) -> Option<(Role, char)> {
    match sign {
        Sign::Heartbeat(index) if content.marks => Some((Role::Fire, mark(index))),
        Sign::Heartbeat(_) | Sign::None => None,
        Sign::More => Some((Role::Fire, '+')),
        Sign::Clash => Some((Role::Clash, '!')),
        Sign::Change => Some((Role::Change, '~')),
    }
}

/// The lines of an entry: its sign, and its words between that and the last column.
fn entry_lines(entry: &Entry, content: Content, has_signs: bool) -> Vec<Vec<Piece>> {
    let indent = if has_signs { SIGN_WIDTH } else { 0 };
    let texts = wrapped(&entry.text, PICTURE_WIDTH - indent);
    let lines = texts.into_iter().enumerate().map(|(number, text)| {
        let mut line = Line::default();
        match sign(entry.sign, content).filter(|_| number == 0) {
            Some((role, sign)) => line.push(role, &format!("{sign:indent$}")),
            None => line.push(Role::Plain, &" ".repeat(indent)),
        }
        line.push(Role::Plain, &text);
        line.pieces()
    });
    lines.collect()
}

/// The words of a text in lines of at most so many characters. A longer word is cut in pieces.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let characters: Vec<char> = word.chars().collect();
        for piece in characters.chunks(width) {
            let line = lines.last_mut().expect("there is one line at least");
            let length = line.chars().count();
            if length == 0 {
                line.extend(piece);
            } else if length + 1 + piece.len() <= width {
                line.push(' ');
                line.extend(piece);
            } else {
                lines.push(piece.iter().collect());
            }
        }
    }
    lines
}

/// A line that is put together of pieces.
#[derive(Default)]
struct Line {
    pieces: Vec<Piece>,
}

impl Line {
    fn push(&mut self, role: Role, text: &str) {
        match self.pieces.last_mut() {
            Some(last) if last.role == role => last.text.push_str(text),
            _ => self.pieces.push(Piece { role, text: text.to_owned() }),
        }
    }

    fn push_cell(&mut self, cell: &Cell, content: Content) {
        let role = match cell.fires {
            0 => Role::Quiet,
            _ if cell.clash => Role::Clash,
            _ => Role::Fire,
        };
        if cell.change {
            self.push(Role::Change, "~");
        } else {
            self.push(Role::Plain, " ");
        }
        let text = cell.text(content);
        let blanks = content.width - text.len();
        self.push(role, &text);
        self.push(Role::Plain, &" ".repeat(blanks));
    }

    /// The pieces, without the blanks at the end of the line.
    fn pieces(mut self) -> Vec<Piece> {
        while let Some(last) = self.pieces.last_mut() {
            last.text.truncate(last.text.trim_end().len());
            if !last.text.is_empty() {
                break;
            }
            self.pieces.pop();
        }
        self.pieces.retain(|piece| !piece.text.is_empty());
        self.pieces
    }
}
