//! The proxy as a component of a conductor, which has one connection for both sides.
//!
//! A conductor sends the messages of the editor as they are, and those of the agent in `proxy/successor`;
//! what it gets as `proxy/successor` goes to the agent, and all else to the editor. See
//! <https://agentclientprotocol.com/rfds/proxy-chains>.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::machine::Proxy;
use super::message::{Beginning, LINE_BYTES_MAX, Message, id_key, messages, parse};
use super::proxy_skill::{ProxySkill, ReadBody};

/// The method that wraps what is for the agent, or comes from it.
const SUCCESSOR: &str = "proxy/successor";

/// What a conductor sends instead of `initialize`.
const INITIALIZE: &str = "proxy/initialize";

/// What ends a request, on this connection alone.
const CANCEL: &str = "$/cancel_request";

/// The most requests whose answers are waited for; more are refused.
const PENDING_MAX: usize = 10_000;

/// The codes of JSON-RPC.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const INVALID_PARAMS: i32 = -32602;
const INTERNAL_ERROR: i32 = -32603;

/// The id of the answer to what has none that could be read.
const NO_ID: &str = "null";

/// A proxy in a chain.
#[derive(Debug)]
pub struct Conductor {
    proxy: Proxy,
    count: u64,
    /// The requests of the conductor that were passed on, by the ids that they were given.
    pending: HashMap<String, Passed>,
}

/// A request that was passed on.
#[derive(Debug)]
struct Passed {
    /// The id as the conductor wrote it.
    id: Box<RawValue>,
    /// It came from the editor.
    is_from_client: bool,
}

/// There are too many requests.
struct TooMany;

#[derive(Deserialize)]
struct Wrapped<'a> {
    method: &'a RawValue,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Cancelled<'a> {
    #[serde(borrow)]
    request_id: &'a RawValue,
}

impl Conductor {
    /// Creates a component that adds skills as this proxy does.
    pub fn new(proxy: Proxy) -> Self {
        Self { proxy, count: 0, pending: HashMap::new() }
    }

    /// Returns the lines that answer a line of the conductor, without their ends.
    pub fn line(&mut self, line: &[u8], read: &mut ReadBody) -> Vec<String> {
        let mut lines = Vec::new();
        if line.trim_ascii().is_empty() {
            return lines;
        }
        let text = std::str::from_utf8(line).unwrap_or_default();
        let messages = messages(text);
        if messages.is_empty() {
            lines.push(error_line(NO_ID, PARSE_ERROR, "the line is not JSON"));
        }
        for message in messages {
            let Some(message) = parse::<Message>(message) else {
                lines.push(error_line(NO_ID, INVALID_REQUEST, "this is no message of JSON-RPC"));
                continue;
            };
            match message.method.as_deref() {
                Some(CANCEL) => lines.extend(self.cancel(&message)),
                Some(SUCCESSOR) => self.pass_to_client(&message, &mut lines),
                Some(method) => self.pass_to_agent(method, &message, read, &mut lines),
                None => self.answered(&message, &mut lines),
            }
        }
        lines
    }

    /// Returns the line that answers a line of which this is only the beginning.
    pub fn long_line(&mut self, beginning: &[u8]) -> String {
        let Beginning { id, is_answer } = Beginning::of(beginning);
        // The answer does not come: the sender of the request gets an error instead.
        let answered = id.and_then(id_key).filter(|_| is_answer);
        let passed = answered.and_then(|key| self.pending.remove(&key));
        let id = match &passed {
            Some(passed) => passed.id.get(),
            None => id.filter(|_| !is_answer).map_or(NO_ID, RawValue::get),
        };
        let message = format!("the message is longer than {} MiB", LINE_BYTES_MAX >> 20);
        error_line(id, INVALID_REQUEST, &message)
    }

    /// Replaces the skills. Returns the lines that tell the editor.
    pub fn set_skills(&mut self, skills: Vec<ProxySkill>) -> Vec<String> {
        self.proxy.set_skills(skills)
    }

