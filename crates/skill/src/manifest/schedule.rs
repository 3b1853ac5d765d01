//! The schedule of a heartbeat as a server takes it: five fields, also if it is written in words.

use super::model::Heartbeat;
use dibber_schedule::{ScheduleText, ScheduleTextError};

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

    /// Returns the schedule as a server takes it. One that is invalid is as it is written, so that
    /// the server says the same about it.
    pub fn wire_schedule(&self) -> WireSchedule {
        let written = self.time_zone.as_ref().map(|zone| zone.value.clone());
        match self.parse_schedule() {
            Ok(parsed) => {
                WireSchedule { cron: parsed.expression, time_zone: written.or(parsed.zone) }
            }
            Err(_) => WireSchedule { cron: self.cron.value.clone(), time_zone: written },
        }
    }
}
