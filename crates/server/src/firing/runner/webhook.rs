//! Executing runs with a webhook: a program that is called over the network.

use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use http::header::CONTENT_TYPE;
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};
use serde_json::Value;

use super::execute::Execute;
use super::job::{Job, Outcome};
use super::output;
use super::signature::signature;
use crate::firing::finish::Retry;
use crate::firing::start::Executor;
use crate::run_result::RunResult;
use crate::server::Server;

/// The header by which a receiver recognises a run that is sent again.
const KEY_HEADER: &str = "Idempotency-Key";
/// The header with the time and the signature.
const SIGNATURE_HEADER: &str = "Dibber-Signature";
/// The name and the version of this program, as programs call themselves over HTTP.
const USER_AGENT: &str = concat!("dibber/", env!("CARGO_PKG_VERSION"));
/// The longest time until a connection is there.
const CONNECT_TIMEOUT_MAX: Duration = Duration::from_secs(30);
/// The summary if the receiver answers without one.
const DELIVERED: &str = "Delivered.";

/// A webhook, and its limits.
#[derive(Clone)]
pub struct WebhookOptions {
    /// The URL: `https`, or `http` to this computer. It may contain a secret.
    pub url: String,
    /// The key of the signature.
    pub secret: Option<Vec<u8>>,
    /// The longest time of a run.
    pub timeout: Duration,
    /// The most bytes of an answer.
    pub output_bytes: u64,
}

/// Why a URL is not that of a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebhookUrlError(&'static str);

/// Executes runs by sending them to a URL.
pub struct WebhookRunner {
    server: Server,
    client: Client,
    url: Url,
    secret: Option<Vec<u8>>,
    output_bytes: u64,
}

/// Why an attempt failed. It does not name the URL: the family reads it, and it may be a secret.
struct Failed(String, Retry);

impl WebhookRunner {
    /// Creates the runner of a server's runs.
    pub fn new(server: Server, options: WebhookOptions) -> Result<Self, WebhookUrlError> {
        let WebhookOptions { url, secret, timeout, output_bytes } = options;
        let url = parse_url(&url)?;
        // An error means that an earlier client has installed the same one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .connect_timeout(timeout.min(CONNECT_TIMEOUT_MAX))
            .timeout(timeout)
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .user_agent(USER_AGENT);
        if is_loopback(&url) {
            builder = builder.no_proxy();
            if url.scheme() == "http" {
                // Without encryption no certificates are needed, and reading those of the system
                // takes time.
                builder = builder.tls_certs_only([]);
            }
        }
        let client = builder.build().map_err(|_| {
            WebhookUrlError("connections cannot be encrypted with the certificates of this system")
        })?;
        Ok(Self { server, client, url, secret, output_bytes })
    }

    async fn send(&self, job: &Job) -> Result<RunResult, Failed> {
        let body = body(job);
        let mut request = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(KEY_HEADER, job.run_id.as_str());
        if let Some(secret) = &self.secret {
            let time = self.server.now().as_second();
            request = request.header(SIGNATURE_HEADER, signature(secret, time, &body));
        }
        let response = request.body(body).send().await.map_err(unanswered)?;
        check_status(response.status())?;
        let answer = self.read(response).await?;
        output::json_object(&answer)
            .unwrap_or_else(|| RunResult::from_summary(DELIVERED))
            .map_err(|error| Failed(format!("the answer is not valid: {error}"), Retry::Never))
    }

    async fn read(&self, mut response: Response) -> Result<Vec<u8>, Failed> {
        let mut answer = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(unanswered)? {
            answer.extend(chunk);
            if answer.len() as u64 > self.output_bytes {
                let reason = format!("the answer has more than {} bytes", self.output_bytes);
                return Err(Failed(reason, Retry::Never));
            }
        }
        Ok(answer)
    }
}

impl Execute for WebhookRunner {
    fn execute(&self, job: Job) -> Pin<Box<dyn Future<Output = Outcome> + Send + '_>> {
        Box::pin(async move {
            match self.send(&job).await {
                Ok(result) => Outcome::Completed(result),
                Err(Failed(reason, retry)) => Outcome::Failed { reason, retry },
            }
        })
    }

    fn executor(&self) -> Executor {
        Executor::Server
    }
}

/// Returns the run with its prompt.
fn body(job: &Job) -> Vec<u8> {
    let mut fields = serde_json::to_value(job).expect("a run has string keys");
    fields["prompt"] = Value::String(job.prompt.clone());
    fields.to_string().into_bytes()
}

/// Checks the status of an answer. A receiver that answers with a failure of its own, or whose proxy has
/// waited for too long, may have done the work.
fn check_status(status: StatusCode) -> Result<(), Failed> {
    let reason = format!("the webhook answered {}", status.as_u16());
    if status.is_success() {
        Ok(())
    } else if status.is_redirection() {
        Err(Failed(format!("{reason}, a redirect, which is not followed"), Retry::Never))
    } else if status == StatusCode::TOO_MANY_REQUESTS {
        Err(Failed(reason, Retry::Later))
    } else if status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT {
        Err(Failed(reason, Retry::MayRepeat))
    } else {
        Err(Failed(reason, Retry::Never))
    }
}

/// Returns why there is no answer, or only a part of one: it may come another time. Without a
/// connection, the run was not sent.
fn unanswered(error: reqwest::Error) -> Failed {
    let retry = if error.is_connect() { Retry::Later } else { Retry::MayRepeat };
    if error.is_timeout() {
        return Failed("the webhook has not answered in time".to_owned(), retry);
    }
    let error = error.without_url();
    let mut cause: &dyn Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let what = if error.is_connect() { "cannot be reached" } else { "has not answered" };
    Failed(format!("the webhook {what}: {cause}"), retry)
}

fn parse_url(text: &str) -> Result<Url, WebhookUrlError> {
    let url = Url::parse(text).map_err(|_| WebhookUrlError("it is not a URL"))?;
    match url.scheme() {
        "https" => {}
        "http" if is_loopback(&url) => {}
        "http" => {
            return Err(WebhookUrlError(
                "the prompt would be sent to another computer without encryption",
            ));
        }
        _ => return Err(WebhookUrlError("it does not begin with `https://`")),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(WebhookUrlError("it contains a user or a password"));
    }
    if url.fragment().is_some() {
        return Err(WebhookUrlError("it has a fragment after `#`, which is never sent"));
    }
    Ok(url)
}

/// Returns `true` if the host is this computer.
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    address.map_or(host == "localhost", |address| address.is_loopback())
}

impl fmt::Display for WebhookUrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for WebhookUrlError {}
