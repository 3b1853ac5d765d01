//! What every HTTP client of this crate has in common: how it is created, and how it fails.

use std::error::Error;
use std::time::Duration;

use rmcp::transport::streamable_http_client::StreamableHttpError;

use super::address::Address;
use super::certificate_authority::CertificateAuthority;

/// The longest time that connecting may take, unless the timeout of a request is shorter.
const CONNECT_TIMEOUT_MAX: Duration = Duration::from_secs(10);

/// Why a request over HTTP failed.
pub(super) type HttpError = StreamableHttpError<reqwest::Error>;

/// Returns what creates a client for the server at a URL; its redirects are up to the caller.
pub(super) fn client_builder(
    address: &Address,
    authority: Option<&CertificateAuthority>,
    timeout: Duration,
) -> Result<reqwest::ClientBuilder, reqwest::Error> {
    // An error means that an earlier client has installed the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder()
        .connect_timeout(timeout.min(CONNECT_TIMEOUT_MAX))
        .retry(reqwest::retry::never());
    // A request to this computer may contain a token, which must not go to a proxy.
    let builder = if address.is_loopback() { builder.no_proxy() } else { builder };
    // Without encryption no certificates are needed, and reading those of the system takes time.
    let builder = if address.is_plain_loopback() { builder.tls_certs_only([]) } else { builder };
    Ok(match authority {
        Some(authority) => builder.tls_certs_only(authority.certificates()?),
        None => builder,
    })
}

/// Returns the innermost cause of an error. The outer ones contain little more than the URL.
pub(super) fn root_cause(error: &dyn Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}
