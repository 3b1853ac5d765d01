//! What a watcher returns.

use serde_json::{Map, Value};

use super::super::error::ClientError;
use dibber_skill::contract::{ActivityEvent, InboxCard};

/// What happens while a server is watched.
#[derive(Clone, Debug, PartialEq)]
pub enum WatchEvent {
    /// Resources have changed.
    Changes(Vec<ResourceChange>),
    /// The server does not answer, or fails, for this reason. The watcher goes on trying, and what
    /// changes meanwhile is returned later.
    Interrupted(ClientError),
    /// The server answers again.
    Resumed,
}

/// A change of a resource.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceChange {
    /// Its URI.
    pub uri: String,
    /// Its version, if the server reports versions.
    pub version: Option<String>,
    /// Whether something else has changed before, which the server cannot return any more: its database
    /// was restored, it has removed the events meanwhile, or one of them cannot be read.
    pub has_gap: bool,
    /// What has changed.
    pub news: ResourceNews,
}

/// What has changed in a resource.
#[derive(Clone, Debug, PartialEq)]
pub enum ResourceNews {
    /// What has happened, the oldest first.
    Events(Vec<ActivityEvent>),
    /// The cards that are new, or in another state, the oldest first.
    Cards(Vec<InboxCard>),
    /// What the resource contains now.
    State(Map<String, Value>),
}

impl ResourceNews {
    /// Returns `true` if there is nothing new: another reader has seen the change before.
    pub(super) const fn is_empty(&self) -> bool {
        match self {
            Self::Events(events) => events.is_empty(),
            Self::Cards(cards) => cards.is_empty(),
            Self::State(_) => false,
        }
    }
}
