//! The methods of MCP, and the revisions that have them.

use rmcp::model::{
    CallToolRequestMethod, CancelledNotificationMethod, CompleteRequestMethod, ConstString,
    DiscoverRequestMethod, GetPromptRequestMethod, GetSkillRequestMethod, InitializeResultMethod,
    InitializedNotificationMethod, ListPromptsRequestMethod, ListResourceTemplatesRequestMethod,
    ListResourcesRequestMethod, ListSkillsRequestMethod, ListToolsRequestMethod, PingRequestMethod,
    ProtocolVersion, ReadResourceDirectoryRequestMethod, ReadResourceRequestMethod,
    SetLevelRequestMethod, SubscribeRequestMethod, SubscriptionsListenRequestMethod,
    UnsubscribeRequestMethod,
};
use rmcp::service::{RequestContext, RoleServer};
use serde::Deserialize;

/// The method that begins a connection, in the revisions of MCP that have it.
const INITIALIZE: &str = InitializeResultMethod::VALUE;

/// The method that calls a tool.
pub(super) const CALL_TOOL: &str = CallToolRequestMethod::VALUE;

/// The methods that are named in the log and in errors. Any other is a word of the client's, which may
/// contain a child's name.
const KNOWN: [&str; 20] = [
    CALL_TOOL,
    CancelledNotificationMethod::VALUE,
    CompleteRequestMethod::VALUE,
    DiscoverRequestMethod::VALUE,
    GetPromptRequestMethod::VALUE,
    GetSkillRequestMethod::VALUE,
    INITIALIZE,
    InitializedNotificationMethod::VALUE,
    ListPromptsRequestMethod::VALUE,
    ListResourceTemplatesRequestMethod::VALUE,
    ListResourcesRequestMethod::VALUE,
    ListSkillsRequestMethod::VALUE,
    ListToolsRequestMethod::VALUE,
    PingRequestMethod::VALUE,
    ReadResourceDirectoryRequestMethod::VALUE,
    ReadResourceRequestMethod::VALUE,
    SetLevelRequestMethod::VALUE,
    SubscribeRequestMethod::VALUE,
    SubscriptionsListenRequestMethod::VALUE,
    UnsubscribeRequestMethod::VALUE,
];

/// Those with parameters that this server answers in every revision of MCP.
const ANSWERED: [&str; 8] = [
    CALL_TOOL,
    GetSkillRequestMethod::VALUE,
    ListResourceTemplatesRequestMethod::VALUE,
    ListResourcesRequestMethod::VALUE,
    ListSkillsRequestMethod::VALUE,
    ListToolsRequestMethod::VALUE,
    ReadResourceDirectoryRequestMethod::VALUE,
    ReadResourceRequestMethod::VALUE,
];

/// Those of the revisions that begin with `initialize`.
const FIRST: [&str; 2] = [SubscribeRequestMethod::VALUE, UnsubscribeRequestMethod::VALUE];

/// Those of the later revisions.
const LATER: [&str; 1] = [SubscriptionsListenRequestMethod::VALUE];

/// The method that a request over HTTP calls: one of MCP, or `other`.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestMethod(pub(super) &'static str);

impl RequestMethod {
    /// Returns the method that a message calls; none if it cannot be parsed.
    pub(super) fn parse(message: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Message<'a> {
            #[serde(borrow)]
            method: &'a str,
        }
        let message = serde_json::from_slice::<Message>(message).ok()?;
        Some(Self(known_method(message.method).unwrap_or("other")))
    }

    /// Returns `true` if it begins a connection, in the revisions of MCP that have that.
    pub(super) fn is_initialize(self) -> bool {
        self.0 == INITIALIZE
    }

    /// Returns `true` if it subscribes to a resource, in the revisions of MCP that have that.
    pub(super) fn is_subscribe(self) -> bool {
        self.0 == SubscribeRequestMethod::VALUE
    }
}

/// Returns the method of MCP with a name; none if there is no such method.
pub(super) fn known_method(name: &str) -> Option<&'static str> {
    KNOWN.into_iter().find(|method| *method == name)
}

/// Returns `true` if a request is of a revision that begins with `initialize`.
pub(super) fn has_initialize(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().as_ref().is_none_or(ProtocolVersion::has_initialize)
}

/// Returns `true` if this server answers a method, which has parameters, in a revision that begins with
/// `initialize` or not.
pub(super) fn is_answered(method: &str, has_initialize: bool) -> bool {
    let of_revision = if has_initialize { &FIRST[..] } else { &LATER };
    ANSWERED.iter().chain(of_revision).any(|answered| *answered == method)
}
