//! A header that is sent with every request to a server.

use std::fmt;

use dibber_text::MASKED;
use http::{HeaderName, HeaderValue};

/// The headers that belong to the protocol.
const RESERVED: [&str; 10] = [
    "accept",
    "connection",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "mcp-protocol-version",
    "mcp-session-id",
    "mcp-method",
    "transfer-encoding",
];

/// A header. Its value may be a secret, and is masked when it is formatted.
#[derive(Clone, PartialEq, Eq)]
pub struct Header {
    name: HeaderName,
    value: HeaderValue,
}

/// Why a string is not a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderError {
    /// It has no colon after the name.
    NoColon,
    /// The name has characters that names of headers do not have.
    Name,
    /// The value has a character that is not visible ASCII.
    Value,
    /// The header belongs to the protocol.
    Reserved,
}

impl Header {
    /// Parses `Name: value`.
    pub fn parse(text: &str) -> Result<Self, HeaderError> {
        let (name, value) = text.split_once(':').ok_or(HeaderError::NoColon)?;
        Self::new(name.trim(), value.trim())
    }

    /// Creates a header.
    pub fn new(name: &str, value: &str) -> Result<Self, HeaderError> {
        let name: HeaderName = name.parse().map_err(|_| HeaderError::Name)?;
        if RESERVED.contains(&name.as_str()) {
            return Err(HeaderError::Reserved);
        }
        let mut value: HeaderValue = value.parse().map_err(|_| HeaderError::Value)?;
        value.set_sensitive(true);
        Ok(Self { name, value })
    }

    /// Returns the name, in lower case.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// Returns the name and the value, for a request alone.
    pub(super) fn reveal(&self) -> (HeaderName, HeaderValue) {
        (self.name.clone(), self.value.clone())
    }
}

impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {MASKED}", self.name)
    }
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoColon => "missing `:` after the name",
            Self::Name => "invalid header name",
            Self::Value => "invalid character in the header value",
            Self::Reserved => "the protocol sets this header",
        })
    }
}

impl std::error::Error for HeaderError {}
