//! Copies of families between stores: each row, in the same order, or nothing.

use std::collections::BTreeMap;

use dibber_server::Failure;
use dibber_server::store::rows::{StoredValue, TABLES};
use dibber_server::store::sqlite::SqliteStore;
use dibber_server::store::{
    Card, CopyError, Credential, Event, FamilyId, HeartbeatState, RecordedAnswer, Store, copy,
    plan_copy,
};
use dibber_skill::contract::{ActivityRefs, ActivityType, CardKind, CardState};
use serde_json::{Map, json};

use super::store_blobs::{file_blob, text_blob};
use super::store_grants::{credential, grant};
use super::store_runs::full_run;
use super::store_skill_runs::{failed_code_run, skill_run};
use crate::support::postgres::TestDatabase;
use crate::support::stores::{
    bare_skill, change, damage, family, family_row, heartbeat, look, open, temporary, two_families,
    two_families_in_directory,
};

/// Two families that have rows in every table.
fn full(store: &dyn Store) {
    two_families(store);
    change(store, |writer| {
        for name in ["theirs", "ours"] {
            let id = family(name);
            writer.add_skill(&id, &bare_skill("sk_2"))?;
            for number in 0..3 {
                let mut cancelled = heartbeat(&format!("hb_cancelled_{number}"), name);
                writer.add_heartbeat(&id, &cancelled, &[])?;
                cancelled.state = HeartbeatState::Cancelled;
                writer.put_heartbeat(&id, &cancelled)?;
            }
            writer.add_run(&id, &full_run("run_1", 100))?;
            let granted = format!("grant_{name}");
            writer.put_grant(&grant(&granted, name))?;
            let refresh = Credential {
                grant_id: Some(granted),
                ..credential(&format!("secret {name}"), name)
            };
            writer.put_credential(&refresh)?;
            writer.add_blob(&id, &text_blob(&format!("blob:{name}_1"), "a\u{0}🌱"))?;
            writer.add_blob(&id, &file_blob(&format!("blob:{name}_2"), "blobs_1"))?;
            writer.add_skill_run(&id, &skill_run("run_1", name))?;
            writer.add_skill_run(&id, &failed_code_run("run_2", name))?;
            let card = Card {
                id: "res_1".into(),
                skill_id: "sk_1".into(),
                thread_id: "chat".into(),
                user_id: format!("usr_{name}_a").into(),
                heartbeat_id: None,
                run_id: Some("run_1".into()),
                kind: CardKind::Result,
                state: CardState::Read,
                posted_at: 5,
                result: Map::from_iter([("text".to_owned(), json!("\u{0}🌱"))]),
            };
            writer.add_card(&id, &card, 10)?;
            let event = Event {
                kind: ActivityType::ResultPosted,
                actor: None,
                refs: ActivityRefs::default(),
                payload: Map::new(),
                at: 7,
            };
            writer.add_event(&id, &event, 10)?;
            writer.add_event(&id, &event, 10)?;
            let answer = RecordedAnswer {
                user_id: format!("usr_{name}_a").into(),
                key: "key \u{1a}".to_owned(),
                fingerprint: "fingerprint".to_owned(),
                answer: json!({"at": 1}),
                at: 1,
            };
            writer.record_answer(&answer, 0)?;
        }
        Ok(())
    })
    .expect("a change");
}

/// Returns every row of a family, by table.
fn rows(store: &dyn Store, id: &FamilyId) -> BTreeMap<&'static str, Vec<Vec<StoredValue>>> {
    let id = id.clone();
    look(store, move |reader| {
        let table = |table: &'static dibber_server::store::rows::Table| {
            let rows = reader.rows_after(table, &id, i64::MIN, 1000)?;
            let values: Vec<_> = rows.into_iter().map(|row| row.values).collect();
            Ok::<_, Failure>((table.name, values))
        };
        TABLES.iter().map(table).collect()
    })
}

fn server_id(store: &dyn Store) -> String {
    look(store, |reader| Ok(reader.server_id()?))
}

/// Copies everything to an empty store, and compares both.
fn copy_all(from: &dyn Store, to: &dyn Store) {
    let plan = plan_copy(from, Some(to), None).expect("a plan");
    assert_eq!(plan.server_id, Some(server_id(from)));
    let planned: Vec<_> = plan.families.clone();
    let copied = copy(from, to, plan).expect("a copy");
    assert_eq!(server_id(to), server_id(from));
    for (planned, copied) in planned.iter().zip(&copied) {
        assert_eq!(planned.id, copied.id);
        let counts: Vec<_> = copied.tables.iter().map(|table| (table.name, table.rows)).collect();
        assert_eq!(counts, planned.tables);
        assert!(counts.iter().all(|(_, rows)| *rows > 0), "{counts:?}");
        assert_eq!(rows(from, &copied.id), rows(to, &copied.id));
    }
    let families = |store: &dyn Store| look(store, |reader| Ok(reader.families()?.rows));
    assert_eq!(families(from), families(to));
    let again = plan_copy(from, Some(to), None).expect_err("a refusal");
    assert!(matches!(again, CopyError::Present(id) if id == family("ours")));
}

