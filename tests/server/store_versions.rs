//! What every store does with versions: each change of a resource gives it the next one, in the
//! transaction of the change, and wakes those who watch it, in every process.

use std::sync::Arc;
use std::time::Duration;

use dibber_server::firing::ClaimedRun;
use dibber_server::store::{
    Card, Decision, Event, HeartbeatState, Member, MemberRole, Resource, Store, Subscriber,
    TooManyWatched, Writer, attempt,
};
use dibber_server::{Failure, Server};
use dibber_skill::contract::{ActivityRefs, ActivityType, CardKind, CardState};
use jiff::{SignedDuration, Timestamp};
use serde_json::Map;
use tokio::time::timeout;

use super::store_conformance::{Check, Data};
use super::store_runs::{full_run, run};
use crate::support::stores::{change, family, heartbeat, look, members, skill, two_families};

pub(super) const CHECKS: [Check; 8] = [
    ("each_change_has_a_version_of_its_own", each_change_has_a_version_of_its_own),
    ("a_change_that_is_undone_changes_no_version", a_change_that_is_undone_changes_no_version),
    ("a_change_that_is_undone_hides_no_later_one", a_change_that_is_undone_hides_no_later_one),
    (
        "the_version_of_a_removed_heartbeat_is_removed",
        the_version_of_a_removed_heartbeat_is_removed,
    ),
    ("a_removal_frees_no_version", a_removal_frees_no_version),
    ("a_renewed_lease_changes_no_version", a_renewed_lease_changes_no_version),
    ("changes_of_every_process_wake_subscribers", changes_of_every_process_wake_subscribers),
    ("a_family_watches_a_limited_number_of_resources", a_family_watches_a_limited_number),
];

/// How long a change of another process may take to be noticed.
const NOTICED: Duration = Duration::from_secs(10);

fn resource(uri: &str) -> Resource {
    Resource::from_uri(uri).expect("the URI of a resource")
}

/// Applies a change, and returns the resources that have changed by it, in the order of their last
/// changes.
fn changed(
    store: &dyn Store,
    work: impl FnOnce(&dyn Writer) -> Result<(), Failure> + Send + 'static,
) -> String {
    let before = look(store, |reader| Ok(reader.newest_version()?));
    change(store, work).expect("a change");
    let changes = look(store, move |reader| Ok(reader.changes_after(before, 100)?));
    for change in &changes {
        let (family, resource) = (change.family.clone(), change.resource.clone());
        let version = look(store, move |reader| Ok(reader.version(&family, &resource)?));
        assert_eq!(version, change.version);
    }
    let names = changes.iter().map(|change| {
        assert_eq!(change.family, family("ours"));
        change.resource.to_string().replace("sprout://", "")
    });
    names.collect::<Vec<_>>().join(" ")
}

fn card(heartbeat: Option<&str>) -> Card {
    Card {
        id: "rs_1".into(),
        skill_id: "sk_1".into(),
        thread_id: "chat_ours".into(),
        user_id: "usr_ours_a".into(),
        heartbeat_id: heartbeat.map(Into::into),
        run_id: None,
        kind: CardKind::Notice,
        state: CardState::Unread,
        posted_at: 5,
        result: Map::new(),
    }
}

fn event() -> Event {
    let (refs, payload) = (ActivityRefs::default(), Map::new());
    Event { kind: ActivityType::SkillInvoked, actor: None, refs, payload, at: 1 }
}

fn each_change_has_a_version_of_its_own(data: &Data) {
    let store = data.store();
    two_families(store);
    let ours = || family("ours");
    let day = "heartbeat/hb_1 child/kid_1/today";
    let put = |skill_| move |writer: &dyn Writer| Ok(writer.put_skill(&ours(), &skill_)?);
    assert_eq!(changed(store, put(skill("sk_1", "new"))), "skill/sk_1");
    assert_eq!(
        changed(store, move |writer| Ok(writer.touch_skill(&ours(), &"sk_1".into(), 5)?)),
        "skill/sk_1"
    );
    let earlier = move |writer: &dyn Writer| Ok(writer.touch_skill(&ours(), &"sk_1".into(), 4)?);
    assert_eq!(changed(store, earlier), "", "an earlier time changes nothing");
    let put =
        move |writer: &dyn Writer| Ok(writer.put_heartbeat(&ours(), &heartbeat("hb_1", "new"))?);
    assert_eq!(changed(store, put), day);
    let member = Member { user_id: "usr_ours_b".into(), role: MemberRole::Admin };
    let put = move |writer: &dyn Writer| Ok(writer.put_member(&ours(), &"hb_1".into(), &member)?);
    assert_eq!(changed(store, put), day);
    let mut without_child = heartbeat("hb_2", "ours");
    without_child.child_id = None;
    let add = move |writer: &dyn Writer| {
        Ok(writer.add_heartbeat(&ours(), &without_child, &members("ours"))?)
    };
    assert_eq!(changed(store, add), "heartbeat/hb_2");
    let add = |planned_at| {
        move |writer: &dyn Writer| {
            writer.add_run(&ours(), &full_run("run_1", planned_at))?;
            Ok(())
        }
    };
    assert_eq!(changed(store, add(100)), day);
    assert_eq!(changed(store, add(100)), "", "the time is decided");
    let decide = |planned_at| {
        move |writer: &dyn Writer| {
            let runs = [planned_at, 300];
            let runs = runs.map(|at| full_run(&format!("run_{at}"), at)).to_vec();
            let (family, heartbeat, next_fire_at) = (ours(), "hb_1".into(), Some(400));
            let decision = Decision { family, heartbeat, runs, decided_until: 300, next_fire_at };
            writer.add_decisions(&[decision])?;
            Ok(())
        }
    };
    assert_eq!(changed(store, decide(200)), day, "its runs are decided");
    assert_eq!(changed(store, decide(200)), "", "the times are decided");
    let add =
        |heartbeat| move |writer: &dyn Writer| Ok(writer.add_card(&ours(), &card(heartbeat), 9)?);
    assert_eq!(changed(store, add(Some("hb_1"))), format!("family/inbox {day}"));
    let read = |state| {
        move |writer: &dyn Writer| {
            writer.set_card_state(&ours(), &"rs_1".into(), state)?;
            Ok(())
        }
    };
    assert_eq!(changed(store, read(CardState::Read)), format!("family/inbox {day}"));
    assert_eq!(changed(store, read(CardState::Read)), "", "it is read");
    let add = move |writer: &dyn Writer| Ok(writer.add_event(&ours(), &event(), 9)?);
    assert_eq!(changed(store, add), "family/activity");
}

