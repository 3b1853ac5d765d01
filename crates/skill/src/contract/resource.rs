//! `resource_wait`: waiting until a resource changes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The name of the tool that waits for changes. Other servers may not have it.
pub const RESOURCE_WAIT: &str = "resource_wait";

/// The most milliseconds that one call waits.
pub const WAIT_MILLISECONDS_MAX: u64 = 15_000;

/// The most resources that one call waits for.
pub const WAIT_RESOURCES_MAX: usize = 20;

/// The URI of what has happened in the family.
pub const ACTIVITY_URI: &str = "sprout://family/activity";

/// The URI of the family's inbox.
pub const INBOX_URI: &str = "sprout://family/inbox";

/// The arguments of `resource_wait`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResourceWaitArguments {
    /// What to wait for, as `[{"uri": "sprout://family/activity"}]`.
    #[schemars(length(max = WAIT_RESOURCES_MAX))]
    pub resources: Vec<WatchedResource>,
    /// 0 answers at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = WAIT_MILLISECONDS_MAX), extend("default" = WAIT_MILLISECONDS_MAX))]
    pub timeout_ms: Option<u64>,
    /// Also return what has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_state: Option<bool>,
}

/// A resource that is waited for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(description = "")]
pub struct WatchedResource {
    /// The URI.
    #[schemars(description = "")]
    pub uri: String,
    /// That of the last answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_version: Option<String>,
}

/// The answer of `resource_wait`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResourceWaitAnswer {
    /// The resources, in the order in which they were asked for.
    #[schemars(with = "Vec<Map<String, Value>>")]
    pub resources: Vec<ResourceVersion>,
}

/// A resource in the answer of `resource_wait`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResourceVersion {
    /// The URI.
    pub uri: String,
    /// The version, to be sent as the next `sinceVersion`. It says nothing but whether it is another one.
    pub version: String,
    /// Whether it is another version than the one that was sent.
    pub changed: bool,
    /// What the resource contains, if it has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Map<String, Value>>,
}
