//! Where a server on the network is.

use std::fmt;
use std::str::FromStr;

use reqwest::Url;

/// The address of an MCP endpoint: `http` or `https`, with a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(Url);

/// Why a text is no address of an endpoint, as a sentence fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoAddress(&'static str);

impl Address {
    /// The address as it is written.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The host alone.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Tells whether the host is this computer.
    pub fn is_loopback(&self) -> bool {
        let host = self.host();
        let address = host.trim_start_matches('[').trim_end_matches(']').parse();
        match address {
            Ok(std::net::IpAddr::V4(address)) => address.is_loopback(),
            Ok(std::net::IpAddr::V6(address)) => address.is_loopback(),
            Err(_) => host == "localhost",
        }
    }

    /// Tells whether what is sent stays in this computer, and is not encrypted.
    pub(super) fn is_in_clear(&self) -> bool {
        self.0.scheme() == "http" && self.is_loopback()
    }

    /// The server without the place on it: scheme, host and port, such as `https://example.org`.
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// Tells whether nobody on the way can read what is sent.
    pub fn is_private(&self) -> bool {
        self.0.scheme() == "https" || self.is_loopback()
    }
}

impl FromStr for Address {
    type Err = NoAddress;

    fn from_str(text: &str) -> Result<Self, NoAddress> {
        let url = Url::parse(text).map_err(|_| NoAddress("it is not a URL"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(NoAddress("it does not begin with `http://` or `https://`"));
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(NoAddress("it has no host"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(NoAddress("it holds a user or a password; a token is given apart"));
        }
        if url.fragment().is_some() {
            return Err(NoAddress("it has a part behind `#`, which is never sent"));
        }
        Ok(Self(url))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for NoAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for NoAddress {}
