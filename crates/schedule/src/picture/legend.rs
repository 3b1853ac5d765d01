//! What the signs of a picture mean.

use jiff::civil::DateTime;

use super::grid::{Content, Grid, Kind};
use super::tally::{Change, Minute, Tally};
use super::{DRAWN_MAX, Heartbeat};
use crate::words::{listed, time_of_day};
use crate::{Clock, cadence_text};
use dibber_text::{ellipsize, escape_line};

/// The most changes of clocks that are listed.
const CHANGES_MAX: usize = 8;
/// The most heartbeats that are named for firing in the same minute.
const CLASHING_MAX: usize = 3;

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

/// What is the same however the picture is shown.
pub(super) fn legend(
    heartbeats: &[Heartbeat<'_>],
    grid: &Grid,
    tally: &Tally,
    clock: Clock,
) -> Vec<Entry> {
    let mut legend = Vec::new();
    let mut add = |sign, text| legend.push(Entry { sign, text });
    let fired = tally.minutes.iter().fold(0, |by, minute| by | minute.by);
    let period = if grid.period.kind == Kind::Week { "week" } else { "year" };
    for (index, heartbeat) in heartbeats.iter().enumerate().take(DRAWN_MAX) {
        let not = if fired >> index & 1 == 1 {
            String::new()
        } else {
            format!(" (not in this {period})")
        };
        add(Sign::Heartbeat(index), format!("{}{not}", words(heartbeat, clock)));
    }
    match heartbeats.len().saturating_sub(DRAWN_MAX) {
        0 => {}
        1 => add(Sign::None, "1 more heartbeat is not drawn".to_owned()),
        more => add(Sign::None, format!("{more} more heartbeats are not drawn")),
    }
    if let Some(text) = clashes(heartbeats, tally, clock) {
        add(Sign::Clash, text);
    }
    for change in tally.changes.iter().take(CHANGES_MAX) {
        add(Sign::Change, change_words(change, clock));
    }
    match tally.changes.len().saturating_sub(CHANGES_MAX) {
        0 => {}
        1 => add(Sign::Change, "and 1 more change of clocks".to_owned()),
        more => add(Sign::Change, format!("and {more} more changes of clocks")),
    }
    legend
}

/// The legend with what numbers and `+` in the cells mean, when there are any.
pub(super) fn with_cells(legend: &[Entry], grid: &Grid, content: Content) -> Vec<Entry> {
    let (mut legend, others): (Vec<_>, Vec<_>) = legend
        .iter()
        .cloned()
        .partition(|entry| matches!(entry.sign, Sign::Heartbeat(_) | Sign::None));
    legend.extend(of_cells(grid, content));
    legend.extend(others);
    legend
}

fn of_cells(grid: &Grid, content: Content) -> Vec<Entry> {
    let one = if grid.period.kind == Kind::Week { "in that hour" } else { "on that day" };
    let texts: Vec<String> = grid.cells().map(|cell| cell.text(content)).collect();
    let mut legend = Vec::new();
    let has_number = texts.iter().any(|text| text.contains(|c: char| c.is_ascii_digit()));
    if has_number && !content.marks {
        let text = format!("A number is how many fires there are {one}.");
        legend.push(Entry { sign: Sign::None, text });
    }
    if texts.iter().any(|text| text.contains('+')) {
        let what = if content.marks { "heartbeats" } else { "fires" };
        let text = format!("more {what} {one} than there is room for");
        legend.push(Entry { sign: Sign::More, text });
    }
    legend
}

/// "Morning check-in: Every weekday at 8am ET".
fn words(heartbeat: &Heartbeat<'_>, clock: Clock) -> String {
    let name = escape_line(heartbeat.name);
    let zone = heartbeat.schedule.zone.iana_name().unwrap_or("local");
    let cadence = cadence_text(&heartbeat.schedule.cron, zone, clock);
    match name.trim() {
        "" => cadence,
        name => format!("{}: {cadence}", ellipsize(name)),
    }
}

/// "Homework and Reading fire in the same minute: Mon 23 Nov 2026, 8am; and 5 times more".
fn clashes(heartbeats: &[Heartbeat<'_>], tally: &Tally, clock: Clock) -> Option<String> {
    let is_clash = |minute: &&Minute| minute.by.count_ones() > 1;
    let first = tally.minutes.iter().find(is_clash)?;
    let by = (0..DRAWN_MAX).filter(|index| first.by >> index & 1 == 1);
    let mut names: Vec<_> = by.map(|index| name(&heartbeats[index], index)).collect();
    if names.len() > CLASHING_MAX {
        let more = names.len() - (CLASHING_MAX - 1);
        names.truncate(CLASHING_MAX - 1);
        names.push(format!("{more} more"));
    }
    let and_more = match tally.minutes.iter().filter(is_clash).count() {
        1 => String::new(),
        2 => "; and once more".to_owned(),
        count => format!("; and {} times more", count - 1),
    };
    let (names, at) = (listed(&names, "and"), time_words(first.local, clock));
    Some(format!("{names} fire in the same minute: {at}{and_more}"))
}

/// The name of a heartbeat, or its number if it has none.
fn name(heartbeat: &Heartbeat<'_>, index: usize) -> String {
    match escape_line(heartbeat.name).trim() {
        "" => format!("number {}", index + 1),
        name => ellipsize(name).into_owned(),
    }
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
