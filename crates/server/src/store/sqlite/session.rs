//! One transaction, as the services see it. The queries themselves are in a file per subject.

use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Params, Row};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{families, heartbeats, idempotency, skills};
use crate::failure::Failure;
use crate::store::{
    Canvas, Child, Family, FamilyId, Heartbeat, HeartbeatList, Member, Posted, Reader, Remembered,
    Skill, SkillList, StoreError, Stored, Token, User, Writer,
};

/// One transaction.
pub(super) struct Session<'c> {
    connection: &'c Connection,
}

impl<'c> Session<'c> {
    pub(super) fn new(connection: &'c Connection) -> Self {
        Self { connection }
    }

    /// The first row of an answer, if there is one.
    pub(super) fn one<T>(
        &self,
        statement: &str,
        parameters: impl Params,
        read: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Stored<Option<T>> {
        let prepared = self.connection.prepare_cached(statement);
        prepared
            .and_then(|mut prepared| prepared.query_row(parameters, read).optional())
            .map_err(StoreError::new)
    }

    /// All rows of an answer.
    pub(super) fn all<T>(
        &self,
        statement: &str,
        parameters: impl Params,
        read: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Stored<Vec<T>> {
        let prepared = self.connection.prepare_cached(statement);
        prepared
            .and_then(|mut prepared| prepared.query_map(parameters, read)?.collect())
            .map_err(StoreError::new)
    }

    /// Changes something, and returns how many rows it changed.
    pub(super) fn change(&self, statement: &str, parameters: impl Params) -> Stored<usize> {
        let prepared = self.connection.prepare_cached(statement);
        prepared.and_then(|mut prepared| prepared.execute(parameters)).map_err(StoreError::new)
    }

    /// Changes one row, which must be there.
    pub(super) fn change_one(&self, statement: &str, parameters: impl Params) -> Stored<()> {
        match self.change(statement, parameters)? {
            1 => Ok(()),
            _ => Err(StoreError::new("the family has nothing of that id to change")),
        }
    }

    /// Does something in a savepoint of that name; when it fails, it leaves nothing behind.
    pub(super) fn within(
        &self,
        name: &str,
        work: impl FnOnce() -> Result<Value, Failure>,
    ) -> Result<Value, Failure> {
        self.change(&format!("SAVEPOINT {name}"), [])?;
        let result = work();
        if result.is_err() && !self.connection.is_autocommit() {
            self.change(&format!("ROLLBACK TO {name}"), [])?;
        }
        if !self.connection.is_autocommit() {
            self.change(&format!("RELEASE {name}"), [])?;
        }
        result
    }
}

/// A value as JSON text.
pub(super) fn json(value: &impl Serialize) -> Stored<String> {
    serde_json::to_string(value).map_err(StoreError::new)
}

/// A column of JSON text.
pub(super) fn from_json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    serde_json::from_str(row.get_ref(column)?.as_str()?).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into())
    })
}

/// A column with one of a few words.
pub(super) fn from_word<T>(
    row: &Row<'_>,
    column: usize,
    meaning: impl FnOnce(&str) -> Option<T>,
) -> rusqlite::Result<T> {
    let word = row.get_ref(column)?.as_str()?;
    meaning(word).ok_or_else(|| {
        let error = format!("`{word}` is none of the words that may stand here");
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into())
    })
}

