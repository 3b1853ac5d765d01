//! What a client says of itself: when it registers (RFC 7591), or in a document whose address is its id
//! (OAuth Client ID Metadata Documents).

use std::fmt;

use dibber_text::escape_line;
use serde::{Deserialize, Serialize};

use super::error::{OAuthError, OAuthErrorCode};
use super::redirect_uri::RedirectUri;

/// The most bytes of what a client says of itself.
pub const CLIENT_METADATA_BYTES_MAX: usize = 16 << 10;

/// The most bytes of an id.
const CLIENT_ID_BYTES_MAX: usize = 512;
/// The most redirect URIs of a client.
const REDIRECT_URIS_MAX: usize = 16;
/// The most characters of the name of a client.
const NAME_CHARACTERS_MAX: usize = 80;
/// What the ids of clients that registered begin with.
const REGISTERED_PREFIX: &str = "client_";

/// The id of a client.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClientId(String);

/// Where a client is described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientIdKind {
    /// With the server, where it registered.
    Registered,
    /// In a document, whose address is the id.
    Document,
}

/// A kind of grant that a client asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GrantType {
    /// A code, for which a browser is sent back.
    #[serde(rename = "authorization_code")]
    AuthorizationCode,
    /// A token that gets others.
    #[serde(rename = "refresh_token")]
    RefreshToken,
    /// A code that a person types (RFC 8628).
    #[serde(rename = "urn:ietf:params:oauth:grant-type:device_code")]
    DeviceCode,
}

/// What a client says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientMetadata {
    /// What it calls itself, without characters that hide others. It is not verified.
    pub name: Option<String>,
    /// Where browsers may be sent back to.
    pub redirect_uris: Vec<RedirectUri>,
    /// The kinds of grants that it asks for.
    pub grant_types: Vec<GrantType>,
}

/// A client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// Its id.
    pub id: ClientId,
    /// What it says of itself.
    pub metadata: ClientMetadata,
}

/// The fields of RFC 7591, section 2 that are read. Others are ignored, as it says.
#[derive(Deserialize)]
struct Fields {
    client_id: Option<String>,
    client_name: Option<String>,
    #[serde(default)]
    redirect_uris: Vec<String>,
    grant_types: Option<Vec<String>>,
    response_types: Option<Vec<String>>,
}

impl ClientId {
    /// Parses the id of a request: one that this server gave out, or the address of a document.
    pub fn parse(text: &str) -> Option<Self> {
        let is_registered = text.strip_prefix(REGISTERED_PREFIX).is_some_and(|digits| {
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        });
        let is_valid =
            text.len() <= CLIENT_ID_BYTES_MAX && (is_registered || is_document_address(text));
        is_valid.then(|| Self(text.to_owned()))
    }

    /// Returns an id for a client that registers, of random digits.
    pub fn registered(digits: &str) -> Self {
        Self(format!("{REGISTERED_PREFIX}{digits}"))
    }

    /// Returns where the client is described.
    pub fn kind(&self) -> ClientIdKind {
        if self.0.starts_with(REGISTERED_PREFIX) {
            ClientIdKind::Registered
        } else {
            ClientIdKind::Document
        }
    }

    /// Returns the id as it is sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl ClientMetadata {
    /// Parses the body of a registration.
    pub fn from_registration(body: &[u8]) -> Result<Self, OAuthError> {
        Self::from_fields(&parse_fields(body)?)
    }

    /// Parses the document at an address, which has to name this address as its `client_id`: otherwise a
    /// client could call itself by the document of another one.
    pub fn from_document(id: &ClientId, body: &[u8]) -> Result<Self, OAuthError> {
        let fields = parse_fields(body)?;
        if fields.client_id.as_deref() != Some(id.as_str()) {
            return Err(invalid("client_id of the document is not its address"));
        }
        Self::from_fields(&fields)
    }

