//! Why one attempt failed, whether another may help, and whether it may have done its work.

use std::error::Error;

use rmcp::model::{ErrorCode as RpcCode, ErrorData};
use rmcp::service::{ClientInitializeError, ServiceError};
use rmcp::transport::streamable_http_client::StreamableHttpError;

use super::ClientError;
use super::http::{HttpError, root_cause};
use crate::contract::{ErrorCode, ToolError};
use crate::text::shorten;

/// The reason of a server that is still busy with the same call.
const IN_FLIGHT: &str = "IDEMPOTENCY_IN_FLIGHT";

/// An attempt that failed.
#[derive(Debug)]
pub(super) struct Failure {
    /// What is said if it was the last one, and nothing was done.
    pub(super) error: ClientError,
    /// Whether another attempt may help.
    pub(super) again: Again,
    /// Whether the server may have done what it was asked.
    pub(super) may_be_done: bool,
    /// Whether the connection can be used for another attempt.
    pub(super) connection_stands: bool,
}

/// Whether another attempt may help.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Again {
    /// It would end the same.
    Never,
    /// It may; with what the server says in `Retry-After`.
    Later(Option<String>),
}

impl Failure {
    /// A failure that every attempt would end in, and that changed nothing.
    pub(super) fn final_(error: ClientError) -> Self {
        Self { error, again: Again::Never, may_be_done: false, connection_stands: true }
    }

    /// A connection that broke while the server was at work.
    pub(super) fn broken(cause: impl Into<String>) -> Self {
        Self {
            error: ClientError::Unreachable(cause.into()),
            again: Again::Later(None),
            may_be_done: true,
            connection_stands: false,
        }
    }

    /// An answer that is not what was agreed, so that nobody knows what it stands for.
    pub(super) fn not_understood(cause: impl Into<String>) -> Self {
        let error = ClientError::Protocol(cause.into());
        Self { may_be_done: true, ..Self::final_(error) }
    }

    /// An error that a tool answered.
    pub(super) fn refused(error: ToolError) -> Self {
        let is_internal = error.code == ErrorCode::InternalError;
        let may_be_done = error.reason.as_deref() == Some(IN_FLIGHT);
        Self {
            again: if is_internal { Again::Later(None) } else { Again::Never },
            may_be_done,
            ..Self::final_(ClientError::Refused(Box::new(error)))
        }
    }

    /// The same, of a request that can have changed nothing.
    pub(super) fn of_a_read(self) -> Self {
        Self { may_be_done: false, ..self }
    }

    /// The same, of a request that must not be sent twice.
    pub(super) fn of_an_only_attempt(self) -> Self {
        let again = if self.may_be_done { Again::Never } else { self.again };
        Self { again, ..self }
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
        Self { connection_stands: false, ..failure.of_a_read() }
    }
}

/// Tells whether a server may not know the first question of the newest revision: it answered,
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
        RpcCode::INTERNAL_ERROR => Failure { connection_stands: true, ..Failure::broken(cause) },
        // It could not read what was sent: something on the way has damaged it.
        RpcCode::PARSE_ERROR => Failure::broken(cause).of_a_read(),
        _ => Failure::final_(ClientError::Protocol(cause)),
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
            Failure::final_(ClientError::Unauthorized)
        }
        StreamableHttpError::UnexpectedServerResponse(text) if text.starts_with("HTTP ") => {
            // Behind the status comes the whole page.
            let line = text.lines().next().unwrap_or_default();
            Failure::final_(ClientError::Protocol(format!("it answered {}", shorten(line))))
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
        return Failure::final_(ClientError::Protocol(cause));
    }
    let failure = Failure::broken(cause);
    // Without a connection, nothing was sent.
    if error.is_connect() { failure.of_a_read() } else { failure }
}

fn of_status(status: u16, retry_after: Option<String>) -> Failure {
    let failure = Failure {
        again: Again::Later(retry_after),
        connection_stands: true,
        ..Failure::broken(format!("it answered HTTP {status}"))
    };
    match status {
        401 | 403 => Failure::final_(ClientError::Unauthorized),
        // The request was not taken up at all.
        408 | 425 | 429 => failure.of_a_read(),
        _ => failure,
    }
}
