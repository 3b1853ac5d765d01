//! The HTTP client under the transport: it puts the key of a request into its header, and says
//! what became of a request that failed.

use std::collections::HashMap;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use rmcp::model::{ClientJsonRpcMessage, GetMeta, JsonRpcMessage};
use rmcp::transport::common::client_side_sse::{BoxedSseResponse, SseRetryPolicy};
use rmcp::transport::streamable_http_client::{
    HttpStatusError, StreamableHttpClient, StreamableHttpClientTransport,
    StreamableHttpClientTransportConfig, StreamableHttpError, StreamableHttpPostResponse,
};
use serde_json::Value;

use super::address::Address;
use super::error::ClientError;
use super::token::Token;
use dibber_skill::contract::{IDEMPOTENCY_HEADER, IDEMPOTENCY_META};

/// The longest that making a connection may take; less if a request may take less.
const CONNECT_TIMEOUT_MAX: Duration = Duration::from_secs(10);
/// The most bytes of one event of a stream that a server answers with (16 MiB). The same holds
/// for an answer that is no stream: `rmcp` has that number in itself.
const EVENT_BYTES_MAX: usize = 16 << 20;
/// The most redirects that one request follows.
const REDIRECTS_MAX: usize = 3;

/// What a request that failed over HTTP failed in.
pub(super) type HttpError = StreamableHttpError<reqwest::Error>;

/// A transport to that address.
pub(super) fn transport(
    address: &Address,
    token: Option<&Token>,
    timeout: Duration,
) -> Result<StreamableHttpClientTransport<HttpClient>, ClientError> {
    let mut config = StreamableHttpClientTransportConfig::with_uri(address.as_str())
        .control_request_timeout(timeout)
        .max_sse_event_size(EVENT_BYTES_MAX);
    config.allow_stateless = true;
    // A stream that broke is not taken up again, and a session that ended is not renewed: the
    // whole call is repeated, in one place, where it is known whether that is safe.
    config.reinit_on_expired_session = false;
    config.retry_config = Arc::new(Broken);
    if let Some(token) = token {
        if !address.is_private() {
            return Err(ClientError::TokenInClear(address.host().to_owned()));
        }
        config = config.auth_header(token.reveal());
    }
    let client = HttpClient::new(address, timeout)
        .map_err(|error| ClientError::Unreachable(root_cause(&error)))?;
    Ok(StreamableHttpClientTransport::with_client(client, config))
}

/// A stream that broke stays broken.
#[derive(Debug)]
struct Broken;

impl SseRetryPolicy for Broken {
    fn retry(&self, _times: usize) -> Option<Duration> {
        None
    }
}

/// A client that tells the key of a request in a header, too.
#[derive(Clone)]
pub(super) struct HttpClient(reqwest::Client);

impl HttpClient {
    fn new(address: &Address, timeout: Duration) -> Result<Self, reqwest::Error> {
        // There is one already when this is not the first client; both are the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = reqwest::Client::builder()
            .connect_timeout(timeout.min(CONNECT_TIMEOUT_MAX))
            .redirect(Policy::custom(follow))
            .retry(reqwest::retry::never());
        // What is meant for this computer, and may hold a token, takes no way round.
        let builder = if address.is_loopback() { builder.no_proxy() } else { builder };
        // Nothing is encrypted on this way; reading the certificates of the system takes time.
        let builder =
            if address.is_plain_loopback() { builder.tls_certs_only([]) } else { builder };
        builder.build().map(Self)
    }
}

/// Follows a redirect that repeats the same request at the same server.
fn follow(attempt: reqwest::redirect::Attempt<'_>) -> reqwest::redirect::Action {
    let repeats = matches!(attempt.status().as_u16(), 307 | 308);
    let first = attempt.previous().first();
    let stays = first.is_some_and(|first| first.origin() == attempt.url().origin());
    if repeats && stays && attempt.previous().len() <= REDIRECTS_MAX {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

type Headers = HashMap<HeaderName, HeaderValue>;

fn with_key(mut headers: Headers, message: &ClientJsonRpcMessage) -> Headers {
    if let JsonRpcMessage::Request(request) = message {
        let key = request.request.get_meta().0.get(IDEMPOTENCY_META).and_then(Value::as_str);
        let value = key.and_then(|key| HeaderValue::from_str(key).ok());
        headers.extend(value.map(|value| (HeaderName::from_static(IDEMPOTENCY_HEADER), value)));
    }
    headers
}

impl StreamableHttpClient for HttpClient {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let headers = with_key(headers, &message);
        let sent = self.0.post_message(uri, message, session_id, auth_header, headers).await;
        sent.map_err(with_status)
    }

    async fn post_message_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        headers: Headers,
        max: usize,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let headers = with_key(headers, &message);
        let sent = self.0.post_message_with_max_sse_event_size(
            uri,
            message,
            session_id,
            auth_header,
            headers,
            max,
        );
        sent.await.map_err(with_status)
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        headers: Headers,
    ) -> Result<(), HttpError> {
        self.0.delete_session(uri, session_id, auth_header, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        headers: Headers,
    ) -> Result<BoxedSseResponse, HttpError> {
        self.0.get_stream(uri, session_id, last_event_id, auth_header, headers).await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        headers: Headers,
        max: usize,
    ) -> Result<BoxedSseResponse, HttpError> {
        let stream = self.0.get_stream_with_max_sse_event_size(
            uri,
            session_id,
            last_event_id,
            auth_header,
            headers,
            max,
        );
        stream.await
    }
}

/// `rmcp` keeps the number of a status only for 429 and 5xx; of the others it makes a text.
fn with_status(error: HttpError) -> HttpError {
    let StreamableHttpError::UnexpectedServerResponse(text) = &error else { return error };
    let number = text.strip_prefix("HTTP ").and_then(|rest| rest.get(..3)?.parse().ok());
    match number {
        Some(number @ (401 | 403 | 408 | 425)) => HttpStatusError::new(number, None).into(),
        _ => error,
    }
}

/// The innermost cause of an error. The outer ones name the URL and little else.
pub(super) fn root_cause(error: &dyn Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}
