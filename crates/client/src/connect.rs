//! How a connection begins, over each kind of transport.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::ProtocolVersion;
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RoleClient, RunningService};

use super::address::Address;
use super::deadline::Deadline;
use super::endpoint::Endpoint;
use super::failure::{self, Failure};
use super::handler::Handler;
use super::host::Host;
use super::http;
use super::token::Token;

/// The longest wait for an answer to the first request of the newest revision. A server that does
/// not know it may not answer.
const DISCOVER_TIMEOUT_MAX: Duration = Duration::from_secs(5);

/// A connection that is ready for requests.
pub(super) type Service = RunningService<RoleClient, Handler>;

/// Connects. The caller bounds the time with the same deadline.
pub(super) async fn connect(
    endpoint: &Endpoint,
    host: Option<&Arc<dyn Host>>,
    deadline: Deadline,
) -> Result<Service, Failure> {
    let handler = || Handler::new(host.cloned());
    match endpoint {
        Endpoint::Embedded(connect) => {
            let pipes = tokio::io::split(connect());
            Ok(handler().serve_with_lifecycle(pipes, discover()).await?)
        }
        Endpoint::Http { url, token } => connect_http(url, token.as_ref(), handler, deadline).await,
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
    url: &Address,
    token: Option<&Token>,
    handler: impl Fn() -> Handler,
    deadline: Deadline,
) -> Result<Service, Failure> {
    let transport = || http::transport(url, token, deadline.timeout()).map_err(Failure::permanent);
    let discover = handler().serve_with_lifecycle(transport()?, discover());
    // An older server may not answer, and the handshake after that takes time, too.
    let discover_timeout = DISCOVER_TIMEOUT_MAX.min(deadline.remaining() / 2);
    match tokio::time::timeout(discover_timeout, discover).await {
        Ok(Ok(service)) => return Ok(service),
        Ok(Err(error)) if !failure::is_of_older_server(&error) => return Err(error.into()),
        Ok(Err(_)) | Err(_) => {}
    }
    let initialize = ClientLifecycleMode::Initialize;
    Ok(handler().serve_with_lifecycle(transport()?, initialize).await?)
}
