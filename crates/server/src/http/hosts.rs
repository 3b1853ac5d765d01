//! The host that a request names. A web page can make its own name resolve to this machine (DNS
//! rebinding); the browser then sends that name as the host.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use dibber_authorization::Issuer;
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};

use super::answer::refuse;
use dibber_skill::contract::ErrorCode;

/// The names of this machine, which every server answers to.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The headers of requests that a page may send: those of MCP, and the idempotency key.
const REQUEST_HEADERS: &str = "authorization, content-type, accept, mcp-protocol-version, \
                               mcp-session-id, mcp-method, mcp-name, last-event-id, idempotency-key";

/// The headers of answers that a page may read.
const RESPONSE_HEADERS: HeaderValue =
    HeaderValue::from_static("mcp-session-id, www-authenticate, retry-after");

/// The hosts that a server answers to.
#[derive(Clone, Debug)]
pub struct Hosts {
    /// The name or address that it listens on.
    given: String,
    /// The host of its public URL, if it has one.
    public: Option<String>,
    /// The origin of its own pages, if it has pages.
    origin: Option<String>,
}

impl Hosts {
    /// Returns this machine, and the name or address that the server listens on. If that is every
    /// address (`0.0.0.0`, `::`), each address is included, but no name.
    pub fn new(given: &str) -> Self {
        Self { given: bare(given).to_owned(), public: None, origin: None }
    }

    /// Adds the host of a public URL, whose pages may send requests.
    #[must_use]
    pub fn with_public_url(mut self, issuer: &Issuer) -> Self {
        self.public = Some(bare(issuer.host()).to_owned());
        self.origin = Some(issuer.origin().to_owned());
        self
    }

    /// Returns `true` for the origin of a page of this server, or of this machine.
    fn may_send(&self, origin: &[u8]) -> bool {
        is_of_this_machine(origin)
            || self.origin.as_ref().is_some_and(|own| own.as_bytes() == origin)
    }

    fn contain(&self, host: &str) -> bool {
        let is = |name: &str| bare(name).eq_ignore_ascii_case(bare(host));
        let is_every = self.given.parse::<IpAddr>().is_ok_and(|address| address.is_unspecified());
        LOOPBACK.into_iter().any(is)
            || is(&self.given)
            || self.public.as_deref().is_some_and(is)
            || is_every && bare(host).parse::<IpAddr>().is_ok()
    }
}

/// Returns a host without the brackets of an IPv6 address.
fn bare(host: &str) -> &str {
    host.trim_start_matches('[').trim_end_matches(']')
}

/// Refuses a request that names another host, or that a web page of another machine sends.
pub(super) async fn check(
    State(hosts): State<Arc<Hosts>>,
    request: Request,
    next: Next,
) -> Response {
    let named = hosts_of(request.uri(), request.headers());
    if named.is_empty() || !named.iter().all(|host| hosts.contain(host)) {
        return refuse(
            StatusCode::FORBIDDEN,
            ErrorCode::PermissionDenied,
            "HOST_NOT_ALLOWED",
            "the host of the request is not allowed",
            "connect to the address that the server prints when it starts; to give it another \
             name, start it with `--listen NAME:PORT`",
        );
    }
    let origin = request.headers().get(header::ORIGIN).cloned();
    let mut origins = request.headers().get_all(header::ORIGIN).iter();
    if !origins.all(|origin| hosts.may_send(origin.as_bytes())) {
        return refuse(
            StatusCode::FORBIDDEN,
            ErrorCode::PermissionDenied,
            "ORIGIN_NOT_ALLOWED",
            "cross-origin requests are allowed only from pages of this machine",
            "use an MCP client that is not a web page, or open the page at `localhost`",
        );
    }
    let Some(origin) = origin else { return next.run(request).await };
    let is_preflight = request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let response = if is_preflight { preflight() } else { next.run(request).await };
    readable_by(origin, response)
}

/// Answers what a browser asks before it sends a request with a token. It has none itself.
fn preflight() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, DELETE"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS),
        (header::ACCESS_CONTROL_MAX_AGE, "600"),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

/// Lets a page of this machine read an answer.
fn readable_by(origin: HeaderValue, mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, RESPONSE_HEADERS);
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    response
}

/// Returns `true` if an origin is a page on this machine, as `http://localhost:3000` is.
fn is_of_this_machine(origin: &[u8]) -> bool {
    let page = Uri::try_from(origin).ok().filter(|page| page.scheme().is_some());
    let authority = page.as_ref().and_then(Uri::authority);
    authority.and_then(host_of).is_some_and(|host| LOOPBACK.contains(&host))
}

/// Returns the host of an authority that is nothing but a host, and perhaps the number of a port:
/// [`Authority`] itself accepts `127.0.0.1:80.evil.example`, and has no port then.
fn host_of(authority: &Authority) -> Option<&str> {
    let host = authority.host();
    let port = match authority.as_str().strip_prefix(host)? {
        "" => return Some(host),
        rest => rest.strip_prefix(':')?,
    };
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
    // RFC 3986 has an empty one, too.
    (is_number && (port.is_empty() || port.parse::<u16>().is_ok())).then_some(host)
}

/// Returns the hosts that a request names: in its target, which then counts more than the header
/// (RFC 9112, section 3.2.2), and in the header. None if the header is invalid, or there are several.
fn hosts_of(uri: &Uri, headers: &HeaderMap) -> Vec<String> {
    let target = uri.authority().map(|authority| Ok(authority.clone()));
    let headers = headers.get_all(header::HOST).iter();
    let headers: Vec<_> = headers.map(|host| Authority::try_from(host.as_bytes())).collect();
    if headers.len() > 1 {
        return Vec::new();
    }
    let named = target.into_iter().chain(headers);
    let named = named.map(|authority| host_of(&authority.ok()?).map(ToOwned::to_owned));
    named.collect::<Option<Vec<_>>>().unwrap_or_default()
}
