//! Why one attempt failed, whether another may help, and whether it may have done its work.

use std::error::Error;
use std::io;

use rmcp::model::{ErrorCode as RpcCode, ErrorData};
use rmcp::service::{ClientInitializeError, ServiceError};
use rmcp::transport::streamable_http_client::StreamableHttpError;

use super::error::ClientError;
use super::http_client::{HttpError, root_cause};
use super::program_output::UNREADABLE_ANSWER;
use super::retry_safety::RetrySafety;
use super::rpc_error::{PAGE_REQUIRED, format_rpc_error, page_required, shown_message};
use dibber_skill::contract::{DATABASE_DAMAGED, ErrorCode, SAFETY_CHECK_FAILED, ToolError};
use dibber_text::Shown;

/// What the HTTP library says of an answer that does not begin as one of HTTP, such as TLS.
const NOT_HTTP: &str = "invalid HTTP version parsed";

/// The reason of a server that is still busy with the same call.
const IN_FLIGHT: &str = "IDEMPOTENCY_IN_FLIGHT";

/// An attempt that failed.
#[derive(Debug)]
pub(super) struct Failure {
    /// The error if it was the last attempt, and nothing was changed.
    pub(super) error: ClientError,
    /// Whether another attempt may help.
    pub(super) next_attempt: NextAttempt,
    /// What the server may have done.
    pub(super) effect: Effect,
    /// Whether the connection can be used for another attempt.
    pub(super) connection_usable: bool,
}

/// Whether another attempt may help.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NextAttempt {
    /// It would fail, too.
    Never,
    /// It may, but it could repeat side effects; with `Retry-After`, if the server sent it.
    NotSafe(Option<Box<str>>),
    /// It may; with the value of `Retry-After`, if the server sent one.
    After(Option<Box<str>>),
}

/// What the server may have done in an attempt that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing of the call can have reached the server.
    NotSent,
    /// The answer means that nothing was changed.
    NotApplied,
    /// The call may have run.
    MayHaveApplied,
}

/// Returns `true` if an error of the server with this reason comes again: another attempt would read
/// the same damage, or run the same program.
pub(super) fn is_lasting(reason: &str) -> bool {
    [DATABASE_DAMAGED, SAFETY_CHECK_FAILED].contains(&reason)
}

impl Failure {
    /// Creates the failure that every attempt would end in, and that changed nothing.
    pub(super) fn permanent(error: ClientError) -> Self {
        Self {
            error,
            next_attempt: NextAttempt::Never,
            effect: Effect::NotApplied,
            connection_usable: true,
        }
    }

    /// Creates the failure of a connection that was lost while the server may have run the call.
    pub(super) fn connection_lost(cause: impl Into<String>) -> Self {
        Self {
            error: ClientError::Unreachable(cause.into()),
            next_attempt: NextAttempt::After(None),
            effect: Effect::MayHaveApplied,
            connection_usable: false,
        }
    }

    /// Creates the failure of a request whose answer was lost.
    pub(super) fn answer_lost(cause: &'static str) -> Self {
        Self { error: ClientError::AnswerLost(cause.to_owned()), ..Self::connection_lost("") }
    }

    /// Creates the failure of a request that the server, which was reached, did not answer in time.
    pub(super) fn no_answer(cause: String) -> Self {
        Self { error: ClientError::NoAnswer(cause), ..Self::connection_lost("") }
    }

    /// Returns the failure of a request that could not be sent because the server did not answer
    /// until the connection was open.
    pub(super) fn not_connected(self) -> Self {
        let error = match self.error {
            ClientError::NoAnswer(cause) => ClientError::Unreachable(cause),
            error => error,
        };
        Self { error, ..self }.not_sent()
    }

    /// Creates the failure of an answer that violates the protocol: the call may have run.
    pub(super) fn protocol_error(cause: impl Into<String>) -> Self {
        let error = ClientError::Protocol(cause.into());
        Self { effect: Effect::MayHaveApplied, ..Self::permanent(error) }
    }

    /// Creates the failure of a call that a tool answered with an error.
    pub(super) fn tool_error(error: ToolError) -> Self {
        let reason = error.reason.as_deref();
        let is_running = reason == Some(IN_FLIGHT);
        let may_pass = error.code == ErrorCode::InternalError && !reason.is_some_and(is_lasting);
        let effect = if is_running { Effect::MayHaveApplied } else { Effect::NotApplied };
        let next_attempt = if may_pass { NextAttempt::After(None) } else { NextAttempt::Never };
        Self { next_attempt, effect, ..Self::permanent(ClientError::Refused(Box::new(error))) }
    }

    /// Creates the failure of a call that a tool without the contract answered with an error.
    pub(super) fn failed(message: String) -> Self {
        let error = ClientError::Failed { message, may_have_applied: true };
        Self { effect: Effect::MayHaveApplied, ..Self::permanent(error) }
    }

    /// Returns the failure of a call that was not sent.
    pub(super) fn not_sent(self) -> Self {
        Self { effect: Effect::NotSent, ..self }
    }

