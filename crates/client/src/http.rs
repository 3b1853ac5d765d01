//! The HTTP client of the transport: it sends the idempotency key of a request as a header, and
//! keeps the status of a request that failed.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::{HeaderName, HeaderValue};
use reqwest::redirect::{Action, Attempt, Policy};
use rmcp::model::{ClientJsonRpcMessage, GetExtensions, GetMeta, JsonRpcMessage};
use rmcp::transport::common::client_side_sse::{BoxedSseResponse, SseRetryPolicy};
use rmcp::transport::streamable_http_client::{
    HttpStatusError, StreamableHttpClient, StreamableHttpClientTransport,
    StreamableHttpClientTransportConfig, StreamableHttpError, StreamableHttpPostResponse,
};
use serde_json::Value;

use super::address::Address;
use super::certificate_authority::CertificateAuthority;
use super::error::ClientError;
use super::header::Header;
use super::http_client::{HttpError, client_builder, root_cause};
use super::sign_in::{SignInError, SignedIn};
use super::token::Token;
use dibber_skill::contract::{IDEMPOTENCY_HEADER, IDEMPOTENCY_META};

/// The most bytes of one event of a stream (16 MiB). `rmcp` has the same limit of its own for an
/// answer that is not a stream.
const EVENT_BYTES_MAX: usize = 16 << 20;
/// The most redirects that one request follows.
const REDIRECTS_MAX: usize = 3;

/// Creates a transport to a URL.
pub(super) fn transport(
    address: &Address,
    (token, sign_in): (Option<&Token>, Option<&Arc<SignedIn>>),
    headers: &[Header],
    authority: Option<&CertificateAuthority>,
    timeout: Duration,
) -> Result<StreamableHttpClientTransport<HttpClient>, ClientError> {
    let mut config = StreamableHttpClientTransportConfig::with_uri(address.as_str())
        .control_request_timeout(timeout)
        .max_sse_event_size(EVENT_BYTES_MAX);
    config.allow_stateless = true;
    // A broken stream is not resumed, and an ended session is not renewed: the whole call is
    // repeated, in one place, which knows whether that is safe.
    config.reinit_on_expired_session = false;
    config.retry_config = Arc::new(NoReconnect);
    if !address.is_private() && (token.is_some() || sign_in.is_some() || !headers.is_empty()) {
        return Err(ClientError::TokenInClear(address.clone()));
    }
    if let Some(token) = token {
        config = config.auth_header(token.reveal());
    }
    config = config.custom_headers(headers.iter().map(Header::reveal).collect());
    let client = HttpClient::new(address, sign_in.cloned(), authority, timeout)
        .map_err(|error| ClientError::Unreachable(root_cause(&error)))?;
    Ok(StreamableHttpClientTransport::with_client(client, config))
}

/// Never reconnects a broken stream.
#[derive(Debug)]
struct NoReconnect;

impl SseRetryPolicy for NoReconnect {
    fn retry(&self, _times: usize) -> Option<Duration> {
        None
    }
}

/// A client that also sends the idempotency key of a request as a header.
#[derive(Clone)]
pub(super) struct HttpClient {
    client: reqwest::Client,
    target: Target,
    /// What every request is sent with, instead of a token that stays the same.
    sign_in: Option<Arc<SignedIn>>,
}

/// Where the last redirect led to. What is sent after it is sent there at once, so that a call that
/// must not be sent twice need not be redirected.
#[derive(Clone, Debug, Default)]
struct Target(Arc<Mutex<Option<Arc<str>>>>);

tokio::task_local! {
    /// Whether the request that is being sent must not be repeated.
    static IS_ONCE: bool;
}

impl HttpClient {
    fn new(
        address: &Address,
        sign_in: Option<Arc<SignedIn>>,
        authority: Option<&CertificateAuthority>,
        timeout: Duration,
    ) -> Result<Self, reqwest::Error> {
        let target = Target::default();
        let builder = client_builder(address, authority, timeout)?;
        let client = builder.redirect(Policy::custom({
            let target = target.clone();
            move |attempt| target.follow(attempt)
        }));
        Ok(Self { client: client.build()?, target, sign_in })
    }
}

