//! The parts of messages that matter, borrowed from the line.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// The longest line that is looked at, in bytes (16 MiB). A longer one passes as it is.
pub const LINE_BYTES_MAX: usize = 16 << 20;

/// The longest id of a request whose answer is waited for.
const ID_BYTES_MAX: usize = 1024;

/// A message of JSON-RPC.
#[derive(Deserialize)]
pub(super) struct Message<'a> {
    #[serde(borrow, default)]
    pub(super) id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) method: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) params: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) error: Option<&'a RawValue>,
}

/// The parameters of requests about a session, and the answers.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InSession<'a> {
    #[serde(borrow, default)]
    pub(super) session_id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) update: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) prompt: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) available_commands: Option<&'a RawValue>,
}

/// An update of a session.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Update<'a> {
    #[serde(borrow)]
    pub(super) session_update: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) available_commands: Option<&'a RawValue>,
}

/// A block of a prompt.
#[derive(Deserialize)]
pub(super) struct Block<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) text: Option<&'a RawValue>,
}

/// The answer to `initialize`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Initialized<'a> {
    #[serde(default)]
    pub(super) protocol_version: u64,
    #[serde(borrow, default)]
    pub(super) agent_capabilities: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) capabilities: Option<&'a RawValue>,
}

/// An object that may have `_meta`.
#[derive(Deserialize)]
pub(super) struct WithMeta<'a> {
    #[serde(rename = "_meta", borrow, default)]
    pub(super) meta: Option<&'a RawValue>,
}

/// What the beginning of a message says.
#[derive(Default)]
pub(super) struct Beginning<'a> {
    /// The id, if it comes before what is cut off.
    pub(super) id: Option<&'a RawValue>,
    /// The message answers the request of that id.
    pub(super) is_answer: bool,
}

impl<'a> Beginning<'a> {
    /// Reads the fields up to the one that is not complete.
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        struct Fields<'b, 'a>(&'b mut Beginning<'a>);

        impl<'a> Visitor<'a> for Fields<'_, 'a> {
            type Value = ();

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("a message")
            }

            fn visit_map<A: MapAccess<'a>>(self, mut fields: A) -> Result<(), A::Error> {
                while let Some(name) = fields.next_key::<Cow<'a, str>>()? {
                    match &*name {
                        "id" => self.0.id = Some(fields.next_value()?),
                        "result" | "error" => {
                            self.0.is_answer = true;
                            fields.next_value::<IgnoredAny>()?;
                        }
                        _ => drop(fields.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(())
            }
        }

        let mut beginning = Self::default();
        let mut bytes = serde_json::Deserializer::from_slice(bytes);
        // It fails where the bytes end.
        let _ = bytes.deserialize_map(Fields(&mut beginning));
        beginning
    }
}

/// Parses a part of a line; none if it is something else.
pub(super) fn parse<'a, T: Deserialize<'a>>(value: &'a RawValue) -> Option<T> {
    serde_json::from_str(value.get()).ok()
}

/// Returns the messages of a line: one, or those of a batch; none of a line that is not JSON.
pub(super) fn messages(line: &str) -> Vec<&RawValue> {
    let is_batch = line.trim_start().starts_with('[');
    if is_batch {
        return serde_json::from_str(line).unwrap_or_default();
    }
    serde_json::from_str(line).map_or_else(|_| Vec::new(), |message| vec![message])
}

/// Returns an id as it is compared: the same string may be written in several ways. None if it is
/// longer than any program makes them.
pub(super) fn id_key(id: &RawValue) -> Option<String> {
    if id.get().len() > ID_BYTES_MAX {
        return None;
    }
    serde_json::from_str::<Value>(id.get()).ok().map(|id| id.to_string())
}
