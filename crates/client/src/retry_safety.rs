//! Whether a call can be sent a second time when its answer does not come.

use std::collections::BTreeSet;

use rmcp::model::ServerCapabilities;
use serde_json::Value;

use super::key::IdempotencyKey;
use dibber_skill::contract::{IDEMPOTENCY_CAPABILITY, IDEMPOTENCY_TOOLS, PublicTool, wire_name};

/// Whether, and how, a call can be sent a second time.
///
/// A call whose answer is lost may have run. Sending it again is right only if the second run
/// changes nothing: because the call has no side effects, because the tool is idempotent, or
/// because the server recognises the call by its key and repeats the first answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetrySafety<'a> {
    /// The call has no side effects.
    ReadOnly,
    /// The server lists the tool as idempotent: the same call again changes nothing more.
    Idempotent,
    /// The server honours this idempotency key.
    Keyed(&'a IdempotencyKey),
    /// The call has side effects, and nothing prevents a second run from repeating them. It is
    /// sent again only if nothing of it can have reached the server.
    Once,
}

/// Whether a server is known to honour idempotency keys in calls of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeySupport {
    /// It declares so.
    Honoured,
    /// It declares the tools that honour keys, and this is none of them.
    Ignored,
    /// It is not known.
    Unknown,
}

/// What a server declares about idempotency keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeclaredKeys {
    /// Nothing.
    Unknown,
    /// That it honours them, without the names of tools: it can mean only the tools that come with the
    /// declaration, which are those of the contract. Any other tool of the same server may ignore keys.
    Contract,
    /// That these tools honour them, by their names on the wire.
    Tools(BTreeSet<String>),
}

impl DeclaredKeys {
    /// Returns what a server declares, among its experimental capabilities or its extensions: older
    /// revisions of the protocol have the former only.
    pub(super) fn parse(capabilities: &ServerCapabilities) -> Self {
        let declared = [&capabilities.experimental, &capabilities.extensions];
        let mut declared = declared.into_iter().flatten();
        let Some(declared) = declared.find_map(|declared| declared.get(IDEMPOTENCY_CAPABILITY))
        else {
            return Self::Unknown;
        };
        match declared.get(IDEMPOTENCY_TOOLS) {
            None => Self::Contract,
            // Anything but a list of names names no tool.
            Some(tools) => {
                let tools = tools.as_array().into_iter().flatten();
                Self::Tools(tools.filter_map(Value::as_str).map(wire_name).collect())
            }
        }
    }

    /// Returns whether calls of this tool are known to honour keys.
    pub fn support(&self, tool: &str) -> KeySupport {
        match self {
            Self::Contract if PublicTool::named(tool).is_some() => KeySupport::Honoured,
            Self::Tools(tools) if tools.contains(&wire_name(tool)) => KeySupport::Honoured,
            Self::Tools(_) => KeySupport::Ignored,
            Self::Contract | Self::Unknown => KeySupport::Unknown,
        }
    }
}
