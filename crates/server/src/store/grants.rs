//! What clients may do for users: grants, the clients that registered, and the credentials that are valid
//! for some time.

use dibber_skill::contract::{FamilyId, Scope, UserId, WireEnum};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::StoreResult;
use super::listed::Listed;

/// What a client may do for a user, as the user allowed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The id: `grant_` and 32 hexadecimal digits.
    pub id: String,
    /// The family.
    pub family: FamilyId,
    /// The user.
    pub user_id: UserId,
    /// The id of the client.
    pub client_id: String,
    /// What the client called itself when the user allowed it.
    pub client_name: String,
    /// The scopes that the user allowed.
    pub scopes: Vec<Scope>,
    /// The public URL of the server that the tokens are for.
    pub audience: String,
    /// When the user allowed it.
    pub created_at: i64,
    /// When the client last got a token.
    pub used_at: Option<i64>,
}

/// A client that registered with the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisteredClient {
    /// The id.
    pub id: String,
    /// What it said of itself: an object of JSON.
    pub metadata: Value,
    /// When it registered.
    pub created_at: i64,
    /// When a user was last asked about it.
    pub used_at: i64,
}

/// A kind of [`Credential`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CredentialKind {
    /// A code that a browser brings back to a client.
    Code,
    /// A token that gets others.
    RefreshToken,
    /// A code of a device.
    DeviceCode,
    /// The code that a person types for a device.
    UserCode,
    /// A link that a person follows to sign in.
    SignInLink,
    /// A session of a browser.
    BrowserSession,
}

impl WireEnum for CredentialKind {}

/// A secret that is valid for some time.
#[derive(Clone, Debug, PartialEq)]
pub struct Credential {
    /// The digest of the secret (SHA-256, hexadecimal); the secret itself is not stored.
    pub digest: String,
    /// The kind.
    pub kind: CredentialKind,
    /// The user that it is for; none if no person has signed in for it yet.
    pub user: Option<(FamilyId, UserId)>,
    /// The grant that it belongs to.
    pub grant_id: Option<String>,
    /// What its kind needs besides.
    pub value: Value,
    /// When it expires.
    pub expires_at: i64,
}

/// Looks up grants, clients and credentials.
pub trait ReadGrants {
    /// Returns the grants of a family, in the order of creation.
    fn grants(&self, family: &FamilyId) -> StoreResult<Listed<Grant>>;
    /// Returns the grant with this id, of whichever family.
    fn grant(&self, id: &str) -> StoreResult<Option<Grant>>;
    /// Returns the client with this id.
    fn registered_client(&self, id: &str) -> StoreResult<Option<RegisteredClient>>;
    /// Returns the number of clients.
    fn registered_client_count(&self) -> StoreResult<usize>;
    /// Returns the credential of a kind with this digest, even one that has expired.
    fn credential(&self, kind: CredentialKind, digest: &str) -> StoreResult<Option<Credential>>;
}

/// Changes grants, clients and credentials.
pub trait WriteGrants: ReadGrants {
    /// Adds a grant, or replaces the one with the same id.
    fn put_grant(&self, grant: &Grant) -> StoreResult<()>;
    /// Removes a grant with its tokens and credentials. Returns `false` if the family has no such grant.
    fn remove_grant(&self, family: &FamilyId, id: &str) -> StoreResult<bool>;
    /// Removes the tokens of a grant, but not those that get others.
    fn remove_grant_tokens(&self, id: &str) -> StoreResult<()>;
    /// Adds a client, or replaces the one with the same id.
    fn put_registered_client(&self, client: &RegisteredClient) -> StoreResult<()>;
    /// Removes the clients that were last used before a time, and returns how many there were.
    fn remove_registered_clients(&self, used_before: i64) -> StoreResult<usize>;
    /// Removes the oldest client that was never used since it registered, or else the one whose use is the
    /// longest ago.
    fn remove_oldest_registered_client(&self) -> StoreResult<()>;
    /// Adds a credential, or replaces the one with the same digest.
    fn put_credential(&self, credential: &Credential) -> StoreResult<()>;
    /// Removes the credential with this digest. Returns `false` if it was not there.
    fn remove_credential(&self, digest: &str) -> StoreResult<bool>;
    /// Removes the credentials of a kind of a user, and returns how many there were.
    fn remove_credentials(
        &self,
        family: &FamilyId,
        user: &UserId,
        kind: CredentialKind,
    ) -> StoreResult<usize>;
    /// Removes some of what has expired before a time: credentials, and tokens of grants.
    fn remove_expired(&self, before: i64) -> StoreResult<()>;
    /// Records when a token was last used.
    fn set_token_used(&self, digest: &str, at: i64) -> StoreResult<()>;
}
