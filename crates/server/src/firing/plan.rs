//! The pure decision: which planned times of a heartbeat run.

use jiff::{SignedDuration, Timestamp};

use dibber_schedule::{FIRES_PER_DAY_MAX, Schedule};
use dibber_skill::contract::MissedFires;

/// How late a run may begin and still counts as on time: a busy or restarting server misses nothing.
const ON_TIME: SignedDuration = SignedDuration::from_mins(5);

/// The age at which a missed time does not run any more, whatever is set.
pub(super) const MISSED_AGE_MAX: SignedDuration = SignedDuration::from_hours(24);

/// The time span in which the runs of a heartbeat are counted for the cap. It is shorter than 24 hours
/// by the hour that a clock change can take from a day, and by what a run may be late, so that a
/// schedule within the cap loses no run that is on time, unless it has made up for missed ones.
pub(super) const CAP_WINDOW: SignedDuration = SignedDuration::from_mins(23 * 60 - 5);

/// The most planned times that are decided at once; the rest are decided next.
const FIRES_PER_PLAN_MAX: usize = 500;

/// What is known of a heartbeat whose planned times are decided.
#[derive(Clone, Copy, Debug)]
pub struct Planned<'a> {
    /// The schedule.
    pub schedule: &'a Schedule,
    /// The IANA name of its time zone.
    pub time_zone: &'a str,
    /// Up to when the planned times are decided.
    pub decided_until: Timestamp,
    /// What happens with planned times that were missed.
    pub missed_fires: MissedFires,
    /// The number of runs in the [window of the cap](plan_fires) before the present.
    pub recent_runs: u32,
    /// The latest planned time that was decided, and what the clock of the time zone showed then.
    pub last: Option<(Timestamp, &'a str)>,
}

/// What is decided about the planned times of a heartbeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirePlan {
    /// The planned times, in order.
    pub fires: Vec<PlannedFire>,
    /// Up to when the planned times are decided now.
    pub decided_until: Timestamp,
    /// The first planned time after that; none if the schedule never fires again.
    pub next_fire_at: Option<Timestamp>,
}

/// A planned time, and what is decided about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedFire {
    /// The instant.
    pub at: Timestamp,
    /// What the clock of the time zone shows, and the zone: `2026-05-24T08:00:00[Europe/Berlin]`.
    pub local: String,
    /// Whether it runs.
    pub verdict: FireVerdict,
}

/// Whether a planned time runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FireVerdict {
    /// It runs.
    Run,
    /// It does not run.
    Skip(SkipReason),
}

/// Why a planned time does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// Nothing looked for what was due at that time.
    Missed,
    /// Nothing ran it within a day.
    Expired,
    /// The heartbeat has run as often as is permitted in a day.
    Cap,
    /// It ran at the same local time already, before the rules of the time zone changed.
    AlreadyFired,
    /// The heartbeat was paused before the run started.
    Paused,
    /// The schedule was changed before the run started.
    Edited,
    /// The heartbeat was cancelled before the run started.
    Cancelled,
}

impl SkipReason {
    /// Returns the reason as it is stored and shown.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Missed => "missed: nothing was running at that time",
            Self::Expired => "missed: nothing ran it within 24 hours",
            Self::Cap => "the heartbeat ran as often as is permitted in 24 hours",
            Self::AlreadyFired => "it ran at this local time, before its time zone changed",
            Self::Paused => "the heartbeat was paused before the run started",
            Self::Edited => "the schedule was changed before the run started",
            Self::Cancelled => "the heartbeat was cancelled before the run started",
        }
    }

    /// Returns the reason why a run that has failed is not tried again.
    pub(super) const fn against_retry(self) -> &'static str {
        match self {
            Self::Missed | Self::Expired => "nothing ran it again within 24 hours",
            Self::Cap | Self::AlreadyFired => self.in_words(),
            Self::Paused => "the heartbeat was paused",
            Self::Edited => "the schedule was changed",
            Self::Cancelled => "the heartbeat was cancelled",
        }
    }
}

/// Decides about the planned times until `now`.
///
/// Those that are on time run. Of those that were missed, none older than 24 hours runs, and of the
/// others as many as the heartbeat says. No more than four run in 24 hours, and an hour less, so
/// that a clock change does not take one away.
pub fn plan_fires(planned: &Planned<'_>, now: Timestamp) -> FirePlan {
    let Planned { schedule, decided_until, .. } = *planned;
    let mut upcoming = schedule.fires_after(decided_until).map(|fire| fire.at);
    let mut due = Vec::new();
    let mut next_fire_at = None;
    for at in upcoming.by_ref() {
        // Those that may run are decided together: which one runs depends on those after it.
        let is_full = due.len() >= FIRES_PER_PLAN_MAX && now.duration_since(at) > MISSED_AGE_MAX;
        if at > now || is_full {
            next_fire_at = Some(at);
            break;
        }
        due.push(at);
    }
    let decided_until = match next_fire_at {
        Some(next) if next <= now => due.last().copied().unwrap_or(decided_until),
        _ => now.max(decided_until),
    };
    let verdicts = within_cap(planned, &due, now);
    let fires = due.iter().zip(verdicts).map(|(at, verdict)| PlannedFire {
        at: *at,
        local: local_time(*at, schedule, planned.time_zone),
        verdict,
    });
    FirePlan { fires: fires.collect(), decided_until, next_fire_at }
}

/// Decides about the planned times that are due. If they are too many, the latest ones run: those that
/// are on time before those that were missed.
fn within_cap(planned: &Planned<'_>, due: &[Timestamp], now: Timestamp) -> Vec<FireVerdict> {
    let mut verdicts: Vec<_> = due.iter().map(|at| verdict(planned, due, *at, now)).collect();
    let mut capacity = FIRES_PER_DAY_MAX.saturating_sub(planned.recent_runs);
    for verdict in verdicts.iter_mut().rev().filter(|verdict| **verdict == FireVerdict::Run) {
        match capacity.checked_sub(1) {
            Some(left) => capacity = left,
            None => *verdict = FireVerdict::Skip(SkipReason::Cap),
        }
    }
    verdicts
}

/// Decides about one of the planned times that are due, without the cap.
fn verdict(planned: &Planned<'_>, due: &[Timestamp], at: Timestamp, now: Timestamp) -> FireVerdict {
    let shown_at = |at| local_time(at, planned.schedule, planned.time_zone);
    if let Some((last, shown)) = planned.last
        && shown_at(at) == shown
        // If the clock shows the time again by the same rules, it does so on purpose.
        && shown_at(last) != shown
    {
        return FireVerdict::Skip(SkipReason::AlreadyFired);
    }
    let age = now.duration_since(at);
    let is_latest = due.last() == Some(&at);
    let runs = age <= ON_TIME
        || age <= MISSED_AGE_MAX
            && match planned.missed_fires {
                MissedFires::Skip => false,
                MissedFires::Once => is_latest,
                MissedFires::All => true,
            };
    if runs { FireVerdict::Run } else { FireVerdict::Skip(SkipReason::Missed) }
}

/// Returns what the clock of the time zone of a schedule shows, with the zone.
fn local_time(at: Timestamp, schedule: &Schedule, time_zone: &str) -> String {
    let shown = at.to_zoned(schedule.zone.clone());
    format!("{}[{time_zone}]", shown.strftime("%Y-%m-%dT%H:%M:%S"))
}
