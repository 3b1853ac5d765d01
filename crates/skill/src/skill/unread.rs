//! The files of a skill that are not read as text: too large, or no text.

/// A file of the skill that was searched for secrets, and not read otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadFile {
    /// The path from the skill's directory, with `/` between its parts.
    pub path: String,
    /// The secrets in it, in order.
    pub secrets: Vec<UnreadSecret>,
    /// Whether all of it was searched.
    pub is_searched: bool,
}

/// A key or token in a file that is not read as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnreadSecret {
    /// What it is, with its article: "a GitHub token".
    pub kind: &'static str,
    /// The number of its line, from 1.
    pub line: usize,
}
