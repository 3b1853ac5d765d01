//! The resources as `resources/list` and `resources/templates/list` describe them.

use dibber_skill::contract::{ACTIVITY_URI, INBOX_URI};

/// The media type of the state of a resource.
pub(crate) const STATE_MIME_TYPE: &str = "application/json";

/// A resource, or a template of the URIs of several.
pub(crate) struct Described {
    /// The URI, or its template (RFC 6570).
    pub(crate) uri: &'static str,
    /// The name.
    pub(crate) name: &'static str,
    /// The name for people.
    pub(crate) title: &'static str,
    /// What it contains.
    pub(crate) about: &'static str,
}

/// The resources that every family has.
pub(crate) const WATCHED: [Described; 2] = [
    Described {
        uri: ACTIVITY_URI,
        name: "family/activity",
        title: "Activity",
        about: "What happened last in the family, as activity_list lists it. It can be watched.",
    },
    Described {
        uri: INBOX_URI,
        name: "family/inbox",
        title: "Inbox",
        about: "The newest cards of the family's inbox, as inbox_list lists them. It can be watched.",
    },
];

/// The resources of what a family has, each with an id.
pub(crate) const TEMPLATES: [Described; 3] = [
    Described {
        uri: "sprout://child/{childId}/today",
        name: "child/today",
        title: "A child's day",
        about: "The heartbeats of a child that fire today, today's runs and cards. It can be watched.",
    },
    Described {
        uri: "sprout://heartbeat/{id}",
        name: "heartbeat",
        title: "A heartbeat",
        about: "A heartbeat, as heartbeat_list lists it. It can be watched.",
    },
    Described {
        uri: "sprout://skill/{id}",
        name: "skill",
        title: "A skill",
        about: "A whole skill, as skill_get returns it. It can be watched.",
    },
];
