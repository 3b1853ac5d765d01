//! The rows and columns of a picture, and what is in their cells.

use jiff::ToSpan;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use super::mark;
use super::tally::{self, Tally};
use crate::Clock;
use crate::words::time_of_day;

/// The hours of a week picture that have a label above them.
const LABELLED_HOURS: [u32; 8] = [0, 3, 6, 9, 12, 15, 18, 21];
const WEEKDAY_LETTERS: [&str; 7] = ["M", "T", "W", "T", "F", "S", "S"];
/// The columns of a year picture: a month of 31 days may begin on a Sunday.
const YEAR_COLUMNS: usize = 37;

/// The days of a picture.
#[derive(Clone, Debug)]
pub(super) struct Period {
    pub(super) kind: Kind,
    pub(super) first: Date,
    pub(super) last: Date,
}

/// What a row of a picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Rows are days, and cells are hours.
    Week,
    /// Rows are months, and cells are days.
    Year,
}

impl Period {
    pub(super) fn week(day: Date) -> Self {
        let since_monday = day.weekday().to_monday_zero_offset();
        let first = day.saturating_sub(i64::from(since_monday).days());
        Self { kind: Kind::Week, first, last: first.saturating_add(6.days()) }
    }

    pub(super) fn year(day: Date) -> Self {
        let first = day.first_of_month();
        let last = first.saturating_add(11.months()).last_of_month();
        Self { kind: Kind::Year, first, last }
    }

    /// "Mon 23 to Sun 29 Nov 2026", "November 2026 to October 2027".
    fn words(&self) -> String {
        let (first, last) = (self.first, self.last);
        let format = match self.kind {
            Kind::Week if first.first_of_month() == last.first_of_month() => "%a %-d",
            Kind::Week if first.year() == last.year() => "%a %-d %b",
            Kind::Week => "%a %-d %b %Y",
            Kind::Year if first.year() == last.year() => "%B",
            Kind::Year => "%B %Y",
        };
        let end = if self.kind == Kind::Week { "%a %-d %b %Y" } else { "%B %Y" };
        format!("{} to {}", first.strftime(format), last.strftime(end))
    }

    /// The row and the column of a local time.
    fn place(&self, local: DateTime) -> (usize, usize) {
        let date = local.date();
        let (row, column) = match self.kind {
            Kind::Week => {
                (self.first.duration_until(date).as_hours() / 24, i64::from(local.hour()))
            }
            Kind::Year => {
                let month = |date: Date| i64::from(date.year()) * 12 + i64::from(date.month());
                let before = date.first_of_month().weekday().to_monday_zero_offset();
                let column = i64::from(before) + i64::from(date.day()) - 1;
                (month(date) - month(self.first), column)
            }
        };
        (usize::try_from(row).unwrap_or(0), usize::try_from(column).unwrap_or(0))
    }

    /// The rows, with cells in which nothing happens.
    fn rows(&self) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for date in self.first.series(1.day()).take_while(|date| *date <= self.last) {
            let (row, column) = self.place(date.at(0, 0, 0, 0));
            if row == rows.len() {
                let format = if self.kind == Kind::Week { "%a %-d" } else { "%b" };
                rows.push(Row { label: date.strftime(format).to_string(), cells: Vec::new() });
            }
            let cells = &mut rows[row].cells;
            match self.kind {
                Kind::Week => {
                    cells.extend((0..24).map(|hour| Some(Cell::at(date.at(hour, 0, 0, 0)))));
                }
                Kind::Year => {
                    cells.resize_with(column, || None);
                    cells.push(Some(Cell::at(date.at(0, 0, 0, 0))));
                }
            }
        }
        rows
    }
}

/// A picture before it is drawn.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) period: Period,
    pub(super) title: String,
    pub(super) columns: usize,
    /// Words above columns.
    pub(super) header: Vec<(usize, String)>,
    pub(super) rows: Vec<Row>,
    /// There is more than one heartbeat.
    pub(super) has_several: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) label: String,
    /// None for what lies outside of the month.
    pub(super) cells: Vec<Option<Cell>>,
}

/// An hour or a day.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) start: DateTime,
    /// How many fires.
    pub(super) fires: u32,
    /// A bit for each heartbeat that fires.
    pub(super) by: u64,
    /// Two heartbeats fire in the same minute.
    pub(super) clash: bool,
    /// Clocks change.
    pub(super) change: bool,
}

impl Cell {
    const fn at(start: DateTime) -> Self {
        Self { start, fires: 0, by: 0, clash: false, change: false }
    }

    /// The heartbeats that fire.
    pub(super) fn heartbeats(&self) -> impl Iterator<Item = usize> {
        (0..64).filter(|index| self.by >> index & 1 == 1)
    }

    /// What is written in it: `.`, `!`, marks or a number, and `+` for more than there is room
    /// for.
    pub(super) fn text(&self, content: Content) -> String {
        match self.fires {
            0 => ".".to_owned(),
            _ if self.clash => "!".to_owned(),
            _ if content.marks => {
                let mut marks: Vec<char> = self.heartbeats().map(mark).collect();
                if marks.len() > content.width {
                    marks.truncate(content.width - 1);
                    marks.push('+');
                }
                marks.into_iter().collect()
            }
            fires => {
                let number = fires.to_string();
                if number.len() > content.width { "+".to_owned() } else { number }
            }
        }
    }
}

/// What is written in the cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content {
    /// The marks of heartbeats, and otherwise the number of fires.
    pub(super) marks: bool,
    /// The most characters.
    pub(super) width: usize,
}

impl Grid {
    pub(super) fn new(period: Period, tally: &Tally, zone: &TimeZone, clock: Clock) -> Self {
        let mut rows = period.rows();
        let mut cell = |local: DateTime, change: &dyn Fn(&mut Cell)| {
            let (row, column) = period.place(local);
            let cell = rows.get_mut(row).and_then(|row| row.cells.get_mut(column));
            if let Some(cell) = cell.and_then(Option::as_mut) {
                change(cell);
            }
        };
        for minute in &tally.minutes {
            cell(minute.local, &|cell| {
                cell.fires += minute.by.count_ones();
                cell.by |= minute.by;
                cell.clash |= minute.by.count_ones() > 1;
            });
        }
        for change in &tally.changes {
            cell(change.local, &|cell| cell.change = true);
        }
        let header: Vec<_> = match period.kind {
            Kind::Week => {
                LABELLED_HOURS.map(|hour| (hour as usize, time_of_day(hour, 0, clock))).to_vec()
            }
            Kind::Year => (0..YEAR_COLUMNS)
                .map(|column| (column, WEEKDAY_LETTERS[column % 7].to_owned()))
                .collect(),
        };
        Self {
            title: format!("{} ({})", period.words(), tally::words(zone)),
            columns: if period.kind == Kind::Week { 24 } else { YEAR_COLUMNS },
            header,
            rows,
            has_several: tally.heartbeats > 1,
            period,
        }
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.rows.iter().flat_map(|row| row.cells.iter().flatten())
    }
}
