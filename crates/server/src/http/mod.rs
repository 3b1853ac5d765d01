//! The server on the network: MCP at `/mcp`, the Skills Protocol at `/rpc` and an index of skills at
//! `/.well-known/agent-skills` if skills are served, and the guides for every client that can connect.
//!
//! A connection → its slot among the others → a head and a body, each within its time and size
//! limits → the host and the origin that the request names → its token, which identifies the caller
//! → `rmcp`, the methods of the Skills Protocol, or a guide.

mod accept;
mod answer;
mod answers_in_flight;
mod authorization;
mod body;
mod connection_slots;
mod entity_tag;
mod guides;
mod hosts;
mod limits;
mod listener;
mod open_files;
mod pages;
mod paths;
mod rpc;
mod skills_site;
mod streams;
mod tls;
mod token;
mod write_timeout;

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Extension, Router};
use http::StatusCode;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

pub use hosts::Hosts;
pub use limits::{ANSWERS_BYTES_MAX, BODY_BYTES_MAX, Limits, STOP_TIME};
pub use listener::Listener;
pub use pages::sign_in_address;
pub use paths::{GUIDES_PATH, MCP_PATH, RPC_PATH, SKILLS_SITE_PATH};
pub use tls::{Tls, TlsError};

use crate::caller::Caller;
use crate::mcp::Connection;
use crate::missing_scope::MissingScope;
use crate::server::Server;
use answers_in_flight::AnswersInFlight;
use dibber_skill::contract::ErrorCode;
use pages::site::Site;
use paths::{GUIDE_ROUTE, SKILLS_SITE_ROUTE};
use streams::Streams;
use token::TokenKey;

impl Server {
    /// Answers over HTTP until `stop` is ready. Then it accepts nothing new, and returns when the
    /// requests in flight are answered, after [`STOP_TIME`] at the latest.
    ///
    /// A request has to name one of `hosts` as its host, and MCP needs a bearer token.
    pub async fn listen(
        &self,
        listener: impl Into<Listener>,
        hosts: Hosts,
        limits: Limits,
        stop: impl Future<Output = ()> + Send,
    ) {
        accept::serve(listener.into(), self.router(hosts), limits, stop).await;
    }

    fn router(&self, hosts: Hosts) -> Router {
        let answers = AnswersInFlight::new();
        let mcp = any(handle_mcp)
            .with_state(self.clone())
            .layer(from_fn_with_state(Streams::new(self.clone()), streams::serve))
            .layer(from_fn(body::limit))
            .layer(from_fn_with_state(answers.clone(), answers_in_flight::limit))
            .layer(from_fn_with_state(self.clone(), token::check));
        let mut router = Router::new().route(MCP_PATH, mcp);
        if let Some(protocol) = &self.skills_protocol {
            let rpc = post(rpc::handle)
                .with_state(Arc::clone(protocol))
                .layer(from_fn_with_state(answers, answers_in_flight::limit))
                .layer(from_fn_with_state(self.clone(), token::check))
                // A person who opens the address in a browser has no token.
                .fallback(rpc::method_not_allowed);
            router = router.route(RPC_PATH, rpc);
        }
        let site = get(skills_site::file).fallback(method_not_allowed);
        if self.folder_skills.is_some() && !self.has_public_skills {
            let site = site.clone().layer(from_fn_with_state(self.clone(), token::check));
            router = router.route(SKILLS_SITE_ROUTE, site);
        }
        if let Some(own) = &self.authorization {
            let site = Site { server: self.clone(), issuer: own.issuer.clone() };
            let endpoints = authorization::routes::routes(&own.issuer);
            router = router.merge(pages::routes::routes().merge(endpoints).with_state(site));
        }
        router = router
            .route(GUIDES_PATH, get(guides::index))
            .route(GUIDE_ROUTE, get(guides::one))
            .fallback(no_such_path)
            .method_not_allowed_fallback(method_not_allowed)
            .layer(from_fn_with_state(Arc::new(hosts), hosts::check));
        if self.folder_skills.is_some() && self.has_public_skills {
            // What everyone may read, every page may, whatever name the server has for it.
            router = router.route(SKILLS_SITE_ROUTE, site);
        }
        router.layer(from_fn_with_state(self.clone(), answer::log)).with_state(self.clone())
    }
}

/// Answers a request with `rmcp`.
///
/// Each request is independent, also in the revisions of MCP with sessions, so that each has a service
/// of its own. A session is only what the client watches on its stream, which `streams` answers.
async fn handle_mcp(
    State(server): State<Server>,
    Extension(caller): Extension<Caller>,
    Extension(token): Extension<TokenKey>,
    mut request: Request,
) -> Response {
    let missing = MissingScope::default();
    if caller.grant_id.is_some() {
        request.extensions_mut().insert(missing.clone());
    }
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(BODY_BYTES_MAX)
        // `hosts` checks them, for the guides as well.
        .disable_allowed_hosts();
    let (shared, own) = (server.clone(), caller.clone());
    let connect = move || Ok(Connection::new(shared.clone(), own.clone(), Some(token.0)));
    let service =
        StreamableHttpService::new(connect, Arc::<NeverSessionManager>::default(), config);
    let response = service.handle(request).await.into_response();
    match missing.to_ask_for(&caller) {
        Some(scopes) => token::insufficient_scope(&server, MCP_PATH, scopes, response),
        None => response,
    }
}

async fn method_not_allowed() -> Response {
    answer::refuse(
        StatusCode::METHOD_NOT_ALLOWED,
        ErrorCode::BadInput,
        "METHOD_NOT_ALLOWED",
        "the method is not allowed here",
        &format!("read guides with GET, and send messages to {MCP_PATH} with POST"),
    )
}

async fn no_such_path(State(server): State<Server>) -> Response {
    let fix = if server.skills_protocol.is_some() {
        format!(
            "MCP is at {MCP_PATH}, the Skills Protocol at {RPC_PATH}, and the list of guides at \
             {GUIDES_PATH}"
        )
    } else {
        format!(
            "MCP is at {MCP_PATH}, and the list of guides at {GUIDES_PATH}; a server that is started \
             with `--skills DIR` has the Skills Protocol at {RPC_PATH}"
        )
    };
    answer::refuse(
        StatusCode::NOT_FOUND,
        ErrorCode::DomainNotFound,
        "NO_SUCH_PATH",
        "path not found",
        &fix,
    )
}