    fn pass_to_agent(
        &mut self,
        method: &str,
        message: &Message,
        read: &mut ReadBody,
        lines: &mut Vec<String>,
    ) {
        let method = if method == INITIALIZE { "initialize" } else { method };
        let line = request_line(message.id.map(RawValue::get), method, message.params);
        let line = self.proxy.client_line(line.as_bytes(), read);
        let Some(changed) = as_message(&line) else { return };
        let Ok(id) = self.pass(message.id, true, lines) else { return };
        let method = Value::from(method);
        let wrapped = match changed.params {
            Some(params) => format!(r#"{{"method":{method},"params":{params}}}"#),
            None => format!(r#"{{"method":{method}}}"#),
        };
        lines.push(successor_line(id.as_deref(), &wrapped));
    }

    fn pass_to_client(&mut self, message: &Message, lines: &mut Vec<String>) {
        let wrapped = message.params.and_then(parse::<Wrapped>);
        let method = wrapped.as_ref().and_then(|wrapped| parse::<String>(wrapped.method));
        let (Some(wrapped), Some(method)) = (wrapped, method) else {
            let error = "there is no message in it";
            lines.extend(message.id.map(|id| error_line(id.get(), INVALID_PARAMS, error)));
            return;
        };
        let Ok(id) = self.pass(message.id, false, lines) else { return };
        let line = request_line(id.as_deref(), &method, wrapped.params);
        self.send_to_client(&line, lines);
    }

    /// Sends a line of the agent to the editor, with what the proxy adds.
    fn send_to_client(&mut self, line: &str, lines: &mut Vec<String>) {
        let passed = self.proxy.agent_line(line.as_bytes());
        lines.push(String::from_utf8_lossy(&passed.line).into_owned());
        lines.extend(passed.after);
    }

    fn answered(&mut self, message: &Message, lines: &mut Vec<String>) {
        let Some(key) = message.id.and_then(id_key) else { return };
        let Some(passed) = self.pending.remove(&key) else { return };
        let answer = match (message.error, message.result) {
            (Some(error), _) => format!(r#""error":{error}"#),
            (None, Some(result)) => format!(r#""result":{result}"#),
            (None, None) => r#""result":null"#.to_owned(),
        };
        let line = format!(r#"{{"jsonrpc":"2.0","id":{},{answer}}}"#, passed.id);
        if passed.is_from_client {
            self.send_to_client(&line, lines);
        } else {
            lines.push(line);
        }
    }

    /// Gives a request an id of this connection, and a notification none. Returns an error, which is
    /// answered, if there are too many requests.
    fn pass(
        &mut self,
        id: Option<&RawValue>,
        is_from_client: bool,
        lines: &mut Vec<String>,
    ) -> Result<Option<String>, TooMany> {
        let Some(id) = id else { return Ok(None) };
        if self.pending.len() == PENDING_MAX {
            let error = "too many requests at the same time";
            lines.push(error_line(id.get(), INTERNAL_ERROR, error));
            return Err(TooMany);
        }
        self.count += 1;
        let new = format!("\"dibber-{}\"", self.count);
        self.pending.insert(new.clone(), Passed { id: id.to_owned(), is_from_client });
        Ok(Some(new))
    }

    /// A request is cancelled under the id that it was given.
    fn cancel(&mut self, message: &Message) -> Option<String> {
        let cancelled: Cancelled = parse(message.params?)?;
        let wanted = id_key(cancelled.request_id)?;
        let is_wanted = |passed: &Passed| id_key(&passed.id).as_ref() == Some(&wanted);
        let (id, _) = self.pending.iter().find(|(_, passed)| is_wanted(passed))?;
        let params = format!(r#"{{"requestId":{id}}}"#);
        Some(format!(r#"{{"jsonrpc":"2.0","method":"{CANCEL}","params":{params}}}"#))
    }
}

fn as_message(line: &[u8]) -> Option<Message<'_>> {
    serde_json::from_slice(line).ok()
}

fn error_line(id: &str, code: i32, message: &str) -> String {
    let message = Value::from(message);
    let error = format!(r#"{{"code":{code},"message":{message}}}"#);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)
}

fn request_line(id: Option<&str>, method: &str, params: Option<&RawValue>) -> String {
    let id = id.map(|id| format!(r#""id":{id},"#)).unwrap_or_default();
    let method = Value::from(method);
    let params = params.map(|params| format!(r#","params":{params}"#)).unwrap_or_default();
    format!(r#"{{"jsonrpc":"2.0",{id}"method":{method}{params}}}"#)
}

fn successor_line(id: Option<&str>, wrapped: &str) -> String {
    let id = id.map(|id| format!(r#""id":{id},"#)).unwrap_or_default();
    format!(r#"{{"jsonrpc":"2.0",{id}"method":"{SUCCESSOR}","params":{wrapped}}}"#)
}
