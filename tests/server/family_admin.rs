//! What the owner of the machine does with the families on it.

use std::sync::{Arc, mpsc};

use dibber_server::families::TokenGrant;
use dibber_server::store::{FamilyId, HeartbeatState, Store};
use dibber_server::{Failure, Server};
use dibber_skill::contract::{Scope, WireEnum};
use jiff::civil::{Date, date};
use jiff::{SignedDuration, Timestamp};

use crate::support::stores::{
    bare_skill, change, failure_text, heartbeat, issue_token, look, open, temporary,
};

/// A server with a fixed clock: 03:30 in London, and still the day before in New York.
fn server(store: impl Store + 'static) -> Server {
    let now = "2026-01-01T03:30:00Z".parse().expect("a time");
    Server::new(Arc::new(store), Arc::new(move || now))
}

fn home(server: &Server) -> FamilyId {
    server.home("America/New_York").expect("the family").id
}

/// A refusal, with the code, the reason and the help.
fn refusal<T: std::fmt::Debug>(result: Result<T, Failure>) -> String {
    let error = result.expect_err("a refusal").into_tool_error();
    let reason = error.reason.unwrap_or_default();
    format!("{} {reason}: {}\n  fix: {}\n", error.code.name(), error.message, error.fix)
}

#[test]
fn a_machine_has_one_home() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("dibber.db");
    let (one, other) = (server(open(&path)), server(open(&path)));
    let homes: Vec<_> = std::thread::scope(|scope| {
        let threads = [&one, &other, &one, &other].map(|server| scope.spawn(|| home(server)));
        threads.into_iter().map(|thread| thread.join().expect("a family")).collect()
    });
    assert!(homes.iter().all(|id| *id == homes[0]), "{homes:?}");
    let families = other.families().expect("the families").rows;
    assert_eq!(families.len(), 1);
    assert_eq!((&*families[0].name, &*families[0].time_zone), ("home", "America/New_York"));
    let founders = one.household(&homes[0]).expect("the family").users;
    assert_eq!(founders.len(), 1);
    let owner = one.owner_of(&homes[0]).expect("the owner");
    assert_eq!((owner.family, owner.user_id), (homes[0].clone(), founders[0].id.clone()));
    assert_eq!(owner.scopes, Scope::all());
}

#[test]
fn families_are_apart() {
    let server = server(temporary());
    let one = home(&server);
    let other = server.open_or_create_family(" The Fields ", "europe/berlin").expect("a family");
    assert_eq!((&*other.name, &*other.time_zone), ("The Fields", "Europe/Berlin"));
    let again = server.open_or_create_family("The Fields", "Nowhere/At_All").expect("the family");
    assert_eq!(again, other, "it is there already, and keeps its time zone");
    server.add_child(&other.id, "Bram", date(2019, 4, 30)).expect("a child");
    server.add_canvas(&other.id, "Fractions", None, None).expect("a canvas");
    let household = server.household(&one).expect("the family");
    assert_eq!((household.children, household.canvases), (vec![], vec![]));
    assert_ne!(one, other.id);
}

#[test]
fn added_values_are_stored_in_normal_form() {
    let server = server(temporary());
    let home = home(&server);
    let user = server.add_user(&home, " Kim ").expect("a grown-up");
    let child = server.add_child(&home, " Anna   Lena ", date(2025, 12, 31)).expect("a child");
    let canvas = server.add_canvas(&home, "Fractions", Some("👩‍👧"), Some("5-7")).expect("a canvas");
    assert_eq!((&*user.name, &*child.name), ("Kim", "Anna Lena"));
    let household = server.household(&home).expect("the family");
    assert_eq!(household.users[1..], [user]);
    assert_eq!(household.children, [child]);
    assert_eq!(household.canvases, [canvas]);
    let (id, sign) = (&household.canvases[0].id, &household.canvases[0].emoji);
    assert_eq!(id.as_str().split('-').map(str::len).collect::<Vec<_>>(), [8, 4, 4, 4, 12], "{id}");
    assert_eq!(sign.as_deref(), Some("👩‍👧"));
}