impl Reader for Session<'_> {
    fn families(&self) -> Stored<Vec<Family>> {
        families::all(self)
    }
    fn family(&self, family: &FamilyId) -> Stored<Option<Family>> {
        families::one(self, family)
    }
    fn users(&self, family: &FamilyId) -> Stored<Vec<User>> {
        families::users(self, family)
    }
    fn children(&self, family: &FamilyId) -> Stored<Vec<Child>> {
        families::children(self, family)
    }
    fn token(&self, digest: &str) -> Stored<Option<Token>> {
        families::token(self, digest)
    }
    fn canvases(&self, family: &FamilyId) -> Stored<Vec<Canvas>> {
        families::canvases(self, family)
    }
    fn canvases_of(&self, family: &FamilyId, ids: &[String]) -> Stored<Vec<Canvas>> {
        families::canvases_of(self, family, ids)
    }
    fn skill(&self, family: &FamilyId, id: &str) -> Stored<Option<Skill>> {
        skills::one(self, family, id)
    }
    fn skills(&self, family: &FamilyId, list: &SkillList) -> Stored<Vec<Skill>> {
        skills::page(self, family, list)
    }
    fn heartbeat(&self, family: &FamilyId, id: &str) -> Stored<Option<Heartbeat>> {
        heartbeats::one(self, family, id)
    }
    fn heartbeats(&self, family: &FamilyId, list: &HeartbeatList) -> Stored<Vec<Heartbeat>> {
        heartbeats::page(self, family, *list)
    }
    fn members(&self, family: &FamilyId, heartbeat: &str) -> Stored<Vec<Member>> {
        heartbeats::members(self, family, heartbeat)
    }
    fn has_chat(&self, family: &FamilyId, chat: &str) -> Stored<bool> {
        heartbeats::has_chat(self, family, chat)
    }
    fn participants(&self, family: &FamilyId, chat: &str) -> Stored<Vec<String>> {
        heartbeats::participants(self, family, chat)
    }
    fn remembered(&self, user: &str, key: &str, since: i64) -> Stored<Option<Remembered>> {
        idempotency::remembered(self, user, key, since)
    }
}

impl Writer for Session<'_> {
    fn attempt(&self, work: &mut dyn FnMut() -> Result<Value, Failure>) -> Result<Value, Failure> {
        self.within("attempt", work)
    }
    fn add_family(&self, family: &Family) -> Stored<()> {
        families::add(self, family)
    }
    fn add_user(&self, family: &FamilyId, user: &User) -> Stored<()> {
        families::add_user(self, family, user)
    }
    fn add_child(&self, family: &FamilyId, child: &Child) -> Stored<()> {
        families::add_child(self, family, child)
    }
    fn add_canvas(&self, family: &FamilyId, canvas: &Canvas) -> Stored<()> {
        families::add_canvas(self, family, canvas)
    }
    fn put_token(&self, token: &Token) -> Stored<()> {
        families::put_token(self, token)
    }
    fn remove_tokens(&self, family: &FamilyId, user: &str) -> Stored<usize> {
        families::remove_tokens(self, family, user)
    }
    fn add_skill(&self, family: &FamilyId, skill: &Skill) -> Stored<()> {
        skills::add(self, family, skill)
    }
    fn put_skill(&self, family: &FamilyId, skill: &Skill) -> Stored<()> {
        skills::put(self, family, skill)
    }
    fn touch_skill(&self, family: &FamilyId, id: &str, at: i64) -> Stored<()> {
        skills::touch(self, family, id, at)
    }
    fn add_result(&self, family: &FamilyId, posted: &Posted) -> Stored<()> {
        skills::add_result(self, family, posted)
    }
    fn add_heartbeat(
        &self,
        family: &FamilyId,
        heartbeat: &Heartbeat,
        members: &[Member],
    ) -> Stored<()> {
        heartbeats::add(self, family, heartbeat, members)
    }
    fn put_heartbeat(&self, family: &FamilyId, heartbeat: &Heartbeat) -> Stored<()> {
        heartbeats::put(self, family, heartbeat)
    }
    fn put_member(&self, family: &FamilyId, heartbeat: &str, member: &Member) -> Stored<()> {
        heartbeats::put_member(self, family, heartbeat, member)
    }
    fn remove_member(&self, family: &FamilyId, heartbeat: &str, user: &str) -> Stored<()> {
        heartbeats::remove_member(self, family, heartbeat, user)
    }
    fn remember(&self, remembered: &Remembered, since: i64) -> Stored<()> {
        idempotency::remember(self, remembered, since)
    }
}
