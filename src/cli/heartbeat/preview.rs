//! The preview of one schedule.

use jiff::tz::TimeZone;

use super::arguments::Options;
use super::sources::Wanted;
use super::start::Start;
use dibber_schedule::{
    self, ClockFormat, Cron, CronError, FIRES_PER_DAY_MAX, FieldName, Fire, Peak, Schedule,
    UnknownZone, cadence_text, clock_change_notes,
};
use dibber_text::Span;

/// A schedule as it was given, and its fires or its problem.
pub(super) struct Preview {
    pub(super) wanted: Wanted,
    pub(super) outcome: Result<Firing, Unread>,
}

/// Why a schedule is invalid.
pub(super) enum Unread {
    Cron(CronError),
    Zone(UnknownZone),
}

/// A valid schedule and its fires.
pub(super) struct Firing {
    pub(super) schedule: Schedule,
    /// When, in words.
    pub(super) cadence: String,
    /// The next ones, as many as were asked for.
    pub(super) fires: Vec<Fire>,
    /// The most in 24 hours; none when it never fires.
    pub(super) peak: Option<Peak>,
    pub(super) average_per_day: f64,
    /// When it is over the cap, the closest schedule that is not.
    pub(super) closest: Option<Cron>,
    /// What changes of the clocks do to the fires that are shown.
    pub(super) notes: Vec<String>,
    /// How times of the day are written.
    clock: ClockFormat,
}

/// Why a server would refuse a schedule.
pub(super) struct Refusal {
    /// The reason, for programs.
    pub(super) reason: &'static str,
    pub(super) message: String,
    pub(super) fix: Option<String>,
    /// The bytes of the schedule that it is about, and their field.
    pub(super) place: Option<(Span, Option<FieldName>)>,
}

/// A schedule in its zone, if it is one in one.
pub(super) fn read(wanted: &Wanted) -> Result<Schedule, Unread> {
    let cron = Cron::parse(&wanted.cron).map_err(Unread::Cron)?;
    let zone = dibber_schedule::zone(&wanted.zone).map_err(Unread::Zone)?;
    Ok(Schedule { cron, zone })
}

impl Firing {
    /// Finds the fires of a schedule.
    pub(super) fn new(schedule: Schedule, start: &Start, options: &Options) -> Self {
        let fires: Vec<Fire> = schedule.fires_after(start.after).take(options.fires).collect();
        Self {
            cadence: cadence_text(&schedule.cron, name_of(&schedule.zone), options.clock),
            peak: schedule.peak(start.after),
            average_per_day: schedule.cron.average_per_day(),
            closest: schedule.closest_within_cap(start.after),
            notes: clock_change_notes(&schedule, &fires, options.clock),
            fires,
            schedule,
            clock: options.clock,
        }
    }

    pub(super) fn zone_name(&self) -> &str {
        name_of(&self.schedule.zone)
    }

    pub(super) fn is_over_cap(&self) -> bool {
        self.peak.is_some_and(|peak| peak.fires > FIRES_PER_DAY_MAX)
    }

    fn refusal(&self) -> Option<Refusal> {
        let refused = dibber_schedule::ScheduleRejection::from_peak(self.peak)?;
        let fix = refused.help(self.closest.as_ref(), self.zone_name(), self.clock);
        Some(Refusal {
            reason: refused.code(),
            message: refused.message(&self.schedule.cron),
            fix: Some(fix),
            place: None,
        })
    }
}

impl Preview {
    /// Why a server would refuse it, if it would.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        match &self.outcome {
            Ok(firing) => firing.refusal(),
            Err(Unread::Cron(error)) => Some(Refusal {
                reason: "INVALID_CRON",
                message: error.to_string(),
                fix: error.help.clone(),
                place: Some((error.span, error.field)),
            }),
            Err(Unread::Zone(unknown)) => Some(Refusal {
                reason: "UNKNOWN_TIME_ZONE",
                message: unknown.to_string(),
                fix: Some(unknown.help()),
                place: None,
            }),
        }
    }
}

/// The name of a zone that was found by it.
fn name_of(zone: &TimeZone) -> &str {
    zone.iana_name().expect("a zone of the database has a name")
}