impl HttpClient {
    /// Sends a request with the token of the sign-in, if there is one. If the server refuses that token,
    /// it has done nothing, and gets the request once more with a new one.
    async fn with_token<T, F>(
        &self,
        fixed: Option<String>,
        send: impl Fn(Option<String>) -> F,
    ) -> Result<T, HttpError>
    where
        F: Future<Output = Result<T, HttpError>>,
    {
        let Some(signed_in) = &self.sign_in else { return send(fixed).await.map_err(with_status) };
        let token = signed_in.token().await.map_err(not_renewed)?;
        match send(Some(token.reveal().to_owned())).await.map_err(with_status) {
            Err(error) if is_unauthorized(&error) => {
                let token = signed_in.token_after(&token).await.map_err(not_renewed)?;
                send(Some(token.reveal().to_owned())).await.map_err(with_status)
            }
            answered => answered,
        }
    }
}

/// Returns the error of a request that cannot be sent without a token.
fn not_renewed(error: SignInError) -> HttpError {
    match error {
        SignInError::Ended => HttpStatusError::new(401, None).into(),
        error => io::Error::other(format!("cannot renew the sign-in: {error}")).into(),
    }
}

fn is_unauthorized(error: &HttpError) -> bool {
    match error {
        StreamableHttpError::AuthRequired(_) => true,
        StreamableHttpError::HttpStatus(error) => error.status == 401,
        _ => false,
    }
}

impl Target {
    /// Follows a redirect that repeats the same request at the same server.
    fn follow(&self, attempt: Attempt<'_>) -> Action {
        let repeats = matches!(attempt.status().as_u16(), 307 | 308);
        let first = attempt.previous().first();
        let stays = first.is_some_and(|first| first.origin() == attempt.url().origin());
        let is_once = IS_ONCE.try_with(|is_once| *is_once).unwrap_or(false);
        if !repeats || !stays || is_once || attempt.previous().len() > REDIRECTS_MAX {
            return attempt.stop();
        }
        *self.lock() = Some(attempt.url().as_str().into());
        attempt.follow()
    }

    /// Returns the URL that is used in place of the configured one.
    fn url(&self, configured: Arc<str>) -> Arc<str> {
        self.lock().clone().unwrap_or(configured)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<str>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Marks a request that must not be repeated, among its extensions, which are not sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct SentOnce;

fn is_once(message: &ClientJsonRpcMessage) -> bool {
    let JsonRpcMessage::Request(request) = message else { return false };
    request.request.extensions().get::<SentOnce>().is_some()
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
        let (uri, is_once) = (self.target.url(uri), is_once(&message));
        self.with_token(auth_header, |token| {
            let (uri, message, session_id) = (uri.clone(), message.clone(), session_id.clone());
            let sent = self.client.post_message(uri, message, session_id, token, headers.clone());
            IS_ONCE.scope(is_once, sent)
        })
        .await
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
        let (uri, is_once) = (self.target.url(uri), is_once(&message));
        self.with_token(auth_header, |token| {
            let sent = self.client.post_message_with_max_sse_event_size(
                uri.clone(),
                message.clone(),
                session_id.clone(),
                token,
                headers.clone(),
                max,
            );
            IS_ONCE.scope(is_once, sent)
        })
        .await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        headers: Headers,
    ) -> Result<(), HttpError> {
        self.with_token(auth_header, |token| {
            self.client.delete_session(uri.clone(), session_id.clone(), token, headers.clone())
        })
        .await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        headers: Headers,
    ) -> Result<BoxedSseResponse, HttpError> {
        self.with_token(auth_header, |token| {
            let (uri, id, event) = (uri.clone(), session_id.clone(), last_event_id.clone());
            self.client.get_stream(uri, id, event, token, headers.clone())
        })
        .await
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
        self.with_token(auth_header, |token| {
            self.client.get_stream_with_max_sse_event_size(
                uri.clone(),
                session_id.clone(),
                last_event_id.clone(),
                token,
                headers.clone(),
                max,
            )
        })
        .await
    }
}

/// Restores the status of an error: `rmcp` has it as a number only for 429 and 5xx, and as part of a
/// string for the others.
fn with_status(error: HttpError) -> HttpError {
    let StreamableHttpError::UnexpectedServerResponse(text) = &error else { return error };
    let number = text.strip_prefix("HTTP ").and_then(|rest| rest.get(..3)?.parse().ok());
    match number {
        Some(number @ (401 | 403 | 408 | 425)) => HttpStatusError::new(number, None).into(),
        _ => error,
    }
}
