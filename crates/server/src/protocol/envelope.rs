//! The envelope of JSON-RPC 2.0: what is a call, and how its answer is written. It runs nothing.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use dibber_skill::contract::skills_protocol::{RpcCode, RpcError, RpcReason};
use dibber_text::{Shown, strict_json};

/// The most calls of a batch.
pub const BATCH_CALLS_MAX: usize = 50;

/// The id of the answer to what has none, or none that can be read.
const NULL: &str = "null";

const EXAMPLE: &str = "send an object such as `{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"list_skills\", \"params\": {}}`";

/// What was sent.
#[derive(Debug)]
pub(super) enum Message<'a> {
    /// A call.
    Single(RpcRequest<'a>),
    /// Several, which are answered in their order.
    Batch(Vec<RpcRequest<'a>>),
}

/// One request of a message.
#[derive(Debug)]
pub(super) enum RpcRequest<'a> {
    /// A call.
    Call(RpcCall<'a>),
    /// It is no call, and answered with this error.
    Invalid { id: &'a str, error: RpcError },
}

/// A call, whose parameters are not parsed yet.
#[derive(Debug)]
pub(super) struct RpcCall<'a> {
    /// The id as it is written; none if nothing is to be answered.
    pub(super) id: Option<&'a str>,
    /// The name of the method, which need not exist.
    pub(super) method: String,
    /// The parameters as they are written.
    pub(super) parameters: Option<&'a str>,
}

impl RpcCall<'_> {
    /// Parses the parameters: an object by their names. The error quotes nothing of them.
    pub(super) fn parameters(&self) -> Result<serde_json::Map<String, Value>, RpcError> {
        let Some(text) = self.parameters else { return Ok(serde_json::Map::new()) };
        if let Some(integer) = strict_json::large_integer(text) {
            let shown = Shown::to_be_masked(integer);
            return Err(invalid_parameters(
                format!("the integer {shown} is too large"),
                "write it as a string, or as a fraction if its last digits do not matter",
            ));
        }
        match strict_json::parse(text) {
            Ok(Value::Object(parameters)) => Ok(parameters),
            // Like a parameter, all of them together may be null instead of missing.
            Ok(Value::Null) => Ok(serde_json::Map::new()),
            Ok(_) => Err(invalid_parameters(
                "`params` is not an object".to_owned(),
                "send the parameters by their names, as in `{\"name\": \"family.dates.countdown\"}`",
            )),
            // A key can be the name of a child.
            Err(error) if error.is_data() => Err(invalid_parameters(
                format!(
                    "`params` has a duplicate key, at its line {} and column {}",
                    error.line(),
                    error.column()
                ),
                "send each key once",
            )),
            Err(error) => Err(invalid_parameters(
                format!("`params` cannot be read: {}", without_position(&error)),
                "send numbers that fit into 64 bits, strings of Unicode characters, and \
                 no more than 127 levels",
            )),
        }
    }
}

/// Returns the calls of a message.
///
/// # Errors
/// The error that answers all of it.
pub(super) fn parse(body: &[u8]) -> Result<Message<'_>, RpcError> {
    let text = str::from_utf8(body)
        .map_err(|_| not_json("the body is not UTF-8", "send JSON in UTF-8"))?;
    if text.starts_with('\u{FEFF}') {
        return Err(not_json("the body begins with a byte order mark", "send it without the mark"));
    }
    serde_json::from_str::<IgnoredAny>(text)
        .map_err(|error| not_json(format!("the body is not JSON: {error}"), EXAMPLE))?;
    let Ok(Calls { first, count }) = serde_json::from_str(text) else {
        return Ok(Message::Single(request(text)));
    };
    if !(1..=BATCH_CALLS_MAX).contains(&count) {
        return Err(RpcError::new(
            RpcCode::InvalidRequest,
            RpcReason::BatchSize,
            format!("the batch has {count} calls"),
            format!("send 1 to {BATCH_CALLS_MAX} calls in a batch"),
        ));
    }
    Ok(Message::Batch(first.into_iter().map(request).collect()))
}

/// Returns the answer to a call: its id as it came, and its result, which is JSON, or its error.
pub(super) fn answer(id: &str, result: Result<&str, &RpcError>) -> String {
    match result {
        Ok(result) => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
        Err(error) => {
            let error = serde_json::to_string(error).expect("an error has string keys");
            format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)
        }
    }
}

/// Returns the answer to a message that is none.
pub(super) fn answer_to_all(error: &RpcError) -> String {
    answer(NULL, Err(error))
}

/// The calls of a batch as they are written.
#[derive(Default)]
struct Calls<'a> {
    /// The first [`BATCH_CALLS_MAX`].
    first: Vec<&'a str>,
    count: usize,
}

impl<'de> Deserialize<'de> for Calls<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(CallsVisitor)
    }
}

struct CallsVisitor;

impl<'de> Visitor<'de> for CallsVisitor {
    type Value = Calls<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a batch")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Calls<'de>, A::Error> {
        let mut calls = Calls::default();
        while let Some(call) = items.next_element::<&RawValue>()? {
            calls.count += 1;
            if calls.count <= BATCH_CALLS_MAX {
                calls.first.push(call.get());
            }
        }
        Ok(calls)
    }
}

