//! How the store changes: together, in order, all or nothing, also from two processes.

use std::collections::BTreeSet;
use std::sync::mpsc;
use std::thread;

use dibber_server::Failure;
use dibber_server::store::SkillList;
use dibber_server::store::sqlite::{
    BLOB_LISTINGS, CARD_LISTINGS, DELETE_OLD_ANSWERS, EVENT_LISTINGS, HEARTBEAT_LISTING,
    RUN_LISTINGS, SKILL_LISTINGS, SKILL_RUN_LISTINGS,
};
use dibber_skill::contract::{Category, WireEnum};
use rusqlite::Connection;
use serde_json::json;
use tempfile::TempDir;

use crate::support::stores::{
    bare_skill, begin, change, failure_text, family, family_row, look, open, skill, skill_ids,
    temporary, two_families,
};

#[test]
fn a_change_that_fails_leaves_nothing_and_its_neighbours_stay() {
    let store = temporary();
    two_families(&store);
    // The first change holds the thread until the others have queued after it.
    let (go, wait) = mpsc::channel::<()>();
    let first = begin(&store, move |_| {
        wait.recv().expect("a sign");
        Ok(())
    });
    let outcomes: Vec<_> = (10..20)
        .map(|number| {
            begin(&store, move |writer| {
                writer.add_skill(&family("ours"), &bare_skill(&format!("sk_{number}")))?;
                match number {
                    12 => Err(Failure::bad_input("NO", "not this one", "")),
                    14 => panic!("a fault in a service"),
                    16 => Ok(writer.add_family(&family_row("ours")).map(|()| json!(number))?),
                    _ => Ok(json!(number)),
                }
            })
        })
        .collect();
    go.send(()).expect("a receiver");
    first.recv().expect("an outcome").expect("a success");
    let mut said_of = Vec::new();
    for (number, outcome) in (10..20).zip(outcomes) {
        match outcome.recv().expect("an outcome") {
            Ok(value) => assert_eq!(value, json!(number)),
            Err(failure) => said_of.push(failure_text(failure)),
        }
    }
    let unique = "UNIQUE constraint failed: families.id";
    assert_eq!(said_of, ["not this one", "internal error (dibber 0.1.0)", unique]);
    let committed = ["sk_1", "sk_10", "sk_11", "sk_13", "sk_15", "sk_17", "sk_18", "sk_19"];
    assert_eq!(skill_ids(&store, "ours", 100), committed, "in the order in which they were given");
}

#[test]
fn two_processes_lose_no_change() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("a folder/that is not there/dibber.db");
    // They come at once, to a database that neither has made.
    thread::scope(|scope| {
        for process in 0..4 {
            let path = &path;
            scope.spawn(move || {
                let store = open(path);
                drop(change(&store, |writer| Ok(writer.add_family(&family_row("ours"))?)));
                for number in 0..25 {
                    let id = format!("sk_{process}_{number}");
                    let added = change(&store, move |writer| {
                        Ok(writer.add_skill(&family("ours"), &skill(&id, "ours"))?)
                    });
                    added.unwrap_or_else(|failure| panic!("{}", failure_text(failure)));
                    if number % 10 == 9 {
                        drop(open(path));
                    }
                }
            });
        }
    });
    let found = skill_ids(&open(&path), "ours", 7);
    let expected: BTreeSet<_> =
        (0..4).flat_map(|process| (0..25).map(move |n| format!("sk_{process}_{n}"))).collect();
    assert_eq!(found.len(), 100);
    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
}

#[test]
fn nothing_is_done_when_too_many_changes_wait() {
    let store = temporary();
    let (go, wait) = mpsc::channel::<()>();
    let first = begin(&store, move |_| {
        wait.recv().expect("a sign");
        Ok(())
    });
    let waiting: Vec<_> = (0..6000).map(|_| begin(&store, |_| Ok(()))).collect();
    go.send(()).expect("a receiver");
    first.recv().expect("an outcome").expect("a success");
    let outcomes = waiting.into_iter().map(|outcome| outcome.recv().expect("an outcome"));
    let refused: Vec<_> = outcomes.filter_map(Result::err).map(failure_text).collect();
    assert!(refused.len() > 1000, "{}", refused.len());
    assert!(refused.iter().all(|text| text == "too many operations are waiting for the store"));
    change(&store, |_| Ok(())).expect("room again");
}

#[test]
fn no_page_costs_a_look_at_everything() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("dibber.db");
    let store = open(&path);
    two_families(&store);
    drop(store);
    let connection = Connection::open(&path).expect("the database");
    let statements = SKILL_LISTINGS.iter().chain([&HEARTBEAT_LISTING, &DELETE_OLD_ANSWERS]);
    let statements = statements.chain(&CARD_LISTINGS).chain(&EVENT_LISTINGS).chain(&RUN_LISTINGS);
    let statements = statements.chain(&BLOB_LISTINGS).chain(&SKILL_RUN_LISTINGS);
    let plans: Vec<_> = statements.map(|statement| plan(&connection, statement)).collect();
    insta::assert_snapshot!(plans.join("\n"));
}

fn plan(connection: &Connection, statement: &str) -> String {
    let explain = format!("EXPLAIN QUERY PLAN {statement}");
    let mut prepared = connection.prepare(&explain).expect("a statement");
    for parameter in 1..=prepared.parameter_count() {
        let word = Category::Generic.name();
        prepared.raw_bind_parameter(parameter, word).expect("a parameter");
    }
    let mut rows = prepared.raw_query();
    let mut plan = String::new();
    while let Some(row) = rows.next().expect("a row") {
        let step: String = row.get(3).expect("a step");
        assert!(!step.contains("SCAN") && !step.contains("TEMP B-TREE"), "{statement}: {step}");
        plan += &(step + "\n");
    }
    plan
}

#[test]
fn damaged_rows_are_left_out_and_take_no_place_in_a_page() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("dibber.db");
    let store = open(&path);
    two_families(&store);
    change(&store, |writer| {
        for id in ["sk_2", "sk_3", "sk_4"] {
            writer.add_skill(&family("ours"), &skill(id, "ours"))?;
        }
        Ok(())
    })
    .expect("a change");
    let database = Connection::open(&path).expect("the database");
    let damage = "UPDATE skills SET created_at = 1 << 62 WHERE id IN ('sk_2', 'sk_3')";
    assert_eq!(database.execute(damage, []).expect("a change"), 2);
    for (limit, ids, damaged) in [
        (1, &["sk_1"][..], &[][..]),
        (2, &["sk_1", "sk_4"], &[1, 1]),
        (3, &["sk_1", "sk_4"], &[1, 1]),
    ] {
        let list = SkillList { limit, ..SkillList::default() };
        let listed = look(&store, move |reader| Ok(reader.skills(&family("ours"), &list)?));
        let found: Vec<_> = listed.rows.iter().map(|skill| skill.id.as_str()).collect();
        assert_eq!((found.as_slice(), listed.damaged.as_slice()), (ids, damaged), "{limit}");
    }
}
