//! What can be watched: the resources of a family whose state changes.

use std::fmt;

use dibber_skill::contract::{ChildId, HeartbeatId, SkillId, check_id};

/// What the URI of a resource begins with.
const SCHEME: &str = "sprout://";

/// A resource of a family.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resource {
    /// What has happened in the family.
    Activity,
    /// The cards of the inbox.
    Inbox,
    /// A skill.
    Skill(SkillId),
    /// A heartbeat.
    Heartbeat(HeartbeatId),
    /// What is planned for a child today, and what became of it.
    Today(ChildId),
}

impl Resource {
    /// Returns the resource with a URI; none if it is not the URI of one.
    pub fn from_uri(uri: &str) -> Option<Self> {
        Self::from_key(uri.strip_prefix(SCHEME)?)
    }

    /// Returns the key under which the store has the version of the resource.
    pub(super) fn key(&self) -> String {
        match self {
            Self::Activity => "family/activity".to_owned(),
            Self::Inbox => "family/inbox".to_owned(),
            Self::Skill(id) => format!("skill/{id}"),
            Self::Heartbeat(id) => format!("heartbeat/{id}"),
            Self::Today(id) => format!("child/{id}/today"),
        }
    }

    /// Returns the resource with a key.
    pub(super) fn from_key(key: &str) -> Option<Self> {
        let (kind, rest) = key.split_once('/')?;
        let valid = |id: &str| check_id(id).is_ok().then(|| id.to_owned());
        match (kind, rest) {
            ("family", "activity") => Some(Self::Activity),
            ("family", "inbox") => Some(Self::Inbox),
            ("skill", id) => Some(Self::Skill(valid(id)?.into())),
            ("heartbeat", id) => Some(Self::Heartbeat(valid(id)?.into())),
            ("child", rest) => Some(Self::Today(valid(rest.strip_suffix("/today")?)?.into())),
            _ => None,
        }
    }
}

/// A resource is shown as its URI.
impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}{}", self.key())
    }
}
