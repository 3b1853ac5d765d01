//! What is wrong with an archive, and how much one may contain.

use dibber_text::{Message, message, quote};

use crate::contents::ContentsLimits;

/// How much an archive may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchiveLimits {
    /// What its files may be.
    pub contents: ContentsLimits,
    /// The most entries, those of directories included.
    pub entries_max: usize,
    /// The most bytes that one byte of the archive may become, beyond the first megabytes.
    pub ratio_max: u64,
}

impl ArchiveLimits {
    /// What is accepted of others.
    pub const ACCEPTED: Self =
        Self { contents: ContentsLimits::ACCEPTED, entries_max: 20_000, ratio_max: 250 };
}

/// Something in an archive that is refused, or that is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveProblem {
    /// The name of the entry as it is written; empty for the archive as a whole.
    pub entry: String,
    /// What is wrong.
    pub message: Message,
}

impl ArchiveProblem {
    /// Returns the problem of the whole.
    pub(super) fn of_archive(message: impl Into<Message>) -> Self {
        Self { entry: String::new(), message: message.into() }
    }

    /// Returns the problem of an entry.
    pub(super) fn of_entry(entry: impl Into<String>, message: impl Into<Message>) -> Self {
        Self { entry: entry.into(), message: message.into() }
    }

    /// Returns the message with the name of the entry before it.
    pub fn with_entry(&self) -> Message {
        if self.entry.is_empty() {
            return message!["the archive ", self.message.clone()];
        }
        message!["`", quote(&self.entry), "` ", self.message.clone()]
    }
}
