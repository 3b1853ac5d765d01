//! What every store does with runs: one for each planned time, and no change without its claim.

use std::collections::BTreeSet;

use dibber_server::store::{
    Decision, FamilyId, FiredRun, HeartbeatState, NextWork, RecentRuns, RunList, RunsOf, Store,
    StoreResult, Writer,
};
use dibber_skill::contract::{HeartbeatId, RunId, RunState};
use serde_json::{Map, json};

use super::store_conformance::{Check, Data};
use crate::support::stores::{change, family, heartbeat, look, two_families};

pub(super) const CHECKS: [Check; 8] = [
    ("a_planned_time_has_one_run", a_planned_time_has_one_run),
    ("decisions_are_recorded_together", decisions_are_recorded_together),
    ("a_run_is_changed_by_its_attempt_alone", a_run_is_changed_by_its_attempt_alone),
    ("runs_are_listed_from_the_latest_decision", runs_are_listed_from_the_latest_decision),
    ("what_can_be_claimed_is_due_or_left", what_can_be_claimed_is_due_or_left),
    ("heartbeats_are_due_until_they_are_decided", heartbeats_are_due_until_they_are_decided),
    ("decisions_about_the_future_are_forgotten", decisions_about_the_future_are_forgotten),
    ("old_runs_are_removed_once_they_ended", old_runs_are_removed_once_they_ended),
];

pub(super) fn run(id: &str, planned_at: i64) -> FiredRun {
    FiredRun {
        id: id.into(),
        heartbeat_id: "hb_1".into(),
        skill_id: "sk_1".into(),
        planned_at,
        planned_local: "2026-05-23T08:00:00".to_owned(),
        decided_at: planned_at + 1,
        state: RunState::Due,
        due_at: planned_at,
        attempt: 0,
        claimed_by: None,
        lease_until: None,
        started_at: None,
        ended_at: None,
        reason: None,
        may_have_repeated: false,
        prompt_hash: None,
        result: None,
    }
}

/// Returns a run with every field, after its second attempt.
pub(super) fn full_run(id: &str, planned_at: i64) -> FiredRun {
    FiredRun {
        state: RunState::Completed,
        attempt: 2,
        claimed_by: Some("usr_ours_a".to_owned()),
        lease_until: Some(planned_at + 60),
        started_at: Some(planned_at + 2),
        ended_at: Some(planned_at + 3),
        reason: Some("it \"failed\" first".to_owned()),
        may_have_repeated: true,
        prompt_hash: Some("h_1".to_owned()),
        result: Some(Map::from_iter([("summary".to_owned(), json!("Done."))])),
        ..run(id, planned_at)
    }
}

fn add(store: &dyn Store, of: &'static str, run: FiredRun) -> bool {
    change(store, move |writer| Ok(writer.add_run(&family(of), &run)?)).expect("a change")
}

/// Records up to when a heartbeat is decided.
fn put_decided(
    writer: &dyn Writer,
    of: &FamilyId,
    heartbeat: HeartbeatId,
    decided_until: i64,
    next_fire_at: Option<i64>,
) -> StoreResult<()> {
    let (family, runs) = (of.clone(), Vec::new());
    let decision = Decision { family, heartbeat, runs, decided_until, next_fire_at };
    writer.add_decisions(&[decision]).map(drop)
}

fn find(store: &dyn Store, id: &'static str) -> Option<FiredRun> {
    look(store, move |reader| Ok(reader.run(&family("ours"), &id.into())?))
}

fn a_planned_time_has_one_run(data: &Data) {
    let store = data.store();
    two_families(store);
    let full = full_run("run_1", 100);
    assert!(add(store, "ours", full.clone()));
    assert!(!add(store, "ours", run("run_2", 100)), "the time is decided");
    assert!(add(store, "theirs", run("run_2", 100)), "another family has its own");
    assert!(add(store, "ours", run("run_3", 200)));
    assert_eq!(find(store, "run_1"), Some(full));
    assert_eq!(find(store, "run_2"), None);
    let recent = |since| {
        look(store, move |reader| {
            let ours = family("ours");
            let asked = ["hb_2", "hb_1"].map(|id| (ours.clone(), heartbeat(id, "ours")));
            let [none, recent] = <[RecentRuns; 2]>::try_from(reader.recent_runs(&asked, since)?)
                .expect("one for each heartbeat");
            assert_eq!(none, RecentRuns::default());
            Ok(recent)
        })
    };
    let last = Some((200, run("run_3", 200).planned_local));
    assert_eq!(recent(0).last, last);
    add(store, "ours", FiredRun { state: RunState::Skipped, ..run("run_4", 300) });
    assert_eq!(recent(0).last, last, "what was skipped did not run");
    let open = look(store, |reader| Ok(reader.open_runs(&family("ours"), &"hb_1".into())?));
    assert_eq!(open.rows, [run("run_3", 200)]);
    let counts = [100, 101, 201].map(|since| recent(since).count);
    assert_eq!(counts, [2, 1, 0], "those decided after a time");
}

