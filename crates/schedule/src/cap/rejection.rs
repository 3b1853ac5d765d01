//! Why a server rejects a valid schedule, in words for a parent.

use jiff::Timestamp;

use crate::cadence::{ClockFormat, cadence_text};
use crate::cron::Cron;
use crate::fires::Schedule;
use crate::peak::Peak;
use dibber_text::{Message, message, quote_in_full};

/// The most fires in any 24 hours that a server accepts.
pub const FIRES_PER_DAY_MAX: u32 = 4;

/// The smallest average number of fires a day that is shown.
const AVERAGE_MIN: f64 = 0.1;

/// Why a server rejects a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduleRejection {
    /// No day matches it.
    NeverFires,
    /// It fires more often than the cap allows.
    OverCap(Peak),
}

impl Schedule {
    /// Returns why a server rejects this schedule from an instant on, if it does.
    pub fn rejection(&self, from: Timestamp) -> Option<ScheduleRejection> {
        ScheduleRejection::from_peak(self.peak(from))
    }
}

impl ScheduleRejection {
    /// Returns why a server rejects a schedule with that [`Schedule::peak`], if it does.
    pub fn from_peak(peak: Option<Peak>) -> Option<Self> {
        match peak {
            None => Some(Self::NeverFires),
            Some(peak) => (peak.fires > FIRES_PER_DAY_MAX).then_some(Self::OverCap(peak)),
        }
    }

    /// Returns the code of the reason on the wire.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NeverFires => "NEVER_FIRES",
            Self::OverCap(_) => "CADENCE_OVER_CAP",
        }
    }

    /// Returns what is wrong: "144 fires a day; the cap is 4 in any 24 hours".
    pub fn message(self, cron: &Cron) -> Message {
        match self {
            Self::NeverFires => {
                "the heartbeat never fires: none of its months has such a day".into()
            }
            Self::OverCap(peak) => {
                let frequency = frequency(cron, peak);
                let frequency = quote_in_full(&frequency);
                message![frequency, "; the cap is ", FIRES_PER_DAY_MAX, " in any 24 hours"]
            }
        }
    }

    /// Returns what to write instead. `closest` is the result of [`Schedule::closest_within_cap`],
    /// and `zone` the IANA name of the zone.
    pub fn help(self, closest: Option<&Cron>, zone: &str, clock: ClockFormat) -> Message {
        match (self, closest) {
            (Self::NeverFires, _) => {
                "write a day up to 28, which every month has, or another month".into()
            }
            (Self::OverCap(_), None) => "remove some of its times".into(),
            (Self::OverCap(_), Some(closest)) => {
                let (cron, words) = (closest.normalized(), cadence_text(closest, zone, clock));
                let (cron, words) = (quote_in_full(&cron), quote_in_full(&words));
                message!["the closest schedule within it is `", cron, "`: ", words]
            }
        }
    }
}

/// Returns how often a schedule above the cap fires, in words.
fn frequency(cron: &Cron, Peak { fires, day, repeated }: Peak) -> String {
    let ordinary = fires - repeated;
    let average = cron.average_per_day();
    let day = day.strftime("%a %-d %b %Y");
    if ordinary <= FIRES_PER_DAY_MAX {
        format!("{fires} fires on {day}, when the clocks are set back")
    } else if f64::from(ordinary) - average >= AVERAGE_MIN {
        let average = average.max(AVERAGE_MIN);
        format!("{fires} fires on {day}, {average:.1} a day on average")
    } else if repeated > 0 {
        format!("{ordinary} fires a day, {fires} on {day} when the clocks are set back")
    } else {
        format!("{ordinary} fires a day")
    }
}
