//! Why a server does not take a schedule that can be read, in words for a parent.

use jiff::Timestamp;

use super::cap::{FIRES_PER_DAY_MAX, Peak};
use super::words::{Clock, cadence_text};
use super::{Cron, Schedule};

/// The smallest number of fires a day that is told.
const AVERAGE_MIN: f64 = 0.1;

/// Why a server does not take a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No day matches it.
    NeverFires,
    /// It fires more often than the cap allows.
    OverCap(Peak),
}

impl Schedule {
    /// Why a server does not take this schedule from an instant on, if it does not.
    pub fn refusal(&self, from: Timestamp) -> Option<Refusal> {
        Refusal::of(self.peak(from))
    }
}

impl Refusal {
    /// Why a server does not take a schedule with that [`Schedule::peak`], if it does not.
    pub fn of(peak: Option<Peak>) -> Option<Self> {
        match peak {
            None => Some(Self::NeverFires),
            Some(peak) => (peak.fires > FIRES_PER_DAY_MAX).then_some(Self::OverCap(peak)),
        }
    }

    /// The reason's code on the wire.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NeverFires => "NEVER_FIRES",
            Self::OverCap(_) => "CADENCE_OVER_CAP",
        }
    }

    /// What is wrong, as a sentence fragment: "144 fires a day; the cap is 4 in any 24 hours".
    pub fn message(self, cron: &Cron) -> String {
        match self {
            Self::NeverFires => {
                "the heartbeat never fires: none of its months has such a day".to_owned()
            }
            Self::OverCap(peak) => {
                format!("{}; the cap is {FIRES_PER_DAY_MAX} in any 24 hours", often(cron, peak))
            }
        }
    }

    /// The way out. `closest` is what [`Schedule::closest_within_cap`] finds, and `zone` the IANA
    /// name of the zone.
    pub fn fix(self, closest: Option<&Cron>, zone: &str, clock: Clock) -> String {
        match (self, closest) {
            (Self::NeverFires, _) => {
                "write a day up to 28, which every month has, or another month".to_owned()
            }
            (Self::OverCap(_), None) => "take some of its times out".to_owned(),
            (Self::OverCap(_), Some(closest)) => {
                let words = cadence_text(closest, zone, clock);
                format!("the closest schedule within it is `{}`: {words}", closest.normalized())
            }
        }
    }
}

/// How often a schedule fires that does so too often.
fn often(cron: &Cron, Peak { fires, day, repeated }: Peak) -> String {
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
