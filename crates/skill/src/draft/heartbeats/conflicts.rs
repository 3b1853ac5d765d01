//! Heartbeats of one skill that fire in the same minute.
//!
//! Each conflict is reported once, at the later heartbeat: of ten that fire at eight, nine have to
//! move.

use std::collections::BTreeMap;
use std::collections::hash_map::{Entry, HashMap};

use super::analysis::Analysis;
use super::problem::HeartbeatReason;
use crate::manifest::Heartbeat;
use dibber_schedule::{Conflict, ConflictKind, Schedule, conflicts};
use dibber_text::{Message, Problem, Span, message, quote, quote_in_full};

/// The label of the earlier heartbeat.
const OTHER: &str = "the other one";

impl Analysis<'_> {
    /// Reports the heartbeats that fire in the same minute as an earlier one.
    pub(super) fn check_conflicts(&mut self, all: Vec<(&Heartbeat, Schedule)>) {
        let (mut heartbeats, mut schedules) = (Vec::new(), Vec::new());
        let mut first_of = HashMap::new();
        for (heartbeat, schedule) in all {
            let zone = schedule.zone.iana_name().map(str::to_owned);
            match first_of.entry((schedule.cron, zone)) {
                Entry::Occupied(first) => {
                    self.report_duplicate(heartbeat, heartbeats[*first.get()]);
                }
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
        // Conflicts are sorted by severity, so the first one of a heartbeat is its worst.
        let mut worst: BTreeMap<usize, (Conflict, bool)> = BTreeMap::new();
        for conflict in conflicts(&schedules, self.from, 0).found {
            let (first, later) = conflict.schedules;
            let (reported, has_others) = worst.entry(later).or_insert((conflict, false));
            *has_others |= reported.schedules.0 != first;
        }
        for (later, (conflict, has_others)) in worst {
            let first = heartbeats[conflict.schedules.0];
            let is_one_zone = schedules[conflict.schedules.0].zone == schedules[later].zone;
            let span = heartbeats[later].cron.span;
            self.problems.push(HeartbeatReason::Conflict, || {
                let others = if has_others { " and others" } else { "" };
                let name = message!["`", quote(&first.name.value), "`", others];
                let when = when(&conflict, &schedules[later], is_one_zone);
                problem(span, conflict.kind, name, &when).with_label(first.cron.span, OTHER)
            });
        }
    }

    fn report_duplicate(&mut self, heartbeat: &Heartbeat, first: &Heartbeat) {
        self.problems.push(HeartbeatReason::Conflict, || {
            let name = message!["`", quote(&first.name.value), "`"];
            problem(heartbeat.cron.span, ConflictKind::Duplicate, name, "")
                .with_label(first.cron.span, OTHER)
        });
    }
}

fn problem(span: Span, kind: ConflictKind, other: Message, when: &str) -> Problem {
    let (message, help) = match kind {
        ConflictKind::Duplicate => (
            message!["the heartbeat always fires together with ", other],
            "remove one of the two, or move it by some minutes",
        ),
        ConflictKind::SameMinute | ConflictKind::Near => (
            message![
                "the heartbeat fires in the same minute as ",
                other,
                ", ",
                quote_in_full(when)
            ],
            "move one of them by some minutes",
        ),
        ConflictKind::ClockChange => (
            message![
                "a clock change moves the heartbeat to the same minute as ",
                other,
                ", ",
                quote_in_full(when)
            ],
            "choose a time outside of the night hours in which clocks change",
        ),
    };
    Problem::new(span, message).with_help(help)
}

/// Returns "first on Sun 8 Mar 2026 at 3:00am", by the clock of the later heartbeat. Between two
/// zones whose distance varies, it adds how often that happens.
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