fn a_change_that_is_undone_changes_no_version(data: &Data) {
    let store = data.store();
    two_families(store);
    let undone = changed(store, |writer| {
        let failed: Result<(), Failure> = attempt(writer, || {
            writer.put_skill(&family("ours"), &skill("sk_1", "other"))?;
            Ok(writer.put_skill(&family("ours"), &skill("sk_missing", "other"))?)
        });
        assert!(failed.is_err());
        Ok(writer.add_event(&family("ours"), &event(), 9)?)
    });
    assert_eq!(undone, "family/activity");
}

fn the_version_of_a_removed_heartbeat_is_removed(data: &Data) {
    let store = data.store();
    two_families(store);
    change(store, |writer| {
        let mut cancelled = heartbeat("hb_1", "ours");
        cancelled.state = HeartbeatState::Cancelled;
        writer.put_heartbeat(&family("ours"), &cancelled)?;
        Ok(writer.remove_cancelled_beyond(&family("ours"), 0)?)
    })
    .expect("a change");
    let version = |of: &'static str| {
        look(store, move |reader| {
            Ok(reader.version(&family(of), &resource("sprout://heartbeat/hb_1"))?)
        })
    };
    assert_eq!(version("ours"), 0);
    assert_ne!(version("theirs"), 0);
}

/// Removes a heartbeat that was the last to change.
fn a_removal_frees_no_version(data: &Data) {
    let store = data.store();
    two_families(store);
    change(store, |writer| {
        let mut cancelled = heartbeat("hb_1", "ours");
        (cancelled.state, cancelled.child_id) = (HeartbeatState::Cancelled, None);
        Ok(writer.put_heartbeat(&family("ours"), &cancelled)?)
    })
    .expect("a change");
    let newest = || look(store, |reader| Ok(reader.newest_version()?));
    let before = newest();
    change(store, |writer| Ok(writer.remove_cancelled_beyond(&family("ours"), 0)?))
        .expect("a removal");
    assert_eq!(newest(), before);
    let add = |writer: &dyn Writer| Ok(writer.add_event(&family("ours"), &event(), 9)?);
    assert_eq!(changed(store, add), "family/activity");
    assert_eq!(newest(), before + 1);
}

fn a_renewed_lease_changes_no_version(data: &Data) {
    let store = data.store();
    two_families(store);
    let added = change(store, |writer| Ok(writer.add_run(&family("ours"), &run("run_1", 100))?));
    assert!(added.expect("a change"));
    let now = || Timestamp::from_millisecond(1_000).expect("a time");
    let server = Server::new(data.open_again(), Arc::new(now));
    let lease = SignedDuration::from_secs(60);
    let newest = || look(store, |reader| Ok(reader.newest_version()?));
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(async {
        let claimed = server.claim_due("server", lease, &[], 1).await.expect("claims").remove(0);
        let before = newest();
        assert!(server.renew_claim(&claimed, 2 * lease).await.expect("a renewal"));
        let id = claimed.run_id.clone();
        let run = look(store, move |reader| Ok(reader.run(&family("ours"), &id)?)).expect("a run");
        assert_eq!(run.lease_until, Some(121_000));
        assert_eq!(newest(), before);
        // A claim of an earlier attempt is not held any more.
        let earlier = ClaimedRun { attempt: claimed.attempt - 1, ..claimed };
        assert!(!server.renew_claim(&earlier, lease).await.expect("an answer"));
    });
}

