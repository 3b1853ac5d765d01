//! Schedules prepared for comparing them in pairs.

use std::collections::HashMap;
use std::rc::Rc;

use jiff::tz::TimeZone;

use super::timeline::{IndexedPeriod, Timeline, indexed_periods, near_changes};
use crate::calendar::{DaySet, TimeSet};
use crate::fires::Schedule;
use crate::horizon::Horizon;

/// A schedule that fires, with what is compared of it.
pub(super) struct Candidate<'a> {
    pub(super) index: usize,
    pub(super) schedule: &'a Schedule,
    /// The index of its zone.
    pub(super) zone: usize,
    pub(super) days: Rc<DaySet>,
    pub(super) times: TimeSet,
    /// The times of the day that are near to one of `times`.
    pub(super) widened: TimeSet,
    pub(super) first_time: usize,
    pub(super) last_time: usize,
    /// All fires in the horizon; empty when all schedules have the same zone.
    pub(super) fires: Timeline,
    /// The fires that are near to a clock change.
    pub(super) near_changes: Timeline,
}

/// The periods of a time zone in the horizon.
struct ZonePeriods<'a> {
    zone: &'a TimeZone,
    /// Those between its clock changes.
    periods: Vec<IndexedPeriod>,
    /// Their parts that are near to a clock change.
    near_changes: Vec<IndexedPeriod>,
}

/// Returns the schedules that fire at all.
pub(super) fn candidates(
    schedules: &[Schedule],
    horizon: Horizon,
    within: u32,
) -> Vec<Candidate<'_>> {
    let is_one_zone = schedules.windows(2).all(|pair| pair[0].zone == pair[1].zone);
    let mut zones: Vec<ZonePeriods> = Vec::new();
    let mut day_sets = HashMap::new();
    let mut candidates = Vec::with_capacity(schedules.len());
    for (index, schedule) in schedules.iter().enumerate() {
        let cron = &schedule.cron;
        let times = TimeSet::new(cron);
        let (true, Some(first_time), Some(last_time)) =
            (cron.has_days(), times.first(), times.last())
        else {
            continue;
        };
        let known = zones.iter().position(|known| *known.zone == schedule.zone);
        let zone = known.unwrap_or_else(|| {
            let periods = indexed_periods(&schedule.zone, horizon);
            let near_changes = near_changes(&periods, within);
            zones.push(ZonePeriods { zone: &schedule.zone, periods, near_changes });
            zones.len() - 1
        });
        let timeline = |periods: &[_]| Timeline::new(schedule, horizon, periods, within);
        let days = (cron.day_of_month, cron.month, cron.day_of_week);
        let days = day_sets.entry(days).or_insert_with(|| Rc::new(DaySet::new(cron)));
        candidates.push(Candidate {
            index,
            schedule,
            zone,
            days: Rc::clone(days),
            widened: times.widened(within as usize),
            times,
            first_time,
            last_time,
            fires: if is_one_zone { Timeline::default() } else { timeline(&zones[zone].periods) },
            near_changes: timeline(&zones[zone].near_changes),
        });
    }
    candidates
}
