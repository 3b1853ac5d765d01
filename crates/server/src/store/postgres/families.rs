//! Families, and what belongs to them.

use jiff::civil::Date;
use postgres::Row;

use super::checked_table::{CheckedTable, id_column};
use super::session::Session;
use super::value::{
    Parsed, check_age_range, from_json, from_word, id, optional_text, optional_time, text, to_json,
    values,
};
use crate::store::error::{StoreError, StoreResult};
use crate::store::families::{
    Canvas, Child, Family, FamilyId, ReadFamilies, Token, User, WriteFamilies, is_token_digest,
    token_id,
};
use crate::store::listed::Listed;
use dibber_skill::contract::{CanvasId, ChildId, UserId};
use dibber_skill::names::Name;

/// The tables, for a check of the database.
pub(super) const CHECKED: &[CheckedTable] = &[
    CheckedTable {
        name: "families",
        columns: "id, name, time_zone, chat_id",
        parse: |row| {
            family(row)?;
            from_word(row, 2, |zone| dibber_schedule::zone(zone).ok()).map(drop)
        },
        id: id_column,
    },
    CheckedTable {
        name: "users",
        columns: "id, name",
        parse: |row| user(row).map(drop),
        id: id_column,
    },
    CheckedTable {
        name: "children",
        columns: "id, name, birth_date",
        parse: |row| child(row).map(drop),
        id: id_column,
    },
    CheckedTable {
        name: "canvases",
        columns: "id, name, emoji, age_range",
        parse: |row| {
            canvas(row)?;
            check_age_range(row, 3)
        },
        id: id_column,
    },
    CheckedTable {
        name: "tokens",
        columns: "digest, family_id, user_id, scopes, name, created_at, expires_at, grant_id, audience, \
                  used_at",
        parse: |row| token(row).map(drop),
        id: |row| text(row, 0).ok().map(|digest| token_id(&digest)),
    },
];

impl ReadFamilies for Session<'_> {
    fn server_id(&self) -> StoreResult<String> {
        let id = self.one("SELECT id FROM server", &[], |row| text(row, 0))?;
        id.ok_or(StoreError::Damaged)
    }

    fn families(&self) -> StoreResult<Listed<Family>> {
        let statement = "SELECT id, name, time_zone, chat_id FROM families ORDER BY seq";
        self.list(statement, &[], family)
    }

    fn family(&self, id: &FamilyId) -> StoreResult<Option<Family>> {
        let statement = "SELECT id, name, time_zone, chat_id FROM families WHERE id = $1";
        self.one(statement, values![id], family)
    }

    fn users(&self, family: &FamilyId) -> StoreResult<Listed<User>> {
        let statement = "SELECT id, name FROM users WHERE family_id = $1 ORDER BY seq";
        self.list(statement, values![family], user)
    }

    fn user_ids(&self, family: &FamilyId) -> StoreResult<Vec<UserId>> {
        let statement = "SELECT id FROM users WHERE family_id = $1 ORDER BY seq";
        self.all(statement, values![family], |row| id(row, 0))
    }

    fn children(&self, family: &FamilyId) -> StoreResult<Listed<Child>> {
        let statement =
            "SELECT id, name, birth_date FROM children WHERE family_id = $1 ORDER BY seq";
        self.list(statement, values![family], child)
    }

    fn child(&self, family: &FamilyId, id: &ChildId) -> StoreResult<Option<Child>> {
        let statement =
            "SELECT id, name, birth_date FROM children WHERE family_id = $1 AND id = $2";
        self.one(statement, values![family, id], child)
    }

    fn child_names(&self, family: &FamilyId) -> StoreResult<Listed<Name>> {
        let statement = "SELECT name, id FROM children WHERE family_id = $1 ORDER BY seq";
        self.list(statement, values![family], |row| child_name(row, 0))
    }

    fn token(&self, digest: &str) -> StoreResult<Option<Token>> {
        let statement = "SELECT digest, family_id, user_id, scopes, name, created_at, expires_at,
             grant_id, audience, used_at FROM tokens WHERE digest = $1";
        self.one(statement, values![digest], token)
    }

    fn tokens(&self, family: &FamilyId) -> StoreResult<Listed<Token>> {
        let statement = "SELECT digest, family_id, user_id, scopes, name, created_at, expires_at,
             grant_id, audience, used_at FROM tokens WHERE family_id = $1 ORDER BY seq";
        self.list(statement, values![family], token)
    }

    fn token_digests(&self, family: &FamilyId) -> StoreResult<Vec<String>> {
        let statement = "SELECT digest FROM tokens WHERE family_id = $1 ORDER BY seq";
        self.all(statement, values![family], |row| text(row, 0))
    }

    fn canvases(&self, family: &FamilyId) -> StoreResult<Listed<Canvas>> {
        let statement =
            "SELECT id, name, emoji, age_range FROM canvases WHERE family_id = $1 ORDER BY seq";
        self.list(statement, values![family], canvas)
    }

    fn canvases_of(&self, family: &FamilyId, ids: &[CanvasId]) -> StoreResult<Listed<Canvas>> {
        let statement =
            "SELECT id, name, emoji, age_range FROM canvases WHERE family_id = $1 AND id = $2";
        let mut found = Listed::default();
        for id in ids {
            found.append(self.list(statement, values![family, id], canvas)?);
        }
        Ok(found)
    }
}