fn decisions_are_recorded_together(data: &Data) {
    let store = data.store();
    two_families(store);
    add(store, "ours", run("run_1", 100));
    let skipped = FiredRun {
        state: RunState::Skipped,
        ended_at: Some(210),
        reason: Some("missed: \"late\"".to_owned()),
        ..run("run_3", 200)
    };
    let decision = |of, runs, next_fire_at| Decision {
        family: family(of),
        heartbeat: "hb_1".into(),
        runs,
        decided_until: 250,
        next_fire_at,
    };
    let ours = vec![run("run_2", 100), skipped.clone(), run("run_4", 230)];
    let both = [decision("ours", ours, Some(300)), decision("theirs", Vec::new(), None)];
    let added = change(store, move |writer| Ok(writer.add_decisions(&both)?)).expect("a change");
    let added: BTreeSet<RunId> = added.into_iter().collect();
    assert_eq!(added, ["run_3", "run_4"].map(RunId::from).into());
    assert_eq!(find(store, "run_2"), None, "the time is decided");
    assert_eq!(find(store, "run_3"), Some(skipped));
    assert_eq!(find(store, "run_4"), Some(run("run_4", 230)));
    let next = look(store, |reader| Ok(reader.next_work()?));
    assert_eq!((next.fire_at, next.claim_at), (Some(300), Some(100)));
    assert_eq!(next.removable_since, Some(run("run_3", 200).decided_at));
    let unknown = Decision { heartbeat: "hb_9".into(), ..decision("ours", Vec::new(), None) };
    let failed = change(store, move |writer| Ok(writer.add_decisions(&[unknown])?));
    assert!(failed.is_err(), "there is no such heartbeat");
}

fn a_run_is_changed_by_its_attempt_alone(data: &Data) {
    let store = data.store();
    two_families(store);
    add(store, "ours", run("run_1", 100));
    let put = |run: FiredRun, attempt| {
        change(store, move |writer| Ok(writer.put_run(&family("ours"), &run, attempt)?))
            .expect("a change")
    };
    let claimed = FiredRun { state: RunState::Claimed, attempt: 1, ..run("run_1", 100) };
    assert!(put(claimed.clone(), 0));
    assert!(!put(claimed, 0), "the first claim was taken over");
    let running = FiredRun { state: RunState::Running, attempt: 1, ..run("run_1", 100) };
    assert!(put(running, 1));
    let full = FiredRun { attempt: 1, ..full_run("run_1", 100) };
    assert!(put(full.clone(), 1));
    assert!(!put(full.clone(), 1), "it has ended");
    assert_eq!(find(store, "run_1"), Some(full));
}

fn runs_are_listed_from_the_latest_decision(data: &Data) {
    let store = data.store();
    two_families(store);
    for (id, at) in [("run_1", 300), ("run_2", 100), ("run_3", 200)] {
        add(store, "ours", run(id, at));
    }
    change(store, |writer| {
        let other = FiredRun { heartbeat_id: "hb_2".into(), ..run("run_4", 50) };
        Ok(writer.add_run(&family("ours"), &other)?)
    })
    .expect("a change");
    let ids = |list: RunList| {
        let page = look(store, move |reader| Ok(reader.runs(&family("ours"), &list)?));
        page.rows.into_iter().map(|run| run.id.to_string()).collect::<Vec<_>>()
    };
    let all = RunList { limit: 9, ..RunList::default() };
    assert_eq!(ids(all.clone()), ["run_4", "run_3", "run_2", "run_1"]);
    let next = RunList { after: Some("run_3".into()), limit: 1, ..all.clone() };
    assert_eq!(ids(next), ["run_2"]);
    let of_one = RunList { heartbeat: Some("hb_1".into()), ..all.clone() };
    assert_eq!(ids(of_one), ["run_3", "run_2", "run_1"]);
    assert!(ids(RunList { after: Some("run_9".into()), ..all }).is_empty());
}

fn what_can_be_claimed_is_due_or_left(data: &Data) {
    let store = data.store();
    two_families(store);
    let left = FiredRun {
        state: RunState::Running,
        attempt: 1,
        lease_until: Some(150),
        ..run("run_left", 90)
    };
    let held = FiredRun { lease_until: Some(900), ..left.clone() };
    let held = FiredRun { id: "run_held".into(), planned_at: 91, ..held };
    for run in [left, held, run("run_late", 500), full_run("run_ended", 80)] {
        add(store, "ours", run);
    }
    add(store, "ours", run("run_due", 100));
    add(store, "theirs", run("run_theirs", 120));
    let claimable = |of: Option<&'static str>, limit| {
        let found = look(store, move |reader| {
            let of = of.map(family);
            let of = of.as_ref().map_or(RunsOf::All, RunsOf::Family);
            Ok(reader.claimable(of, 200, limit)?)
        });
        let found = found.rows.into_iter();
        found.map(|(of, run)| (of, run.id.to_string())).collect::<Vec<_>>()
    };
    let of = |name, id: &str| (family(name), id.to_owned());
    let all = [of("ours", "run_due"), of("theirs", "run_theirs"), of("ours", "run_left")];
    assert_eq!(claimable(None, 9), all);
    assert_eq!(claimable(None, 1), all[..1]);
    assert_eq!(claimable(Some("theirs"), 9), all[1..2]);
    let of_heartbeat = |id: &'static str| {
        let found = look(store, move |reader| {
            Ok(reader.claimable(RunsOf::Heartbeat(&family("ours"), &id.into()), 200, 1)?)
        });
        found.rows.len()
    };
    assert_eq!([of_heartbeat("hb_1"), of_heartbeat("hb_2")], [1, 0]);
    let next = look(store, |reader| Ok(reader.next_work()?));
    assert_eq!(next.claim_at, Some(100));
}

