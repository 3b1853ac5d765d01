//! The public URL of a server, and the addresses below it.

use std::fmt;

use super::authority::{host_of, is_authority, is_loopback_host};

/// The most bytes of a public URL.
const ISSUER_BYTES_MAX: usize = 512;

/// The public URL of a server, which is its identifier as an authorization server (RFC 8414, section 2):
/// `https://HOST` with an optional port and path, and without a `/` at its end. On this computer alone,
/// `http` will do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Issuer {
    url: String,
    /// The bytes before the path.
    origin_bytes: usize,
}

/// Why a string is not the public URL of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IssuerError {
    /// It does not begin with `https://`, or `http://` for another computer.
    Scheme,
    /// It has no host, or one with a user, or characters that are not part of a URL.
    Host,
    /// It has a query, a fragment, or characters that are not part of a path.
    Path,
    /// It is too long.
    Length,
}

impl Issuer {
    /// Parses a public URL; `/` at its end is left out.
    pub fn parse(text: &str) -> Result<Self, IssuerError> {
        if text.len() > ISSUER_BYTES_MAX {
            return Err(IssuerError::Length);
        }
        let text = text.trim_end_matches('/');
        let (scheme, rest) = text.split_once("://").ok_or(IssuerError::Scheme)?;
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        // As browsers write the origin of a page.
        let authority = authority.to_ascii_lowercase();
        let default_port = if scheme == "https" { ":443" } else { ":80" };
        let authority = authority.strip_suffix(default_port).unwrap_or(&authority);
        if !is_authority(authority) {
            return Err(IssuerError::Host);
        }
        match scheme {
            "https" => {}
            "http" if is_loopback_host(host_of(authority)) => {}
            _ => return Err(IssuerError::Scheme),
        }
        if !path.bytes().all(is_path_byte) || path.split('/').any(|name| matches!(name, "." | ".."))
        {
            return Err(IssuerError::Path);
        }
        let origin = format!("{scheme}://{authority}");
        Ok(Self { origin_bytes: origin.len(), url: origin + path })
    }

    /// Returns the URL, without a `/` at its end.
    pub fn as_str(&self) -> &str {
        &self.url
    }

    /// Returns the scheme, the host and the port: what a browser calls the origin.
    pub fn origin(&self) -> &str {
        &self.url[..self.origin_bytes]
    }

    /// Returns the host, with the brackets of an IPv6 address.
    pub fn host(&self) -> &str {
        host_of(self.origin().split_once("://").map_or("", |(_, authority)| authority))
    }

    /// Returns the path of the URL: empty, or one that begins with `/`.
    pub fn path(&self) -> &str {
        &self.url[self.origin_bytes..]
    }

    /// Returns `true` if the connection to the server is encrypted.
    pub fn is_https(&self) -> bool {
        self.url.starts_with("https:")
    }

    /// Returns the address of a path of the server, which begins with `/`.
    pub fn address(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// Returns `true` if a resource (RFC 8707) is this server: its public URL, or an address below it.
    pub fn is_resource(&self, resource: &str) -> bool {
        let Some(path) = resource.strip_prefix(&self.url) else { return false };
        (path.is_empty() || path.starts_with('/')) && path.bytes().all(is_path_byte)
    }
}

impl fmt::Display for Issuer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

impl fmt::Display for IssuerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scheme => {
                "it does not begin with `https://`, which every address but a loopback one needs"
            }
            Self::Host => "it has no valid host",
            Self::Path => "it has a query, a fragment or an invalid path",
            Self::Length => "it is too long",
        })
    }
}

impl std::error::Error for IssuerError {}

fn is_path_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/')
}
