//! A schedule that is typed at the command line: what is ambiguous in it is asked about.

use super::schedule_error::excerpt;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ask::Asker;
use crate::cli::term::ui::Ui;
use dibber_schedule::{AbbreviatedZone, ScheduleText, ScheduleTextError, ScheduleZoneError};
use dibber_skill::manifest::WireSchedule;
use dibber_skill::names::Roster;
use dibber_text::{Message, message, quote, quote_in_full, quote_lines};

/// Parses a typed schedule and the time zone beside it, as a server takes them.
pub(in crate::cli) fn wire_schedule(
    text: &str,
    time_zone: Option<&str>,
    ui: &mut Ui,
    roster: &Roster,
) -> Result<WireSchedule, CommandError> {
    let text = unambiguous(text, ui, roster)?;
    let parsed = ScheduleText::parse(&text);
    let parsed = parsed.map_err(|error| schedule_error(&text, &error, ui.width(), roster))?;
    let schedule = WireSchedule::new(parsed, time_zone).map_err(zone_error)?;
    warn_of_abbreviation(schedule.time_zone.as_deref(), ui);
    Ok(schedule)
}

/// Fails if the time zone of a schedule that stays as it is is unknown.
#[cfg(feature = "remote")]
pub(in crate::cli) fn check_zone(time_zone: &str, ui: &mut Ui) -> Result<(), CommandError> {
    if let Err(unknown) = dibber_schedule::zone(time_zone) {
        return Err(zone_error(ScheduleZoneError::Unknown(unknown)));
    }
    warn_of_abbreviation(Some(time_zone), ui);
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "the form of a conversion of errors")]
fn zone_error(error: ScheduleZoneError) -> CommandError {
    CommandError::new(error.message()).help(error.help()).exit(Exit::BadInput)
}

fn warn_of_abbreviation(time_zone: Option<&str>, ui: &mut Ui) {
    if let Some(zone) = time_zone.and_then(AbbreviatedZone::find) {
        ui.warning(message![zone.message(), "; ", zone.help()]);
    }
}

/// Returns a schedule in which each ambiguous part is replaced by what the person at the terminal
/// chooses. Without a terminal, it is as it was typed.
pub(super) fn unambiguous(
    text: &str,
    ui: &mut Ui,
    roster: &Roster,
) -> Result<String, CommandError> {
    if ui.can_ask() { ask_meanings(text, &mut Asker::new(ui, roster)) } else { Ok(text.to_owned()) }
}

/// Asks what each ambiguous part of a schedule means, and returns it with the answers.
fn ask_meanings(text: &str, asker: &mut Asker<'_>) -> Result<String, CommandError> {
    let mut text = text.to_owned();
    while let Err(error) = ScheduleText::parse(&text) {
        if error.readings().is_empty() {
            break;
        }
        text = chosen(&text, &error, asker)?;
    }
    Ok(text)
}

/// Asks which reading of an ambiguous part is meant.
fn chosen(
    text: &str,
    error: &ScheduleTextError,
    asker: &mut Asker<'_>,
) -> Result<String, CommandError> {
    let part = quote(&text[error.span.range()]);
    let readings = error.readings().iter().map(|reading| quote_in_full(reading));
    let readings: Vec<Message> = readings.map(Message::from).collect();
    let chosen = asker.select(message!["What does `", part, "` mean?"], &readings, 0)?;
    Ok(error.resolved(text, &error.readings()[chosen]))
}

/// Returns the error of a schedule, with a mark below its part.
fn schedule_error(
    text: &str,
    error: &ScheduleTextError,
    width: usize,
    roster: &Roster,
) -> CommandError {
    let field = error.field.map(dibber_schedule::FieldName::word).unwrap_or_default();
    let mut shown = CommandError::new(error.message.clone()).exit(Exit::BadInput);
    if !text.trim().is_empty() {
        shown = shown.excerpt(quote_lines(&excerpt(text, error.span, field, width, roster)));
    }
    match error.help() {
        Some(help) => shown.help(help),
        None => shown,
    }
}