#[test]
fn everything_is_copied_between_two_directories() {
    let (from, to) = (temporary(), temporary());
    full(&from);
    copy_all(&from, &to);
}

#[test]
fn everything_is_copied_to_postgres_and_back() {
    let Some(database) = TestDatabase::create() else { return };
    let (from, postgres, back) = (temporary(), database.open(), temporary());
    full(&from);
    copy_all(&from, &postgres);
    copy_all(&postgres, &back);
    // The copy goes on with the numbers of its own rows.
    change(&postgres, |w| Ok(w.add_skill(&family("ours"), &bare_skill("sk_3"))?)).expect("a skill");
    let skills = rows(&postgres, &family("ours"))["skills"].len();
    assert_eq!(skills, 3);
}

#[test]
fn one_family_is_copied_beside_others() {
    let (from, to) = (temporary(), temporary());
    full(&from);
    change(&to, |writer| Ok(writer.add_family(&family_row("other"))?)).expect("a family");
    let own_id = server_id(&to);
    let unknown = plan_copy(&from, Some(&to), Some(&family("nobody"))).expect_err("a refusal");
    assert!(matches!(unknown, CopyError::UnknownFamily(_)), "{unknown}");
    let plan = plan_copy(&from, Some(&to), Some(&family("theirs"))).expect("a plan");
    copy(&from, &to, plan).expect("a copy");
    assert_eq!(rows(&from, &family("theirs")), rows(&to, &family("theirs")));
    assert_eq!(rows(&to, &family("ours"))["families"], Vec::<Vec<StoredValue>>::new());
    assert_eq!(server_id(&to), own_id);
}

/// Asserts that nothing of a family is in a store.
fn assert_absent(store: &dyn Store, id: &FamilyId) {
    let rows = rows(store, id);
    assert!(rows.values().all(Vec::is_empty), "{rows:?}");
}

#[test]
fn a_copy_that_fails_leaves_nothing() {
    let data = two_families_in_directory();
    let to = temporary();
    // A value that its column cannot have, in the table that is copied last but one.
    damage(data.path(), "UPDATE heartbeat_members SET role = x'ff' WHERE family_id = 'fam_theirs'");
    let from = open(&data.path().join("dibber.db"));
    let plan = plan_copy(&from, Some(&to), None).expect("a plan");
    let failed = copy(&from, &to, plan).expect_err("a damaged row");
    assert_eq!(failed.to_string(), format!("cannot read the source: {}", damaged()));
    assert_absent(&to, &family("ours"));
    assert_ne!(server_id(&to), server_id(&from));
}

fn damaged() -> dibber_server::store::StoreError {
    dibber_server::store::StoreError::Damaged
}

#[test]
fn a_family_of_the_same_name_is_not_copied() {
    let (from, to) = (temporary(), temporary());
    full(&from);
    let mut namesake = family_row("other");
    namesake.name = family_row("ours").name;
    change(&to, move |writer| Ok(writer.add_family(&namesake)?)).expect("a family");
    let refused = plan_copy(&from, Some(&to), None).expect_err("a refusal");
    assert!(matches!(refused, CopyError::NameTaken(_)), "{refused}");
}

/// The tables that are not copied with a family.
const NOT_COPIED: [&str; 5] =
    ["clients", "server", "sqlite_sequence", "migrations", "sqlite_stat1"];

/// Returns what is copied: each table with its columns.
fn copied_columns() -> BTreeMap<String, Vec<String>> {
    let columns = |table: &dibber_server::store::rows::Table| {
        let mut columns: Vec<_> = table.columns.iter().map(|it| it.name.to_owned()).collect();
        columns.sort();
        (table.name.to_owned(), columns)
    };
    TABLES.iter().map(columns).collect()
}

/// Groups columns by their tables, without the numbers of rows.
fn by_table(columns: impl IntoIterator<Item = (String, String)>) -> BTreeMap<String, Vec<String>> {
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (table, column) in columns {
        if !NOT_COPIED.contains(&table.as_str()) && column != "seq" {
            tables.entry(table).or_default().push(column);
        }
    }
    for columns in tables.values_mut() {
        columns.sort();
    }
    tables
}

#[test]
fn every_column_of_every_table_is_copied() {
    let directory = tempfile::TempDir::new().expect("a directory");
    let path = directory.path().join("dibber.db");
    drop(SqliteStore::open(&path).expect("a database"));
    let connection = rusqlite::Connection::open(path).expect("a database");
    let statement = "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c
        WHERE m.type = 'table'";
    let mut prepared = connection.prepare(statement).expect("a statement");
    let columns = prepared.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("columns");
    assert_eq!(by_table(columns.map(|column| column.expect("a column"))), copied_columns());
    let Some(database) = TestDatabase::create() else { return };
    drop(database.open());
    let statement = "SELECT table_name::text, column_name::text FROM information_schema.columns
        WHERE table_schema = 'dibber'";
    let rows = database.connect().query(statement, &[]).expect("columns");
    let columns = rows.iter().map(|row| (row.get(0), row.get(1)));
    assert_eq!(by_table(columns), copied_columns());
}
