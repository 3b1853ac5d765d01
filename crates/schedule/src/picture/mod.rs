//! Pictures of when heartbeats fire: a week by the hour, and a year by the day.
//!
//! A picture is a grid of cells with a legend. It is shown in a terminal as lines of pieces, each
//! with a role that a caller may paint, or as an SVG document.

mod grid;
mod legend;
mod svg;
mod tally;
mod terminal;

use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::{Clock, Schedule};
use grid::{Grid, Period};

pub use terminal::{Piece, Role};

/// The widest line of a picture in a terminal, in characters.
pub const PICTURE_WIDTH: usize = 80;
/// The most heartbeats that one picture shows; each has a mark of its own.
pub const DRAWN_MAX: usize = 35;

/// The marks of heartbeats, in order.
const MARKS: &[u8; DRAWN_MAX] = b"123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// A heartbeat in a picture or a calendar.
#[derive(Clone, Copy, Debug)]
pub struct Heartbeat<'a> {
    /// What it is called; nobody has to trust it.
    pub name: &'a str,
    /// When it fires.
    pub schedule: &'a Schedule,
}

/// A picture of when heartbeats fire.
#[derive(Clone, Debug)]
pub struct Picture {
    grid: Grid,
    legend: Vec<legend::Entry>,
}

impl Picture {
    /// The week of a day, from Monday on: a row for each day, a column for each hour.
    ///
    /// Days and hours are those of `zone`. Heartbeats beyond [`DRAWN_MAX`] are counted in the
    /// legend and not drawn.
    pub fn week(heartbeats: &[Heartbeat<'_>], zone: &TimeZone, day: Date, clock: Clock) -> Self {
        Self::of(Period::week(day), heartbeats, zone, clock)
    }

    /// The twelve months from that of a day on: a row for each month, a column for each day,
    /// below each other by their weekdays.
    ///
    /// Days are those of `zone`. Heartbeats beyond [`DRAWN_MAX`] are counted in the legend and
    /// not drawn.
    pub fn year(heartbeats: &[Heartbeat<'_>], zone: &TimeZone, day: Date, clock: Clock) -> Self {
        Self::of(Period::year(day), heartbeats, zone, clock)
    }

    fn of(period: Period, heartbeats: &[Heartbeat<'_>], zone: &TimeZone, clock: Clock) -> Self {
        let drawn = &heartbeats[..heartbeats.len().min(DRAWN_MAX)];
        let tally = tally::Tally::new(drawn, zone, period.first, period.last);
        let grid = Grid::new(period, &tally, zone, clock);
        Self { legend: legend::legend(heartbeats, &grid, &tally, clock), grid }
    }

    /// The picture as lines of a terminal, at most [`PICTURE_WIDTH`] characters each. All text is
    /// escaped.
    pub fn lines(&self) -> Vec<Vec<Piece>> {
        terminal::lines(self)
    }

    /// The picture as an SVG document that needs nothing else.
    pub fn svg(&self) -> String {
        svg::document(self)
    }
}

/// The mark of a heartbeat.
const fn mark(index: usize) -> char {
    MARKS[index] as char
}
