//! The URL of a server.

use std::fmt;
use std::str::FromStr;

use reqwest::Url;

/// The path at which MCP servers usually are.
const MCP_PATH: &str = "/mcp";

/// The URL of an MCP endpoint: `http` or `https`, with a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(Url);

/// Why a string is not the URL of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressError(&'static str);

impl AddressError {
    pub(super) const NOT_URL: Self = Self("it is not a URL");
}

impl Address {
    /// Returns `true` if it names a port.
    pub(super) fn has_port(&self) -> bool {
        self.0.port().is_some()
    }

    /// Returns `true` if it has no path.
    pub fn has_no_path(&self) -> bool {
        self.0.path() == "/"
    }

    /// Returns the URL with the path at which MCP servers usually are.
    #[must_use]
    pub fn with_mcp_path(&self) -> Self {
        let mut url = self.0.clone();
        url.set_path(MCP_PATH);
        Self(url)
    }

    /// Returns the URL, with the usual path if it is one of this computer without a path.
    pub(super) fn with_usual_path(self) -> Self {
        if self.is_loopback() && self.has_no_path() { self.with_mcp_path() } else { self }
    }

    /// Returns the port, which may be that of the scheme.
    pub fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or_default()
    }

    /// Returns the URL with its query masked, which may contain a secret.
    pub fn without_query(&self) -> String {
        let mut url = self.0.clone();
        if url.query().is_some() {
            url.set_query(Some("****"));
        }
        url.to_string()
    }

    /// Returns the path.
    pub fn path(&self) -> &str {
        self.0.path()
    }

    /// Returns the URL as a string.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns the host.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Returns `true` if the host is this computer.
    pub fn is_loopback(&self) -> bool {
        let host = self.host();
        let address = host.trim_start_matches('[').trim_end_matches(']').parse();
        match address {
            Ok(std::net::IpAddr::V4(address)) => address.is_loopback(),
            Ok(std::net::IpAddr::V6(address)) => address.is_loopback(),
            Err(_) => host == "localhost",
        }
    }

    /// Returns `true` if the connection stays in this computer and is not encrypted.
    pub(super) fn is_plain_loopback(&self) -> bool {
        self.0.scheme() == "http" && self.is_loopback()
    }

    /// Returns the scheme, the host and the port, such as `https://example.org`.
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// Returns `true` if the connection is encrypted or stays in this computer.
    pub fn is_private(&self) -> bool {
        self.0.scheme() == "https" || self.is_loopback()
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let url = Url::parse(text).map_err(|_| AddressError::NOT_URL)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(AddressError("it does not begin with `http://` or `https://`"));
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(AddressError("it has no host"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError("it contains a user or a password; pass a token separately"));
        }
        if url.fragment().is_some() {
            return Err(AddressError("it has a fragment after `#`, which is never sent"));
        }
        Ok(Self(url))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for AddressError {}
