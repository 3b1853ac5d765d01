//! What every store does, whatever its engine: what is written is read again, in its own family
//! alone; transactions end as a whole; pages skip and repeat nothing; a key is claimed once.
//!
//! A further engine passes [`conform`], in a test of three lines.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use dibber_server::Failure;
use dibber_server::store::sqlite::SqliteStore;
use dibber_server::store::{
    Card, CardList, Event, EventList, EventOrder, FamilyId, HeartbeatList, HeartbeatState, Member,
    MemberRole, Reader, RecordedAnswer, Resource, Skill, SkillList, Store, StoreError, StoreExt,
    User, attempt,
};
use dibber_skill::contract::{ActivityRefs, ActivityType, CardKind, CardState, Category, UserId};
use dibber_skill::names::Name;
use serde_json::{Map, json};
use tempfile::TempDir;

use super::{store_blobs, store_grants, store_runs, store_skill_runs, store_versions};
use crate::support::postgres::TestDatabase;
use crate::support::stores::{
    bare_skill, begin, canvas, change, child, failure_text, family, family_row, heartbeat, look,
    members, skill, skill_ids, token, token_digest, two_families, users,
};

/// The data of a test.
pub(super) struct Data {
    store: Arc<dyn Store>,
    /// Opens the same data once more, as another process does.
    open: Box<dyn Fn() -> Arc<dyn Store>>,
}

impl Data {
    pub(super) fn store(&self) -> &dyn Store {
        self.store.as_ref()
    }

    /// Opens the same data once more, as another process does.
    pub(super) fn open_again(&self) -> Arc<dyn Store> {
        (self.open)()
    }
}

/// Runs every check on empty data; `create` returns how a store over it is opened.
fn conform(create: impl Fn() -> Box<dyn Fn() -> Arc<dyn Store>>) {
    let checks = CHECKS.iter().chain(&store_runs::CHECKS).chain(&store_versions::CHECKS);
    let checks = checks.chain(&store_blobs::CHECKS).chain(&store_skill_runs::CHECKS);
    let checks = checks.chain(&store_grants::CHECKS);
    for (name, check) in checks {
        let open = create();
        let data = Data { store: open(), open };
        let checked = catch_unwind(AssertUnwindSafe(|| check(&data)));
        assert!(checked.is_ok(), "{name} failed, see above");
    }
}

#[test]
fn sqlite_in_a_file_conforms() {
    let directory = TempDir::new().expect("a directory");
    let count = AtomicUsize::new(0);
    conform(|| {
        let number = count.fetch_add(1, Ordering::Relaxed);
        let path = directory.path().join(format!("{number}.db"));
        Box::new(move || Arc::new(sqlite(&path)))
    });
}

