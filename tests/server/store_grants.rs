//! What every store does with grants, the clients that registered, and credentials.

use dibber_server::store::{Credential, CredentialKind, Grant, RegisteredClient, Token};
use dibber_skill::contract::Scope;
use serde_json::json;

use super::store_conformance::{Check, Data};
use crate::support::stores::{change, family, look, token, token_digest, two_families};

pub(super) const CHECKS: [Check; 4] = [
    ("grants_are_read_as_they_were_written", grants_are_read_as_they_were_written),
    ("a_grant_ends_with_all_that_it_has_given", a_grant_ends_with_all_that_it_has_given),
    ("clients_that_are_unused_are_removed", clients_that_are_unused_are_removed),
    ("credentials_are_of_their_kind_and_expire", credentials_are_of_their_kind_and_expire),
];

pub(super) fn grant(id: &str, name: &str) -> Grant {
    Grant {
        id: id.to_owned(),
        family: family(name),
        user_id: format!("usr_{name}_a").into(),
        client_id: "client_00".to_owned(),
        client_name: "Planner \u{0}🌱".to_owned(),
        scopes: vec![Scope::SkillRead, Scope::SkillWrite],
        audience: "https://family.example".to_owned(),
        created_at: 100,
        used_at: None,
    }
}

pub(super) fn credential(secret: &str, name: &str) -> Credential {
    Credential {
        digest: token_digest(secret),
        kind: CredentialKind::RefreshToken,
        user: Some((family(name), format!("usr_{name}_a").into())),
        grant_id: None,
        value: json!({"isUsed": false}),
        expires_at: 1000,
    }
}

fn grants_are_read_as_they_were_written(data: &Data) {
    let store = data.store();
    two_families(store);
    let written = [grant("grant_1", "ours"), grant("grant_2", "ours"), grant("grant_3", "theirs")];
    let rows = written.clone();
    change(store, move |writer| Ok(rows.iter().try_for_each(|row| writer.put_grant(row))?))
        .expect("grants");
    let ours = look(store, |reader| Ok(reader.grants(&family("ours"))?.rows));
    assert_eq!(ours, written[..2]);
    let narrowed = Grant { scopes: vec![Scope::SkillRead], used_at: Some(7), ..written[0].clone() };
    let row = narrowed.clone();
    change(store, move |writer| Ok(writer.put_grant(&row)?)).expect("a grant");
    assert_eq!(look(store, |reader| Ok(reader.grant("grant_1")?)), Some(narrowed));
    assert_eq!(look(store, |reader| Ok(reader.grant("grant_9")?)), None);
}

fn a_grant_ends_with_all_that_it_has_given(data: &Data) {
    let store = data.store();
    two_families(store);
    let of_grant = Token {
        digest: token_digest("of a grant"),
        grant_id: Some("grant_1".to_owned()),
        audience: Some("https://family.example".to_owned()),
        ..token("ours")
    };
    let expected = of_grant.clone();
    let refresh =
        Credential { grant_id: Some("grant_1".to_owned()), ..credential("secret", "ours") };
    change(store, move |writer| {
        writer.put_grant(&grant("grant_1", "ours"))?;
        writer.put_token(&of_grant)?;
        Ok(writer.put_credential(&refresh)?)
    })
    .expect("a grant");
    let digest = expected.digest.clone();
    change(store, move |writer| Ok(writer.set_token_used(&digest, 9)?)).expect("a use");
    let digest = expected.digest.clone();
    let used = look(store, move |reader| Ok(reader.token(&digest)?));
    assert_eq!(used, Some(Token { used_at: Some(9), ..expected.clone() }));
    // Another family cannot end it.
    let removed = change(store, |writer| Ok(writer.remove_grant(&family("theirs"), "grant_1")?));
    assert!(!removed.expect("a change"));
    let removed = change(store, |writer| Ok(writer.remove_grant(&family("ours"), "grant_1")?));
    assert!(removed.expect("a change"));
    let digest = expected.digest;
    assert_eq!(look(store, move |reader| Ok(reader.token(&digest)?)), None);
    let left = look(store, |reader| {
        Ok(reader.credential(CredentialKind::RefreshToken, &token_digest("secret"))?)
    });
    assert_eq!(left, None);
    // What the owner issued stays.
    assert!(look(store, |reader| Ok(reader.token(&token("ours").digest)?)).is_some());
}

fn clients_that_are_unused_are_removed(data: &Data) {
    let store = data.store();
    let client = |id: &str, used_at| RegisteredClient {
        id: id.to_owned(),
        metadata: json!({"client_name": "🌱"}),
        created_at: 1,
        used_at,
    };
    let rows = [client("client_1", 10), client("client_2", 20), client("client_2", 30)];
    let last = rows[2].clone();
    change(store, move |writer| {
        Ok(rows.iter().try_for_each(|row| writer.put_registered_client(row))?)
    })
    .expect("clients");
    assert_eq!(look(store, |reader| Ok(reader.registered_client_count()?)), 2);
    let removed = change(store, |writer| Ok(writer.remove_registered_clients(20)?));
    assert_eq!(removed.expect("a removal"), 1);
    assert_eq!(look(store, |reader| Ok(reader.registered_client("client_1")?)), None);
    assert_eq!(look(store, |reader| Ok(reader.registered_client("client_2")?)), Some(last));
    let newer = client("client_3", 40);
    change(store, move |writer| {
        writer.put_registered_client(&newer)?;
        Ok(writer.remove_oldest_registered_client()?)
    })
    .expect("a removal");
    assert_eq!(look(store, |reader| Ok(reader.registered_client("client_2")?)), None);
    assert!(look(store, |reader| Ok(reader.registered_client("client_3")?)).is_some());
}

fn credentials_are_of_their_kind_and_expire(data: &Data) {
    let store = data.store();
    two_families(store);
    let own = credential("secret", "ours");
    let without_user = Credential {
        kind: CredentialKind::DeviceCode,
        user: None,
        expires_at: 2000,
        ..credential("device", "ours")
    };
    let rows = [own.clone(), without_user.clone()];
    change(store, move |writer| Ok(rows.iter().try_for_each(|row| writer.put_credential(row))?))
        .expect("credentials");
    let find = |kind, secret: &str| {
        let digest = token_digest(secret);
        look(store, move |reader| Ok(reader.credential(kind, &digest)?))
    };
    assert_eq!(find(CredentialKind::RefreshToken, "secret"), Some(own));
    assert_eq!(find(CredentialKind::Code, "secret"), None);
    assert_eq!(find(CredentialKind::DeviceCode, "device"), Some(without_user));
    change(store, |writer| Ok(writer.remove_expired(1500)?)).expect("a removal");
    assert_eq!(find(CredentialKind::RefreshToken, "secret"), None);
    assert!(find(CredentialKind::DeviceCode, "device").is_some());
    let removed = || {
        change(store, |writer| Ok(writer.remove_credential(&token_digest("device"))?))
            .expect("a removal")
    };
    assert!(removed());
    assert!(!removed());
}
