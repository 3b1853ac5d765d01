//! A picture before it is written for a terminal or as an SVG document.

use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::grid::{Grid, Period};
use super::legend::{LegendEntry, legend};
use super::marks::DRAWN_MAX;
use super::tally::Tally;
use crate::cadence::ClockFormat;
use crate::named_schedule::NamedSchedule;

/// A picture of the fires of heartbeats.
#[derive(Clone, Debug)]
pub struct Picture {
    pub(super) grid: Grid,
    pub(super) legend: Vec<LegendEntry>,
}

impl Picture {
    /// Returns the week of a day, from Monday on: a row for each day, a column for each hour.
    ///
    /// Days and hours are those of `zone`. Heartbeats beyond [`DRAWN_MAX`] are counted in the
    /// legend and not drawn.
    pub fn week(
        heartbeats: &[NamedSchedule<'_>],
        zone: &TimeZone,
        day: Date,
        clock: ClockFormat,
    ) -> Self {
        Self::new(Period::week(day), heartbeats, zone, clock)
    }

    /// Returns the month of a day as a page of a calendar: a row for each week, a column for each
    /// weekday.
    ///
    /// Days are those of `zone`. Heartbeats beyond [`DRAWN_MAX`] are counted in the legend and
    /// not drawn.
    pub fn month(
        heartbeats: &[NamedSchedule<'_>],
        zone: &TimeZone,
        day: Date,
        clock: ClockFormat,
    ) -> Self {
        Self::new(Period::month(day), heartbeats, zone, clock)
    }

    /// Returns the twelve months from that of a day on: a row for each month, a column for each
    /// day, aligned by weekday.
    ///
    /// Days are those of `zone`. Heartbeats beyond [`DRAWN_MAX`] are counted in the legend and
    /// not drawn.
    pub fn year(
        heartbeats: &[NamedSchedule<'_>],
        zone: &TimeZone,
        day: Date,
        clock: ClockFormat,
    ) -> Self {
        Self::new(Period::year(day), heartbeats, zone, clock)
    }

    fn new(
        period: Period,
        heartbeats: &[NamedSchedule<'_>],
        zone: &TimeZone,
        clock: ClockFormat,
    ) -> Self {
        let drawn = &heartbeats[..heartbeats.len().min(DRAWN_MAX)];
        let tally = Tally::new(drawn, zone, period.first, period.last);
        let grid = Grid::new(period, &tally, zone, clock);
        Self { legend: legend(heartbeats, &grid, &tally, clock), grid }
    }
}
