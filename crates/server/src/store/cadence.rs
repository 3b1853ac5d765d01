//! When a heartbeat fires, as it is stored.

use std::fmt;

use dibber_schedule::{Cron, CronError, Schedule, UnknownZone};

/// When a heartbeat fires: the cron expression as it was written, and the schedule that it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cadence {
    cron: String,
    /// As the database of time zones spells it.
    time_zone: String,
    schedule: Schedule,
}

/// Why a cron expression and the name of a time zone are no [`Cadence`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidCadence {
    /// The cron expression is invalid.
    Cron(CronError),
    /// The time zone is unknown.
    TimeZone(UnknownZone),
    /// Both.
    Both(Box<(CronError, UnknownZone)>),
}

impl Cadence {
    /// Parses a cron expression and the IANA name of a time zone.
    pub fn parse(cron: &str, time_zone: &str) -> Result<Self, InvalidCadence> {
        match (Cron::parse(cron), dibber_schedule::zone(time_zone)) {
            (Ok(parsed), Ok(zone)) => {
                let time_zone = zone.iana_name().unwrap_or(time_zone).to_owned();
                let schedule = Schedule { cron: parsed, zone };
                Ok(Self { cron: cron.to_owned(), time_zone, schedule })
            }
            (Err(cron), Ok(_)) => Err(InvalidCadence::Cron(cron)),
            (Ok(_), Err(zone)) => Err(InvalidCadence::TimeZone(zone)),
            (Err(cron), Err(zone)) => Err(InvalidCadence::Both(Box::new((cron, zone)))),
        }
    }

    /// Returns `true` if both fire at the same times, however they are written.
    pub fn is_same(&self, other: &Self) -> bool {
        self.schedule.cron == other.schedule.cron && self.time_zone == other.time_zone
    }

    /// Returns the cron expression as it was written.
    pub fn cron(&self) -> &str {
        &self.cron
    }

    /// Returns the IANA name of the time zone.
    pub fn time_zone(&self) -> &str {
        &self.time_zone
    }

    /// Returns the schedule.
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }
}

impl fmt::Display for InvalidCadence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cron(cron) => cron.fmt(f),
            Self::TimeZone(zone) => zone.fmt(f),
            Self::Both(both) => write!(f, "{}; {}", both.0, both.1),
        }
    }
}

impl std::error::Error for InvalidCadence {}
