//! What PostgreSQL does besides what every store does: addresses, the state of a database that is
//! opened, connections that are lost, and errors that quote nothing.

use std::sync::Arc;

use dibber_server::store::postgres::{OpenError, PostgresAddress, PostgresStore};
use dibber_server::store::{
    DatabaseAddress, DatabaseProblem, Store, StoreExt, StoreResult, User, check, child_names,
    heartbeat_names,
};

use crate::support::postgres::{TestDatabase, address};
use crate::support::stores::{
    bare_skill, change, failure_text, family, look, skill_ids, two_families,
};

/// Returns what is shown of a URL, or why it is invalid.
fn shown(url: &str) -> String {
    match DatabaseAddress::parse(url) {
        Ok(address) => {
            let is_open = if address.is_unencrypted() { " (not encrypted)" } else { "" };
            let debug = format!("{address:?}");
            assert!(!debug.contains("secret"), "{debug}");
            format!("{address}{is_open}")
        }
        Err(error) => format!("{error}: {}", error.help()),
    }
}

#[test]
fn an_address_shows_no_password_and_says_whether_it_is_encrypted() {
    let urls = [
        "data/of/dibber",
        "",
        "mysql://me:secret@db.example/dibber",
        "postgres://me:secret@db.example/dibber",
        "postgresql://me:se%40cret@db.example:5433/dibber?connect_timeout=3",
        "postgres://me:secret@db.example/dibber?sslmode=disable",
        "postgres://me:secret@127.0.0.1/dibber",
        "postgres://me:secret@localhost:5433/dibber?sslmode=disable",
        "postgres://me:secret@[::1]:5433/dibber?sslmode=verify-full&sslrootcert=%2Fca.pem",
        "postgres://me:secret@localhost,db.example/dibber?sslmode=disable",
        "postgres://me:secret@%2Fvar%2Frun%2Fpostgresql/dibber",
        "postgres://me:secret@db.example/dibber?sslmode=prefer",
        "postgres://me:secret@db.example/dibber?sslmode=secret",
        "postgres://me:secret@db.example/dibber?sslmode=disable&sslrootcert=ca.pem",
        "postgres://me:secret@db.example/dibber?sslrootcert=%FF",
        "postgres://me:secret@db.example/dibber?secret=1",
        "postgres://me:secret@db.example:port/dibber",
        "postgres:///dibber",
        "postgres://db.example/dibber",
    ];
    let lines: Vec<_> = urls.iter().map(|url| format!("{url}\n  {}", shown(url))).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

fn refusal(database: &TestDatabase) -> OpenError {
    PostgresStore::open(&database.address()).err().expect("a refusal")
}

/// Returns an error with its help, without the address.
fn text(error: &OpenError, database: &TestDatabase) -> String {
    format!("{error}: {}", error.help()).replace(&database.address().to_string(), "ADDRESS")
}

#[test]
fn databases_of_others_and_of_newer_versions_are_refused() {
    let Some(database) = TestDatabase::create() else { return };
    drop(database.open());
    database.execute("INSERT INTO migrations (version) VALUES (1000)");
    let newer = refusal(&database);
    assert!(matches!(newer, OpenError::Newer { found: 1000, .. }), "{newer}");
    let foreign = TestDatabase::create().expect("a database");
    foreign.connect().batch_execute("CREATE SCHEMA dibber; CREATE TABLE dibber.t ()").expect("DDL");
    let legacy = TestDatabase::create_with("SQL_ASCII").expect("a database");
    let errors = [
        text(&refusal(&foreign), &foreign),
        text(&refusal(&legacy), &legacy),
        text(&newer, &database).replace(|c: char| c.is_ascii_digit(), "N"),
    ];
    insta::assert_snapshot!(errors.join("\n"));
    let empty = TestDatabase::create().expect("a database");
    let address = DatabaseAddress::Postgres(empty.address());
    assert!(check(&address).is_err_and(|error| error.is_missing()));
    assert!(child_names(&address).is_err_and(|error| error.is_missing()));
}

#[test]
fn a_server_that_cannot_be_reached_is_named_without_the_password() {
    let unreachable = address("postgres://me:secret@127.0.0.1:1/dibber");
    let error = PostgresStore::open(&unreachable).err().expect("an error").to_string();
    assert!(error.starts_with("cannot connect to `postgres://me@127.0.0.1:1/dibber`: "), "{error}");
    assert!(!error.contains("secret"), "{error}");
    let Some(database) = TestDatabase::create() else { return };
    let url = database.url().replace("te%40st", "secret");
    let error = PostgresStore::open(&address(&url)).err().expect("an error").to_string();
    assert!(error.contains("authentication") && !error.contains("secret"), "{error}");
}

#[test]
fn processes_that_start_at_once_create_the_tables_once() {
    let Some(database) = TestDatabase::create() else { return };
    let ids: Vec<String> = std::thread::scope(|scope| {
        let opened = (0..4).map(|_| scope.spawn(|| server_id(&database.open())));
        let opened: Vec<_> = opened.collect();
        opened.into_iter().map(|opened| opened.join().expect("a thread")).collect()
    });
    assert!(ids.iter().all(|id| *id == ids[0] && id.starts_with("srv_")), "{ids:?}");
}

fn server_id(store: &dyn Store) -> String {
    look(store, |reader| Ok(reader.server_id()?))
}

/// Ends every connection to a database but this one.
const END_CONNECTIONS: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()";

#[test]
fn a_connection_that_was_lost_while_it_was_idle_is_made_again() {
    let Some(database) = TestDatabase::create() else { return };
    let store = database.open();
    two_families(&store);
    assert_eq!(skill_ids(&store, "ours", 10), ["sk_1"]);
    for number in 2..4 {
        database.execute(END_CONNECTIONS);
        let id = format!("sk_{number}");
        change(&store, move |writer| Ok(writer.add_skill(&family("ours"), &bare_skill(&id))?))
            .expect("a change");
        assert_eq!(skill_ids(&store, "ours", 10).len(), number);
    }
}

#[test]
fn a_connection_that_is_lost_in_a_change_undoes_it() {
    let Some(database) = TestDatabase::create() else { return };
    let database = Arc::new(database);
    let store = database.open();
    two_families(&store);
    let other = Arc::clone(&database);
    let failed = change(&store, move |writer| {
        writer.add_skill(&family("ours"), &bare_skill("sk_2"))?;
        other.execute(END_CONNECTIONS);
        Ok(writer.add_skill(&family("ours"), &bare_skill("sk_3"))?)
    });
    failed.expect_err("a lost connection");
    assert_eq!(skill_ids(&store, "ours", 10), ["sk_1"]);
    change(&store, |writer| Ok(writer.add_skill(&family("ours"), &bare_skill("sk_4"))?))
        .expect("the next change");
    assert_eq!(skill_ids(&store, "ours", 10), ["sk_1", "sk_4"]);
}

/// A trigger that runs when a transaction is committed which has added a skill.
fn at_commit(statement: &str) -> String {
    format!(
        "CREATE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN {statement}; RETURN NULL; END $$;
         CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON skills
             DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.id = 'sk_2')
             EXECUTE FUNCTION at_commit()"
    )
}

