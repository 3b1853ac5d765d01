//! Pictures and calendars of a set, and the files that they are written to.

use std::fs;
use std::path::{Path, PathBuf};

use super::arguments::{CalendarFile, Options, Source, Span};
use super::context::RenderContext;
use super::relative::moment;
use super::set::Set;
use crate::cli::error::CommandError;
use crate::cli::output::Output;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_schedule::{NamedSchedule, Picture};
use dibber_text::{Message, message, quote_display, quote_in_full, quote_path};

/// Returns the picture of all valid schedules; none if there are none.
pub(super) fn picture(set: &Set, span: Span, context: &RenderContext) -> Option<Picture> {
    let names = names(set, context);
    let heartbeats = heartbeats(set, &names);
    let zone = &heartbeats.first()?.schedule.zone;
    let day = set.start.at().to_zoned(zone.clone()).date();
    Some(match span {
        Span::Week => Picture::week(&heartbeats, zone, day, context.clock),
        Span::Month => Picture::month(&heartbeats, zone, day, context.clock),
        Span::Year => Picture::year(&heartbeats, zone, day, context.clock),
    })
}

/// Returns an error if an output file would overwrite the other one, or a list that is read.
pub(super) fn check(options: &Options) -> Result<(), CommandError> {
    let picture = options.svg.as_ref().map(|(output, _)| output);
    let calendar = options.calendar.as_ref().map(|file| &file.output);
    if [picture, calendar] == [Some(&Output::StandardOutput); 2] {
        return Err(given_twice("standard output"));
    }
    let lists = options.sources.iter().filter_map(|source| match source {
        Source::List(path) => Some(path),
        _ => None,
    });
    let mut taken: Vec<PathBuf> = lists.map(|path| place(path)).collect();
    for path in [picture, calendar].into_iter().flatten().filter_map(Output::file) {
        let place = place(path);
        if taken.contains(&place) {
            return Err(given_twice(quote_path(path)));
        }
        taken.push(place);
    }
    Ok(())
}

fn given_twice(file: impl Into<Message>) -> CommandError {
    CommandError::new(message![file.into(), " is given twice"])
        .help("write the picture and the calendar to different files")
}

/// Returns where a file is, however its path is written.
fn place(path: &Path) -> PathBuf {
    let found = fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    found.unwrap_or_else(|_| path.to_owned())
}

/// Writes the files, and reports each on standard error.
pub(super) fn write(
    set: &Set,
    options: &Options,
    context: &RenderContext,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    if let Some((output, span)) = &options.svg {
        let picture = picture(set, *span, context).ok_or_else(|| nothing_to_write(output))?;
        output.write(picture.svg().as_bytes(), ui)?;
        report(output, "", ui);
    }
    match &options.calendar {
        Some(file) => calendar(set, file, context, ui),
        None => Ok(()),
    }
}

fn calendar(
    set: &Set,
    file: &CalendarFile,
    context: &RenderContext,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let CalendarFile { output, days } = file;
    let names = names(set, context);
    let heartbeats = heartbeats(set, &names);
    let first = heartbeats.first().ok_or_else(|| nothing_to_write(output))?;
    let (after, start) = (set.start.after, set.start.at().to_zoned(first.schedule.zone.clone()));
    let end = start.saturating_add(jiff::Span::new().days(*days));
    // With `--from`, the same file is written each time.
    let created = start.timestamp();
    let calendar =
        dibber_schedule::ics_calendar(&heartbeats, after, end.timestamp(), created, context.clock);
    let calendar = calendar.ok_or_else(|| no_fires(set, *days, context))?;
    output.write(calendar.text.as_bytes(), ui)?;
    let until = calendar.cut_at.unwrap_or(end.timestamp()).to_zoned(first.schedule.zone.clone());
    let (events, until) = (calendar.events, moment(&until, context.clock));
    let events = quantity(events, "event", "events");
    report(output, &format!(": {events}, until {until}"), ui);
    if calendar.cut_at.is_some() {
        ui.warning(message![
            "the calendar has no room for all fires of ",
            quote_display(days),
            " days"
        ]);
    }
    Ok(())
}

/// Returns the error of an empty calendar; its help names the next fire.
fn no_fires(set: &Set, days: u32, context: &RenderContext) -> CommandError {
    let fires = set.firing().filter_map(|(_, firing)| Some((firing.fires.first()?.at, firing)));
    let Some((at, firing)) = fires.min_by_key(|(at, _)| *at) else {
        return CommandError::new("the calendar would be empty: no schedule ever fires");
    };
    let next = moment(&at.to_zoned(firing.schedule.zone.clone()), context.clock);
    CommandError::new(message!["the calendar would be empty: nothing fires in ", days, " days"])
        .help(message![
            "the next fire is on ",
            quote_in_full(&next),
            "; `--days` makes a calendar longer"
        ])
}

fn nothing_to_write(output: &Output) -> CommandError {
    let what = output.file().map_or_else(|| "it".into(), quote_path);
    CommandError::new(message![what, " was not written: there is no schedule"])
}

/// Reports what was written to a file.
fn report(output: &Output, what: &str, ui: &mut Ui) {
    let Some(path) = output.file() else { return };
    let line = format!("wrote {}{what}", path.display());
    let line = ui.shown(&line).in_full().to_string();
    ui.eprintln(quote_in_full(&line));
}

/// Returns the masked names of the schedules; the empty string for those without one.
fn names(set: &Set, context: &RenderContext) -> Vec<String> {
    let requested = set.firing().map(|(place, _)| &set.previews[place].requested);
    requested.map(|requested| context.mask(requested.name.as_deref().unwrap_or_default())).collect()
}

fn heartbeats<'a>(set: &'a Set, names: &'a [String]) -> Vec<NamedSchedule<'a>> {
    let schedules = set.firing().map(|(_, firing)| &firing.schedule);
    schedules.zip(names).map(|(schedule, name)| NamedSchedule { name, schedule }).collect()
}
