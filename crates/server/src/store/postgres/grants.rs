//! Grants, clients and credentials.

use postgres::Row;

use super::checked_table::{CheckedTable, id_column};
use super::session::Session;
use super::value::{
    Parsed, from_json, from_word, id, integer, optional_id, optional_text, optional_time, text,
    time, to_json, values,
};
use crate::store::error::StoreResult;
use crate::store::families::is_token_digest;
use crate::store::grants::{
    Credential, CredentialKind, Grant, ReadGrants, RegisteredClient, WriteGrants,
};
use crate::store::listed::Listed;
use dibber_skill::contract::{FamilyId, UserId, WireEnum};

/// The tables, for a check of the database.
pub(super) const CHECKED: &[CheckedTable] = &[
    CheckedTable {
        name: "grants",
        columns: "id, family_id, user_id, client_id, client_name, scopes, audience, created_at, used_at",
        parse: |row| grant(row).map(drop),
        id: id_column,
    },
    CheckedTable {
        name: "clients",
        columns: "id, metadata, created_at, used_at",
        parse: |row| client(row).map(drop),
        id: id_column,
    },
    CheckedTable {
        name: "credentials",
        columns: "digest, kind, family_id, user_id, grant_id, value, expires_at",
        parse: |row| credential(row).map(drop),
        id: |_| None,
    },
];

impl ReadGrants for Session<'_> {
    fn grants(&self, family: &FamilyId) -> StoreResult<Listed<Grant>> {
        let statement = "SELECT id, family_id, user_id, client_id, client_name, scopes, audience,
             created_at, used_at FROM grants WHERE family_id = $1 ORDER BY seq";
        self.list(statement, values![family], grant)
    }

    fn grant(&self, id: &str) -> StoreResult<Option<Grant>> {
        let statement = "SELECT id, family_id, user_id, client_id, client_name, scopes, audience,
             created_at, used_at FROM grants WHERE id = $1";
        self.one(statement, values![id], grant)
    }

    fn registered_client(&self, id: &str) -> StoreResult<Option<RegisteredClient>> {
        let statement = "SELECT id, metadata, created_at, used_at FROM clients WHERE id = $1";
        self.one(statement, values![id], client)
    }

    fn registered_client_count(&self) -> StoreResult<usize> {
        let count = self.one("SELECT COUNT(*) FROM clients", &[], |row| integer(row, 0))?;
        Ok(count.and_then(|count| usize::try_from(count).ok()).unwrap_or_default())
    }

    fn credential(&self, kind: CredentialKind, digest: &str) -> StoreResult<Option<Credential>> {
        let statement = "SELECT digest, kind, family_id, user_id, grant_id, value, expires_at
             FROM credentials WHERE digest = $1 AND kind = $2";
        self.one(statement, values![digest, kind.name()], credential)
    }
}

