//! Stores to test on, with two families in them that have the same ids.

use std::path::Path;
use std::sync::mpsc;

use dibber_server::families::{IssueError, TokenGrant};
use dibber_server::store::sqlite::SqliteStore;
use dibber_server::store::{
    Cadence, Canvas, Child, Family, FamilyId, Heartbeat, HeartbeatState, Member, MemberRole,
    Reader, Skill, SkillList, Store, StoreExt, Token, User, Writer,
};
use dibber_server::{Failure, Server};
use dibber_skill::contract::{Category, InputVariable, MissedFires, Scope, SkillWrite, UserId};
use jiff::civil::date;
use rusqlite::Connection;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

/// A store that is gone after the test.
pub(crate) fn temporary() -> SqliteStore {
    SqliteStore::temporary().expect("a store")
}

/// A directory with the database of two families.
pub(crate) fn two_families_in_directory() -> TempDir {
    let data = TempDir::new().expect("a directory");
    two_families(&open(&data.path().join("dibber.db")));
    data
}

/// Changes the database in a directory as a fault of the disk or another program does.
pub(crate) fn damage(data: &Path, statements: &str) {
    let database = Connection::open(data.join("dibber.db")).expect("a database");
    database.pragma_update(None, "foreign_keys", false).expect("a pragma");
    database.execute_batch(statements).expect("a change");
}

/// A store in a file.
pub(crate) fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path).unwrap_or_else(|error| panic!("{error}"))
}

/// Applies a change, and waits for it.
pub(crate) fn change<T: Send + 'static>(
    store: &dyn Store,
    change: impl FnOnce(&dyn Writer) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    store.write_blocking(change)
}

/// Submits a change; its result arrives later.
pub(crate) fn begin<T: Send + 'static>(
    store: &dyn Store,
    change: impl FnOnce(&dyn Writer) -> Result<T, Failure> + Send + 'static,
) -> mpsc::Receiver<Result<T, Failure>> {
    let (send, receive) = mpsc::channel();
    store.write_then(change, move |result| drop(send.send(result)));
    receive
}

/// Reads the store.
pub(crate) fn look<T: Send + 'static>(
    store: &dyn Store,
    work: impl FnOnce(&dyn Reader) -> Result<T, Failure> + Send + 'static,
) -> T {
    store.read_blocking(work).expect("a state of the store")
}

/// Returns the text of a failure.
pub(crate) fn failure_text(failure: Failure) -> String {
    match failure {
        Failure::Refused(error) => error.message,
        Failure::Internal(cause) => cause.to_string(),
        Failure::NeedsSafetyCheck(subject) => panic!("no safety check: {subject:?}"),
    }
}

pub(crate) fn family(name: &str) -> FamilyId {
    FamilyId::from(format!("fam_{name}"))
}

/// Two families, `ours` and `theirs`, in which everything but the users has the same id.
pub(crate) fn two_families(store: &dyn Store) {
    for name in ["ours", "theirs"] {
        change(store, move |writer| {
            let id = family(name);
            writer.add_family(&family_row(name))?;
            for user in users(name) {
                writer.add_user(&id, &user)?;
            }
            writer.add_child(&id, &child(name))?;
            writer.add_canvas(&id, &canvas(name))?;
            writer.add_skill(&id, &skill("sk_1", name))?;
            writer.add_heartbeat(&id, &heartbeat("hb_1", name), &members(name))?;
            Ok(writer.put_token(&token(name))?)
        })
        .expect("a family");
    }
}

pub(crate) fn family_row(name: &str) -> Family {
    Family {
        id: family(name),
        name: name.to_owned(),
        time_zone: "Europe/Berlin".to_owned(),
        chat_id: format!("chat_{name}").into(),
    }
}

pub(crate) fn users(name: &str) -> [User; 2] {
    ["a", "b"]
        .map(|user| User { id: format!("usr_{name}_{user}").into(), name: user.to_uppercase() })
}

pub(crate) fn child(name: &str) -> Child {
    Child { id: "kid_1".into(), name: format!("Ottilie {name}"), birth_date: date(2019, 4, 30) }
}

pub(crate) fn canvas(name: &str) -> Canvas {
    Canvas {
        id: "7b0e1c1e-0000-4000-8000-000000000001".into(),
        name: format!("Fractions of {name}"),
        emoji: Some("🍕".to_owned()),
        age_range: Some("5-7".to_owned()),
    }
}

