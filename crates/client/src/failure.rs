//! Why one attempt failed, whether another may help, and whether it may have done its work.

use std::error::Error;

use rmcp::model::{ErrorCode as RpcCode, ErrorData};
use rmcp::service::{ClientInitializeError, ServiceError};
use rmcp::transport::streamable_http_client::StreamableHttpError;

use super::error::ClientError;
use super::http::{HttpError, root_cause};
use super::retry_safety::RetrySafety;
use dibber_skill::contract::{ErrorCode, ToolError};
use dibber_text::ellipsize;

/// The reason of a server that is still busy with the same call.
const IN_FLIGHT: &str = "IDEMPOTENCY_IN_FLIGHT";

/// An attempt that failed.
#[derive(Debug)]
pub(super) struct Failure {
    /// What is said if it was the last one, and nothing was done.
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
    /// It would end the same.
    Never,
    /// It may; with what the server says in `Retry-After`.
    After(Option<String>),
}

/// What the server may have done in an attempt that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing of the call can have reached it.
    NotSent,
    /// It answered, and the answer means that nothing was changed.
    NotApplied,
    /// The call may have run.
    MayHaveApplied,
}

impl Failure {
    /// A failure that every attempt would end in, and that changed nothing.
    pub(super) fn permanent(error: ClientError) -> Self {
        Self {
            error,
            next_attempt: NextAttempt::Never,
            effect: Effect::NotApplied,
            connection_usable: true,
        }
    }

    /// A connection that broke while the server was at work.
    pub(super) fn broken(cause: impl Into<String>) -> Self {
        Self {
            error: ClientError::Unreachable(cause.into()),
            next_attempt: NextAttempt::After(None),
            effect: Effect::MayHaveApplied,
            connection_usable: false,
        }
    }

    /// An answer that the protocol does not allow, from which nothing can be concluded.
    pub(super) fn not_understood(cause: impl Into<String>) -> Self {
        let error = ClientError::Protocol(cause.into());
        Self { effect: Effect::MayHaveApplied, ..Self::permanent(error) }
    }

    /// An error that a tool answered.
    pub(super) fn refused(error: ToolError) -> Self {
        let is_internal = error.code == ErrorCode::InternalError;
        let is_running = error.reason.as_deref() == Some(IN_FLIGHT);
        let effect = if is_running { Effect::MayHaveApplied } else { Effect::NotApplied };
        let next_attempt = if is_internal { NextAttempt::After(None) } else { NextAttempt::Never };
        Self { next_attempt, effect, ..Self::permanent(ClientError::Refused(Box::new(error))) }
    }

    /// Returns the failure of a call that was not sent.
    pub(super) fn not_sent(self) -> Self {
        Self { effect: Effect::NotSent, ..self }
    }

    /// Returns the failure of a request that changed nothing, whatever became of it.
    pub(super) fn without_side_effects(self) -> Self {
        match self.effect {
            Effect::NotSent | Effect::NotApplied => self,
            Effect::MayHaveApplied => Self { effect: Effect::NotApplied, ..self },
        }
    }

    /// Returns the failure of a call that can be repeated so and no more.
    pub(super) fn of_call(self, safety: RetrySafety<'_>) -> Self {
        match safety {
            RetrySafety::ReadOnly => self.without_side_effects(),
            RetrySafety::Idempotent | RetrySafety::Keyed(_) => self,
            RetrySafety::Once if self.effect == Effect::NotSent => self,
            // That a refusal changed nothing is a promise of the contract, which a server with
            // tools of its own does not give.
            RetrySafety::Once => Self { next_attempt: NextAttempt::Never, ..self },
        }
    }
}

impl From<ClientInitializeError> for Failure {
    /// Nothing but the beginning of a connection was sent.
    fn from(error: ClientInitializeError) -> Self {
        let failure = match error {
            ClientInitializeError::TransportError { error, .. } => of_transport(&*error.error),
            ClientInitializeError::LegacyFallbackFailed { fallback, .. } => Self::from(*fallback),
            ClientInitializeError::JsonRpcError(error) => of_rpc(&error),
            ClientInitializeError::NoCompatibleProtocolVersion { server_supported, .. } => {
                let versions: Vec<_> = server_supported.iter().map(ToString::to_string).collect();
                Self::not_understood(format!(
                    "it speaks none of our revisions, only {}",
                    versions.join(", ")
                ))
            }
            ClientInitializeError::ConnectionClosed(_) => {
                Self::broken("it hung up at the beginning")
            }
            // An answer to another question, which a repeated or damaged message leads to.
            other => Self::broken(other.to_string()),
        };
        Self { connection_usable: false, ..failure.not_sent() }
    }
}

