//! Reading a page of the web, which may be anyone's: bounded, and without credentials.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use http::header::{ACCEPT_ENCODING, CONTENT_TYPE, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Response, StatusCode, Url};

use super::address::Address;
use super::certificate_authority::CertificateAuthority;
use super::deadline::Deadline;
use super::error::ClientError;
use super::failure::{Failure, from_request_error};
use super::http_client::{client_builder, root_cause};

/// The most redirects that one request follows.
const REDIRECTS_MAX: usize = 5;

/// What downloads from sites.
///
/// No token is sent. A redirect is followed at the same origin or to one with encryption, and never from
/// elsewhere to this computer.
#[derive(Debug)]
pub struct Downloader {
    authority: Option<CertificateAuthority>,
    timeout: Duration,
    /// A client for each origin, which keeps its connections.
    clients: Mutex<HashMap<String, reqwest::Client>>,
}

/// The answer to a download.
#[derive(Clone, Debug)]
pub struct Downloaded {
    /// The URL that answered, after redirects.
    pub url: Address,
    /// The status of HTTP. Whatever is not 200 has a body that is not what was asked for.
    pub status: u16,
    /// The value of `Content-Type` in lower case, without parameters.
    pub content_type: Option<String>,
    /// The body, with a length that is at most the limit.
    pub body: Vec<u8>,
}

impl Downloaded {
    /// Returns `true` if the body is what was asked for.
    pub const fn is_found(&self) -> bool {
        self.status == 200
    }
}

impl Downloader {
    /// Creates one; nothing is sent. `timeout` is the time for one download with its redirects.
    pub fn new(authority: Option<CertificateAuthority>, timeout: Duration) -> Self {
        Self { authority, timeout, clients: Mutex::default() }
    }

    /// Reads what is at a URL, of at most `bytes_max` bytes.
    ///
    /// # Errors
    /// If there is no whole answer within the time and the limit. An answer with another status than 200 is
    /// no error.
    pub async fn get(&self, url: &Address, bytes_max: u64) -> Result<Downloaded, ClientError> {
        let deadline = Deadline::after(self.timeout);
        let got = deadline.with_timeout(self.follow(url, bytes_max)).await;
        got.map_err(|failure: Failure| failure.without_side_effects().error)
    }

    async fn follow(&self, first: &Address, bytes_max: u64) -> Result<Downloaded, Failure> {
        let mut url = first.clone();
        for _ in 0..=REDIRECTS_MAX {
            let client = self.client(&url)?;
            let request = client.get(url.as_str()).header(ACCEPT_ENCODING, "identity");
            let response = request.send().await.map_err(|error| from_request_error(&error))?;
            match redirect(&url, &response)? {
                Some(next) => url = next,
                None => return read(url, response, bytes_max).await,
            }
        }
        Err(Failure::protocol_error(format!("it redirects more than {REDIRECTS_MAX} times")))
    }

    fn client(&self, url: &Address) -> Result<reqwest::Client, Failure> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&url.origin()) {
            return Ok(client.clone());
        }
        let builder = client_builder(url, self.authority.as_ref(), self.timeout);
        let client = builder.and_then(|builder| builder.redirect(Policy::none()).build());
        let client = client
            .map_err(|error| Failure::permanent(ClientError::Unreachable(root_cause(&error))))?;
        clients.insert(url.origin(), client.clone());
        Ok(client)
    }
}

/// Returns where an answer redirects to, if it does.
fn redirect(from: &Address, response: &Response) -> Result<Option<Address>, Failure> {
    let is_redirect = matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    let location = response.headers().get(LOCATION).filter(|_| is_redirect);
    let Some(location) = location else { return Ok(None) };
    let refused =
        |why: &str| Failure::protocol_error(format!("it redirects {why}, which is not followed"));
    let joined = location.to_str().ok().and_then(|location| resolve(from, location));
    let to = joined.ok_or_else(|| refused("to what is not a URL"))?;
    from.may_lead_to(&to).map_err(refused)?;
    Ok(Some(to))
}

fn resolve(base: &Address, reference: &str) -> Option<Address> {
    let mut url = Url::parse(base.as_str()).ok()?.join(reference).ok()?;
    url.set_fragment(None);
    url.as_str().parse().ok()
}

async fn read(url: Address, mut response: Response, bytes_max: u64) -> Result<Downloaded, Failure> {
    let too_large =
        || Failure::protocol_error(format!("its answer is larger than {bytes_max} bytes"));
    let content_type = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let content_type = content_type
        .map(|kind| kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
    let status = response.status();
    // The page of an error is of no use, and may be of any length.
    if status != StatusCode::OK {
        return Ok(Downloaded { url, status: status.as_u16(), content_type, body: Vec::new() });
    }
    if response.content_length().is_some_and(|length| length > bytes_max) {
        return Err(too_large());
    }
    let mut body = Vec::new();
    let cut_off = |error: reqwest::Error| from_request_error(&error).reached();
    while let Some(part) = response.chunk().await.map_err(cut_off)? {
        if (body.len() + part.len()) as u64 > bytes_max {
            return Err(too_large());
        }
        body.extend_from_slice(&part);
    }
    Ok(Downloaded { url, status: status.as_u16(), content_type, body })
}

impl Address {
    /// Returns why what is at this URL may not lead to another one.
    pub(super) fn may_lead_to(&self, to: &Self) -> Result<(), &'static str> {
        if to.origin() == self.origin() {
            return Ok(());
        }
        if to.is_loopback() && !self.is_loopback() {
            return Err("to this computer");
        }
        if !to.as_str().starts_with("https://") {
            return Err("to another site without encryption");
        }
        Ok(())
    }

    /// Returns the URL that a reference in a page at this URL means. None if that is not one of the web.
    pub fn join(&self, reference: &str) -> Option<Self> {
        resolve(self, reference)
    }
}
