//! The check of one schedule: whether it is valid, whether it ever fires, and how often.

use super::analysis::Analysis;
use super::problem::HeartbeatReason;
use crate::contract::TIME_ZONE_DEFAULT;
use crate::manifest::{Heartbeat, Located};
use dibber_schedule::{
    AbbreviatedZone, ClockFormat, Cron, Schedule, ScheduleRejection, ScheduleText, cadence_text,
};
use dibber_text::{Problem, Source, Span, message};
use jiff::tz::TimeZone;

/// The indices of the cron fields that select dates: day of the month and month.
const DATE_FIELDS: [usize; 2] = [2, 3];

/// Returns when a heartbeat fires, in words; none when its schedule or its time zone is not valid.
pub fn cadence(cron: &str, time_zone: Option<&str>, clock: ClockFormat) -> Option<String> {
    let cron = Cron::parse(cron).ok()?;
    let zone = dibber_schedule::zone(time_zone.unwrap_or(TIME_ZONE_DEFAULT)).ok()?;
    Some(cadence_text(&cron, zone.iana_name().unwrap_or_default(), clock))
}

impl<'a> Analysis<'a> {
    /// Reports what is wrong with a schedule. Returns it if a server would accept it.
    pub(super) fn check_schedule(&mut self, heartbeat: &'a Heartbeat) -> Option<Schedule> {
        let is_zone_known = self.check_zone(heartbeat.time_zone.as_ref());
        let cron = &heartbeat.cron;
        if cron.value.contains(['\n', '\r']) {
            self.problems.push(HeartbeatReason::InvalidCron, || {
                Problem::new(cron.span, "the schedule contains a line break")
                    .with_help("write it on the line of `cron:`, such as `cron: 0 8 * * 1-5`")
            });
            return None;
        }
        match heartbeat.parse_schedule() {
            Ok(parsed) if is_zone_known => {
                let zone = self.zone_of(heartbeat, &parsed)?;
                self.check_cap(cron, Schedule { cron: parsed.cron, zone })
            }
            Ok(_) => None,
            Err(error) => {
                let span = span_of_part(self.source, cron, error.span);
                self.problems.push(HeartbeatReason::InvalidCron, || {
                    let help = error
                        .help()
                        .unwrap_or_else(|| "write five fields, such as `0 8 * * 1-5`".into());
                    Problem::new(span, error.message).with_help(help)
                });
                None
            }
        }
    }

    /// Reports a time zone that is unknown. Returns `true` if it is known, or not written.
    fn check_zone(&mut self, written: Option<&'a Located<String>>) -> bool {
        let Some(written) = written else { return true };
        let name = written.value.as_str();
        let zone = self.zones.entry(name).or_insert_with(|| dibber_schedule::zone(name));
        let Err(unknown) = zone else { return true };
        let unknown = unknown.clone();
        self.problems.push(HeartbeatReason::UnknownTimeZone, || {
            let (message, help) = if name.trim().is_empty() {
                let help = message!["write its name, such as `", TIME_ZONE_DEFAULT, "`"];
                (message!["the time zone is blank"], help)
            } else {
                (unknown.message(), unknown.help())
            };
            Problem::new(written.span, message).with_help(help)
        });
        false
    }

    /// Returns the time zone of a schedule; none if it has two of them, which is reported.
    fn zone_of(&mut self, heartbeat: &Heartbeat, schedule: &ScheduleText) -> Option<TimeZone> {
        let beside = heartbeat.time_zone.as_ref().map(|zone| zone.value.as_str());
        match schedule.zone_with(beside) {
            Ok(name) => {
                if let Some(zone) = name.as_deref().and_then(AbbreviatedZone::find) {
                    let written = heartbeat.time_zone.as_ref().unwrap_or(&heartbeat.cron);
                    self.problems.push(HeartbeatReason::AbbreviatedTimeZone, || {
                        Problem::new(written.span, zone.message()).with_help(zone.help())
                    });
                }
                dibber_schedule::zone(name.as_deref().unwrap_or(TIME_ZONE_DEFAULT)).ok()
            }
            Err(error) => {
                self.problems.push(HeartbeatReason::InvalidCron, || {
                    Problem::new(heartbeat.cron.span, error.message()).with_help(error.help())
                });
                None
            }
        }
    }

    /// Returns the schedule if it fires at all, and not too often.
    fn check_cap(&mut self, cron: &Located<String>, schedule: Schedule) -> Option<Schedule> {
        let Some(rejection) = schedule.rejection(self.from) else { return Some(schedule) };
        let (reason, span) = match rejection {
            ScheduleRejection::NeverFires if Cron::parse(&cron.value).is_err() => {
                (HeartbeatReason::NeverFires, cron.span)
            }
            ScheduleRejection::NeverFires => {
                let dates = date_fields(&cron.value);
                (HeartbeatReason::NeverFires, span_of_part(self.source, cron, dates))
            }
            ScheduleRejection::OverCap(_) => (HeartbeatReason::OverCap, cron.span),
        };
        let from = self.from;
        self.problems.push(reason, || {
            let closest = schedule.closest_within_cap(from);
            let zone = schedule.zone.iana_name().unwrap_or_default();
            let help = rejection.help(closest.as_ref(), zone, ClockFormat::default());
            Problem::new(span, rejection.message(&schedule.cron)).with_help(help)
        });
        None
    }
}

/// Returns the bytes of the fields that select dates.
fn date_fields(cron: &str) -> Span {
    let mut fields = cron.split([' ', '\t']).filter(|field| !field.is_empty()).map(|field| {
        let start = field.as_ptr() as usize - cron.as_ptr() as usize;
        Span::new(start, start + field.len())
    });
    let [first, last] = DATE_FIELDS;
    let first = fields.nth(first);
    let last = fields.nth(last - DATE_FIELDS[0] - 1);
    first.zip(last).map_or_else(Span::default, |(first, last)| Span::new(first.start, last.end))
}

/// Returns the bytes in the file of a part of a string; all of the string if it is not written as
/// it is, for example because it has escapes.
fn span_of_part(source: &Source, string: &Located<String>, part: Span) -> Span {
    let written = source.slice(string.span);
    written
        .find(&string.value)
        .filter(|_| !string.value.is_empty())
        .map_or(string.span, |at| part.shift(string.span.start + at))
}