#[test]
fn invalid_values_are_refused() {
    let server = server(temporary());
    let home = home(&server);
    let nowhere = FamilyId::from("fam_0".to_owned());
    let born = |day: Date| server.add_child(&home, "Ottilie", day);
    born(date(2007, 1, 1)).expect("a child that is 18 in New York, and not yet 19");
    let ages = |ages| server.add_canvas(&home, "Fractions", None, Some(ages));
    let mut refused = vec![
        refusal(server.open_or_create_family("", "UTC")),
        refusal(server.open_or_create_family("Fields", "Europe/Berln")),
        refusal(server.add_user(&home, &"x".repeat(101))),
        refusal(server.add_user(&home, "\u{1b}[31m")),
        refusal(server.add_user(&nowhere, "Kim")),
        refusal(server.add_child(&home, "A", date(2019, 4, 30))),
        refusal(server.add_child(&home, "~Will", date(2019, 4, 30))),
        refusal(server.add_child(&home, "Bram\u{1b}", date(2019, 4, 30))),
        refusal(server.add_child(&nowhere, "Bram", date(2019, 4, 30))),
        refusal(born(date(2019, 4, 30))),
        refusal(born(date(2026, 1, 1))),
        refusal(born(date(2006, 12, 31))),
        refusal(server.add_canvas(&home, "Fractions", Some("a long text, not a sign"), None)),
        refusal(server.household(&nowhere)),
        refusal(server.owner_of(&nowhere)),
        refusal(server.archive_skill(&home, &"sk_0".into())),
        refusal(issue_token(&server, &home, &"usr_0".into(), &[])),
    ];
    refused
        .extend(["5", "7-5", "5-19", "+5-7", "05-7", "-5-7", "5 - 7"].map(|it| refusal(ages(it))));
    insta::assert_snapshot!(refused.concat());
}

#[test]
fn a_skill_that_a_heartbeat_runs_is_not_archived() {
    let server = server(temporary());
    let home = home(&server);
    let family = home.clone();
    change(server.store(), move |writer| {
        writer.add_skill(&family, &bare_skill("sk_1"))?;
        writer.add_skill(&family, &bare_skill("sk_2"))?;
        for number in 0..150 {
            let mut new = heartbeat(&format!("hb_{number}"), "us");
            new.child_id = None;
            // The last one of many, after one that is cancelled.
            new.run_skill_id = if number < 148 { "sk_2" } else { "sk_1" }.into();
            if number == 148 {
                new.state = HeartbeatState::Cancelled;
            }
            writer.add_heartbeat(&family, &new, &[])?;
        }
        Ok(())
    })
    .expect("skills and heartbeats");
    let refused = refusal(server.archive_skill(&home, &"sk_1".into()));
    assert_eq!(
        refused,
        "BAD_INPUT SKILL_IN_USE: the heartbeat `Morning of us` still runs the skill\n  \
         fix: cancel the heartbeat `hb_149` first\n"
    );
    let family = home.clone();
    change(server.store(), move |writer| {
        let mut last = writer.heartbeat(&family, &"hb_149".into())?.expect("the heartbeat");
        last.state = HeartbeatState::Cancelled;
        Ok(writer.put_heartbeat(&family, &last)?)
    })
    .expect("a change");
    assert!(server.archive_skill(&home, &"sk_1".into()).expect("the skill").is_archived);
    assert!(
        server.archive_skill(&home, &"sk_1".into()).expect("the skill").is_archived,
        "and again"
    );
    let stored = look(server.store(), move |reader| Ok(reader.skill(&home, &"sk_1".into())?));
    assert!(stored.expect("the skill").is_archived);
}

