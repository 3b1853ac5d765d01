//! What finds a few short words in a text.
//!
//! Most texts hold none of them, so a finder is made to pass over text quickly: only leftmost
//! matching is helped by the processor's vector instructions. And it is made for one run over a
//! few files, so it has to be built quickly too: a table of all states would take longer to build
//! than a hundred skills take to search.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

/// Whether the case of ASCII letters counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// It does.
    Counts,
    /// It does not.
    Ignored,
}

/// Makes a finder; of words that begin at the same place, it finds the longest.
pub(crate) fn finder<W: AsRef<[u8]>>(
    words: impl IntoIterator<Item = W>,
    case: Case,
) -> AhoCorasick {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .ascii_case_insensitive(case == Case::Ignored)
        .build(words)
        .expect("few short words")
}