    fn from_fields(fields: &Fields) -> Result<Self, OAuthError> {
        let has_code = |types: &Vec<String>| types.iter().any(|name| name == "code");
        if fields.response_types.as_ref().is_some_and(|types| !types.is_empty() && !has_code(types))
        {
            return Err(invalid("response_types does not contain code"));
        }
        let grant_types = grant_types(fields.grant_types.as_deref())?;
        if fields.redirect_uris.len() > REDIRECT_URIS_MAX {
            return Err(invalid(&format!(
                "redirect_uris has more than {REDIRECT_URIS_MAX} addresses"
            )));
        }
        let parse = |text: &String| {
            RedirectUri::parse(text).map_err(|error| {
                OAuthError::new(OAuthErrorCode::InvalidRedirectUri, error.to_string())
            })
        };
        let redirect_uris =
            fields.redirect_uris.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
        if redirect_uris.is_empty() && grant_types.contains(&GrantType::AuthorizationCode) {
            let description = "redirect_uris has no address, which authorization_code needs";
            return Err(OAuthError::new(OAuthErrorCode::InvalidRedirectUri, description));
        }
        Ok(Self { name: fields.client_name.as_deref().and_then(name), redirect_uris, grant_types })
    }
}

impl Client {
    /// Returns the name that people see: what the client calls itself, or where it comes from.
    pub fn shown_name(&self) -> &str {
        let metadata = &self.metadata;
        let host = || metadata.redirect_uris.first().map(RedirectUri::host);
        metadata.name.as_deref().or_else(host).unwrap_or("an application without a name")
    }

    /// Returns the host of the document that describes the client, which is the only part of what it says
    /// that is certain; none if it registered.
    pub fn verified_host(&self) -> Option<&str> {
        let rest = self.id.as_str().strip_prefix("https://")?;
        rest.split('/').next()
    }

    /// Returns `true` if the client may ask for this kind of grant.
    pub fn may_use(&self, grant_type: GrantType) -> bool {
        self.metadata.grant_types.contains(&grant_type)
    }
}

fn parse_fields(body: &[u8]) -> Result<Fields, OAuthError> {
    if body.len() > CLIENT_METADATA_BYTES_MAX {
        return Err(invalid("the metadata are too large"));
    }
    serde_json::from_slice(body)
        .map_err(|_| invalid("the metadata are not the JSON object of RFC 7591"))
}

/// Returns the kinds of grants that are known. If none are named, a client wants codes (RFC 7591, section
/// 2).
fn grant_types(names: Option<&[String]>) -> Result<Vec<GrantType>, OAuthError> {
    let Some(names) = names else { return Ok(vec![GrantType::AuthorizationCode]) };
    let parse = |name: &String| serde_json::from_value(name.as_str().into()).ok();
    let types: Vec<GrantType> = names.iter().filter_map(parse).collect();
    if types.iter().all(|kind| *kind == GrantType::RefreshToken) {
        return Err(invalid("grant_types has neither authorization_code nor that of devices"));
    }
    Ok(types)
}

/// Returns a name without characters that hide others, and not longer than a line.
fn name(text: &str) -> Option<String> {
    let text: String = text.trim().chars().take(NAME_CHARACTERS_MAX).collect();
    (!text.is_empty()).then(|| escape_line(&text).into_owned())
}

/// Returns `true` for the address of a document: `https`, a path, no user, no query, no fragment and no
/// `.` or `..` in the path.
fn is_document_address(text: &str) -> bool {
    let Some((host, path)) = text.strip_prefix("https://").and_then(|rest| rest.split_once('/'))
    else {
        return false;
    };
    let is_host_byte = |byte: u8| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.' | b':')
    };
    let is_path_byte = |byte: u8| byte.is_ascii_graphic() && !b"?#\\\"<>`{}|^".contains(&byte);
    !host.is_empty()
        && host.bytes().all(is_host_byte)
        && !path.is_empty()
        && path.bytes().all(is_path_byte)
        && !path.split('/').any(|name| matches!(name, "." | ".."))
}

fn invalid(description: &str) -> OAuthError {
    OAuthError::new(OAuthErrorCode::InvalidClientMetadata, description)
}
