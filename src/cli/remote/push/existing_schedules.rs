//! The schedules of the heartbeats that a server has, for those of skills that it does not have yet.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::cli::remote::session::Session;
use dibber_schedule::{Cron, Schedule, conflicts, zone};

/// The schedules of the heartbeats of a server that are not paused, each once.
pub(super) struct ExistingSchedules(Vec<Schedule>);

impl ExistingSchedules {
    /// Lists them, if they are needed. Those of a server that does not list them are not known.
    pub(super) fn load(is_needed: bool, session: &Session) -> Self {
        let listed = is_needed.then(|| session.block_on(session.client.all_heartbeats()));
        let items = listed.and_then(Result::ok).map(|listed| listed.items).unwrap_or_default();
        let active = items.iter().filter(|item| item.enabled);
        let written: BTreeSet<_> =
            active.filter_map(|item| Some((item.cron.as_str(), item.tz.as_deref()?))).collect();
        let schedule = |(cron, tz): (&str, &str)| {
            Some(Schedule { cron: Cron::parse(cron).ok()?, zone: zone(tz).ok()? })
        };
        Self(written.into_iter().filter_map(schedule).collect())
    }

    /// Returns `true` if one of them fires in the same minute as a schedule.
    pub(super) fn fire_with(&self, schedule: &Schedule) -> bool {
        let now = Timestamp::now();
        let is_simultaneous = |other: &Schedule| {
            !conflicts(&[schedule.clone(), other.clone()], now, 0).found.is_empty()
        };
        self.0.iter().any(is_simultaneous)
    }
}
