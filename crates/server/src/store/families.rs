//! Families: their grown-ups, their children, their canvases, and the tokens that let clients in.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

pub use dibber_skill::contract::FamilyId;
use dibber_skill::contract::{CanvasId, ChatId, ChildId, Scope, UserId};
use dibber_skill::names::Name;
use dibber_text::hex;

use super::error::StoreResult;
use super::listed::Listed;

/// The digits of the digest of a token.
const TOKEN_DIGEST_DIGITS: usize = 64;
/// The digits of a digest that are in the id of a token: enough that no two of a machine are alike.
const TOKEN_ID_DIGITS: usize = 16;

/// A family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The id.
    pub id: FamilyId,
    /// The name by which the owner of this machine selects it.
    pub name: String,
    /// The IANA time zone in which its times are shown.
    pub time_zone: String,
    /// The chat of the whole family, which is also its inbox.
    pub chat_id: ChatId,
}

/// A grown-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The id, which no user of another family has.
    pub id: UserId,
    /// The name.
    pub name: String,
}

/// A child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// The id.
    pub id: ChildId,
    /// The name.
    pub name: String,
    /// The date of birth.
    pub birth_date: jiff::civil::Date,
}

/// A token, and what its bearer may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The digest of the token (SHA-256, hexadecimal); the token itself is not stored.
    pub digest: String,
    /// The family.
    pub family: FamilyId,
    /// The user in whose name its bearer calls.
    pub user_id: UserId,
    /// The scopes that it grants.
    pub scopes: Vec<Scope>,
    /// What the owner calls it.
    pub name: Option<String>,
    /// When it was issued; none if that was before this was stored.
    pub created_at: Option<i64>,
    /// When it expires.
    pub expires_at: Option<i64>,
    /// The grant that it was issued for; none if the owner issued it.
    pub grant_id: Option<String>,
    /// The public URL of the server that it is for; none if it is for every one with this store.
    pub audience: Option<String>,
    /// When it was last used; only so exactly that a call need not wait for it.
    pub used_at: Option<i64>,
}

impl Token {
    /// Returns the id by which the owner selects it: the beginning of its digest, which does not
    /// help to guess the token.
    pub fn id(&self) -> String {
        token_id(&self.digest)
    }
}

/// Returns the id of the token with this digest. A damaged digest may be any string, so that its
/// id begins the digest of that.
pub(crate) fn token_id(digest: &str) -> String {
    let digest = if is_token_digest(digest) {
        Cow::Borrowed(digest)
    } else {
        Cow::Owned(hex(Sha256::digest(digest)))
    };
    format!("tok_{}", &digest[..TOKEN_ID_DIGITS])
}

/// Returns `true` if a string has the form of the digest of a token.
pub(crate) fn is_token_digest(digest: &str) -> bool {
    digest.len() == TOKEN_DIGEST_DIGITS
        && digest.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

/// A canvas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// The id, a UUID.
    pub id: CanvasId,
    /// The name.
    pub name: String,
    /// An emoji for it.
    pub emoji: Option<String>,
    /// The ages that it is for; none if it was created before canvases had ages.
    pub age_range: Option<String>,
}

/// Looks up families and what belongs to them. Each list is in the order of creation.
pub trait ReadFamilies {
    /// Returns the id of this store, which it was given at random when it was created.
    fn server_id(&self) -> StoreResult<String>;
    /// Returns every family.
    fn families(&self) -> StoreResult<Listed<Family>>;
    /// Returns the family with this id.
    fn family(&self, family: &FamilyId) -> StoreResult<Option<Family>>;
    /// Returns the grown-ups of a family.
    fn users(&self, family: &FamilyId) -> StoreResult<Listed<User>>;
    /// Returns the ids of the grown-ups of a family; the first one founded it.
    fn user_ids(&self, family: &FamilyId) -> StoreResult<Vec<UserId>>;
    /// Returns the children of a family.
    fn children(&self, family: &FamilyId) -> StoreResult<Listed<Child>>;
    /// Returns the child with this id.
    fn child(&self, family: &FamilyId, id: &ChildId) -> StoreResult<Option<Child>>;
    /// Returns the names of the children, even of those whose rows are damaged otherwise.
    fn child_names(&self, family: &FamilyId) -> StoreResult<Listed<Name>>;
    /// Returns the token with this digest (SHA-256, hexadecimal).
    fn token(&self, digest: &str) -> StoreResult<Option<Token>>;
    /// Returns the tokens of a family.
    fn tokens(&self, family: &FamilyId) -> StoreResult<Listed<Token>>;
    /// Returns the digests of the tokens of a family, even of those whose rows are damaged
    /// otherwise.
    fn token_digests(&self, family: &FamilyId) -> StoreResult<Vec<String>>;
    /// Returns all canvases of a family.
    fn canvases(&self, family: &FamilyId) -> StoreResult<Listed<Canvas>>;
    /// Returns those of these canvases that the family has, in the order of `ids`.
    fn canvases_of(&self, family: &FamilyId, ids: &[CanvasId]) -> StoreResult<Listed<Canvas>>;
}

/// Changes families and what belongs to them.
pub trait WriteFamilies: ReadFamilies {
    /// Adds a family.
    fn add_family(&self, family: &Family) -> StoreResult<()>;
    /// Adds a grown-up.
    fn add_user(&self, family: &FamilyId, user: &User) -> StoreResult<()>;
    /// Adds a child.
    fn add_child(&self, family: &FamilyId, child: &Child) -> StoreResult<()>;
    /// Adds a canvas.
    fn add_canvas(&self, family: &FamilyId, canvas: &Canvas) -> StoreResult<()>;
    /// Adds a token, or replaces the one with the same digest.
    fn put_token(&self, token: &Token) -> StoreResult<()>;
    /// Removes the token with this digest.
    fn remove_token(&self, family: &FamilyId, digest: &str) -> StoreResult<()>;
    /// Removes every token of a grown-up; returns how many there were.
    fn remove_tokens(&self, family: &FamilyId, user: &UserId) -> StoreResult<usize>;
}
