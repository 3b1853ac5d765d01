//! The schedule of a heartbeat as a server takes it: five fields, also if it is written in words.

use super::model::Heartbeat;
use dibber_schedule::{ScheduleText, ScheduleTextError, ScheduleZoneError};

/// A schedule as a server takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireSchedule {
    /// Five fields.
    pub cron: String,
    /// The IANA name of the time zone; otherwise the server's default.
    pub time_zone: Option<String>,
}

impl Heartbeat {
    /// Parses the schedule, which is in five fields or in words.
    ///
    /// # Errors
    /// If it is invalid, with its bytes in the string.
    pub fn parse_schedule(&self) -> Result<ScheduleText, ScheduleTextError> {
        ScheduleText::parse(&self.cron.value)
    }

    /// Returns the schedule as a server takes it. One that is invalid, or that has two time zones,
    /// is as it is written, so that the server says the same about it.
    pub fn wire_schedule(&self) -> WireSchedule {
        let written = self.time_zone.as_ref().map(|zone| zone.value.clone());
        let parsed = self.parse_schedule().ok();
        let as_parsed =
            parsed.and_then(|parsed| WireSchedule::new(parsed, written.as_deref()).ok());
        let as_written = || WireSchedule { cron: self.cron.value.clone(), time_zone: written };
        as_parsed.unwrap_or_else(as_written)
    }
}

impl WireSchedule {
    /// Returns a schedule with the time zone `beside` it, or else that of its words.
    ///
    /// # Errors
    /// If the time zone is unknown, or is another one than that of the words.
    pub fn new(schedule: ScheduleText, beside: Option<&str>) -> Result<Self, ScheduleZoneError> {
        let time_zone = schedule.zone_with(beside)?;
        Ok(Self { cron: schedule.expression, time_zone })
    }
}
