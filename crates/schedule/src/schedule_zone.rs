//! The time zone of a schedule, which may be in its words, beside it, or both.

use std::fmt;

use crate::cadence::{ClockFormat, cadence_text, zone_words};
use crate::tzdb::{UnknownZone, is_same_clock, zone};
use crate::words::ScheduleText;
use dibber_text::{Message, message, quote_in_full};

/// Why a schedule has no clear time zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScheduleZoneError {
    /// The name beside the schedule is not in the database.
    Unknown(UnknownZone),
    /// The words of the schedule and the name beside it are different zones.
    Conflict(Box<ZoneConflict>),
}

/// Two time zones of one schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneConflict {
    /// The IANA name of the zone in the words.
    pub in_words: String,
    /// The IANA name of the zone beside them.
    pub beside: String,
    /// The schedule in each of the zones.
    readings: [String; 2],
}

impl ScheduleText {
    /// Returns the name of the time zone: the one `beside` the schedule, or else the one in its
    /// words. Both may be there if they have the same clock, such as `US/Eastern` and "ET".
    ///
    /// # Errors
    /// If the name beside the schedule is unknown, or if it is another zone than that of the words.
    pub fn zone_with(&self, beside: Option<&str>) -> Result<Option<String>, ScheduleZoneError> {
        let Some(beside) = beside else { return Ok(self.zone.clone()) };
        let known = zone(beside).map_err(ScheduleZoneError::Unknown)?;
        let known = known.iana_name().unwrap_or(beside);
        match &self.zone {
            Some(in_words) if !is_same_zone(in_words, known) => {
                Err(ScheduleZoneError::Conflict(Box::new(ZoneConflict {
                    in_words: in_words.clone(),
                    beside: known.to_owned(),
                    readings: [in_words, known]
                        .map(|zone| cadence_text(&self.cron, zone, ClockFormat::default())),
                })))
            }
            _ => Ok(Some(known.to_owned())),
        }
    }
}

/// Returns `true` for two names of one zone. Zones with the same words are the same zone, because
/// the words of a schedule cannot tell them apart.
fn is_same_zone(one: &str, other: &str) -> bool {
    zone_words(one) == zone_words(other) || is_same_clock(one, other)
}

impl ScheduleZoneError {
    /// Returns what is wrong.
    pub fn message(&self) -> Message {
        match self {
            Self::Unknown(unknown) => unknown.message(),
            Self::Conflict(conflict) => message![
                "the words of the schedule are in `",
                quote_in_full(&conflict.in_words),
                "`, and its time zone is `",
                quote_in_full(&conflict.beside),
                "`"
            ],
        }
    }

    /// Returns what to write instead.
    pub fn help(&self) -> Message {
        match self {
            Self::Unknown(unknown) => unknown.help(),
            Self::Conflict(conflict) => {
                let [in_words, beside] =
                    conflict.readings.each_ref().map(|reading| quote_in_full(reading));
                message!["leave one of them out: it is either `", in_words, "` or `", beside, "`"]
            }
        }
    }
}

impl fmt::Display for ScheduleZoneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().shown(&()).fmt(f)
    }
}

impl std::error::Error for ScheduleZoneError {}