impl WriteGrants for Session<'_> {
    fn put_grant(&self, grant: &Grant) -> StoreResult<()> {
        self.execute_one(
            "INSERT INTO grants (id, family_id, user_id, client_id, client_name, scopes, audience,
             created_at, used_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             ON CONFLICT (id) DO UPDATE SET scopes = excluded.scopes,
             client_name = excluded.client_name, audience = excluded.audience,
             used_at = excluded.used_at",
            values![
                &grant.id,
                &grant.family,
                &grant.user_id,
                &grant.client_id,
                &grant.client_name,
                to_json(&grant.scopes)?,
                &grant.audience,
                grant.created_at,
                grant.used_at,
            ],
        )
    }

    fn remove_grant(&self, family: &FamilyId, id: &str) -> StoreResult<bool> {
        if self.grant(id)?.is_none_or(|grant| grant.family != *family) {
            return Ok(false);
        }
        self.remove_grant_tokens(id)?;
        self.execute("DELETE FROM credentials WHERE grant_id = $1", values![id])?;
        Ok(self.execute("DELETE FROM grants WHERE id = $1", values![id])? == 1)
    }

    fn remove_grant_tokens(&self, id: &str) -> StoreResult<()> {
        self.execute("DELETE FROM tokens WHERE grant_id = $1", values![id]).map(drop)
    }

    fn put_registered_client(&self, client: &RegisteredClient) -> StoreResult<()> {
        self.execute_one(
            "INSERT INTO clients (id, metadata, created_at, used_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (id) DO UPDATE SET metadata = excluded.metadata, used_at = excluded.used_at",
            values![&client.id, to_json(&client.metadata)?, client.created_at, client.used_at],
        )
    }

    fn remove_registered_clients(&self, used_before: i64) -> StoreResult<usize> {
        self.execute("DELETE FROM clients WHERE used_at < $1", values![used_before])
    }

    fn remove_oldest_registered_client(&self) -> StoreResult<()> {
        let statement = "DELETE FROM clients WHERE seq =
             (SELECT seq FROM clients ORDER BY used_at > created_at, used_at, seq LIMIT 1)";
        self.execute(statement, &[]).map(drop)
    }

    fn put_credential(&self, credential: &Credential) -> StoreResult<()> {
        let user = credential.user.as_ref();
        let (family, user) = (user.map(|(family, _)| family), user.map(|(_, user)| user));
        self.execute_one(
            "INSERT INTO credentials (digest, kind, family_id, user_id, grant_id, value, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (digest) DO UPDATE SET family_id = excluded.family_id,
             user_id = excluded.user_id, grant_id = excluded.grant_id, value = excluded.value,
             expires_at = excluded.expires_at",
            values![
                &credential.digest,
                credential.kind.name(),
                family,
                user,
                &credential.grant_id,
                to_json(&credential.value)?,
                credential.expires_at,
            ],
        )
    }

    fn remove_credential(&self, digest: &str) -> StoreResult<bool> {
        Ok(self.execute("DELETE FROM credentials WHERE digest = $1", values![digest])? == 1)
    }

    fn remove_credentials(
        &self,
        family: &FamilyId,
        user: &UserId,
        kind: CredentialKind,
    ) -> StoreResult<usize> {
        let statement =
            "DELETE FROM credentials WHERE family_id = $1 AND user_id = $2 AND kind = $3";
        self.execute(statement, values![family, user, kind.name()])
    }

    fn remove_expired(&self, before: i64) -> StoreResult<()> {
        // Only a few at a time, so that no transaction has to wait for the removal of many.
        let credentials = "DELETE FROM credentials WHERE seq IN
             (SELECT seq FROM credentials WHERE expires_at < $1 ORDER BY expires_at LIMIT 16)";
        self.execute(credentials, values![before])?;
        let tokens = "DELETE FROM tokens WHERE digest IN (SELECT digest FROM tokens
             WHERE grant_id IS NOT NULL AND expires_at < $1 ORDER BY expires_at LIMIT 16)";
        self.execute(tokens, values![before]).map(drop)
    }

    fn set_token_used(&self, digest: &str, at: i64) -> StoreResult<()> {
        let statement = "UPDATE tokens SET used_at = $2 WHERE digest = $1";
        self.execute(statement, values![digest, at]).map(drop)
    }
}

fn grant(row: &Row) -> Parsed<Grant> {
    Ok(Grant {
        id: text(row, 0)?,
        family: id(row, 1)?,
        user_id: id(row, 2)?,
        client_id: text(row, 3)?,
        client_name: text(row, 4)?,
        scopes: from_json(row, 5)?,
        audience: text(row, 6)?,
        created_at: time(row, 7)?,
        used_at: optional_time(row, 8)?,
    })
}

fn client(row: &Row) -> Parsed<RegisteredClient> {
    Ok(RegisteredClient {
        id: text(row, 0)?,
        metadata: from_json(row, 1)?,
        created_at: time(row, 2)?,
        used_at: time(row, 3)?,
    })
}

fn credential(row: &Row) -> Parsed<Credential> {
    Ok(Credential {
        digest: from_word(row, 0, |digest| is_token_digest(digest).then(|| digest.to_owned()))?,
        kind: from_word(row, 1, CredentialKind::from_name)?,
        user: optional_id(row, 2)?.zip(optional_id(row, 3)?),
        grant_id: optional_text(row, 4)?,
        value: from_json(row, 5)?,
        expires_at: time(row, 6)?,
    })
}
