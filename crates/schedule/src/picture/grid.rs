//! The rows and columns of a picture, and what is in their cells.

use jiff::ToSpan;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use super::marks::mark;
use super::tally::{Tally, zone_label};
use crate::cadence::{ClockFormat, time_of_day};
use crate::calendar::set_bits;

/// The hours of a week picture with a label.
const LABELLED_HOURS: [u32; 8] = [0, 3, 6, 9, 12, 15, 18, 21];
const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const WEEKDAY_LETTERS: [&str; 7] = ["M", "T", "W", "T", "F", "S", "S"];
/// The columns of a year picture: a month of 31 days may begin on a Sunday.
const YEAR_COLUMNS: usize = 37;

/// The days of a picture.
#[derive(Clone, Debug)]
pub(super) struct Period {
    pub(super) kind: PeriodKind,
    pub(super) first: Date,
    pub(super) last: Date,
}

/// The period that a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PeriodKind {
    /// Rows are days, and cells are hours.
    Week,
    /// Rows are weeks, and cells are days: a page of a calendar.
    Month,
    /// Rows are months, and cells are days.
    Year,
}

impl Period {
    pub(super) fn week(day: Date) -> Self {
        let since_monday = day.weekday().to_monday_zero_offset();
        let first = day.saturating_sub(i64::from(since_monday).days());
        Self { kind: PeriodKind::Week, first, last: first.saturating_add(6.days()) }
    }

    pub(super) fn month(day: Date) -> Self {
        let (first, last) = (day.first_of_month(), day.last_of_month());
        Self { kind: PeriodKind::Month, first, last }
    }

    pub(super) fn year(day: Date) -> Self {
        let first = day.first_of_month();
        let last = first.saturating_add(11.months()).last_of_month();
        Self { kind: PeriodKind::Year, first, last }
    }

    /// "Mon 23 to Sun 29 Nov 2026", "November 2026", "November 2026 to October 2027".
    fn words(&self) -> String {
        let (first, last) = (self.first, self.last);
        let format = match self.kind {
            PeriodKind::Month => return first.strftime("%B %Y").to_string(),
            PeriodKind::Week if first.first_of_month() == last.first_of_month() => "%a %-d",
            PeriodKind::Week if first.year() == last.year() => "%a %-d %b",
            PeriodKind::Week => "%a %-d %b %Y",
            PeriodKind::Year if first.year() == last.year() => "%B",
            PeriodKind::Year => "%B %Y",
        };
        let end = if self.kind == PeriodKind::Week { "%a %-d %b %Y" } else { "%B %Y" };
        format!("{} to {}", first.strftime(format), last.strftime(end))
    }

    /// Returns the row and the column of a local time.
    fn position(&self, local: DateTime) -> (usize, usize) {
        let date = local.date();
        let (row, column) = match self.kind {
            PeriodKind::Week => {
                (self.first.duration_until(date).as_hours() / 24, i64::from(local.hour()))
            }
            PeriodKind::Month => {
                let before = self.first.weekday().to_monday_zero_offset();
                let place = i64::from(before) + i64::from(date.day()) - 1;
                (place / 7, place % 7)
            }
            PeriodKind::Year => {
                let month = |date: Date| i64::from(date.year()) * 12 + i64::from(date.month());
                let before = date.first_of_month().weekday().to_monday_zero_offset();
                let column = i64::from(before) + i64::from(date.day()) - 1;
                (month(date) - month(self.first), column)
            }
        };
        (usize::try_from(row).unwrap_or(0), usize::try_from(column).unwrap_or(0))
    }

    /// Returns the rows with empty cells.
    fn rows(&self) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for date in self.first.series(1.day()).take_while(|date| *date <= self.last) {
            let (row, column) = self.position(date.at(0, 0, 0, 0));
            if row == rows.len() {
                let format = match self.kind {
                    PeriodKind::Week => "%a %-d",
                    PeriodKind::Month => "",
                    PeriodKind::Year => "%b",
                };
                rows.push(Row { label: date.strftime(format).to_string(), cells: Vec::new() });
            }
            let cells = &mut rows[row].cells;
            match self.kind {
                PeriodKind::Week => {
                    cells.extend((0..24).map(|hour| Some(Cell::at(date.at(hour, 0, 0, 0)))));
                }
                PeriodKind::Month | PeriodKind::Year => {
                    cells.resize_with(column, || None);
                    cells.push(Some(Cell::at(date.at(0, 0, 0, 0))));
                }
            }
        }
        rows
    }
}

/// The title, rows and columns of a picture.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) period: Period,
    pub(super) title: String,
    pub(super) columns: usize,
    /// Words above columns.
    pub(super) header: Vec<(usize, String)>,
    pub(super) rows: Vec<Row>,
    /// Whether there is more than one heartbeat.
    pub(super) has_several: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) label: String,
    /// `None` outside of the month.
    pub(super) cells: Vec<Option<Cell>>,
}

/// An hour or a day.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) start: DateTime,
    /// The number of fires.
    pub(super) fires: u32,
    /// A bit for each heartbeat that fires.
    pub(super) by: u64,
    /// Whether two heartbeats fire in the same minute.
    pub(super) clash: bool,
    /// Whether clocks change.
    pub(super) change: bool,
}

impl Cell {
    const fn at(start: DateTime) -> Self {
        Self { start, fires: 0, by: 0, clash: false, change: false }
    }

    /// Returns the heartbeats that fire.
    pub(super) fn heartbeats(&self) -> impl Iterator<Item = usize> {
        set_bits(self.by).map(|index| index as usize)
    }

    /// Returns what is written in the cell: `.`, `!`, marks or a number, and `+` for more than fits.
    pub(super) fn text(&self, content: CellContent) -> String {
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
pub(super) struct CellContent {
    /// Whether these are the marks of heartbeats, and otherwise the number of fires.
    pub(super) marks: bool,
    /// The most characters.
    pub(super) width: usize,
}

impl Grid {
    pub(super) fn new(period: Period, tally: &Tally, zone: &TimeZone, clock: ClockFormat) -> Self {
        let mut rows = period.rows();
        let mut cell = |local: DateTime, change: &dyn Fn(&mut Cell)| {
            let (row, column) = period.position(local);
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
            PeriodKind::Week => {
                LABELLED_HOURS.map(|hour| (hour as usize, time_of_day(hour, 0, clock))).to_vec()
            }
            PeriodKind::Month => WEEKDAYS.into_iter().map(str::to_owned).enumerate().collect(),
            PeriodKind::Year => (0..YEAR_COLUMNS)
                .map(|column| (column, WEEKDAY_LETTERS[column % 7].to_owned()))
                .collect(),
        };
        Self {
            title: format!("{} ({})", period.words(), zone_label(zone)),
            columns: match period.kind {
                PeriodKind::Week => 24,
                PeriodKind::Month => WEEKDAYS.len(),
                PeriodKind::Year => YEAR_COLUMNS,
            },
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
