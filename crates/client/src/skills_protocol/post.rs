//! One HTTP request to an endpoint, and its bounded answer.

use std::time::Duration;

use http::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{RequestBuilder, Response};

use crate::address::Address;
use crate::certificate_authority::CertificateAuthority;
use crate::error::ClientError;
use crate::failure::{Failure, from_request_error};
use crate::header::Header;
use crate::http_client::{client_builder, root_cause};
use crate::token::Token;

const JSON: &str = "application/json";
/// What some servers begin an answer with, which is not JSON (RFC 8259, section 8.1).
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What sends requests to one endpoint. Redirects are not followed: the token is for this endpoint
/// alone, and a call that runs something must not be sent twice. Each request has a connection of its
/// own: a server may have closed one that was used before, and a call that was sent into it would count
/// as one that may have run.
pub(super) struct RpcPoster {
    client: reqwest::Client,
    url: Address,
    token: Option<Token>,
    headers: Vec<Header>,
}

/// An answer of HTTP.
pub(super) struct HttpAnswer {
    pub(super) status: u16,
    /// The value of `Content-Type`, without parameters.
    pub(super) kind: Option<String>,
    pub(super) retry_after: Option<String>,
    pub(super) body: Vec<u8>,
}

impl RpcPoster {
    /// Gets ready; nothing is sent.
    pub(super) fn new(
        url: Address,
        token: Option<Token>,
        headers: Vec<Header>,
        authority: Option<&CertificateAuthority>,
        timeout: Duration,
    ) -> Result<Self, ClientError> {
        if !url.is_private() && (token.is_some() || !headers.is_empty()) {
            return Err(ClientError::TokenInClear(url));
        }
        let builder = client_builder(&url, authority, timeout);
        let client = builder
            .and_then(|builder| builder.redirect(Policy::none()).pool_max_idle_per_host(0).build());
        let client = client.map_err(|error| ClientError::Unreachable(root_cause(&error)))?;
        Ok(Self { client, url, token, headers })
    }

    pub(super) const fn url(&self) -> &Address {
        &self.url
    }

    /// Sends a request, and reads its answer of at most `bytes_max` bytes. A request that is sent again
    /// shares its body, which may be large.
    pub(super) async fn send(
        request: &RequestBuilder,
        bytes_max: usize,
    ) -> Result<HttpAnswer, Failure> {
        let copy = request.try_clone().expect("only the body of a stream cannot be cloned");
        let sent = copy.send().await;
        let mut response = sent.map_err(|error| from_request_error(&error))?;
        let header = |name| header(&response, name);
        let kind = header(CONTENT_TYPE).map(|kind| {
            let kind = kind.split(';').next().unwrap_or_default().trim();
            kind.to_ascii_lowercase()
        });
        let (status, retry_after) = (response.status().as_u16(), header(RETRY_AFTER));
        let too_large =
            || Failure::protocol_error(format!("its answer is larger than {bytes_max} bytes"));
        if response.content_length().is_some_and(|length| length > bytes_max as u64) {
            return Err(too_large());
        }
        let mut body = Vec::new();
        while let Some(part) = response.chunk().await.map_err(|error| cut_off(&error))? {
            if body.len() + part.len() > bytes_max {
                return Err(too_large());
            }
            body.extend_from_slice(&part);
        }
        if body.starts_with(BYTE_ORDER_MARK) {
            body.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(HttpAnswer { status, kind, retry_after, body })
    }

    /// Returns a request with this body.
    pub(super) fn request(&self, body: Vec<u8>) -> RequestBuilder {
        let request = self.client.post(self.url.as_str()).body(body);
        let request = request.header(CONTENT_TYPE, JSON).header(ACCEPT, JSON);
        let request = match &self.token {
            Some(token) => request.bearer_auth(token.reveal()),
            None => request,
        };
        self.headers
            .iter()
            .map(Header::reveal)
            .fold(request, |request, (name, value)| request.header(name, value))
    }
}

/// Returns the failure of an answer that ended early.
fn cut_off(error: &reqwest::Error) -> Failure {
    from_request_error(error).reached()
}

fn header(response: &Response, name: http::HeaderName) -> Option<String> {
    Some(response.headers().get(name)?.to_str().ok()?.to_owned())
}