#[test]
fn a_connection_that_is_lost_in_a_commit_leaves_the_outcome_unknown() {
    let Some(database) = TestDatabase::create() else { return };
    let store = database.open();
    two_families(&store);
    database.execute(&at_commit("PERFORM pg_terminate_backend(pg_backend_pid())"));
    let add = || change(&store, |w| Ok(w.add_skill(&family("ours"), &bare_skill("sk_2"))?));
    let text = failure_text(add().expect_err("a lost connection"));
    assert!(text.starts_with("it is not known whether the change was made: "), "{text}");
    database.execute("DROP TRIGGER at_commit ON skills");
    add().expect("the change again");
    assert_eq!(skill_ids(&store, "ours", 10), ["sk_1", "sk_2"]);
}

#[test]
fn an_error_quotes_nothing_of_the_database() {
    let Some(database) = TestDatabase::create() else { return };
    let store = database.open();
    two_families(&store);
    let twice = change(&store, |writer| {
        let user = User { id: "usr_theirs_a".into(), name: "Ottilie".to_owned() };
        Ok(writer.add_user(&family("ours"), &user)?)
    });
    let text = failure_text(twice.expect_err("a user of another family"));
    assert_eq!(text, "PostgreSQL error 23505 in constraint users_id_key");
    database.execute(&at_commit("RAISE EXCEPTION 'Ottilie'"));
    let refused =
        change(&store, |writer| Ok(writer.add_skill(&family("ours"), &bare_skill("sk_2"))?));
    assert_eq!(failure_text(refused.expect_err("a refusal")), "PostgreSQL error P0001");
    assert_eq!(skill_ids(&store, "ours", 10), ["sk_1"]);
}