    /// Returns the failure of a call that may have run before it failed.
    pub(super) fn with_unknown_effect(self) -> Self {
        Self { effect: Effect::MayHaveApplied, ..self }
    }

    /// Returns the failure of a request that has no side effects.
    pub(super) fn without_side_effects(self) -> Self {
        match self.effect {
            Effect::NotSent | Effect::NotApplied => self,
            Effect::MayHaveApplied => {
                let error = match self.error {
                    ClientError::Failed { message, .. } => {
                        ClientError::Failed { message, may_have_applied: false }
                    }
                    error => error,
                };
                Self { effect: Effect::NotApplied, error, ..self }
            }
        }
    }

    /// Returns the failure of a call that can be repeated with this safety.
    pub(super) fn with_retry_safety(self, safety: RetrySafety<'_>) -> Self {
        match safety {
            RetrySafety::ReadOnly => self.without_side_effects(),
            RetrySafety::Idempotent | RetrySafety::Keyed(_) => self,
            RetrySafety::Once if self.effect == Effect::NotSent => self,
            // Only the contract promises that a refusal changed nothing; a server with tools of
            // its own does not.
            RetrySafety::Once => self.not_safe(),
        }
    }

    /// Returns the failure of a call to a server that promises nothing about its errors: an internal one
    /// is like an error in words, and may have come after the effect.
    pub(super) fn without_promises(self) -> Self {
        match &self.error {
            ClientError::Refused(refusal) if refusal.code == ErrorCode::InternalError => {
                Self::failed(self.error.to_string())
            }
            _ => self,
        }
    }

    /// Returns the failure of a request that has reached the server.
    pub(super) fn reached(self) -> Self {
        let error = match self.error {
            ClientError::Unreachable(cause) => ClientError::AnswerLost(cause),
            error => error,
        };
        Self { error, ..self }
    }

    /// Returns the failure of a call that can be repeated unless it may have run.
    pub(super) fn no_retry_if_applied(self) -> Self {
        if self.effect == Effect::MayHaveApplied { self.not_safe() } else { self }
    }

    fn not_safe(self) -> Self {
        let next_attempt = match self.next_attempt {
            NextAttempt::After(retry_after) => NextAttempt::NotSafe(retry_after),
            next_attempt => next_attempt,
        };
        Self { next_attempt, ..self }
    }
}

impl From<ClientInitializeError> for Failure {
    /// No call was sent yet.
    fn from(error: ClientInitializeError) -> Self {
        let failure = match error {
            ClientInitializeError::TransportError { error, .. } => {
                from_transport_error(&*error.error)
            }
            ClientInitializeError::LegacyFallbackFailed { fallback, .. } => Self::from(*fallback),
            ClientInitializeError::JsonRpcError(error) => from_rpc_error(&error),
            ClientInitializeError::NoCompatibleProtocolVersion { server_supported, .. } => {
                let versions: Vec<_> = server_supported.iter().map(ToString::to_string).collect();
                Self::protocol_error(format!(
                    "no common protocol version; the server supports {}",
                    versions.join(", ")
                ))
            }
            ClientInitializeError::ConnectionClosed(_) => {
                Self::connection_lost("connection closed during initialization")
            }
            ClientInitializeError::ExpectedInitResult(_) => {
                Self::protocol_error("its answer to the first request is not an MCP message")
            }
            // An answer to another request, which a repeated or corrupted message leads to.
            _ => Self::answer_lost("its first answer is for another request"),
        };
        Self { connection_usable: false, ..failure.not_sent() }
    }
}

/// Returns `true` if a server may not know the first request of the newest revision: its answer is
/// not one to that request. A server that cannot be reached, that requires a token or whose answer
/// was corrupted has not shown which revisions it knows.
pub(super) fn may_need_handshake(error: &ClientInitializeError) -> bool {
    match error {
        ClientInitializeError::JsonRpcError(_)
        | ClientInitializeError::ExpectedInitResult(_)
        | ClientInitializeError::NoCompatibleProtocolVersion { .. } => true,
        ClientInitializeError::TransportError { error, .. } => {
            matches!(from_transport_error(&*error.error).error, ClientError::Protocol(_))
        }
        _ => false,
    }
}

impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::McpError(error) => from_rpc_error(&error),
            ServiceError::TransportSend(error) => from_transport_error(&*error.error),
            ServiceError::TransportClosed => Self::connection_lost("connection closed"),
            ServiceError::UnexpectedResponse => {
                Self::protocol_error("its answer is for another request")
            }
            other => Self::connection_lost(other.to_string()),
        }
    }
}

