//! One schedule: whether it can be read, whether it ever fires, and how often.

use super::{Analysis, HeartbeatReason};
use crate::contract::TIME_ZONE_DEFAULT;
use crate::manifest::{Heartbeat, Located};
use dibber_schedule::{ClockFormat, Cron, Schedule, ScheduleRejection, cadence_text};
use dibber_text::{Source, Span, ellipsize};

/// The words of a schedule that say on which dates it fires: day of the month and month.
const DATE_FIELDS: [usize; 2] = [2, 3];

/// When a heartbeat fires, in words; none when its schedule or its time zone cannot be read.
pub fn cadence(cron: &str, time_zone: Option<&str>) -> Option<String> {
    let cron = Cron::parse(cron).ok()?;
    let zone = dibber_schedule::zone(time_zone.unwrap_or(TIME_ZONE_DEFAULT)).ok()?;
    Some(cadence_text(&cron, zone.iana_name().unwrap_or_default(), ClockFormat::default()))
}

impl<'a> Analysis<'a> {
    /// The schedule, if a server would take it, once what is wrong with it is told.
    pub(super) fn schedule(&mut self, heartbeat: &'a Heartbeat) -> Option<Schedule> {
        let named = heartbeat.time_zone.as_ref();
        let name = named.map_or(TIME_ZONE_DEFAULT, |zone| zone.value.as_str());
        let zone = self.zones.entry(name).or_insert_with(|| dibber_schedule::zone(name)).clone();
        if let (Err(unknown), Some(named)) = (&zone, named) {
            self.verdicts.push(HeartbeatReason::UnknownTimeZone, named.span, || {
                if name.trim().is_empty() {
                    let fix = format!("write its name, such as `{TIME_ZONE_DEFAULT}`");
                    return ("the time zone is blank".to_owned(), fix);
                }
                (format!("there is no time zone `{}`", ellipsize(name)), unknown.help())
            });
        }
        let cron = &heartbeat.cron;
        if cron.value.contains(['\n', '\r']) {
            self.verdicts.push(HeartbeatReason::InvalidCron, cron.span, || {
                let fix = "write it behind `cron:` on the same line, such as `cron: 0 8 * * 1-5`";
                ("there is a line break in the schedule", fix)
            });
            return None;
        }
        match Cron::parse(&cron.value) {
            Ok(parsed) => self.keeps_the_cap(cron, Schedule { cron: parsed, zone: zone.ok()? }),
            Err(error) => {
                let span = part_of(self.source, cron, error.span);
                self.verdicts.push(HeartbeatReason::InvalidCron, span, || {
                    let help = error.help.as_deref();
                    (error.message, help.unwrap_or("write five fields, such as `0 8 * * 1-5`"))
                });
                None
            }
        }
    }

    /// The schedule, if it fires at all and not too often.
    fn keeps_the_cap(&mut self, cron: &Located<String>, schedule: Schedule) -> Option<Schedule> {
        let Some(refusal) = schedule.rejection(self.from) else { return Some(schedule) };
        let (reason, span) = match refusal {
            ScheduleRejection::NeverFires => {
                let dates = dates_of(&cron.value);
                (HeartbeatReason::NeverFires, part_of(self.source, cron, dates))
            }
            ScheduleRejection::OverCap(_) => (HeartbeatReason::OverCap, cron.span),
        };
        let from = self.from;
        self.verdicts.push(reason, span, || {
            let closest = schedule.closest_within_cap(from);
            let zone = schedule.zone.iana_name().unwrap_or_default();
            let fix = refusal.help(closest.as_ref(), zone, ClockFormat::default());
            (refusal.message(&schedule.cron), fix)
        });
        None
    }
}

/// Where a schedule says on which dates it fires.
fn dates_of(cron: &str) -> Span {
    let mut words = cron.split([' ', '\t']).filter(|word| !word.is_empty()).map(|word| {
        let start = word.as_ptr() as usize - cron.as_ptr() as usize;
        Span::new(start, start + word.len())
    });
    let [first, last] = DATE_FIELDS;
    let first = words.nth(first);
    let last = words.nth(last - DATE_FIELDS[0] - 1);
    first.zip(last).map_or_else(Span::default, |(first, last)| Span::new(first.start, last.end))
}

/// Where a part of a text stands; all of it, if it is not written as it is read.
fn part_of(source: &Source, text: &Located<String>, part: Span) -> Span {
    let written = source.slice(text.span);
    written
        .find(&text.value)
        .filter(|_| !text.value.is_empty())
        .map_or(text.span, |at| part.shift(text.span.start + at))
}