#[test]
fn a_damaged_row_is_found_and_left_out_of_lists() {
    let Some(database) = TestDatabase::create() else { return };
    let store = database.open();
    two_families(&store);
    let address = DatabaseAddress::Postgres(database.address());
    assert_eq!(check(&address).expect("a check"), []);
    for id in ["sk_2", "sk_3", "sk_4"] {
        change(&store, move |writer| Ok(writer.add_skill(&family("ours"), &bare_skill(id))?))
            .expect("a change");
    }
    database.execute(
        "UPDATE skills SET hands = 'no JSON' WHERE id = 'sk_2';
         UPDATE skills SET name = E'\\x1A7' WHERE id = 'sk_3';
         UPDATE children SET birth_date = 'x' WHERE family_id = 'fam_ours';
         DELETE FROM heartbeat_members WHERE family_id = 'fam_ours' AND role = 'owner'",
    );
    let found = check(&address).expect("a check");
    let found: Vec<String> = found.iter().map(DatabaseProblem::to_string).collect();
    insta::assert_snapshot!(found.join("\n"));
    assert_eq!(skill_ids(&store, "ours", 1), ["sk_1", "sk_4"], "they take no place of a page");
    let names: Vec<_> = heartbeat_names(&address).expect("names");
    assert_eq!(names, ["Morning of theirs", "Morning of ours"]);
    assert_eq!(child_names(&address).expect("names").len(), 2);
}

#[test]
fn a_connection_is_encrypted_and_the_server_verified() {
    let Some(database) = TestDatabase::create() else { return };
    let Some(certificate) = database.certificate() else { return };
    let url = |host: &str, parameters: &str| -> PostgresAddress {
        let separator = if database.url().contains('?') { "" } else { "?" };
        let url = database.url().replace("@localhost:", &format!("@{host}:"));
        address(&format!("{url}{separator}{parameters}"))
    };
    let authority = certificate.to_string_lossy().replace('/', "%2F");
    let known = format!("sslmode=require&sslrootcert={authority}");
    let store = PostgresStore::open(&url("localhost", &known)).expect("a store");
    let encrypted = "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
        WHERE ssl AND datname = current_database()";
    let row = database.connect().query_one(encrypted, &[]).expect("a row");
    assert_eq!(row.get::<_, i64>(0), 1);
    let read: StoreResult<String> = store.read_blocking(|reader| reader.server_id());
    read.expect("an id");
    for (host, parameters) in [("localhost", "sslmode=require"), ("127.0.0.1", known.as_str())] {
        let refused = PostgresStore::open(&url(host, parameters)).err().expect("a refusal");
        let text = refused.to_string();
        assert!(text.contains("certificate"), "{text}");
    }
}
