//! The preview of one schedule.

use jiff::tz::TimeZone;

use super::arguments::Options;
use super::sources::RequestedSchedule;
use super::start::Start;
use dibber_schedule::{
    self, ClockFormat, Cron, FIRES_PER_DAY_MAX, FieldName, Fire, Peak, Schedule, ScheduleText,
    ScheduleTextError, ScheduleZoneError, cadence_text, clock_change_notes,
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
    Zone(ScheduleZoneError),
}

/// A valid schedule and its fires.
pub(super) struct Firing {
    pub(super) schedule: Schedule,
    /// Why it is in its zone; none if that is written.
    pub(super) zone_reason: Option<&'static str>,
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

/// A valid schedule, and why it is in its zone.
pub(super) struct ParsedSchedule {
    pub(super) schedule: Schedule,
    /// None if the zone is written.
    zone_reason: Option<&'static str>,
}

/// Parses a requested schedule and its zone.
pub(super) fn parse(requested: &RequestedSchedule) -> Result<ParsedSchedule, ScheduleError> {
    let parsed = ScheduleText::parse(&requested.cron).map_err(ScheduleError::Text)?;
    let named = parsed.zone_with(requested.zone.as_deref()).map_err(ScheduleError::Zone)?;
    let default = &requested.default_zone;
    let zone_reason = named.is_none().then_some(default.reason);
    let zone = dibber_schedule::zone(named.as_deref().unwrap_or(&default.name));
    let zone = zone.map_err(|unknown| ScheduleError::Zone(ScheduleZoneError::Unknown(unknown)))?;
    Ok(ParsedSchedule { schedule: Schedule { cron: parsed.cron, zone }, zone_reason })
}

impl Firing {
    /// Finds the fires of a schedule.
    pub(super) fn new(parsed: ParsedSchedule, start: &Start, options: &Options) -> Self {
        let ParsedSchedule { schedule, zone_reason } = parsed;
        let fires: Vec<Fire> = schedule.fires_after(start.after).take(options.fires).collect();
        Self {
            cadence: cadence_text(&schedule.cron, name_of(&schedule.zone), options.clock),
            peak: schedule.peak(start.after),
            average_per_day: schedule.cron.average_per_day(),
            closest: schedule.closest_within_cap(start.after),
            notes: clock_change_notes(&schedule, &fires, options.clock),
            fires,
            schedule,
            zone_reason,
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
            Err(ScheduleError::Zone(error)) => Some(Refusal {
                reason: match error {
                    ScheduleZoneError::Unknown(_) => "UNKNOWN_TIME_ZONE",
                    ScheduleZoneError::Conflict(_) => "INVALID_CRON",
                },
                message: error.message(),
                fix: Some(error.help()),
                place: None,
            }),
        }
    }
}

/// Returns the name of a zone of the database.
fn name_of(zone: &TimeZone) -> &str {
    zone.iana_name().expect("a zone of the database has a name")
}