impl WriteFamilies for Session<'_> {
    fn add_family(&self, family: &Family) -> StoreResult<()> {
        self.execute_one(
            "INSERT INTO families (id, name, time_zone, chat_id) VALUES ($1, $2, $3, $4)",
            values![&family.id, &family.name, &family.time_zone, &family.chat_id],
        )
    }

    fn add_user(&self, family: &FamilyId, user: &User) -> StoreResult<()> {
        self.execute_one(
            "INSERT INTO users (family_id, id, name) VALUES ($1, $2, $3)",
            values![family, &user.id, &user.name],
        )
    }

    fn add_child(&self, family: &FamilyId, child: &Child) -> StoreResult<()> {
        self.execute_one(
            "INSERT INTO children (family_id, id, name, birth_date) VALUES ($1, $2, $3, $4)",
            values![family, &child.id, &child.name, &child.birth_date.to_string()],
        )
    }

    fn add_canvas(&self, family: &FamilyId, canvas: &Canvas) -> StoreResult<()> {
        self.execute_one(
            "INSERT INTO canvases (family_id, id, name, emoji, age_range)
             VALUES ($1, $2, $3, $4, $5)",
            values![family, &canvas.id, &canvas.name, &canvas.emoji, &canvas.age_range],
        )
    }

    fn put_token(&self, token: &Token) -> StoreResult<()> {
        self.execute_one(
            "INSERT INTO tokens (digest, family_id, user_id, scopes, name, created_at, expires_at,
             grant_id, audience, used_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
             ON CONFLICT (digest) DO UPDATE SET family_id = excluded.family_id,
             user_id = excluded.user_id, scopes = excluded.scopes, name = excluded.name,
             created_at = excluded.created_at, expires_at = excluded.expires_at,
             grant_id = excluded.grant_id, audience = excluded.audience,
             used_at = excluded.used_at",
            values![
                &token.digest,
                &token.family,
                &token.user_id,
                to_json(&token.scopes)?,
                &token.name,
                token.created_at,
                token.expires_at,
                &token.grant_id,
                &token.audience,
                token.used_at,
            ],
        )
    }

    fn remove_token(&self, family: &FamilyId, digest: &str) -> StoreResult<()> {
        let statement = "DELETE FROM tokens WHERE family_id = $1 AND digest = $2";
        self.execute_one(statement, values![family, digest])
    }

    fn remove_tokens(&self, family: &FamilyId, user: &UserId) -> StoreResult<usize> {
        let statement = "DELETE FROM tokens WHERE family_id = $1 AND user_id = $2";
        self.execute(statement, values![family, user])
    }
}

fn family(row: &Row) -> Parsed<Family> {
    Ok(Family {
        id: id(row, 0)?,
        name: text(row, 1)?,
        time_zone: text(row, 2)?,
        chat_id: id(row, 3)?,
    })
}

fn user(row: &Row) -> Parsed<User> {
    Ok(User { id: id(row, 0)?, name: text(row, 1)? })
}

fn child(row: &Row) -> Parsed<Child> {
    let birth_date = from_word(row, 2, |date| date.parse::<Date>().ok())?;
    child_name(row, 1)?;
    Ok(Child { id: id(row, 0)?, name: text(row, 1)?, birth_date })
}

fn child_name(row: &Row, column: usize) -> Parsed<Name> {
    from_word(row, column, |name| Name::parse(name).ok())
}

fn token(row: &Row) -> Parsed<Token> {
    Ok(Token {
        digest: from_word(row, 0, |digest| is_token_digest(digest).then(|| digest.to_owned()))?,
        family: id(row, 1)?,
        user_id: id(row, 2)?,
        scopes: from_json(row, 3)?,
        name: optional_text(row, 4)?,
        created_at: optional_time(row, 5)?,
        expires_at: optional_time(row, 6)?,
        grant_id: optional_text(row, 7)?,
        audience: optional_text(row, 8)?,
        used_at: optional_time(row, 9)?,
    })
}

fn canvas(row: &Row) -> Parsed<Canvas> {
    Ok(Canvas {
        id: id(row, 0)?,
        name: text(row, 1)?,
        emoji: optional_text(row, 2)?,
        age_range: optional_text(row, 3)?,
    })
}
