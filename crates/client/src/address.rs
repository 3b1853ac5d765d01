//! The URL of a server.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use dibber_text::MASKED;
use reqwest::Url;

use super::short_hash::short_hash;

/// The path at which MCP servers usually are.
const MCP_PATH: &str = "/mcp";

/// The URL of an MCP endpoint: `http` or `https`, with a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(Box<Parts>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts {
    url: Url,
    /// The URL as it may be recorded and shown.
    public_name: String,
}

/// Why a string is not the URL of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressError(&'static str);

impl AddressError {
    pub(super) const NOT_URL: Self = Self("it is not a URL");
}

impl Address {
    /// The query, which may contain a secret, is not part of the name, but a short hash of it is.
    fn new(url: Url) -> Self {
        let mut public_name = url.to_string();
        if let Some(query) = url.query() {
            let mut named = url.clone();
            named.set_query(Some(MASKED));
            named.set_fragment(Some(&short_hash(query)));
            public_name = named.to_string();
        }
        Self(Box::new(Parts { url, public_name }))
    }

    /// Returns the URL as it may be recorded and shown: in place of its query, it has a short hash.
    pub(super) fn public_name(&self) -> &str {
        &self.0.public_name
    }

    /// Returns `true` if it names a port.
    pub(crate) fn has_port(&self) -> bool {
        self.0.url.port().is_some()
    }

    /// Returns `true` if it has no path.
    pub fn has_no_path(&self) -> bool {
        self.0.url.path() == "/"
    }

    /// Returns the URL with the path at which MCP servers usually are.
    #[must_use]
    pub fn with_mcp_path(&self) -> Self {
        self.with_path(MCP_PATH)
    }

    /// Returns the URL with another path.
    pub(super) fn with_path(&self, path: &str) -> Self {
        let mut url = self.0.url.clone();
        url.set_path(path);
        Self::new(url)
    }

    /// Returns the URL, with the usual path if it is one of this computer without a path.
    pub(super) fn with_usual_path(self) -> Self {
        if self.is_loopback() && self.has_no_path() { self.with_mcp_path() } else { self }
    }

    /// Returns the port, which may be that of the scheme.
    pub fn port(&self) -> u16 {
        self.0.url.port_or_known_default().unwrap_or_default()
    }

    /// Returns the URL with its query masked, which may contain a secret.
    pub fn without_query(&self) -> String {
        let mut url = self.0.url.clone();
        if url.query().is_some() {
            url.set_query(Some(MASKED));
        }
        url.to_string()
    }

    /// Returns the path.
    pub fn path(&self) -> &str {
        self.0.url.path()
    }

    /// Returns the URL as a string.
    pub fn as_str(&self) -> &str {
        self.0.url.as_str()
    }

    /// Returns the URL in its parts.
    pub(crate) fn to_url(&self) -> Url {
        self.0.url.clone()
    }

    /// Returns the host.
    pub fn host(&self) -> &str {
        self.0.url.host_str().unwrap_or_default()
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
        self.0.url.scheme() == "http" && self.is_loopback()
    }

    /// Returns the scheme, the host and the port, such as `https://example.org`.
    pub fn origin(&self) -> String {
        self.0.url.origin().ascii_serialization()
    }

    /// Returns `true` if the connection is encrypted or stays in this computer.
    pub fn is_private(&self) -> bool {
        self.0.url.scheme() == "https" || self.is_loopback()
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
        Ok(Self::new(url))
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

/// Masks the user, the password, the query and the fragment of every URL in a string.
pub(super) fn mask_urls(text: &str) -> Cow<'_, str> {
    const AFTER_SCHEME: &str = "://";
    let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`');
    let mut masked = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(AFTER_SCHEME) {
        let (url, after) = after.split_at(after.find(is_end).unwrap_or(after.len()));
        let (place, tail) = url.split_at(url.find(['?', '#']).unwrap_or(url.len()));
        masked.extend([before, AFTER_SCHEME]);
        match place.rfind('@') {
            _ if is_host_and_port(place.split('/').next().unwrap_or_default()) => {
                masked.push_str(place);
            }
            Some(at) => masked.extend([MASKED, &place[at..]]),
            // A password with an unescaped `?` or `#`.
            None if tail.contains('@') => masked.push_str(MASKED),
            None => masked.push_str(place),
        }
        if !tail.is_empty() {
            masked.extend([&tail[..1], MASKED]);
        }
        rest = after;
    }
    if masked.is_empty() {
        return Cow::Borrowed(text);
    }
    masked.push_str(rest);
    Cow::Owned(masked)
}

/// Returns `true` if the authority of a URL has no user. A password with an unescaped `/` ends it
/// too early, with what cannot be a port.
fn is_host_and_port(authority: &str) -> bool {
    let after_address = authority.rsplit(']').next().unwrap_or_default();
    let port = after_address.split_once(':').map_or("", |(_, port)| port);
    !authority.contains('@') && port.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_no_query_but_differs_with_it() {
        let name = |url: &str| url.parse::<Address>().expect("a URL").public_name().to_owned();
        assert_eq!(name("https://example.org/mcp"), "https://example.org/mcp");
        let (one, other) =
            (name("https://example.org/mcp?k=a"), name("https://example.org/mcp?k=b"));
        assert!(one.starts_with("https://example.org/mcp?****#") && one != other, "{one} {other}");
    }

    #[test]
    fn urls_are_masked_wherever_they_are() {
        let cases = [
            ("no URL", "no URL"),
            ("postgres://u:p@ss/w@h/db", "postgres://****@h/db"),
            ("cannot open 'ftp://u@h/?a=b': no", "cannot open 'ftp://****@h/?****': no"),
            ("a://b c://d:e@f", "a://b c://****@f"),
            ("https://h/mcp?user=ann@example.org&key=k", "https://h/mcp?****"),
            ("https://h/mcp#token=k", "https://h/mcp#****"),
            ("https://h?a=b#c@d", "https://h?****"),
            ("https://u:p?k@h/", "https://****?****"),
            ("https://h/@scope/mcp", "https://h/@scope/mcp"),
            ("https://h:80/@scope", "https://h:80/@scope"),
            ("http://[::1]:80/@scope", "http://[::1]:80/@scope"),
            ("http://u:p/w@h/", "http://****@h/"),
            ("listening on http://localhost:8080, see", "listening on http://localhost:8080, see"),
        ];
        for (text, masked) in cases {
            assert_eq!(mask_urls(text), masked);
        }
    }
}