fn heartbeats_are_due_until_they_are_decided(data: &Data) {
    let store = data.store();
    two_families(store);
    let due = |of: Option<&'static str>| {
        let found = look(store, move |reader| {
            let of = of.map(family);
            Ok(reader.due_heartbeats(of.as_ref(), 1_000, 9)?)
        });
        found.rows.into_iter().map(|(of, it)| (of, it.id.to_string())).collect::<Vec<_>>()
    };
    let is_due = |id: &str| due(Some("ours")).contains(&(family("ours"), id.to_owned()));
    assert!(is_due("hb_1"), "when it fires is not computed yet");
    assert!(due(None).len() > due(Some("ours")).len());
    let next = |store| look(store, |reader| Ok(reader.next_work()?)).fire_at;
    assert_eq!(next(store), Some(0));
    let decide = |writer: &dyn Writer, of: &FamilyId, at| {
        let list = dibber_server::store::HeartbeatList { after: None, limit: 99 };
        for heartbeat in writer.heartbeats(of, &list)?.rows {
            put_decided(writer, of, heartbeat.id, 500, at)?;
        }
        Ok(())
    };
    change(store, move |writer| {
        decide(writer, &family("ours"), Some(2_000))?;
        decide(writer, &family("theirs"), None)
    })
    .expect("a change");
    assert!(due(None).is_empty());
    assert_eq!(next(store), Some(2_000));
    change(store, |writer| {
        Ok(put_decided(writer, &family("ours"), "hb_1".into(), 500, Some(1_000))?)
    })
    .expect("a change");
    assert!(is_due("hb_1"), "it fires at 1,000");
    change(store, |writer| {
        let ours = family("ours");
        let found = writer.heartbeat(&ours, &"hb_1".into())?.expect("the heartbeat");
        assert_eq!(found.decided_until, 500);
        let paused = dibber_server::store::Heartbeat { state: HeartbeatState::Paused, ..found };
        Ok(writer.put_heartbeat(&ours, &paused)?)
    })
    .expect("a change");
    assert!(!is_due("hb_1"), "it is paused");
    change(store, |writer| Ok(writer.put_heartbeat(&family("ours"), &heartbeat("hb_1", "ours"))?))
        .expect("a change");
    assert!(is_due("hb_1"), "a changed heartbeat is computed again");
    change(store, move |writer| decide(writer, &family("ours"), None)).expect("a change");
    change(store, |writer| Ok(writer.reset_next_fires("2031a")?)).expect("a change");
    assert!(is_due("hb_1"), "the rules of time zones have changed");
    let version = look(store, |reader| Ok(reader.tzdb_version()?));
    assert_eq!(version.as_deref(), Some("2031a"));
}

fn decisions_about_the_future_are_forgotten(data: &Data) {
    let store = data.store();
    two_families(store);
    let skipped = FiredRun { state: RunState::Skipped, ..run("run_skipped", 700) };
    let running = FiredRun { state: RunState::Running, attempt: 1, ..run("run_running", 701) };
    for run in [run("run_past", 100), skipped, running, run("run_due", 800)] {
        add(store, "ours", run);
    }
    change(store, |writer| {
        put_decided(writer, &family("ours"), "hb_1".into(), 900, Some(5_000))?;
        assert!(writer.is_decided_after(500)?);
        writer.forget_decisions_after(500)?;
        assert!(!writer.is_decided_after(500)?);
        Ok(())
    })
    .expect("a change");
    let exists = |id| find(store, id).is_some();
    let left = ["run_past", "run_skipped", "run_running", "run_due"].map(exists);
    assert_eq!(left, [true, false, true, false]);
    let found = look(store, |reader| Ok(reader.heartbeat(&family("ours"), &"hb_1".into())?));
    assert_eq!(found.expect("the heartbeat").decided_until, 500);
    let next: NextWork = look(store, |reader| Ok(reader.next_work()?));
    assert_eq!(next.fire_at, Some(0), "it is computed again");
}

fn old_runs_are_removed_once_they_ended(data: &Data) {
    let store = data.store();
    two_families(store);
    for run in [full_run("run_1", 100), full_run("run_2", 200), run("run_3", 90)] {
        add(store, "ours", run);
    }
    let remove = |limit| {
        change(store, move |writer| Ok(writer.remove_runs_before(250, limit)?)).expect("a change")
    };
    assert_eq!(remove(1), 1);
    assert_eq!((find(store, "run_1"), find(store, "run_2").is_some()), (None, true));
    assert_eq!(remove(9), 1);
    assert_eq!(find(store, "run_3"), Some(run("run_3", 90)), "it has not ended");
}
