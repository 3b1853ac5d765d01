//! The day of a child: which heartbeats fire, and what became of it so far.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::store::{
    CardList, Heartbeat, HeartbeatList, HeartbeatState, Reader, RunList, StoreError,
};
use crate::tool::Call;
use crate::tools::inbox_list;
use crate::{runs, times};
use dibber_skill::contract::{ChildId, HeartbeatId, HeartbeatRun};

/// The most runs of a heartbeat, and the most cards, among which those of today are.
const LATEST_MAX: usize = 200;

/// The time from the start of a day to the start of the next one.
struct Day {
    start: Timestamp,
    end: Timestamp,
}

impl Day {
    fn of(now: Timestamp, zone: &TimeZone) -> Result<Self, Failure> {
        let now = now.to_zoned(zone.clone());
        let start = now.start_of_day().map_err(StoreError::new)?;
        let end = start.tomorrow().map_err(StoreError::new)?;
        Ok(Self { start: start.timestamp(), end: end.timestamp() })
    }

    fn contains(&self, milliseconds: i64) -> bool {
        (self.start.as_millisecond()..self.end.as_millisecond()).contains(&milliseconds)
    }
}

/// Returns the day of a child: its heartbeats with the times at which they fire, on their clocks, and
/// the runs and the cards of today. What a run answered is in its card.
pub(super) fn read(store: &dyn Reader, call: &Call, child: &ChildId) -> Result<Value, Failure> {
    let family = &call.caller.family;
    let zone = times::family_zone(store, family)?;
    let day = Day::of(call.now, &zone)?;
    let all = store.heartbeats(family, &HeartbeatList { after: None, limit: usize::MAX })?;
    let own = all.rows.into_iter().filter(|heartbeat| heartbeat.child_id.as_ref() == Some(child));
    let own: Vec<Heartbeat> = own.collect();
    let mut runs_today: Vec<HeartbeatRun> = Vec::new();
    for heartbeat in &own {
        let heartbeat = Some(heartbeat.id.clone());
        let list = RunList { after: None, limit: LATEST_MAX, heartbeat };
        let latest = store.runs(family, &list)?.rows.into_iter();
        for run in latest.filter(|run| day.contains(run.planned_at)) {
            let run = runs::describe(store, family, &run)?;
            runs_today.push(HeartbeatRun { prompt_hash: None, result: None, ..run });
        }
    }
    let list = CardList { limit: LATEST_MAX, ..CardList::default() };
    let is_own =
        |id: &Option<HeartbeatId>| own.iter().any(|heartbeat| id.as_ref() == Some(&heartbeat.id));
    let cards = store.cards(family, &list)?.rows.into_iter();
    let cards = cards
        .filter(|card| is_own(&card.heartbeat_id) && day.contains(card.posted_at))
        .map(|card| inbox_list::item(card, inbox_list::RESULT_BYTES_MAX, &zone));
    let heartbeats: Vec<Value> =
        own.iter().filter_map(|heartbeat| fires(heartbeat, &day)).collect();
    Ok(json!({
        "childId": child,
        "date": day.start.to_zoned(zone.clone()).date().to_string(),
        "heartbeats": heartbeats,
        "runs": runs_today,
        "cards": cards.collect::<Result<Vec<_>, _>>()?,
    }))
}

/// Returns a heartbeat with the times at which it fires on a day; none if it does not.
fn fires(heartbeat: &Heartbeat, day: &Day) -> Option<Value> {
    if heartbeat.state != HeartbeatState::Active {
        return None;
    }
    let schedule = heartbeat.cadence.schedule();
    let before = day.start - jiff::SignedDuration::from_millis(1);
    let fires = schedule.fires_between(before, day.end).into_iter();
    let fires = fires.filter(|fire| fire.at < day.end);
    let times: Vec<_> = fires.map(|fire| times::format_time(fire.at, &schedule.zone)).collect();
    (!times.is_empty()).then(|| {
        json!({
            "heartbeatId": heartbeat.id,
            "name": heartbeat.name,
            "runSkillId": heartbeat.run_skill_id,
            "times": times,
        })
    })
}