/// Returns what a subscriber is woken for.
async fn next(subscriber: &Subscriber) -> String {
    let resource = timeout(NOTICED, subscriber.next()).await.expect("a change");
    resource.to_string().replace("sprout://", "")
}

/// Watches resources from now on, as a server does.
fn watch(store: &dyn Store, of: &str, uris: &[&str]) -> Subscriber {
    let subscriber = store.changes().subscribe(&family(of));
    subscriber.watch(&uris.iter().map(|uri| resource(uri)).collect::<Vec<_>>()).expect("room");
    let (of, watched) = (family(of), subscriber.resources());
    let (newest, versions) = look(store, move |reader| {
        let version = |resource: &Resource| Ok(reader.version(&of, resource)?);
        let versions: Result<Vec<_>, Failure> = watched.iter().map(version).collect();
        Ok((reader.newest_version()?, versions?))
    });
    for (resource, version) in subscriber.resources().iter().zip(versions) {
        subscriber.set_known(resource, version);
    }
    store.follow(newest);
    subscriber
}

fn changes_of_every_process_wake_subscribers(data: &Data) {
    let store = data.store();
    two_families(store);
    let other: Arc<dyn Store> = data.open_again();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    runtime.expect("a runtime").block_on(async {
        let uris = ["sprout://family/activity", "sprout://skill/sk_1"];
        let subscriber = watch(store, "ours", &uris);
        let foreign = watch(store, "theirs", &uris);
        let write = |store: &dyn Store, of: &'static str, name: &'static str| {
            let written = move |writer: &dyn Writer| {
                writer.put_skill(&family(of), &skill("sk_1", name))?;
                Ok(writer.add_event(&family(of), &event(), 9)?)
            };
            change(store, written).expect("a change");
        };
        for (round, store) in [store, other.as_ref(), store, other.as_ref()].iter().enumerate() {
            write(*store, "ours", "changed");
            assert_eq!(next(&subscriber).await, "skill/sk_1", "{round}");
            assert_eq!(next(&subscriber).await, "family/activity", "{round}");
        }
        // Changes without a subscriber meanwhile are one.
        write(other.as_ref(), "ours", "changed");
        write(other.as_ref(), "ours", "changed again");
        write(other.as_ref(), "theirs", "changed");
        assert_eq!(next(&foreign).await, "skill/sk_1");
        let first = [next(&subscriber).await, next(&subscriber).await];
        assert_eq!(first, ["skill/sk_1", "family/activity"]);
        assert!(subscriber.unwatch(&resource("sprout://skill/sk_1")));
        write(store, "ours", "changed once more");
        assert_eq!(next(&subscriber).await, "family/activity");
        drop((subscriber, foreign));
        // After the last subscriber is gone, the next one is served again.
        let subscriber = watch(store, "ours", &uris);
        write(other.as_ref(), "ours", "changed at last");
        assert_eq!(next(&subscriber).await, "skill/sk_1");
    });
    // A subscriber may outlive the store.
    let left = watch(store, "ours", &["sprout://family/inbox"]);
    other.close();
    store.close();
    drop(left);
}

/// The next change gets the version that an undone one had.
fn a_change_that_is_undone_hides_no_later_one(data: &Data) {
    let store = data.store();
    two_families(store);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    runtime.expect("a runtime").block_on(async {
        let subscriber = watch(store, "ours", &["sprout://skill/sk_1"]);
        let put = |writer: &dyn Writer, id: &str| -> Result<(), Failure> {
            Ok(writer.put_skill(&family("ours"), &skill(id, "changed"))?)
        };
        let heard = async || timeout(Duration::from_millis(300), subscriber.next()).await;
        // All that a job does is undone, or a part of it.
        let failed = change(store, move |writer| {
            put(writer, "sk_1")?;
            put(writer, "sk_missing")
        });
        assert!(failed.is_err());
        let early = heard().await;
        change(store, move |writer| put(writer, "sk_1")).expect("a change");
        assert!(heard().await.is_ok() && early.is_err(), "{early:?}");
        change(store, move |writer| {
            let failed = attempt(writer, || {
                put(writer, "sk_1")?;
                attempt(writer, || put(writer, "sk_1"))?;
                put(writer, "sk_missing")
            });
            assert!(failed.is_err());
            Ok(())
        })
        .expect("a change");
        let early = heard().await;
        change(store, move |writer| put(writer, "sk_1")).expect("a change");
        assert!(heard().await.is_ok() && early.is_err(), "{early:?}");
    });
}

fn a_family_watches_a_limited_number(data: &Data) {
    let store = data.store();
    let many: Vec<_> =
        (0..4096).map(|number| resource(&format!("sprout://skill/sk_{number}"))).collect();
    let first = store.changes().subscribe(&family("ours"));
    assert_eq!(first.watch(&many), Ok(()));
    let second = store.changes().subscribe(&family("ours"));
    assert_eq!(second.watch(&many[..1]), Err(TooManyWatched));
    assert_eq!(store.changes().subscribe(&family("theirs")).watch(&many), Ok(()));
    assert!(first.unwatch(&many[0]));
    assert_eq!(second.watch(&many[..1]), Ok(()));
}
