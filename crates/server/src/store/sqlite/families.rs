//! Families, and who and what belongs to them.

use jiff::civil::Date;
use rusqlite::Row;

use super::session::{Session, from_json, from_word, json};
use crate::store::{Canvas, Child, Family, FamilyId, Stored, Token, User};

pub(super) fn all(session: &Session<'_>) -> Stored<Vec<Family>> {
    session.all("SELECT id, name, time_zone, chat_id FROM families ORDER BY seq", [], family)
}

pub(super) fn one(session: &Session<'_>, id: &FamilyId) -> Stored<Option<Family>> {
    let statement = "SELECT id, name, time_zone, chat_id FROM families WHERE id = ?1";
    session.one(statement, [&id.0], family)
}

pub(super) fn add(session: &Session<'_>, family: &Family) -> Stored<()> {
    session.change_one(
        "INSERT INTO families (id, name, time_zone, chat_id) VALUES (?1, ?2, ?3, ?4)",
        [&family.id.0, &family.name, &family.time_zone, &family.chat_id],
    )
}

fn family(row: &Row<'_>) -> rusqlite::Result<Family> {
    Ok(Family {
        id: FamilyId(row.get(0)?),
        name: row.get(1)?,
        time_zone: row.get(2)?,
        chat_id: row.get(3)?,
    })
}

pub(super) fn users(session: &Session<'_>, family: &FamilyId) -> Stored<Vec<User>> {
    let statement = "SELECT id, name FROM users WHERE family_id = ?1 ORDER BY seq";
    session.all(statement, [&family.0], |row| Ok(User { id: row.get(0)?, name: row.get(1)? }))
}

pub(super) fn add_user(session: &Session<'_>, family: &FamilyId, user: &User) -> Stored<()> {
    session.change_one(
        "INSERT INTO users (family_id, id, name) VALUES (?1, ?2, ?3)",
        [&family.0, &user.id, &user.name],
    )
}

pub(super) fn children(session: &Session<'_>, family: &FamilyId) -> Stored<Vec<Child>> {
    let statement = "SELECT id, name, birth_date FROM children WHERE family_id = ?1 ORDER BY seq";
    session.all(statement, [&family.0], |row| {
        let birth_date = from_word(row, 2, |date| date.parse::<Date>().ok())?;
        Ok(Child { id: row.get(0)?, name: row.get(1)?, birth_date })
    })
}

pub(super) fn add_child(session: &Session<'_>, family: &FamilyId, child: &Child) -> Stored<()> {
    session.change_one(
        "INSERT INTO children (family_id, id, name, birth_date) VALUES (?1, ?2, ?3, ?4)",
        [&family.0, &child.id, &child.name, &child.birth_date.to_string()],
    )
}

pub(super) fn token(session: &Session<'_>, digest: &str) -> Stored<Option<Token>> {
    let statement = "SELECT digest, family_id, user_id, scopes FROM tokens WHERE digest = ?1";
    session.one(statement, [digest], |row| {
        Ok(Token {
            digest: row.get(0)?,
            family: FamilyId(row.get(1)?),
            user_id: row.get(2)?,
            scopes: from_json(row, 3)?,
        })
    })
}

pub(super) fn put_token(session: &Session<'_>, token: &Token) -> Stored<()> {
    session.change_one(
        "INSERT INTO tokens (digest, family_id, user_id, scopes) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (digest) DO UPDATE SET family_id = excluded.family_id,
         user_id = excluded.user_id, scopes = excluded.scopes",
        [&token.digest, &token.family.0, &token.user_id, &json(&token.scopes)?],
    )
}

pub(super) fn remove_tokens(session: &Session<'_>, family: &FamilyId, user: &str) -> Stored<usize> {
    let statement = "DELETE FROM tokens WHERE family_id = ?1 AND user_id = ?2";
    session.change(statement, [&family.0, user])
}

pub(super) fn canvases(session: &Session<'_>, family: &FamilyId) -> Stored<Vec<Canvas>> {
    let statement =
        "SELECT id, name, emoji, age_range FROM canvases WHERE family_id = ?1 ORDER BY seq";
    session.all(statement, [&family.0], canvas)
}

pub(super) fn canvases_of(
    session: &Session<'_>,
    family: &FamilyId,
    ids: &[String],
) -> Stored<Vec<Canvas>> {
    let statement =
        "SELECT id, name, emoji, age_range FROM canvases WHERE family_id = ?1 AND id = ?2";
    let found = ids.iter().map(|id| session.one(statement, [&family.0, id], canvas));
    found.filter_map(Result::transpose).collect()
}

pub(super) fn add_canvas(session: &Session<'_>, family: &FamilyId, canvas: &Canvas) -> Stored<()> {
    session.change_one(
        "INSERT INTO canvases (family_id, id, name, emoji, age_range) VALUES (?1, ?2, ?3, ?4, ?5)",
        (&family.0, &canvas.id, &canvas.name, &canvas.emoji, &canvas.age_range),
    )
}

fn canvas(row: &Row<'_>) -> rusqlite::Result<Canvas> {
    Ok(Canvas { id: row.get(0)?, name: row.get(1)?, emoji: row.get(2)?, age_range: row.get(3)? })
}
