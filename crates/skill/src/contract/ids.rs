//! Ids. Each kind is a type of its own, so that one is not taken for another.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an id is the id of.
pub trait IdKind {
    /// How the ids that dibber creates begin.
    const PREFIX: &'static str;
}

/// An id. Other servers give ids of other forms, so any string can be one; only what a person types
/// is parsed, and has to begin with the prefix.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent, bound = "")]
#[schemars(bound = "")]
pub struct Id<K> {
    id: String,
    #[serde(skip)]
    kind: PhantomData<K>,
}

impl<K> Id<K> {
    /// Returns the id as it is sent.
    pub fn as_str(&self) -> &str {
        &self.id
    }
}

impl<K> From<String> for Id<K> {
    fn from(id: String) -> Self {
        Self { id, kind: PhantomData }
    }
}

impl<K> From<&str> for Id<K> {
    fn from(id: &str) -> Self {
        Self::from(id.to_owned())
    }
}

impl<K> From<Id<K>> for String {
    fn from(id: Id<K>) -> Self {
        id.id
    }
}

/// A string that does not begin as an id does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnId {
    prefix: &'static str,
}

impl fmt::Display for NotAnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not an id that begins with `{}`", self.prefix)
    }
}

impl std::error::Error for NotAnId {}

impl<K: IdKind> FromStr for Id<K> {
    type Err = NotAnId;

    fn from_str(typed: &str) -> Result<Self, NotAnId> {
        if typed.starts_with(K::PREFIX) {
            Ok(Self::from(typed))
        } else {
            Err(NotAnId { prefix: K::PREFIX })
        }
    }
}

impl<K> fmt::Display for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.id)
    }
}

impl<K> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.id.fmt(f)
    }
}

/// The id of a skill.
pub type SkillId = Id<SkillKind>;
/// The id of a heartbeat.
pub type HeartbeatId = Id<HeartbeatKind>;
/// The id of a family.
pub type FamilyId = Id<FamilyKind>;

/// The kind of [`SkillId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SkillKind {}

impl IdKind for SkillKind {
    const PREFIX: &'static str = "sk_";
}

/// The kind of [`HeartbeatId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HeartbeatKind {}

impl IdKind for HeartbeatKind {
    const PREFIX: &'static str = "hb_";
}

/// The kind of [`FamilyId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FamilyKind {}

impl IdKind for FamilyKind {
    const PREFIX: &'static str = "fam_";
}
