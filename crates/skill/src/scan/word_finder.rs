//! Automata that find a few short words.
//!
//! Most files contain none of the words, so skipping text has to be fast: only leftmost matching
//! uses the vectorized prefilters. And an automaton is used for one run on a few files, so building
//! it has to be fast too: a DFA would take longer to build than a hundred skills take to search.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

/// Whether the case of ASCII letters is significant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// `a` and `A` are different.
    Sensitive,
    /// `a` and `A` are the same.
    Insensitive,
}

/// Creates an automaton; of words that begin at the same byte, it finds the longest.
///
/// # Panics
/// If the words are too many for an automaton.
pub fn finder<W: AsRef<[u8]>>(words: impl IntoIterator<Item = W>, case: Case) -> AhoCorasick {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .ascii_case_insensitive(case == Case::Insensitive)
        .build(words)
        .expect("few short words")
}
