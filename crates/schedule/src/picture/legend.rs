//! The legend: the meaning of the signs in a picture.

use jiff::civil::DateTime;

use super::grid::{CellContent, Grid, PeriodKind};
use super::marks::DRAWN_MAX;
use super::tally::{ClockChange, FireMinute, Tally};
use crate::cadence::{ClockFormat, cadence_text, listed, time_of_day};
use crate::named_schedule::NamedSchedule;
use dibber_text::{Shown, escape_line};

/// The most clock changes that are listed.
const CHANGES_MAX: usize = 8;
/// The most heartbeats that are named for firing in the same minute.
const CLASHING_MAX: usize = 3;

/// A line of the legend.
#[derive(Clone, Debug)]
pub(super) struct LegendEntry {
    pub(super) sign: LegendSign,
    /// Escaped text.
    pub(super) text: String,
}

/// What a line of the legend describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LegendSign {
    Heartbeat(usize),
    More,
    Clash,
    Change,
    /// The whole picture.
    None,
}

/// Returns the lines that do not depend on the output format.
pub(super) fn legend(
    heartbeats: &[NamedSchedule<'_>],
    grid: &Grid,
    tally: &Tally,
    clock: ClockFormat,
) -> Vec<LegendEntry> {
    let mut legend = Vec::new();
    let mut add = |sign, text| legend.push(LegendEntry { sign, text });
    let fired = tally.minutes.iter().fold(0, |by, minute| by | minute.by);
    let period = match grid.period.kind {
        PeriodKind::Week => "week",
        PeriodKind::Month => "month",
        PeriodKind::Year => "year",
    };
    for (index, heartbeat) in heartbeats.iter().enumerate().take(DRAWN_MAX) {
        let not = if fired >> index & 1 == 1 {
            String::new()
        } else {
            format!(" (not in this {period})")
        };
        add(LegendSign::Heartbeat(index), format!("{}{not}", words(heartbeat, clock)));
    }
    match heartbeats.len().saturating_sub(DRAWN_MAX) {
        0 => {}
        1 => add(LegendSign::None, "1 more heartbeat is not shown".to_owned()),
        more => add(LegendSign::None, format!("{more} more heartbeats are not shown")),
    }
    if let Some(text) = clashes(heartbeats, tally, clock) {
        add(LegendSign::Clash, text);
    }
    for change in tally.changes.iter().take(CHANGES_MAX) {
        add(LegendSign::Change, change_words(change, clock));
    }
    match tally.changes.len().saturating_sub(CHANGES_MAX) {
        0 => {}
        1 => add(LegendSign::Change, "and 1 more clock change".to_owned()),
        more => add(LegendSign::Change, format!("and {more} more clock changes")),
    }
    legend
}

/// Returns the legend with the meaning of numbers and `+` in the cells, if there are any.
pub(super) fn with_cells(
    legend: &[LegendEntry],
    grid: &Grid,
    content: CellContent,
) -> Vec<LegendEntry> {
    let (mut legend, others): (Vec<_>, Vec<_>) = legend
        .iter()
        .cloned()
        .partition(|entry| matches!(entry.sign, LegendSign::Heartbeat(_) | LegendSign::None));
    legend.extend(cell_entries(grid, content));
    legend.extend(others);
    legend
}

fn cell_entries(grid: &Grid, content: CellContent) -> Vec<LegendEntry> {
    let one = if grid.period.kind == PeriodKind::Week { "in that hour" } else { "on that day" };
    let contents: Vec<String> = grid.cells().map(|cell| cell.text(content)).collect();
    let mut legend = Vec::new();
    let has_number = contents.iter().any(|text| text.contains(|c: char| c.is_ascii_digit()));
    if has_number && !content.marks {
        let text = format!("A number is how many fires there are {one}.");
        legend.push(LegendEntry { sign: LegendSign::None, text });
    }
    if contents.iter().any(|text| text.contains('+')) {
        let what = if content.marks { "heartbeats" } else { "fires" };
        let text = format!("more {what} {one} than fit");
        legend.push(LegendEntry { sign: LegendSign::More, text });
    }
    legend
}

/// "Morning check-in: Every weekday at 8am ET".
fn words(heartbeat: &NamedSchedule<'_>, clock: ClockFormat) -> String {
    let name = escape_line(heartbeat.name);
    let zone = heartbeat.schedule.zone.iana_name().unwrap_or("local");
    let cadence = cadence_text(&heartbeat.schedule.cron, zone, clock);
    match name.trim() {
        "" => cadence,
        name => format!("{}: {cadence}", Shown::to_be_masked(name)),
    }
}

/// "Homework and Reading fire in the same minute: Mon 23 Nov 2026, 8am; and 5 times more".
fn clashes(heartbeats: &[NamedSchedule<'_>], tally: &Tally, clock: ClockFormat) -> Option<String> {
    let is_clash = |minute: &&FireMinute| minute.by.count_ones() > 1;
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

/// Returns the name of a heartbeat, or its number if it has none.
fn name(heartbeat: &NamedSchedule<'_>, index: usize) -> String {
    match escape_line(heartbeat.name).trim() {
        "" => format!("number {}", index + 1),
        name => Shown::to_be_masked(name).to_string(),
    }
}

/// "Sun 1 Nov 2026, 1am: clocks go back 1 hour (ET)".
fn change_words(change: &ClockChange, clock: ClockFormat) -> String {
    let way = if change.minutes > 0 { "forward" } else { "back" };
    let by = match change.minutes.unsigned_abs() {
        60 => "1 hour".to_owned(),
        minutes if minutes.is_multiple_of(60) => format!("{} hours", minutes / 60),
        minutes => format!("{minutes} minutes"),
    };
    format!("{}: clocks go {way} {by} ({})", time_words(change.local, clock), change.zone)
}

/// "Sun 1 Nov 2026, 8:30am".
fn time_words(local: DateTime, clock: ClockFormat) -> String {
    let (hour, minute) = (local.hour().unsigned_abs().into(), local.minute().unsigned_abs().into());
    format!("{}, {}", local.strftime("%a %-d %b %Y"), time_of_day(hour, minute, clock))
}

/// Breaks text into lines of at most so many characters. A longer word is split.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let characters: Vec<char> = word.chars().collect();
        for piece in characters.chunks(width) {
            let line = lines.last_mut().expect("there is at least one line");
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
