//! Where a browser is sent back to with the answer to a request (RFC 8252, RFC 9700 section 2.1).

use std::fmt;

use super::authority::{host_of, is_authority, is_loopback_host};

/// The most bytes of a redirect URI.
const REDIRECT_URI_BYTES_MAX: usize = 2048;

/// Schemes of programs that register addresses of their own, beside those with a dot (RFC 8252, section
/// 7.1), which belong to the owner of a domain.
const PROGRAM_SCHEMES: [&str; 6] =
    ["cursor", "vscode", "vscode-insiders", "vscodium", "windsurf", "zed"];

/// An address that a browser may be sent back to.
///
/// It is compared with that of a request character by character. Only the port of a loopback address may
/// be any: a program listens on one that is free (RFC 8252, section 7.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedirectUri(String);

/// Why a string is not an address that a browser may be sent back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectUriError {
    /// It is not an absolute URI, or has characters that are not part of one.
    Syntax,
    /// It has a fragment, in which an answer would be hidden from the server of the client.
    Fragment,
    /// It has a user or a password before its host, which hide the host from people.
    User,
    /// It is `http` for another computer, so that others could read the answer.
    NotEncrypted,
    /// Its scheme is not that of one program.
    Scheme,
    /// It is too long.
    Length,
}

impl RedirectUri {
    /// Parses an address.
    pub fn parse(text: &str) -> Result<Self, RedirectUriError> {
        if text.len() > REDIRECT_URI_BYTES_MAX {
            return Err(RedirectUriError::Length);
        }
        if text.contains('#') {
            return Err(RedirectUriError::Fragment);
        }
        let (scheme, rest) = text.split_once(':').ok_or(RedirectUriError::Syntax)?;
        if !is_scheme(scheme) || !rest.bytes().all(is_uri_byte) {
            return Err(RedirectUriError::Syntax);
        }
        let authority = rest.strip_prefix("//").map(authority_of);
        if authority.is_some_and(|authority| authority.contains('@')) {
            return Err(RedirectUriError::User);
        }
        match (scheme, authority) {
            ("https", Some(authority)) if is_authority(authority) => {}
            ("http", Some(authority)) if is_loopback(authority) => {}
            ("http", Some(_)) => return Err(RedirectUriError::NotEncrypted),
            ("https" | "http", _) => return Err(RedirectUriError::Syntax),
            _ if scheme.contains('.') || PROGRAM_SCHEMES.contains(&scheme) => {}
            _ => return Err(RedirectUriError::Scheme),
        }
        Ok(Self(text.to_owned()))
    }

    /// Returns the address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns `true` if a request for this address may be answered at `registered`.
    pub fn is(&self, registered: &Self) -> bool {
        match (self.without_loopback_port(), registered.without_loopback_port()) {
            (Some(requested), Some(registered)) => requested == registered,
            _ => self == registered,
        }
    }

    /// Returns what people see of the address: its host, or the scheme of a program.
    pub fn host(&self) -> &str {
        let (scheme, rest) = self.0.split_once(':').unwrap_or(("", &self.0));
        match scheme {
            "https" | "http" => host_of(authority_of(rest.trim_start_matches('/'))),
            _ => scheme,
        }
    }

    /// Returns `true` if the answer goes to a program on the computer of the browser.
    pub fn is_on_this_computer(&self) -> bool {
        !self.0.starts_with("https:")
    }

    /// Returns the address with these parameters added to its query.
    pub fn with_parameters(&self, parameters: &[(&str, &str)]) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(parameters);
        let separator = match self.0.as_bytes() {
            [.., b'?' | b'&'] => "",
            _ if self.0.contains('?') => "&",
            _ => "?",
        };
        format!("{}{separator}{}", self.0, query.finish())
    }

    /// Returns the host of a loopback address, and what follows its port; none of another address.
    fn without_loopback_port(&self) -> Option<(&str, &str)> {
        let rest = self.0.strip_prefix("http://")?;
        let authority = authority_of(rest);
        Some((host_of(authority), &rest[authority.len()..]))
    }
}

impl fmt::Display for RedirectUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for RedirectUriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Syntax => "a redirect URI is not an absolute URI",
            Self::Fragment => "a redirect URI has a fragment",
            Self::User => "a redirect URI has a user or a password",
            Self::NotEncrypted => "a redirect URI with http is not one of a loopback address",
            Self::Scheme => "the scheme of a redirect URI is neither https nor that of one program",
            Self::Length => "a redirect URI is too long",
        })
    }
}

impl std::error::Error for RedirectUriError {}

/// Returns `true` for the host of this computer, with a port or without.
fn is_loopback(authority: &str) -> bool {
    is_authority(authority) && is_loopback_host(host_of(authority))
}

fn authority_of(rest: &str) -> &str {
    &rest[..rest.find(['/', '?']).unwrap_or(rest.len())]
}

/// Returns `true` for a scheme in lower case (RFC 3986, section 3.1).
fn is_scheme(scheme: &str) -> bool {
    let mut bytes = scheme.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_lowercase())
        && bytes.all(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.')
        })
}

/// Returns `true` for the characters of a URI (RFC 3986, section 2) but `#`. A backslash is none of
/// them: browsers read it as `/`.
fn is_uri_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?[]@!$&'()*+,;=%".contains(&byte)
}