/// The members of a request, as they are written.
#[derive(Default)]
struct Members<'a> {
    version: Option<&'a str>,
    id: Option<&'a str>,
    method: Option<&'a str>,
    parameters: Option<&'a str>,
    /// The error of a key that is a duplicate, and whether it is the id.
    duplicate: Option<(&'static str, bool)>,
    /// Whether a key has half of a character.
    has_invalid_key: bool,
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a request")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Members<'de>, A::Error> {
        let mut members = Members::default();
        while let Some((key, value)) = entries.next_entry::<&RawValue, &RawValue>()? {
            let Some(key) = string(key.get()) else {
                members.has_invalid_key = true;
                continue;
            };
            let (known, duplicate) = match key.as_str() {
                "jsonrpc" => (&mut members.version, "`jsonrpc` is a duplicate key"),
                "id" => (&mut members.id, "`id` is a duplicate key"),
                "method" => (&mut members.method, "`method` is a duplicate key"),
                "params" => (&mut members.parameters, "`params` is a duplicate key"),
                // A later revision of JSON-RPC, or a client, may have members of its own.
                _ => continue,
            };
            if known.replace(value.get()).is_some() {
                members.duplicate = Some((duplicate, key == "id"));
            }
        }
        Ok(members)
    }
}

/// Returns the request that JSON is.
fn request(text: &str) -> RpcRequest<'_> {
    let invalid = |id, message: &str| {
        let error =
            RpcError::new(RpcCode::InvalidRequest, RpcReason::NotARequest, message, EXAMPLE);
        RpcRequest::Invalid { id, error }
    };
    let Ok(members) = serde_json::from_str::<Members<'_>>(text) else {
        return invalid(NULL, "a request is not an object");
    };
    if members.has_invalid_key {
        return invalid(NULL, "a key is not a string of Unicode characters");
    }
    let duplicate = members.duplicate;
    let id = match (members.id, duplicate) {
        (_, Some((message, true))) => return invalid(NULL, message),
        (Some(id), _) if !is_id(id) => {
            return invalid(NULL, "`id` is not a string, a number or null");
        }
        (id, _) => id,
    };
    let answered = id.unwrap_or(NULL);
    if let Some((message, _)) = duplicate {
        return invalid(answered, message);
    }
    if members.version.and_then(string).as_deref() != Some("2.0") {
        return invalid(answered, "`jsonrpc` is not \"2.0\"");
    }
    match members.method.and_then(string) {
        Some(method) => RpcRequest::Call(RpcCall { id, method, parameters: members.parameters }),
        None => invalid(answered, "`method` is not a string"),
    }
}

/// Returns `true` if an id can be answered as it is written.
fn is_id(text: &str) -> bool {
    match text.as_bytes().first() {
        Some(b'"') => string(text).is_some(),
        Some(b'-' | b'0'..=b'9') => true,
        _ => text == NULL,
    }
}

/// Returns the string that is written; none if it is something else, or has half of a character.
fn string(text: &str) -> Option<String> {
    serde_json::from_str(text).ok()
}

fn not_json(message: impl Into<String>, help: &str) -> RpcError {
    RpcError::new(RpcCode::ParseError, RpcReason::NotJson, message, help)
}

fn invalid_parameters(message: String, help: &str) -> RpcError {
    RpcError::invalid(RpcReason::InvalidParams, message, help)
}

/// Returns an error without its place, which would be that in the parameters, not in the body.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(message, _)| message.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// The answers to a message as if each call had this result.
    fn answers(message: &[u8]) -> Vec<String> {
        let answered = |request: &RpcRequest<'_>| match request {
            RpcRequest::Call(call) => match call.parameters() {
                Ok(_) => call.id.map(|id| answer(id, Ok("{}"))),
                Err(error) => call.id.map(|id| answer(id, Err(&error))),
            },
            RpcRequest::Invalid { id, error } => Some(answer(id, Err(error))),
        };
        match parse(message) {
            Ok(Message::Single(request)) => answered(&request).into_iter().collect(),
            Ok(Message::Batch(requests)) => requests.iter().filter_map(answered).collect(),
            Err(error) => vec![answer_to_all(&error)],
        }
    }

    /// Parts of messages, whole and broken.
    fn part() -> impl Strategy<Value = String> {
        let written = [
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\\",
            "\\u",
            "null",
            "true",
            "1",
            "-",
            "1e9",
            ".5",
            " ",
            "\"jsonrpc\"",
            "\"2.0\"",
            "\"id\"",
            "\"method\"",
            "\"params\"",
            "\"\\ud800\"",
            "\u{FEFF}",
            "\0",
            "é",
            "{\"jsonrpc\":\"2.0\",\"id\":",
            "\"method\":\"a\"",
            "\"params\":{",
        ];
        prop_oneof![3 => prop::sample::select(written.to_vec()).prop_map(str::to_owned), 1 => ".{0,3}"]
    }

    proptest! {
        /// Whatever is sent, what is answered is JSON-RPC.
        #[test]
        fn every_answer_is_an_answer(parts in prop::collection::vec(part(), 0..24)) {
            for answer in answers(parts.concat().as_bytes()) {
                let answer: Value = serde_json::from_str(&answer).expect("JSON");
                prop_assert_eq!(&answer["jsonrpc"], "2.0");
                prop_assert!(answer.get("id").is_some());
                prop_assert_ne!(answer.get("result").is_some(), answer.get("error").is_some());
            }
        }

        #[test]
        fn bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            prop_assert!(answers(&bytes).len() <= BATCH_CALLS_MAX);
        }

        /// An id comes back as it was written, and a call without one is not answered.
        #[test]
        fn ids_come_back(text in any::<String>(), number in "-?(0|[1-9][0-9]{0,40})(\\.[0-9]{1,9})?(e[0-9]{1,4})?") {
            let id = json!(text).to_string();
            for id in [id, number] {
                let message = format!(r#"{{"method":"a","id": {id} ,"jsonrpc":"2.0"}}"#);
                prop_assert_eq!(answers(message.as_bytes()), [answer(&id, Ok("{}"))]);
            }
            let notification = br#"{"method":"a","jsonrpc":"2.0"}"#;
            prop_assert_eq!(answers(notification), Vec::<String>::new());
        }
    }
}
