//! The server on the network: MCP at `/mcp`, and the guides for everybody who may connect.
//!
//! A connection → its place among the others → a head, a body, each within its time and its size →
//! the host and the origin that the request names → its token, which says who is calling → `rmcp`,
//! or a guide.

mod accept;
mod answer;
mod body;
mod guides;
mod hosts;
mod limits;
mod places;
mod progress;
mod token;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use http::StatusCode;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

pub use hosts::Hosts;
pub use limits::Limits;

use super::Server;
use super::mcp::Connection;
use dibber_skill::contract::ErrorCode;

/// Where MCP is spoken.
pub const MCP_PATH: &str = "/mcp";
/// Where the guides are listed. Each lies below.
pub const GUIDES_PATH: &str = "/guides";
const GUIDE_ROUTE: &str = "/guides/{*path}";
/// The most bytes of a request's body. The largest skill that may be written is smaller.
pub const BODY_BYTES_MAX: usize = 4 << 20;
/// The most bytes of a body that is too large which are still read, so that its sender comes to
/// read the answer.
const DISCARDED_BYTES_MAX: usize = 64 << 20;
/// How long a body may take to come.
const BODY_TIME: Duration = Duration::from_secs(30);
/// How long requests in flight may go on once the server is to stop.
pub const STOP_TIME: Duration = Duration::from_secs(10);

type Mcp = StreamableHttpService<Connection, NeverSessionManager>;

impl Server {
    /// Answers over HTTP until `stop` comes true. Then nothing new is accepted, and it returns
    /// when the requests in flight are answered, after [`STOP_TIME`] at the latest.
    ///
    /// A request has to name one of `hosts` as its host, and MCP asks for a bearer token.
    pub async fn listen(
        &self,
        listener: TcpListener,
        hosts: Hosts,
        limits: Limits,
        stop: impl Future<Output = ()> + Send,
    ) {
        accept::serve(listener, self.router(hosts), limits, stop).await;
    }

    fn router(&self, hosts: Hosts) -> Router {
        let mcp = any(speak)
            .with_state(self.mcp())
            .layer(from_fn(body::limit))
            .layer(from_fn_with_state(self.clone(), token::check));
        Router::new()
            .route(MCP_PATH, mcp)
            .route(GUIDES_PATH, get(guides::index))
            .route(GUIDE_ROUTE, get(guides::one))
            .fallback(nothing)
            .layer(from_fn_with_state(Arc::new(hosts), hosts::check))
            .layer(from_fn_with_state(self.clone(), answer::log))
    }

    /// Each request stands for itself, in the revisions with sessions, too: nothing is kept for
    /// a client that never says goodbye, and no session outlives the token that opened it.
    fn mcp(&self) -> Mcp {
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(BODY_BYTES_MAX)
            // `hosts` has seen to it, for the guides as well.
            .disable_allowed_hosts();
        let server = self.clone();
        let connect = move || Ok(Connection { server: server.clone(), caller: None });
        StreamableHttpService::new(connect, Arc::default(), config)
    }
}

async fn speak(State(mcp): State<Mcp>, request: Request) -> Response {
    mcp.handle(request).await.into_response()
}

async fn nothing() -> Response {
    let fix = format!("MCP is spoken at {MCP_PATH}; the guides are listed at {GUIDES_PATH}");
    answer::refuse(
        StatusCode::NOT_FOUND,
        ErrorCode::DomainNotFound,
        "NO_SUCH_PATH",
        "there is nothing at this path",
        &fix,
    )
}
