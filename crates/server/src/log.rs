//! The line in the log for each request. It holds nothing that a caller has written, and no name.

use std::sync::{Arc, OnceLock};

use http::request::Parts;
use jiff::Timestamp;
use rmcp::service::{RequestContext, RoleServer};

use super::methods::{CALL_TOOL, RequestMethod};
use super::protocol::answer_rpc::RpcOutcome;
use super::server::Server;
use dibber_skill::contract::UserId;

/// What is known about a request over HTTP, which is filled in while the request is handled.
#[derive(Clone, Debug, Default)]
pub(super) struct RequestLog(Arc<Fields>);

#[derive(Debug, Default)]
struct Fields {
    method: OnceLock<&'static str>,
    user: OnceLock<UserId>,
    call: OnceLock<CallOutcome>,
    rpc: OnceLock<RpcOutcome>,
}

/// The outcome of the call of a tool.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallOutcome {
    pub(super) tool: &'static str,
    /// `OK`, or the code of the error.
    pub(super) code: &'static str,
}

impl RequestLog {
    /// Records the method.
    pub(super) fn set_method(&self, RequestMethod(method): RequestMethod) {
        // It is set once, so this cannot fail.
        let _ = self.0.method.set(method);
    }

    /// Records the outcome of a message of the Skills Protocol.
    pub(super) fn set_rpc(&self, outcome: RpcOutcome) {
        let _ = self.0.rpc.set(outcome);
    }

    /// Records the caller.
    pub(super) fn set_user(&self, id: &UserId) {
        let _ = self.0.user.set(id.clone());
    }

    /// Writes the line.
    pub(super) fn write(&self, path: &str, status: u16, milliseconds: i64) {
        let Fields { method, user, call, rpc } = self.0.as_ref();
        let code = call.get().map(|call| call.code).or(rpc.get().map(|rpc| rpc.code));
        tracing::info!(
            path,
            method = method.get().or(rpc.get().map(|rpc| &rpc.method)),
            tool = call.get().map(|call| call.tool),
            user = user.get().map(UserId::as_str),
            status,
            code,
            ms = milliseconds,
            "request"
        );
    }
}

impl Server {
    /// Records the outcome of a call for the line of its request; a call that did not come over
    /// HTTP gets a line of its own.
    pub(super) fn log_call(
        &self,
        context: &RequestContext<RoleServer>,
        user: &UserId,
        outcome: CallOutcome,
        began: Timestamp,
    ) {
        let parts = context.extensions.get::<Parts>();
        if let Some(line) = parts.and_then(|parts| parts.extensions.get::<RequestLog>()) {
            let _ = line.0.call.set(outcome);
            return;
        }
        let CallOutcome { tool, code } = outcome;
        let milliseconds = self.milliseconds_since(began);
        tracing::info!(
            method = CALL_TOOL,
            tool,
            user = user.as_str(),
            code,
            ms = milliseconds,
            "request"
        );
    }
}