/// Returns `true` if a server may not know the first request of the newest revision: it answered,
/// and with something else than the answer to it. A server that cannot be reached, that asks for
/// a token or whose answer was damaged has not shown what it knows.
pub(super) fn is_of_older_server(error: &ClientInitializeError) -> bool {
    match error {
        ClientInitializeError::JsonRpcError(_)
        | ClientInitializeError::ExpectedInitResult(_)
        | ClientInitializeError::NoCompatibleProtocolVersion { .. } => true,
        ClientInitializeError::TransportError { error, .. } => {
            matches!(of_transport(&*error.error).error, ClientError::Protocol(_))
        }
        _ => false,
    }
}

impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::McpError(error) => of_rpc(&error),
            ServiceError::TransportSend(error) => of_transport(&*error.error),
            ServiceError::TransportClosed => Self::broken("it hung up"),
            other => Self::broken(other.to_string()),
        }
    }
}

fn of_rpc(error: &ErrorData) -> Failure {
    let cause = format!("it answered with the error {}: {}", error.code.0, error.message);
    match error.code {
        RpcCode::INTERNAL_ERROR => Failure { connection_usable: true, ..Failure::broken(cause) },
        // It could not read what was sent: something on the way has damaged it.
        RpcCode::PARSE_ERROR => Failure::broken(cause).without_side_effects(),
        // The call was not taken up.
        RpcCode::INVALID_REQUEST | RpcCode::METHOD_NOT_FOUND | RpcCode::INVALID_PARAMS => {
            Failure::permanent(ClientError::Protocol(cause))
        }
        // Any other code is the server's own, and may stand for a call that ran: a gateway's
        // timeout, say.
        _ => Failure::not_understood(cause),
    }
}

fn of_transport(error: &(dyn Error + Send + Sync + 'static)) -> Failure {
    let Some(error) = error.downcast_ref::<HttpError>() else {
        return Failure::broken(root_cause(error));
    };
    match error {
        StreamableHttpError::Client(error) => of_request(error),
        StreamableHttpError::HttpStatus(status) => {
            of_status(status.status, status.retry_after.clone())
        }
        StreamableHttpError::AuthRequired(_) | StreamableHttpError::InsufficientScope(_) => {
            Failure::permanent(ClientError::Unauthorized)
        }
        StreamableHttpError::UnexpectedServerResponse(text) if text.starts_with("HTTP ") => {
            // Behind the status comes the whole page.
            let line = text.lines().next().unwrap_or_default();
            Failure::permanent(ClientError::Protocol(format!("it answered {}", ellipsize(line))))
        }
        // A server that forgot the session answers so before it looks at the request.
        StreamableHttpError::SessionExpired => {
            Failure::broken("it ended the session").without_side_effects()
        }
        // The transport is made for JSON-RPC; an answer that is none was damaged or cut.
        StreamableHttpError::UnexpectedServerResponse(_) => {
            Failure::broken("its answer is damaged")
        }
        StreamableHttpError::UnexpectedContentType(kind) => {
            let kind = kind.as_deref().unwrap_or("nothing");
            Failure::not_understood(format!("it answered with {kind} in place of JSON"))
        }
        StreamableHttpError::ResponseBodyTooLarge { max_size } => {
            Failure::not_understood(format!("its answer is larger than {max_size} bytes"))
        }
        other => Failure::broken(root_cause(other)),
    }
}

fn of_request(error: &reqwest::Error) -> Failure {
    let cause = root_cause(error);
    if error.is_builder() {
        return Failure::permanent(ClientError::Protocol(cause));
    }
    let failure = Failure::broken(cause);
    // Without a connection, nothing was sent.
    if error.is_connect() { failure.not_sent() } else { failure }
}

fn of_status(status: u16, retry_after: Option<String>) -> Failure {
    let failure = Failure {
        next_attempt: NextAttempt::After(retry_after),
        connection_usable: true,
        ..Failure::broken(format!("it answered HTTP {status}"))
    };
    match status {
        401 | 403 => Failure::permanent(ClientError::Unauthorized),
        // The request was not taken up at all.
        408 | 425 | 429 => failure.without_side_effects(),
        _ => failure,
    }
}