fn from_rpc_error(error: &ErrorData) -> Failure {
    let cause = format_rpc_error(error);
    match error.code {
        // It could not parse the request, which was corrupted in transit.
        RpcCode::PARSE_ERROR => Failure::connection_lost(cause).without_side_effects(),
        // The call was not run.
        RpcCode::METHOD_NOT_FOUND => Failure::permanent(ClientError::UnknownMethod(cause)),
        RpcCode::INVALID_REQUEST | RpcCode::INVALID_PARAMS => {
            Failure::permanent(ClientError::Rejected(cause))
        }
        UNREADABLE_ANSWER => Failure::protocol_error(shown_message(error)),
        PAGE_REQUIRED => Failure::permanent(page_required(error)),
        // The server failed at the call, or the code is its own, such as the timeout of a gateway:
        // the call may have run.
        _ => Failure {
            effect: Effect::MayHaveApplied,
            ..Failure::permanent(ClientError::Rejected(cause))
        },
    }
}

fn from_transport_error(error: &(dyn Error + Send + Sync + 'static)) -> Failure {
    let Some(error) = error.downcast_ref::<HttpError>() else {
        return Failure::connection_lost(root_cause(error));
    };
    match error {
        StreamableHttpError::Client(error) => from_request_error(error),
        StreamableHttpError::HttpStatus(status) => {
            from_status(status.status, status.retry_after.clone())
        }
        StreamableHttpError::AuthRequired(_) | StreamableHttpError::InsufficientScope(_) => {
            Failure::permanent(ClientError::Unauthorized)
        }
        StreamableHttpError::UnexpectedServerResponse(text) if text.starts_with("HTTP ") => {
            // After the status comes the whole page.
            let line = text.lines().next().unwrap_or_default().trim_end_matches([':', ' ']);
            Failure::protocol_error(format!("it answered {}", Shown::to_be_masked(line)))
        }
        // A server that no longer knows the session answers HTTP 404 before it reads the request, but
        // a gateway may answer so although it has passed the request on.
        StreamableHttpError::SessionExpired => Failure::answer_lost("it ended the session"),
        // The transport expects JSON-RPC; an answer that is not was corrupted or truncated.
        StreamableHttpError::UnexpectedServerResponse(_) => {
            Failure::answer_lost("its answer is damaged")
        }
        StreamableHttpError::UnexpectedContentType(kind) => {
            let kind = kind.as_deref().unwrap_or("no content type");
            Failure::protocol_error(format!("it answered with {kind} instead of JSON"))
        }
        StreamableHttpError::ResponseBodyTooLarge { max_size } => {
            Failure::protocol_error(format!("its answer is larger than {max_size} bytes"))
        }
        other => Failure::connection_lost(root_cause(other)),
    }
}

/// Returns the failure of a request over HTTP without an answer.
pub(super) fn from_request_error(error: &reqwest::Error) -> Failure {
    let cause = root_cause(error);
    if error.is_builder() {
        return Failure::permanent(ClientError::Protocol(cause));
    }
    if let Some(cause) = certificate_error(error) {
        return Failure::permanent(ClientError::InvalidCertificate(cause)).not_sent();
    }
    if let Some(cause) = not_encrypted(error) {
        return Failure::permanent(ClientError::NotEncrypted(cause)).not_sent();
    }
    let is_plain = error.url().is_some_and(|url| url.scheme() == "http");
    if is_plain && cause == NOT_HTTP {
        // A corrupt answer looks the same: the server may have run the call.
        let error = ClientError::EncryptionExpected;
        return Failure { error, ..Failure::connection_lost("") };
    }
    let failure = Failure::connection_lost(cause);
    // Without a connection, nothing was sent.
    if error.is_connect() { failure.not_sent() } else { failure }
}

/// Returns what is wrong with the certificate of a server, if that is why a request failed.
fn certificate_error(error: &reqwest::Error) -> Option<String> {
    match encryption_error(error)? {
        rustls::Error::InvalidCertificate(cause) => Some(cause.to_string()),
        _ => None,
    }
}

/// Returns how an answer is not one of TLS, if that is why there is no connection.
fn not_encrypted(error: &reqwest::Error) -> Option<String> {
    match encryption_error(error).filter(|_| error.is_connect())? {
        error @ rustls::Error::InvalidMessage(_) => Some(error.to_string()),
        _ => None,
    }
}

/// Returns the error of TLS that is the reason of another one.
fn encryption_error(error: &reqwest::Error) -> Option<&rustls::Error> {
    let mut next: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref() {
            return Some(error);
        }
        // The source of such an error is that of the error in it.
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = wrapped.map(|inner| inner as &(dyn Error + 'static)).or_else(|| error.source());
    }
    None
}

/// Returns the failure of a request that was answered with this status of HTTP.
pub(super) fn from_status(status: u16, retry_after: Option<String>) -> Failure {
    let failure = Failure {
        next_attempt: NextAttempt::After(retry_after.map(String::into_boxed_str)),
        connection_usable: true,
        ..Failure::connection_lost(format!("it answered HTTP {status}"))
    };
    match status {
        401 | 403 => Failure::permanent(ClientError::Unauthorized),
        // The request was not processed.
        425 => failure.without_side_effects(),
        429 => {
            let error = ClientError::TooManyRequests(format!("it answered HTTP {status}"));
            Failure { error, ..failure }.without_side_effects()
        }
        // A gateway may answer 408 although it has passed the request on.
        _ => failure,
    }
}