fn sqlite(path: &Path) -> SqliteStore {
    SqliteStore::open(path).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn temporary_sqlite_conforms() {
    conform(|| {
        // Nothing else can open it, so that the two handles are one.
        let store: Arc<dyn Store> = Arc::new(SqliteStore::temporary().expect("a store"));
        Box::new(move || Arc::clone(&store))
    });
}

#[test]
fn postgres_conforms() {
    if TestDatabase::create().is_none() {
        return;
    }
    conform(|| {
        let database = TestDatabase::create().expect("a database");
        Box::new(move || Arc::new(database.open()))
    });
}

pub(super) type Check = (&'static str, fn(&Data));

/// The checks, each with its name.
const CHECKS: [Check; 23] = [
    ("rows_are_read_as_they_were_written", rows_are_read_as_they_were_written),
    ("absent_values_stay_absent", absent_values_stay_absent),
    ("a_row_is_replaced_as_a_whole", a_row_is_replaced_as_a_whole),
    (
        "a_skill_keeps_the_latest_time_that_it_was_invoked",
        a_skill_keeps_the_latest_time_that_it_was_invoked,
    ),
    ("a_family_has_its_own_chats_alone", a_family_has_its_own_chats_alone),
    ("changes_of_another_family_change_nothing", changes_of_another_family_change_nothing),
    ("nothing_refers_to_another_family", nothing_refers_to_another_family),
    ("skills_are_listed_by_what_they_are", skills_are_listed_by_what_they_are),
    ("cancelled_heartbeats_are_not_listed", cancelled_heartbeats_are_not_listed),
    ("cards_are_listed_newest_first", cards_are_listed_newest_first),
    (
        "events_are_numbered_and_listed_in_both_orders",
        events_are_numbered_and_listed_in_both_orders,
    ),
    ("several_events_are_added_in_their_order", several_events_are_added_in_their_order),
    ("answers_are_recorded_until_they_are_old", answers_are_recorded_until_they_are_old),
    (
        "a_key_is_claimed_once_by_all_stores_on_the_data",
        a_key_is_claimed_once_by_all_stores_on_the_data,
    ),
    ("a_claim_ends_with_its_transaction", a_claim_ends_with_its_transaction),
    (
        "an_attempt_that_fails_leaves_nothing_and_the_change_goes_on",
        an_attempt_that_fails_leaves_nothing_and_the_change_goes_on,
    ),
    ("a_panic_in_an_attempt_undoes_the_change", a_panic_in_an_attempt_undoes_the_change),
    ("nothing_is_changed_after_a_statement_failed", nothing_is_changed_after_a_statement_failed),
    ("a_reader_sees_one_state", a_reader_sees_one_state),
    ("neighbours_of_a_change_that_fails_stay", neighbours_of_a_change_that_fails_stay),
    (
        "pages_skip_and_repeat_nothing_while_two_stores_add",
        pages_skip_and_repeat_nothing_while_two_stores_add,
    ),
    ("a_closed_store_reports_that_it_is_closed", a_closed_store_reports_that_it_is_closed),
    ("a_job_may_be_the_last_owner_of_the_store", a_job_may_be_the_last_owner_of_the_store),
];

/// Everything that a family can be asked for.
fn everything(reader: &dyn Reader, family: &FamilyId) -> Result<String, Failure> {
    let skills = SkillList { limit: 100, include_archived: true, ..SkillList::default() };
    let heartbeats = HeartbeatList { after: None, limit: 100 };
    Ok(format!(
        "{:#?}",
        (
            (reader.family(family)?, reader.users(family)?.rows, reader.children(family)?.rows),
            (reader.canvases(family)?.rows, reader.skills(family, &skills)?.rows),
            (
                reader.heartbeats(family, &heartbeats)?.rows,
                reader.members(family, &"hb_1".into())?.rows
            ),
            (reader.skill(family, &"sk_1".into())?, reader.heartbeat(family, &"hb_1".into())?),
        )
    ))
}

fn rows_are_read_as_they_were_written(data: &Data) {
    let store = data.store();
    two_families(store);
    look(store, |reader| {
        let ours = family("ours");
        assert_eq!(reader.families()?.rows, [family_row("ours"), family_row("theirs")]);
        assert_eq!(reader.family(&ours)?, Some(family_row("ours")));
        assert_eq!(reader.users(&ours)?.rows, users("ours"));
        assert_eq!(reader.children(&ours)?.rows, [child("ours")]);
        assert_eq!(reader.user_ids(&ours)?, users("ours").map(|user| user.id));
        assert_eq!(reader.child(&ours, &child("ours").id)?, Some(child("ours")));
        assert_eq!(reader.child(&ours, &"kid_2".into())?, None);
        let names = reader.child_names(&ours)?.rows;
        assert_eq!(names.iter().map(Name::normal_form).collect::<Vec<_>>(), ["Ottilie ours"]);
        assert_eq!(reader.token_digests(&ours)?, [token_digest("ours")]);
        assert_eq!(reader.canvases(&ours)?.rows, [canvas("ours")]);
        assert_eq!(reader.token(&token_digest("ours"))?, Some(token("ours")));
        assert_eq!(reader.token(&token_digest("nobody"))?, None);
        let found = reader.skill(&ours, &"sk_1".into())?.expect("the skill");
        assert_eq!(found, skill("sk_1", "ours"));
        let found = reader.heartbeat(&ours, &"hb_1".into())?.expect("the heartbeat");
        assert_eq!(found, heartbeat("hb_1", "ours"));
        let [member, owner] = members("ours");
        assert_eq!(
            reader.members(&ours, &"hb_1".into())?.rows,
            [owner, member],
            "the owner is first"
        );
        Ok(())
    });
}

fn absent_values_stay_absent(data: &Data) {
    let store = data.store();
    two_families(store);
    change(store, |writer| {
        let ours = family("ours");
        writer.add_skill(&ours, &bare_skill("sk_2"))?;
        let mut bare = canvas("ours");
        (bare.id, bare.emoji, bare.age_range) = ("another".into(), None, None);
        writer.add_canvas(&ours, &bare)?;
        let mut bare = heartbeat("hb_2", "ours");
        (bare.assignment_skill_id, bare.child_id) = (None, None);
        bare.skill_input.clear();
        Ok(writer.add_heartbeat(&ours, &bare, &[])?)
    })
    .expect("a change");
    look(store, |reader| {
        let ours = family("ours");
        let found = reader.skill(&ours, &"sk_2".into())?.expect("the skill");
        assert_eq!(found, bare_skill("sk_2"));
        let ids = ["another".into(), "nowhere".into(), canvas("ours").id];
        let found = reader.canvases_of(&ours, &ids)?.rows;
        assert_eq!(found.len(), 2, "in the order in which they are asked for: {found:?}");
        assert_eq!((&found[0].emoji, &found[0].age_range), (&None, &None));
        assert_eq!(found[1], canvas("ours"));
        let found = reader.heartbeat(&ours, &"hb_2".into())?.expect("the heartbeat");
        assert_eq!((found.assignment_skill_id, found.child_id), (None, None));
        assert!(found.skill_input.is_empty());
        Ok(())
    });
}

fn a_row_is_replaced_as_a_whole(data: &Data) {
    let store = data.store();
    two_families(store);
    change(store, |writer| {
        let ours = family("ours");
        let archived = Skill { is_archived: true, ..bare_skill("sk_1") };
        writer.put_skill(&ours, &archived)?;
        let mut other = heartbeat("hb_1", "new");
        (other.state, other.last_run_at) = (HeartbeatState::Paused, Some(5));
        writer.put_heartbeat(&ours, &other)?;
        let admin = Member { user_id: "usr_ours_b".into(), role: MemberRole::Admin };
        writer.put_member(&ours, &"hb_1".into(), &admin)?;
        writer.remove_member(&ours, &"hb_1".into(), &"usr_ours_a".into())?;
        assert_eq!(writer.members(&ours, &"hb_1".into())?.rows, [admin], "a change sees itself");
        let mut narrow = token("ours");
        narrow.scopes.clear();
        Ok(writer.put_token(&narrow)?)
    })
    .expect("a change");
    look(store, |reader| {
        let ours = family("ours");
        let found = reader.skill(&ours, &"sk_1".into())?.expect("the skill");
        let archived = Skill { is_archived: true, ..bare_skill("sk_1") };
        assert_eq!(found, archived);
        let found = reader.heartbeat(&ours, &"hb_1".into())?.expect("the heartbeat");
        assert_eq!((found.state, found.last_run_at), (HeartbeatState::Paused, Some(5)));
        assert_eq!(reader.token(&token_digest("ours"))?.expect("the token").scopes, []);
        Ok(())
    });
}

fn a_skill_keeps_the_latest_time_that_it_was_invoked(data: &Data) {
    let store = data.store();
    two_families(store);
    for (at, expected) in [(7, 7), (9, 9), (8, 9)] {
        change(store, move |writer| Ok(writer.touch_skill(&family("ours"), &"sk_1".into(), at)?))
            .expect("a change");
        let found = look(store, |reader| Ok(reader.skill(&family("ours"), &"sk_1".into())?));
        assert_eq!(found.expect("the skill").last_triggered_at, Some(expected));
    }
    let theirs = look(store, |reader| Ok(reader.skill(&family("theirs"), &"sk_1".into())?));
    assert_eq!(theirs.expect("the skill").last_triggered_at, None);
}

fn a_family_has_its_own_chats_alone(data: &Data) {
    let store = data.store();
    two_families(store);
    look(store, |reader| {
        let ours = family("ours");
        let grown_ups = ["usr_ours_a", "usr_ours_b"].map(UserId::from);
        assert!(reader.has_chat(&ours, &"chat_ours".into())?);
        assert!(reader.has_chat(&ours, &"chat_of_hb_1".into())?);
        assert!(!reader.has_chat(&ours, &"chat_theirs".into())?);
        assert_eq!(reader.participants(&ours, &"chat_ours".into())?, grown_ups);
        assert_eq!(reader.participants(&ours, &"chat_of_hb_1".into())?, grown_ups);
        assert_eq!(reader.participants(&ours, &"chat_theirs".into())?, []);
        Ok(())
    });
}

fn changes_of_another_family_change_nothing(data: &Data) {
    let store = data.store();
    two_families(store);
    let before = look(store, |reader| everything(reader, &family("theirs")));
    // The same ids, but of another family.
    change(store, |writer| {
        let ours = family("ours");
        writer.put_skill(&ours, &bare_skill("sk_1"))?;
        writer.touch_skill(&ours, &"sk_1".into(), 99)?;
        writer.put_heartbeat(&ours, &heartbeat("hb_1", "changed"))?;
        Ok(writer.remove_member(&ours, &"hb_1".into(), &"usr_ours_b".into())?)
    })
    .expect("a change");
    // Ids that only the other family has.
    change(store, |writer| Ok(writer.add_skill(&family("theirs"), &bare_skill("sk_theirs"))?))
        .expect("a change");
    let replaced =
        change(store, |writer| Ok(writer.put_skill(&family("ours"), &bare_skill("sk_theirs"))?));
    assert_eq!(
        failure_text(replaced.expect_err("nothing to replace")),
        StoreError::NotFound.to_string()
    );
    change(store, |writer| Ok(writer.touch_skill(&family("ours"), &"sk_theirs".into(), 99)?))
        .expect("a note about nothing");
    look(store, |reader| {
        assert_eq!(reader.skill(&family("ours"), &"sk_theirs".into())?, None);
        let theirs = reader.skill(&family("theirs"), &"sk_theirs".into())?.expect("the skill");
        assert_eq!(theirs, bare_skill("sk_theirs"));
        assert_eq!(reader.skill(&family("nobody"), &"sk_1".into())?, None);
        Ok(())
    });
    let after = look(store, |reader| everything(reader, &family("theirs")));
    let new = skill_text(store, &family("theirs"), "sk_theirs");
    assert!(after.contains(&new), "{after}\n{new}");
    assert_eq!(after.replacen(&new, "", 1), before);
}

/// A skill as it is printed by [`everything`].
fn skill_text(store: &dyn Store, family: &FamilyId, id: &str) -> String {
    let (family, id) = (family.clone(), id.to_owned());
    let skill = look(store, move |reader| Ok(reader.skill(&family, &id.as_str().into())?))
        .expect("the skill");
    let text = format!("{skill:#?},\n");
    text.lines().map(|line| format!("            {line}\n")).collect()
}

fn nothing_refers_to_another_family(data: &Data) {
    let store = data.store();
    two_families(store);
    change(store, |writer| Ok(writer.add_skill(&family("theirs"), &bare_skill("sk_theirs"))?))
        .expect("a change");
    let ours = || family("ours");
    let refused = [
        change(store, move |writer| {
            let mut foreign = heartbeat("hb_2", "ours");
            foreign.run_skill_id = "sk_theirs".into();
            Ok(writer.add_heartbeat(&ours(), &foreign, &[])?)
        }),
        change(store, move |writer| {
            let foreign = Member { user_id: "usr_theirs_a".into(), role: MemberRole::Member };
            Ok(writer.put_member(&ours(), &"hb_1".into(), &foreign)?)
        }),
        change(store, move |writer| {
            let mut foreign = token("ours");
            foreign.user_id = "usr_theirs_a".into();
            Ok(writer.put_token(&foreign)?)
        }),
        change(store, move |writer| {
            let foreign = User { id: "usr_theirs_a".into(), name: "A".to_owned() };
            Ok(writer.add_user(&ours(), &foreign)?)
        }),
        change(store, move |writer| Ok(writer.add_card(&ours(), &card("rs_1", "sk_theirs"), 1)?)),
        change(store, move |writer| {
            let foreign = Event { actor: Some("usr_theirs_a".into()), ..event(1) };
            Ok(writer.add_event(&ours(), &foreign, 1)?)
        }),
    ];
    for refused in refused {
        assert!(matches!(refused, Err(Failure::Internal(_))), "{refused:?}");
    }
    change(store, move |writer| Ok(writer.add_card(&ours(), &card("rs_1", "sk_1"), 1)?))
        .expect("a result of our own");
}

fn card(id: &str, skill: &str) -> Card {
    Card {
        id: id.into(),
        skill_id: skill.into(),
        thread_id: "chat_ours".into(),
        user_id: "usr_ours_a".into(),
        heartbeat_id: Some("hb_1".into()),
        run_id: Some("run_1".into()),
        kind: CardKind::Notice,
        state: CardState::Unread,
        posted_at: 5,
        result: Map::from_iter([("score".to_owned(), json!(3))]),
    }
}

fn event(at: i64) -> Event {
    Event {
        kind: ActivityType::SkillInvoked,
        actor: Some("usr_ours_a".into()),
        refs: ActivityRefs { skill_id: Some("sk_1".into()), ..ActivityRefs::default() },
        payload: Map::from_iter([("at".to_owned(), json!(at))]),
        at,
    }
}

fn cards_are_listed_newest_first(data: &Data) {
    let store = data.store();
    two_families(store);
    let ours = || family("ours");
    change(store, move |writer| {
        for (number, state) in
            [CardState::Unread, CardState::Archived, CardState::Read, CardState::Unread]
                .into_iter()
                .enumerate()
        {
            let mut new = Card { state, ..card(&format!("rs_{number}"), "sk_1") };
            if number % 2 == 1 {
                (new.thread_id, new.heartbeat_id, new.run_id) = ("chat_of_hb_1".into(), None, None);
            }
            writer.add_card(&ours(), &new, 9)?;
        }
        let foreign = Card { user_id: "usr_theirs_a".into(), ..card("rs_0", "sk_1") };
        Ok(writer.add_card(&family("theirs"), &foreign, 9)?)
    })
    .expect("cards");
    let listed = |after: Option<&str>, state, thread: Option<&str>| {
        let (after, thread) = (after.map(Into::into), thread.map(Into::into));
        let list = CardList { after, limit: 9, state, thread };
        let cards = look(store, move |reader| Ok(reader.cards(&family("ours"), &list)?.rows));
        cards.into_iter().map(|card| card.id.into()).collect::<Vec<String>>().join(" ")
    };
    assert_eq!(listed(None, None, None), "rs_3 rs_2 rs_0");
    assert_eq!(listed(Some("rs_2"), None, None), "rs_0");
    assert_eq!(listed(Some("rs_1"), None, None), "rs_0", "after an archived one");
    assert_eq!(listed(Some("rs_9"), None, None), "", "after one that is not there");
    assert_eq!(listed(None, Some(CardState::Unread), None), "rs_3 rs_0");
    assert_eq!(listed(None, Some(CardState::Archived), None), "rs_1");
    assert_eq!(listed(None, None, Some("chat_of_hb_1")), "rs_3");
    assert_eq!(listed(None, Some(CardState::Archived), Some("chat_of_hb_1")), "rs_1");
    let set = |id: &'static str, state| {
        change(store, move |writer| Ok(writer.set_card_state(&ours(), &id.into(), state)?))
            .expect("a change")
    };
    assert!(set("rs_3", CardState::Read));
    assert!(!set("rs_3", CardState::Read), "it was read already");
    assert!(!set("rs_9", CardState::Read), "it is not there");
    assert_eq!(listed(None, Some(CardState::Unread), None), "rs_0");
    look(store, |reader| {
        let found = reader.card(&family("ours"), &"rs_0".into())?;
        assert_eq!(found, Some(card("rs_0", "sk_1")));
        let theirs = reader.card(&family("theirs"), &"rs_0".into())?.expect("a card");
        assert_eq!(theirs.state, CardState::Unread);
        assert_eq!(reader.card(&family("theirs"), &"rs_3".into())?, None);
        assert!(reader.has_cards(&family("ours"), &"chat_of_hb_1".into())?);
        assert!(!reader.has_cards(&family("theirs"), &"chat_of_hb_1".into())?);
        Ok(())
    });
    change(store, move |writer| Ok(writer.add_card(&ours(), &card("rs_4", "sk_1"), 2)?))
        .expect("a card");
    assert_eq!(listed(None, None, None), "rs_4 rs_3", "the oldest are deleted");
}

fn events_are_numbered_and_listed_in_both_orders(data: &Data) {
    let store = data.store();
    two_families(store);
    for at in [3, 1, 2, 4] {
        change(store, move |writer| Ok(writer.add_event(&family("ours"), &event(at), 9)?))
            .expect("an event");
    }
    let listed = |order, after, since, limit| {
        let list = EventList { order, after, since, limit };
        let events = look(store, move |reader| Ok(reader.events(&family("ours"), &list)?.rows));
        events.into_iter().map(|event| event.number).collect::<Vec<_>>()
    };
    assert_eq!(listed(EventOrder::NewestFirst, None, None, 3), [4, 3, 2]);
    assert_eq!(listed(EventOrder::NewestFirst, Some(2), None, 9), [1]);
    assert_eq!(listed(EventOrder::OldestFirst, None, None, 9), [1, 2, 3, 4]);
    assert_eq!(listed(EventOrder::OldestFirst, Some(2), None, 1), [3]);
    assert_eq!(listed(EventOrder::OldestFirst, None, Some(3), 9), [1, 4], "by their time");
    assert_eq!(listed(EventOrder::OldestFirst, Some(4), None, 9), [] as [i64; 0]);
    look(store, |reader| {
        let list = EventList { limit: 1, ..EventList::default() };
        assert_eq!(reader.events(&family("ours"), &list)?.rows[0].event, event(4));
        assert_eq!(reader.events(&family("theirs"), &list)?.rows, []);
        assert_eq!(reader.newest_event(&family("theirs"))?, 0);
        Ok(())
    });
    change(store, move |writer| {
        let by_server = Event { actor: None, ..event(5) };
        writer.add_event(&family("theirs"), &by_server, 2)?;
        Ok(writer.add_event(&family("ours"), &event(5), 2)?)
    })
    .expect("events");
    assert_eq!(listed(EventOrder::OldestFirst, None, None, 9), [4, 5], "the oldest are deleted");
}

fn several_events_are_added_in_their_order(data: &Data) {
    let store = data.store();
    two_families(store);
    let add = |kept, events: &[(&'static str, Event)]| {
        let events = events.iter().map(|(of, event)| (family(of), event.clone()));
        let events: Vec<_> = events.collect();
        change(store, move |writer| Ok(writer.add_events(&events, kept)?)).expect("events");
    };
    let by_server = |at| Event { actor: None, ..event(at) };
    add(9, &[("theirs", by_server(3)), ("ours", event(2)), ("theirs", by_server(1))]);
    let listed = |of| {
        let list = EventList { order: EventOrder::OldestFirst, limit: 9, ..EventList::default() };
        let events = look(store, move |reader| Ok(reader.events(&family(of), &list)?.rows));
        events.into_iter().map(|event| (event.number, event.event)).collect::<Vec<_>>()
    };
    assert_eq!(listed("theirs"), [(1, by_server(3)), (2, by_server(1))]);
    assert_eq!(listed("ours"), [(1, event(2))]);
    let version =
        || look(store, |reader| Ok(reader.version(&family("ours"), &Resource::Activity)?));
    let before = version();
    add(2, &[("ours", event(5)), ("ours", event(4)), ("ours", event(6))]);
    assert_eq!(listed("ours"), [(3, event(4)), (4, event(6))], "the oldest are deleted");
    assert_eq!(listed("theirs").len(), 2);
    assert!(version() > before);
}

fn skills_are_listed_by_what_they_are(data: &Data) {
    let store = data.store();
    two_families(store);
    change(store, |writer| {
        for (family_name, number) in [("ours", 2), ("theirs", 3), ("ours", 4), ("ours", 5)] {
            let id = format!("sk_{number}");
            let mut new = if number % 2 == 0 { bare_skill(&id) } else { skill(&id, "odd") };
            new.is_archived = number > 3;
            writer.add_skill(&family(family_name), &new)?;
        }
        let mut generic = bare_skill("sk_6");
        generic.written.category = Some(Category::Generic);
        Ok(writer.add_skill(&family("ours"), &generic)?)
    })
    .expect("a change");
    let listed = |include_archived, category| {
        let list = SkillList { after: None, limit: 100, include_archived, category };
        let skills = look(store, move |reader| Ok(reader.skills(&family("ours"), &list)?.rows));
        skills.into_iter().map(|skill| skill.id.into()).collect::<Vec<String>>().join(" ")
    };
    assert_eq!(listed(true, None), "sk_1 sk_2 sk_4 sk_5 sk_6");
    assert_eq!(listed(false, None), "sk_1 sk_2 sk_6");
    assert_eq!(listed(true, Some(Category::Generic)), "sk_2 sk_4 sk_6", "one without is generic");
    assert_eq!(listed(false, Some(Category::Generic)), "sk_2 sk_6");
    assert_eq!(listed(true, Some(Category::HomeAgent)), "sk_1 sk_5");
    assert_eq!(listed(false, Some(Category::HomeAgent)), "sk_1");
}

fn cancelled_heartbeats_are_not_listed(data: &Data) {
    let store = data.store();
    two_families(store);
    change(store, |writer| {
        for (id, state) in [("hb_2", HeartbeatState::Cancelled), ("hb_3", HeartbeatState::Paused)] {
            let mut new = heartbeat(id, "ours");
            new.state = state;
            writer.add_heartbeat(&family("ours"), &new, &[])?;
        }
        Ok(())
    })
    .expect("a change");
    look(store, |reader| {
        let list = HeartbeatList { after: None, limit: 100 };
        let listed = reader.heartbeats(&family("ours"), &list)?.rows;
        let ids: Vec<_> = listed.iter().map(|heartbeat| heartbeat.id.as_str()).collect();
        assert_eq!(ids, ["hb_1", "hb_3"]);
        let list = HeartbeatList { after: Some("hb_1".into()), limit: 1 };
        assert_eq!(reader.heartbeats(&family("ours"), &list)?.rows, listed[1..]);
        let list = HeartbeatList { after: Some("hb_2".into()), limit: 1 };
        assert_eq!(
            reader.heartbeats(&family("ours"), &list)?.rows,
            listed[1..],
            "after a cancelled one"
        );
        let list = HeartbeatList { after: Some("hb_0".into()), limit: 9 };
        assert_eq!(
            reader.heartbeats(&family("ours"), &list)?.rows,
            [],
            "after one that is not there"
        );
        assert!(reader.heartbeat(&family("ours"), &"hb_2".into())?.is_some());
        Ok(())
    });
}

fn answer(key: &str, at: i64) -> RecordedAnswer {
    RecordedAnswer {
        user_id: "usr_ours_a".into(),
        key: key.to_owned(),
        fingerprint: format!("fingerprint {at}"),
        answer: json!({"skillId": "sk_1", "at": at}),
        at,
    }
}

fn answers_are_recorded_until_they_are_old(data: &Data) {
    let store = data.store();
    change(store, |writer| {
        (0..40).try_for_each(|at| Ok(writer.record_answer(&answer(&format!("key {at}"), at), 0)?))
    })
    .expect("a change");
    let recorded = |user: &'static str, key: &'static str, since| {
        change(store, move |writer| Ok(writer.claim(&user.into(), key, since)?)).expect("a claim")
    };
    assert_eq!(recorded("usr_ours_a", "key 7", 7), Some(answer("key 7", 7)));
    assert_eq!(recorded("usr_ours_a", "key 7", 8), None, "it is too old");
    assert_eq!(recorded("usr_ours_b", "key 7", 0), None, "it is another user's");
    // Another answer to the same key, long after; a few of the old ones are deleted each time.
    let later = || change(store, |writer| Ok(writer.record_answer(&answer("key 7", 90), 60)?));
    later().expect("a change");
    assert_eq!(recorded("usr_ours_a", "key 7", 0), Some(answer("key 7", 90)));
    later().and_then(|()| later()).expect("changes");
    assert_eq!(recorded("usr_ours_a", "key 0", 0), None, "it is deleted");
    assert_eq!(recorded("usr_ours_a", "key 39", 0), None, "all of them, in the end");
}

/// The calls with one key that come at once, from several threads over two stores.
fn a_key_is_claimed_once_by_all_stores_on_the_data(data: &Data) {
    two_families(data.store());
    let stores = [(data.open)(), (data.open)()];
    for key in 0..10 {
        let answers: Vec<_> = thread::scope(|scope| {
            let calls: Vec<_> = (0..6_usize)
                .map(|call| {
                    let store = stores[call % 2].as_ref();
                    scope.spawn(move || change(store, move |writer| call_once(writer, key, call)))
                })
                .collect();
            calls.into_iter().map(|call| call.join().expect("a thread")).collect()
        });
        let answers: BTreeSet<_> = answers.into_iter().filter_map(Result::ok).collect();
        assert_eq!(answers.len(), 1, "every call has the answer of the first one: {answers:?}");
    }
    assert_eq!(skill_ids(data.store(), "ours", 100).len(), 11);
}

/// Adds a skill, once for each key; returns its id.
fn call_once(
    writer: &dyn dibber_server::store::Writer,
    key: usize,
    call: usize,
) -> Result<String, Failure> {
    let key = format!("key {key}");
    if let Some(before) = writer.claim(&"usr_ours_a".into(), &key, 0)? {
        return Ok(before.fingerprint);
    }
    let id = format!("sk_{key}_{call}");
    writer.add_skill(&family("ours"), &bare_skill(&id))?;
    let recorded = RecordedAnswer { fingerprint: id.clone(), ..answer(&key, 5) };
    writer.record_answer(&recorded, 0)?;
    Ok(id)
}

fn a_claim_ends_with_its_transaction(data: &Data) {
    two_families(data.store());
    let failed = change(data.store(), |writer| {
        call_once(writer, 1, 1)?;
        Err::<(), _>(Failure::bad_input("NO", "not this one", ""))
    });
    failed.expect_err("a failure");
    let panicked = change(data.store(), |writer| -> Result<(), Failure> {
        call_once(writer, 1, 2)?;
        panic!("a fault in a service")
    });
    panicked.expect_err("a failure");
    let other = (data.open)();
    let id = change(other.as_ref(), |writer| call_once(writer, 1, 3)).expect("a change");
    assert_eq!(id, "sk_key 1_3");
    assert_eq!(skill_ids(data.store(), "ours", 100), ["sk_1", "sk_key 1_3"]);
}

fn an_attempt_that_fails_leaves_nothing_and_the_change_goes_on(data: &Data) {
    let store = data.store();
    two_families(store);
    change(store, |writer| {
        let add = |id: &str| writer.add_skill(&family("ours"), &bare_skill(id));
        add("sk_before")?;
        let failed = attempt(writer, || -> Result<(), Failure> {
            add("sk_lost")?;
            attempt(writer, || add("sk_lost_too"))?;
            Err(Failure::bad_input("NO", "not this one", ""))
        });
        assert_eq!(failure_text(failed.expect_err("a failure")), "not this one");
        let within = attempt(writer, || add("sk_within").map(|()| 7))?;
        assert_eq!(within, 7);
        Ok(add("sk_after")?)
    })
    .expect("a change");
    assert_eq!(skill_ids(store, "ours", 100), ["sk_1", "sk_before", "sk_within", "sk_after"]);
}

fn a_panic_in_an_attempt_undoes_the_change(data: &Data) {
    let store = data.store();
    two_families(store);
    let neighbours: Vec<_> = (0..3)
        .map(|number| {
            begin(store, move |writer| {
                let add = |id: &str| writer.add_skill(&family("ours"), &bare_skill(id));
                add(&format!("sk_before_{number}"))?;
                if number != 1 {
                    return Ok(());
                }
                attempt(writer, || -> Result<(), Failure> {
                    add("sk_within")?;
                    panic!("a fault in a service")
                })
            })
        })
        .collect();
    let ended: Vec<_> =
        neighbours.into_iter().map(|ended| ended.recv().expect("a result").is_ok()).collect();
    assert_eq!(ended, [true, false, true]);
    assert_eq!(skill_ids(store, "ours", 100), ["sk_1", "sk_before_0", "sk_before_2"]);
}

/// A change that ignores an error of the store is either undone as a whole, or done as a whole
/// without the statement that failed. It is never reported as done while it is not.
fn nothing_is_changed_after_a_statement_failed(data: &Data) {
    let store = data.store();
    two_families(store);
    let ended = change(store, |writer| {
        let ours = family("ours");
        writer.add_skill(&ours, &bare_skill("sk_2"))?;
        writer.add_skill(&ours, &bare_skill("sk_2")).expect_err("a skill with the same id");
        Ok(())
    });
    let expected: &[&str] = if ended.is_ok() { &["sk_1", "sk_2"] } else { &["sk_1"] };
    assert_eq!(skill_ids(store, "ours", 100), expected);
}

fn a_reader_sees_one_state(data: &Data) {
    two_families(data.store());
    let store = Arc::clone(&data.store);
    look(data.store(), move |reader| {
        let list = SkillList { limit: 100, ..SkillList::default() };
        let before = reader.skills(&family("ours"), &list)?.rows;
        let added = |writer: &dyn dibber_server::store::Writer| {
            Ok(writer.add_skill(&family("ours"), &bare_skill("sk_2"))?)
        };
        change(store.as_ref(), added)?;
        assert_eq!(reader.skills(&family("ours"), &list)?.rows, before);
        Ok(())
    });
    assert_eq!(skill_ids(data.store(), "ours", 100), ["sk_1", "sk_2"]);
}

fn neighbours_of_a_change_that_fails_stay(data: &Data) {
    let store = data.store();
    two_families(store);
    let ended: Vec<_> = (10..20)
        .map(|number| {
            begin(store, move |writer| {
                writer.add_skill(&family("ours"), &bare_skill(&format!("sk_{number}")))?;
                match number {
                    12 => Err(Failure::bad_input("NO", "not this one", "")),
                    14 => panic!("a fault in a service"),
                    16 => Ok(writer.add_family(&family_row("ours"))?),
                    _ => Ok(()),
                }
            })
        })
        .collect();
    for (number, ended) in (10..20).zip(ended) {
        let ended = ended.recv().expect("a result");
        assert_eq!(ended.is_ok(), ![12, 14, 16].contains(&number), "{number}: {ended:?}");
    }
    let expected = [1, 10, 11, 13, 15, 17, 18, 19].map(|number| format!("sk_{number}"));
    let listed = skill_ids(store, "ours", 100);
    assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), BTreeSet::from(expected));
}

