//! What the signs of a picture mean.

use jiff::civil::DateTime;

use super::super::words::time_of_day;
use super::super::{Clock, cadence_text};
use super::grid::{Grid, Kind};
use super::tally::{Change, Minute, Tally};
use super::{DRAWN_MAX, Heartbeat, mark};
use crate::text::{escape_line, shorten};

/// The most changes of clocks that are listed.
const CHANGES_MAX: usize = 8;

/// A line of the legend.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) sign: Sign,
    /// It is escaped.
    pub(super) text: String,
}

/// What a line of the legend is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Heartbeat(usize),
    More,
    Clash,
    Change,
    /// All of the picture.
    None,
}

pub(super) fn legend(
    heartbeats: &[Heartbeat<'_>],
    grid: &Grid,
    tally: &Tally,
    clock: Clock,
) -> Vec<Entry> {
    let mut legend = Vec::new();
    let mut add = |sign, text| legend.push(Entry { sign, text });
    let fired = tally.minutes.iter().fold(0, |by, minute| by | minute.by);
    for (index, heartbeat) in heartbeats.iter().enumerate().take(DRAWN_MAX) {
        let never = if fired >> index & 1 == 0 { " (does not fire here)" } else { "" };
        let sign = if grid.has_marks { Sign::Heartbeat(index) } else { Sign::None };
        add(sign, format!("{}{never}", words(heartbeat, clock)));
    }
    if let more @ 1.. = heartbeats.len().saturating_sub(DRAWN_MAX) {
        add(Sign::None, format!("{more} more heartbeats are not drawn"));
    }
    let one = if grid.period.kind == Kind::Week { "in that hour" } else { "on that day" };
    if fired != 0 && !grid.has_marks {
        add(Sign::None, format!("A number is how often it fires {one}."));
    }
    let has_more = |text: String| text.contains('+');
    if grid.cells().any(|cell| has_more(cell.text(grid.has_marks, grid.cell_width()))) {
        let what = if grid.has_marks { "several heartbeats" } else { "more fires" };
        add(Sign::More, format!("{what} {one} than there is room for"));
    }
    if let Some(text) = clashes(tally, clock) {
        add(Sign::Clash, text);
    }
    for change in tally.changes.iter().take(CHANGES_MAX) {
        add(Sign::Change, change_words(change, clock));
    }
    if let more @ 1.. = tally.changes.len().saturating_sub(CHANGES_MAX) {
        add(Sign::Change, format!("and {more} more changes of clocks"));
    }
    legend
}

/// "Morning check-in: Every weekday at 8am ET".
pub(super) fn words(heartbeat: &Heartbeat<'_>, clock: Clock) -> String {
    let name = escape_line(heartbeat.name);
    let zone = heartbeat.schedule.zone.iana_name().unwrap_or("local");
    let cadence = cadence_text(&heartbeat.schedule.cron, zone, clock);
    match name.trim() {
        "" => cadence,
        name => format!("{}: {cadence}", shorten(name)),
    }
}

/// "1 and 2 in the same minute, Mon 23 Nov 2026 at 8am; 5 times in all".
fn clashes(tally: &Tally, clock: Clock) -> Option<String> {
    let is_clash = |minute: &&Minute| minute.by.count_ones() > 1;
    let first = tally.minutes.iter().find(is_clash)?;
    let marks = (0..DRAWN_MAX).filter(|index| first.by >> index & 1 == 1).map(mark);
    let marks: Vec<_> = marks.map(String::from).collect();
    let marks = super::super::words::listed(&marks, "and");
    let at = time_words(first.local, clock);
    let and_more = match tally.minutes.iter().filter(is_clash).count() {
        1 => String::new(),
        2 => "; and once more".to_owned(),
        count => format!("; and {} times more", count - 1),
    };
    Some(format!("{marks} fire in the same minute, {at}{and_more}"))
}

/// "Sun 1 Nov 2026, 1am: clocks go back 1 hour (ET)".
fn change_words(change: &Change, clock: Clock) -> String {
    let way = if change.minutes > 0 { "forward" } else { "back" };
    let by = match change.minutes.unsigned_abs() {
        60 => "1 hour".to_owned(),
        minutes if minutes.is_multiple_of(60) => format!("{} hours", minutes / 60),
        minutes => format!("{minutes} minutes"),
    };
    format!("{}: clocks go {way} {by} ({})", time_words(change.local, clock), change.zone)
}

/// "Sun 1 Nov 2026, 8:30am".
fn time_words(local: DateTime, clock: Clock) -> String {
    let (hour, minute) = (local.hour().unsigned_abs().into(), local.minute().unsigned_abs().into());
    format!("{}, {}", local.strftime("%a %-d %b %Y"), time_of_day(hour, minute, clock))
}
