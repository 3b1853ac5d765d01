//! How a connection begins, over each kind of transport.

use std::time::Duration;

use rmcp::model::ProtocolVersion;
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RoleClient, RunningService};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransport;

use super::deadline::Deadline;
use super::endpoint::Endpoint;
use super::error::ClientError;
use super::failure::{self, Failure};
use super::handler::Handler;
use super::http::{self, HttpClient};
use super::process::{Pipes, Process};
use super::program_output::ReadableOutput;

/// The longest wait for an answer to the first request of the newest revision. A server that does
/// not know it may not answer.
const DISCOVER_TIMEOUT_MAX: Duration = Duration::from_secs(5);

/// The part of the time that a program has for its first answers. The rest is for the reason why
/// there are none.
const PROGRAM_PART: f32 = 0.95;

/// A connection that is ready for requests.
pub(super) type Service = RunningService<RoleClient, Handler>;

/// Connects, and starts the program, if the server is one. The caller bounds the time with the same
/// deadline.
pub(super) async fn connect(
    endpoint: &Endpoint,
    handler: impl Fn() -> Handler,
    deadline: Deadline,
) -> Result<(Service, Option<Process>), Failure> {
    match endpoint {
        Endpoint::Embedded(connect) => {
            let pipes = tokio::io::split(connect());
            Ok((handler().serve_with_lifecycle(pipes, discover()).await?, None))
        }
        Endpoint::Http { url, token, sign_in, headers, authority } => {
            let (token, authority) = (token.as_ref(), authority.as_ref());
            let transport = || {
                let tokens = (token, sign_in.as_ref());
                http::transport(url, tokens, headers, authority, deadline.timeout())
            };
            Ok((connect_http(transport, handler, deadline).await?, None))
        }
        Endpoint::Program { command, on_line } => {
            let (process, pipes) = Process::start(command, on_line.as_ref())?;
            match connect_program(pipes, handler(), deadline).await {
                Ok(service) => Ok((service, Some(process))),
                Err(failure) => Err(process.explain(failure).await),
            }
        }
    }
}

fn discover() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::LATEST] }
}

/// Connects to a server over HTTP: in the newest revision, or, if the server does not know its
/// first request, in one with a handshake. The caller bounds the time with the same deadline.
///
/// `rmcp` can try both by itself, but it takes every answer to the first request for one of the
/// newest revision, and waits longer for it than the timeout of a request.
async fn connect_http(
    transport: impl Fn() -> Result<StreamableHttpClientTransport<HttpClient>, ClientError>,
    handler: impl Fn() -> Handler,
    deadline: Deadline,
) -> Result<Service, Failure> {
    let transport = || transport().map_err(Failure::permanent);
    let discover = handler().serve_with_lifecycle(transport()?, discover());
    // An older server may not answer, and the handshake after that takes time, too.
    let discover_timeout = DISCOVER_TIMEOUT_MAX.min(deadline.remaining() / 2);
    match tokio::time::timeout(discover_timeout, discover).await {
        Ok(Ok(service)) => return Ok(service),
        Ok(Err(error)) if !failure::may_need_handshake(&error) => return Err(error.into()),
        Ok(Err(_)) | Err(_) => {}
    }
    let initialize = ClientLifecycleMode::Initialize;
    Ok(handler().serve_with_lifecycle(transport()?, initialize).await?)
}

/// Connects to a program over its pipes: in the newest revision, or, if it answers the first
/// request with an error, with a handshake over the same pipes.
async fn connect_program(
    (output, input): Pipes,
    handler: Handler,
    deadline: Deadline,
) -> Result<Service, Failure> {
    let lifecycle = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::LATEST],
        legacy_version: None,
    };
    let pipes = (ReadableOutput::new(output), input);
    let connected = handler.serve_with_lifecycle(pipes, lifecycle);
    match tokio::time::timeout(deadline.remaining().mul_f32(PROGRAM_PART), connected).await {
        Ok(connected) => Ok(connected?),
        Err(_) => Err(deadline.failure().not_connected()),
    }
}