/// Two stores add skills while a third one reads pages: an item that becomes visible later has to
/// come later, or a reader who has passed its place never sees it.
fn pages_skip_and_repeat_nothing_while_two_stores_add(data: &Data) {
    let store = data.store();
    two_families(store);
    let add = |store: &dyn Store, id: String| {
        change(store, move |writer| Ok(writer.add_skill(&family("ours"), &bare_skill(&id))?))
            .expect("a change");
    };
    for number in 0..20 {
        add(store, format!("sk_old_{number}"));
    }
    let old = skill_ids(store, "ours", 100);
    let stores = [(data.open)(), (data.open)()];
    let seen = thread::scope(|scope| {
        let writers: Vec<_> = (0..2)
            .map(|writer| {
                let store = stores[writer].as_ref();
                let id = move |number| format!("sk_new_{writer}_{number}");
                scope.spawn(move || (0..50).for_each(|number| add(store, id(number))))
            })
            .collect();
        for limit in [1, 3, 7] {
            let seen = skill_ids(store, "ours", limit);
            assert_eq!(seen[..old.len()], old);
            assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), seen.len());
        }
        // One listing goes on until the writers have ended, and has met every skill then.
        let mut list = SkillList { limit: 3, ..SkillList::default() };
        let mut seen = Vec::new();
        loop {
            let have_ended = writers.iter().all(thread::ScopedJoinHandle::is_finished);
            let page = list.clone();
            let page = look(store, move |reader| Ok(reader.skills(&family("ours"), &page)?.rows));
            match page.last() {
                Some(end) => list.after = Some(end.id.clone()),
                None if have_ended => return seen,
                None => {}
            }
            seen.extend(page.into_iter().map(|skill| String::from(skill.id)));
        }
    });
    assert_eq!(seen.len(), old.len() + 100);
    assert_eq!(seen, skill_ids(store, "ours", 100));
}

