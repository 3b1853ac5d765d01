//! The preview of one schedule.

use jiff::tz::TimeZone;

use super::arguments::Options;
use super::sources::RequestedSchedule;
use super::start::Start;
use dibber_schedule::{
    self, ClockFormat, Cron, FIRES_PER_DAY_MAX, FieldName, Fire, Peak, Schedule, ScheduleText,
    ScheduleTextError, UnknownZone, cadence_text, clock_change_notes,
};
use dibber_text::{Message, Span};

/// A requested schedule, and its fires or its error.
pub(super) struct Preview {
    pub(super) requested: RequestedSchedule,
    pub(super) outcome: Result<Firing, ScheduleError>,
}

/// Why a schedule is invalid.
pub(super) enum ScheduleError {
    Text(ScheduleTextError),
    Zone(UnknownZone),
}

/// A valid schedule and its fires.
pub(super) struct Firing {
    pub(super) schedule: Schedule,
    /// The cadence in words.
    pub(super) cadence: String,
    /// The next fires, as many as requested.
    pub(super) fires: Vec<Fire>,
    /// The most in 24 hours; none if it never fires.
    pub(super) peak: Option<Peak>,
    pub(super) average_per_day: f64,
    /// The closest schedule within the cap, if it is over the cap.
    pub(super) closest: Option<Cron>,
    /// What clock changes do to the fires that are shown.
    pub(super) notes: Vec<String>,
    /// The format of times of day.
    clock: ClockFormat,
}

/// Why a server would refuse a schedule.
pub(super) struct Refusal {
    /// The reason, for programs.
    pub(super) reason: &'static str,
    pub(super) message: Message,
    pub(super) fix: Option<Message>,
    /// The bytes of the schedule that are invalid, and their field.
    pub(super) place: Option<(Span, Option<FieldName>)>,
}

/// Parses a requested schedule and its zone.
pub(super) fn parse(requested: &RequestedSchedule) -> Result<Schedule, ScheduleError> {
    let parsed = ScheduleText::parse(&requested.cron).map_err(ScheduleError::Text)?;
    let zone = parsed.zone.as_ref().unwrap_or(&requested.zone);
    let zone = dibber_schedule::zone(zone).map_err(ScheduleError::Zone)?;
    Ok(Schedule { cron: parsed.cron, zone })
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
    /// Returns why a server would refuse it, if so.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        match &self.outcome {
            Ok(firing) => firing.refusal(),
            Err(ScheduleError::Text(error)) => Some(Refusal {
                reason: "INVALID_CRON",
                message: error.message.clone(),
                fix: error.help(),
                place: Some((error.span, error.field)),
            }),
            Err(ScheduleError::Zone(unknown)) => Some(Refusal {
                reason: "UNKNOWN_TIME_ZONE",
                message: unknown.message(),
                fix: Some(unknown.help()),
                place: None,
            }),
        }
    }
}

/// Returns the name of a zone of the database.
fn name_of(zone: &TimeZone) -> &str {
    zone.iana_name().expect("a zone of the database has a name")
}
