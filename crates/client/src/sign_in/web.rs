//! Requests to authorization servers: bounded, never redirected, and with nothing of them in errors.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE};
use reqwest::redirect::Policy;
use reqwest::{RequestBuilder, Response};
use serde_json::{Map, Value};

use super::super::address::Address;
use super::super::certificate_authority::CertificateAuthority;
use super::super::download::Downloader;
use super::super::error::ClientError;
use super::super::failure::from_request_error;
use super::super::http_client::{client_builder, root_cause};
use super::error::SignInError;

/// The most bytes of an answer (64 KiB).
const ANSWER_BYTES_MAX: usize = 64 << 10;

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";
/// A request that every server answers, if it does not ask for a token.
const PROBE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

/// Where requests are sent with the certificates of one server.
#[derive(Clone, Debug)]
pub(super) struct Web {
    pub(super) authority: Option<CertificateAuthority>,
    pub(super) timeout: Duration,
}

impl Web {
    /// Returns the JSON object at an address. None if there is none.
    pub(super) async fn document(
        &self,
        url: &Address,
    ) -> Result<Option<Map<String, Value>>, SignInError> {
        let downloader = Downloader::new(self.authority.clone(), self.timeout);
        let got = downloader.get(url, ANSWER_BYTES_MAX as u64).await?;
        let parsed = got.is_found().then(|| serde_json::from_slice(&got.body).ok());
        Ok(parsed.flatten())
    }

    /// Returns the challenge with which a server refuses a request without a token. None if it does not
    /// refuse it.
    pub(super) async fn challenge(&self, server: &Address) -> Result<Option<String>, SignInError> {
        let request = self.post(server, JSON, PROBE.to_owned())?;
        let response = send(request.header(ACCEPT, "application/json, text/event-stream")).await?;
        if response.status() != 401 {
            return Ok(None);
        }
        let challenges = response.headers().get_all(WWW_AUTHENTICATE).iter();
        let challenges = challenges.filter_map(|value| value.to_str().ok());
        Ok(Some(challenges.collect::<Vec<_>>().join(", ")))
    }

    /// Sends a form, with the id and the secret of a client in its header if there are some.
    pub(super) async fn send_form(
        &self,
        url: &Address,
        fields: &[(&str, &str)],
        basic: Option<(&str, &str)>,
    ) -> Result<Map<String, Value>, SignInError> {
        let mut request = self.post(url, FORM, encoded(fields))?;
        if let Some((id, secret)) = basic {
            let encoded =
                |part: &str| form_urlencoded::byte_serialize(part.as_bytes()).collect::<String>();
            let pair = format!("{}:{}", encoded(id), encoded(secret));
            request = request.header(AUTHORIZATION, format!("Basic {}", STANDARD.encode(pair)));
        }
        answer(send(request.header(ACCEPT, JSON)).await?).await
    }

    /// Sends a JSON object.
    pub(super) async fn send_json(
        &self,
        url: &Address,
        body: &Value,
    ) -> Result<Map<String, Value>, SignInError> {
        let request = self.post(url, JSON, body.to_string())?;
        answer(send(request.header(ACCEPT, JSON)).await?).await
    }

    fn post(
        &self,
        url: &Address,
        content_type: &str,
        body: String,
    ) -> Result<RequestBuilder, SignInError> {
        let builder = client_builder(url, self.authority.as_ref(), self.timeout);
        let client = builder.and_then(|builder| builder.redirect(Policy::none()).build());
        let client = client.map_err(|error| ClientError::Unreachable(root_cause(&error)))?;
        let request = client.post(url.as_str()).timeout(self.timeout);
        Ok(request.header(CONTENT_TYPE, content_type).body(body))
    }
}

/// Returns fields in the form in which they are sent.
pub(super) fn encoded(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

async fn send(request: RequestBuilder) -> Result<Response, SignInError> {
    request.send().await.map_err(|error| not_answered(&error))
}

fn not_answered(error: &reqwest::Error) -> SignInError {
    from_request_error(error).without_side_effects().error.into()
}

/// Reads an object, or the error that it describes (RFC 6749, section 5.2).
async fn answer(mut response: Response) -> Result<Map<String, Value>, SignInError> {
    let (is_success, status) = (response.status().is_success(), response.status().as_u16());
    let mut body = Vec::new();
    while let Some(part) = response.chunk().await.map_err(|error| not_answered(&error))? {
        if body.len() + part.len() > ANSWER_BYTES_MAX {
            return Err(ClientError::Protocol("its answer is too large".to_owned()).into());
        }
        body.extend_from_slice(&part);
    }
    // A success need not have a body (RFC 7009, section 2.2).
    let parsed: Option<Map<String, Value>> = serde_json::from_slice(&body).ok();
    if is_success {
        return Ok(parsed.unwrap_or_default());
    }
    let text = |name| parsed.as_ref()?.get(name)?.as_str().map(str::to_owned);
    let code = text("error").unwrap_or_else(|| format!("HTTP {status}"));
    Err(SignInError::Refused { code, description: text("error_description") })
}
