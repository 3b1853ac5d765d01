//! The versions of the protocol.

/// A version of the protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Version {
    /// Version 1, whose commands have no types.
    #[default]
    V1,
    /// Version 2, a draft.
    V2,
}
