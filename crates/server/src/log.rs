//! The line that a request leaves in the log: nothing that a caller has written, and no name.

use std::sync::{Arc, OnceLock};

use http::request::Parts;
use jiff::Timestamp;
use rmcp::service::{RequestContext, RoleServer};
use serde::Deserialize;

use super::Server;

/// The methods that a line names. Others are words of the caller's.
const METHODS: [&str; 13] = [
    "completion/complete",
    "initialize",
    "logging/setLevel",
    "notifications/cancelled",
    "notifications/initialized",
    "ping",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "server/discover",
    "tools/call",
    "tools/list",
];

/// What is known of a request over HTTP. Whoever learns something fills it in.
#[derive(Clone, Debug, Default)]
pub(super) struct Line(Arc<Facts>);

#[derive(Debug, Default)]
struct Facts {
    method: OnceLock<&'static str>,
    user: OnceLock<String>,
    call: OnceLock<Call>,
}

/// What came of the call of a tool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) tool: &'static str,
    /// `OK`, or the code of the error.
    pub(super) code: &'static str,
}

impl Line {
    /// Notes which method a message calls. A message that cannot be read has none.
    pub(super) fn message(&self, body: &[u8]) {
        #[derive(Deserialize)]
        struct Message<'a> {
            #[serde(borrow)]
            method: &'a str,
        }
        if let Ok(message) = serde_json::from_slice::<Message>(body) {
            let method = METHODS.into_iter().find(|method| *method == message.method);
            // Nobody has noted it before.
            let _ = self.0.method.set(method.unwrap_or("other"));
        }
    }

    /// Notes who is calling.
    pub(super) fn user(&self, id: &str) {
        let _ = self.0.user.set(id.to_owned());
    }

    /// Writes it.
    pub(super) fn write(&self, path: &str, status: u16, milliseconds: i64) {
        let Facts { method, user, call } = self.0.as_ref();
        tracing::info!(
            path,
            method = method.get(),
            tool = call.get().map(|call| call.tool),
            user = user.get(),
            status,
            code = call.get().map(|call| call.code),
            ms = milliseconds,
            "request"
        );
    }
}

impl Server {
    /// Notes what came of a call for the line of its request; one that did not come over HTTP
    /// has its own line.
    pub(super) fn log_call(
        &self,
        context: &RequestContext<RoleServer>,
        user: &str,
        call: Call,
        began: Timestamp,
    ) {
        let parts = context.extensions.get::<Parts>();
        if let Some(line) = parts.and_then(|parts| parts.extensions.get::<Line>()) {
            let _ = line.0.call.set(call);
            return;
        }
        let Call { tool, code } = call;
        let milliseconds = self.milliseconds_since(began);
        tracing::info!(method = "tools/call", tool, user, code, ms = milliseconds, "request");
    }

    pub(super) fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// How long ago that was; no time at all after the clock was set back.
    pub(super) fn milliseconds_since(&self, began: Timestamp) -> i64 {
        (self.now().as_millisecond() - began.as_millisecond()).max(0)
    }
}