#[test]
fn a_token_belongs_to_one_grown_up() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("dibber.db");
    let store = open(&path);
    let server = server(store);
    let home = home(&server);
    let user = server.add_user(&home, "Kim").expect("a grown-up");
    let scopes = [Scope::SkillRead, Scope::FamilyRead];
    let token = issue_token(&server, &home, &user.id, &scopes).expect("a token");
    let digits = token.strip_prefix("dib_").expect("a prefix");
    assert!(digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()), "{token}");
    let caller = server.caller_of_token(&token).expect("a look").expect("the caller");
    assert_eq!((caller.family, caller.user_id), (home.clone(), user.id.clone()));
    assert_eq!(caller.scopes, scopes);
    for wrong in ["", "dib_", digits, &token.to_uppercase()] {
        assert_eq!(server.caller_of_token(wrong).expect("a look"), None, "{wrong}");
    }
    let other = issue_token(&server, &home, &user.id, &[]).expect("a token");
    assert_ne!(other, token, "each is a new one");
    let owner = server.owner_of(&home).expect("an owner").user_id;
    let owners = issue_token(&server, &home, &owner, &scopes).expect("a token");
    assert_eq!(server.revoke_tokens(&home, &owner).expect("a change"), 1);
    assert_eq!(server.caller_of_token(&owners).expect("a look"), None);
    assert!(server.caller_of_token(&token).expect("a look").is_some(), "another grown-up's stays");
    refusal(server.revoke_tokens(&home, &"usr_0".into()));
    server.store().close();
    let stored = std::fs::read(&path).expect("the database");
    let is_stored = stored.windows(digits.len()).any(|bytes| bytes == digits.as_bytes());
    assert!(!is_stored, "the token itself is not stored");
    let late = server.caller_of_token(&token).expect_err("a closed store");
    assert_eq!(failure_text(late), "the store is closed");
}

#[test]
fn a_token_expires() {
    let server = server(temporary());
    let home = home(&server);
    let user_id = server.owner_of(&home).expect("an owner").user_id;
    let now: Timestamp = "2026-01-01T03:30:00Z".parse().expect("a time");
    for (expires_at, is_known) in
        [(None, true), (Some(now), false), (Some(now + SignedDuration::from_millis(1)), true)]
    {
        let (send, receive) = mpsc::channel();
        let (user_id, scopes) = (user_id.clone(), vec![Scope::SkillRead]);
        let grant = TokenGrant { user_id, scopes, name: None, expires_at };
        let issued = server.issue_token(&home, grant, move |token| {
            send.send(token.to_owned()).map_err(std::io::Error::other)
        });
        assert!(issued.is_ok_and(|id| id.starts_with("tok_")));
        let token = receive.recv().expect("a token");
        let caller = server.caller_of_token(&token).expect("a look");
        assert_eq!(caller.is_some(), is_known, "{expires_at:?}");
    }
}

/// A program that reads a token at any time does not hold up those who write meanwhile.
#[test]
fn a_token_is_delivered_before_it_is_stored() {
    let server = server(temporary());
    let home = home(&server);
    let user_id = server.owner_of(&home).expect("an owner").user_id;
    let grant = || TokenGrant {
        user_id: user_id.clone(),
        scopes: vec![Scope::SkillRead],
        name: None,
        expires_at: None,
    };
    let mut delivered = String::new();
    let id = server.issue_delivered_token(&home, grant(), |token| {
        delivered = token.to_owned();
        server.open_or_create_family("Writes meanwhile", "UTC").expect("a family");
        Ok(())
    });
    assert!(id.is_ok_and(|id| id.starts_with("tok_")));
    assert!(server.caller_of_token(&delivered).expect("a look").is_some());
    let refused = TokenGrant { user_id: "usr_0".into(), ..grant() };
    let refused = server.issue_delivered_token(&home, refused, |_| panic!("it was delivered"));
    assert!(refused.is_err());
    let closed = || Err(std::io::ErrorKind::BrokenPipe.into());
    assert!(server.issue_delivered_token(&home, grant(), |_| closed()).is_err());
    assert_eq!(server.tokens(&home).expect("tokens").rows.len(), 1);
}