fn a_closed_store_reports_that_it_is_closed(data: &Data) {
    let store = data.store();
    let waiting: Vec<_> = (0..20).map(|number| begin(store, move |_| Ok(number))).collect();
    store.close();
    for (number, ended) in (0..20).zip(waiting) {
        assert_eq!(ended.recv().expect("a result").expect("a success"), number);
    }
    let late = change(store, |_| Ok(())).expect_err("a closed store");
    assert_eq!(failure_text(late), StoreError::Closed.to_string());
    let late: StoreError = store.read_blocking(|_| Ok(())).expect_err("a closed store");
    assert!(matches!(late, StoreError::Closed), "{late}");
    store.close();
}

fn a_job_may_be_the_last_owner_of_the_store(data: &Data) {
    let store = (data.open)();
    let (go, wait) = mpsc::channel::<()>();
    let last = Arc::clone(&store);
    let ended = begin(store.as_ref(), move |_| {
        wait.recv().expect("a sign");
        drop(last);
        Ok("made")
    });
    drop(store);
    go.send(()).expect("the job waits");
    assert_eq!(ended.recv().expect("a result").expect("a success"), "made");
    let store = (data.open)();
    let (go, wait) = mpsc::channel::<()>();
    let (done, ended) = mpsc::channel::<()>();
    let last = Arc::clone(&store);
    store.submit_read(Box::new(move |_| {
        wait.recv().expect("a sign");
        drop(last);
        done.send(()).expect("the test waits");
    }));
    drop(store);
    go.send(()).expect("the job waits");
    ended.recv().expect("the job ends");
}
