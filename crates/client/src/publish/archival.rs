//! Whether a skill is archived.

use dibber_skill::contract::StoredSkill;

/// Whether a skill can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Archival {
    /// It is archived: it stays, and cannot be used.
    Archived,
    /// It can be used.
    InUse,
}

impl Archival {
    /// Returns `true` if a skill is known to be in this state.
    pub fn is_state_of(self, skill: &StoredSkill) -> bool {
        skill.archived == Some(self == Self::Archived)
    }

    /// Returns the verb of what leads to it.
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Archived => "archive",
            Self::InUse => "unarchive",
        }
    }
}
