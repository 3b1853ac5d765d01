//! Heartbeats of one skill that fire in the same minute.
//!
//! Each is told once, at the later one of two: of ten that fire at eight, nine have to move.

use std::collections::BTreeMap;
use std::collections::hash_map::{Entry, HashMap};

use super::{Analysis, HeartbeatReason};
use crate::manifest::Heartbeat;
use dibber_schedule::{Conflict, ConflictKind, Schedule, conflicts};
use dibber_text::ellipsize;

/// What stands at the heartbeat that another one meets.
const OTHER: &str = "the other one";

impl Analysis<'_> {
    /// Tells which heartbeats fire in the same minute as an earlier one.
    pub(super) fn conflicts(&mut self, all: Vec<(&Heartbeat, Schedule)>) {
        let (mut heartbeats, mut schedules) = (Vec::new(), Vec::new());
        let mut first_of = HashMap::new();
        for (heartbeat, schedule) in all {
            let zone = schedule.zone.iana_name().map(str::to_owned);
            match first_of.entry((schedule.cron, zone)) {
                Entry::Occupied(first) => self.duplicate(heartbeat, heartbeats[*first.get()]),
                Entry::Vacant(new) => {
                    new.insert(heartbeats.len());
                    heartbeats.push(heartbeat);
                    schedules.push(schedule);
                }
            }
        }
        if heartbeats.len() < 2 {
            return;
        }
        // The gravest comes first.
        let mut of_later: BTreeMap<usize, (Conflict, bool)> = BTreeMap::new();
        for conflict in conflicts(&schedules, self.from, 0).found {
            let (first, later) = conflict.schedules;
            let (told, has_others) = of_later.entry(later).or_insert((conflict, false));
            *has_others |= told.schedules.0 != first;
        }
        for (later, (conflict, has_others)) in of_later {
            let first = heartbeats[conflict.schedules.0];
            let is_one_zone = schedules[conflict.schedules.0].zone == schedules[later].zone;
            let related = Some((first.cron.span, OTHER));
            let span = heartbeats[later].cron.span;
            self.verdicts.push_with(HeartbeatReason::Conflict, span, related, || {
                let others = if has_others { " and others" } else { "" };
                let name = format!("`{}`{others}", ellipsize(&first.name.value));
                let when = when(&conflict, &schedules[later], is_one_zone);
                in_words(conflict.kind, &name, &when)
            });
        }
    }

    fn duplicate(&mut self, heartbeat: &Heartbeat, first: &Heartbeat) {
        let related = Some((first.cron.span, OTHER));
        self.verdicts.push_with(HeartbeatReason::Conflict, heartbeat.cron.span, related, || {
            in_words(ConflictKind::Duplicate, &format!("`{}`", ellipsize(&first.name.value)), "")
        });
    }
}

/// What is wrong, and the way out.
fn in_words(kind: ConflictKind, other: &str, when: &str) -> (String, &'static str) {
    match kind {
        ConflictKind::Duplicate => (
            format!("the heartbeat fires at all the times of {other}"),
            "take one of the two out, or move it by some minutes",
        ),
        ConflictKind::SameMinute | ConflictKind::Near => (
            format!("the heartbeat fires in the same minute as {other}, {when}"),
            "move one of them by some minutes, so that one thing comes at a time",
        ),
        ConflictKind::ClockChange => (
            format!("a clock change brings the heartbeat into the same minute as {other}, {when}"),
            "choose a time outside of the night hours in which clocks change",
        ),
    }
}

/// "first on Sun 8 Mar 2026 at 3:00am", by the clock of the later one; of two clocks that are
/// not always as far apart, how often as well.
fn when(conflict: &Conflict, later: &Schedule, is_one_zone: bool) -> String {
    let at = later.zone.to_datetime(conflict.first.1.at);
    let first = at.strftime("first on %a %-d %b %Y at %-I:%M%P");
    match (later.zone.iana_name(), conflict.count) {
        (Some(zone), Some(count)) if !is_one_zone => {
            let times = if count == 1 { "once".to_owned() } else { format!("{count} times") };
            format!("{first} ({zone}), {times} in the year ahead")
        }
        _ => first.to_string(),
    }
}