/// Returns a string with the form of the digest of a token.
pub(crate) fn token_digest(name: &str) -> String {
    let digits: String = name.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("{digits:0>64}")
}

pub(crate) fn token(name: &str) -> Token {
    Token {
        digest: token_digest(name),
        family: family(name),
        user_id: format!("usr_{name}_a").into(),
        scopes: vec![Scope::SkillWrite, Scope::FamilyRead],
        name: Some("Agent".to_owned()),
        created_at: Some(1_700_000_000_000),
        expires_at: Some(4_000_000_000_000),
        grant_id: None,
        audience: None,
        used_at: Some(1_700_000_060_000),
    }
}

/// Issues a token that does not expire.
pub(crate) fn issue_token(
    server: &Server,
    family: &FamilyId,
    user_id: &UserId,
    scopes: &[Scope],
) -> Result<String, Failure> {
    let grant = TokenGrant {
        user_id: user_id.clone(),
        scopes: scopes.to_vec(),
        name: None,
        expires_at: None,
    };
    let (send, receive) = mpsc::channel();
    let issued = server.issue_token(family, grant, move |token| {
        send.send(token.to_owned()).map_err(std::io::Error::other)
    });
    match issued {
        Ok(_) => Ok(receive.recv().expect("a token")),
        Err(IssueError::Failed(failure)) => Err(failure),
        Err(IssueError::Undelivered(error)) => panic!("{error}"),
    }
}

/// A skill of which everything is given.
pub(crate) fn skill(id: &str, name: &str) -> Skill {
    let input = InputVariable {
        name: "topic".to_owned(),
        kind: Some("string".to_owned()),
        description: None,
    };
    let written = SkillWrite {
        name: name.to_owned(),
        description: "Asks \"why\", and 'why' again; -- always".to_owned(),
        category: Some(Category::HomeAgent),
        prompt: "Ask about {{input.topic}}\u{0}\nand wait 🌱.".to_owned(),
        hands_referenced: vec!["task_create".to_owned()],
        input_variables: vec![input],
        kid_callable: Some(false),
        canvas_ids: vec![canvas(name).id],
        age_range: Some("5-7".to_owned()),
        response_model: Some(Map::from_iter([("maxProperties".to_owned(), json!(3))])),
    };
    Skill {
        id: id.into(),
        written,
        is_archived: false,
        created_at: 1_700_000_000_000,
        last_triggered_at: None,
    }
}

/// A skill of which nothing is given that may be left out.
pub(crate) fn bare_skill(id: &str) -> Skill {
    let full = skill(id, "bare");
    let written = SkillWrite {
        name: full.written.name,
        description: full.written.description,
        prompt: full.written.prompt,
        ..SkillWrite::default()
    };
    Skill { written, ..full }
}

pub(crate) fn heartbeat(id: &str, name: &str) -> Heartbeat {
    let skill_input: Map<String, Value> = Map::from_iter([("topic".to_owned(), json!("bees"))]);
    Heartbeat {
        id: id.into(),
        name: format!("Morning of {name}"),
        cadence: Cadence::parse("0 7 * * *", "Europe/Berlin").expect("a cadence"),
        run_skill_id: "sk_1".into(),
        assignment_skill_id: Some("sk_1".into()),
        child_id: Some("kid_1".into()),
        skill_input,
        post_result_notify: true,
        state: HeartbeatState::Active,
        chat_id: format!("chat_of_{id}").into(),
        created_at: 1_700_000_000_000,
        last_run_at: None,
        missed_fires: MissedFires::Once,
        decided_until: 0,
        failed_in_row: 0,
    }
}

pub(crate) fn members(name: &str) -> [Member; 2] {
    [
        Member { user_id: format!("usr_{name}_b").into(), role: MemberRole::Member },
        Member { user_id: format!("usr_{name}_a").into(), role: MemberRole::Owner },
    ]
}

/// The ids of all skills of a family, in their order, read in pages of that many.
pub(crate) fn skill_ids(store: &dyn Store, of: &str, limit: usize) -> Vec<String> {
    let mut list = SkillList { limit, include_archived: true, ..SkillList::default() };
    let mut ids = Vec::new();
    loop {
        let (of, page) = (family(of), list.clone());
        let page = look(store, move |reader| Ok(reader.skills(&of, &page)?.rows));
        let Some(end) = page.last() else { return ids };
        list.after = Some(end.id.clone());
        ids.extend(page.into_iter().map(|skill| skill.id.into()));
    }
}
