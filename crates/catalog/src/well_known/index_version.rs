//! The versions of an index.

/// The versions of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexVersion {
    /// Without `$schema`: the files of each skill by their names.
    V0_1,
    /// With `$schema`: a URL for each skill. Its first draft has no `$schema`, but `version`.
    V0_2,
}
