//! Whether a skill is archived.

/// Whether a skill can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Archival {
    /// It is archived: it stays, and cannot be used.
    Archived,
    /// It can be used.
    InUse,
}

impl Archival {
    /// Returns the verb of what leads to it.
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Archived => "archive",
            Self::InUse => "unarchive",
        }
    }
}
