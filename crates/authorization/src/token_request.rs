//! A request for a token (RFC 6749, sections 4.1.3 and 6; RFC 8628), or to revoke one (RFC 7009).

use dibber_skill::contract::Scope;
use serde::Serialize;

use super::authorization_request::{check_resources, requested_scopes};
use super::client::ClientId;
use super::error::{OAuthError, OAuthErrorCode};
use super::issuer::Issuer;
use super::parameters::Parameters;
use super::pkce::CodeVerifier;
use super::scopes::parse_scopes;

/// The grant type of devices (RFC 8628, section 3.4).
const DEVICE_CODE: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// A request for a token. It is not displayed: it has secrets.
#[derive(Clone)]
pub enum TokenRequest {
    /// For a code that a browser was sent back with.
    AuthorizationCode {
        /// The client.
        client: ClientId,
        /// The code.
        code: String,
        /// The address that the browser was sent back to, exactly as it was asked for.
        redirect_uri: String,
        /// The proof key.
        verifier: CodeVerifier,
    },
    /// For a token that gets others.
    RefreshToken {
        /// The client.
        client: ClientId,
        /// The token.
        token: String,
        /// The scopes that the new token is to have; all of them if there are none here.
        scopes: Option<Vec<Scope>>,
    },
    /// For the code of a device.
    DeviceCode {
        /// The client.
        client: ClientId,
        /// The code.
        code: String,
    },
}

/// A request of a device for a code that a person types (RFC 8628, section 3.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceAuthorizationRequest {
    /// The client.
    pub client: ClientId,
    /// The scopes that it asks for.
    pub scopes: Vec<Scope>,
}

/// A request to revoke a token (RFC 7009, section 2.1). It is not displayed: it has a secret.
#[derive(Clone)]
pub struct RevocationRequest {
    /// The client, if it names itself.
    pub client: Option<ClientId>,
    /// A token of either kind.
    pub token: String,
}

/// The answer to a request for a token (RFC 6749, section 5.1). It is not displayed: it has secrets.
#[derive(Clone, Serialize)]
pub struct TokenResponse {
    /// The token.
    pub access_token: String,
    /// `Bearer`.
    pub token_type: &'static str,
    /// The seconds until the token expires.
    pub expires_in: u64,
    /// The token that gets the next one.
    pub refresh_token: String,
    /// The scopes of the token.
    pub scope: String,
}

impl TokenRequest {
    /// Parses the body of a request to the server with this public URL.
    pub fn parse(parameters: &Parameters, issuer: &Issuer) -> Result<Self, OAuthError> {
        parameters.check_repeated()?;
        let grant_type = parameters.require("grant_type")?;
        let client = client(parameters)?;
        check_resources(parameters, issuer)?;
        let owned = |name| parameters.require(name).map(str::to_owned);
        match grant_type {
            "authorization_code" => Ok(Self::AuthorizationCode {
                client,
                code: owned("code")?,
                redirect_uri: owned("redirect_uri")?,
                verifier: CodeVerifier::parse(parameters.require("code_verifier")?)?,
            }),
            "refresh_token" => Ok(Self::RefreshToken {
                client,
                token: owned("refresh_token")?,
                scopes: parameters.get("scope").map(parse_scopes).transpose()?,
            }),
            DEVICE_CODE => Ok(Self::DeviceCode { client, code: owned("device_code")? }),
            _ => {
                let description = "the parameter grant_type is not one that the server knows";
                Err(OAuthError::new(OAuthErrorCode::UnsupportedGrantType, description))
            }
        }
    }

    /// Returns the client.
    pub const fn client(&self) -> &ClientId {
        match self {
            Self::AuthorizationCode { client, .. }
            | Self::RefreshToken { client, .. }
            | Self::DeviceCode { client, .. } => client,
        }
    }
}

impl DeviceAuthorizationRequest {
    /// Parses the body of a request to the server with this public URL.
    pub fn parse(parameters: &Parameters, issuer: &Issuer) -> Result<Self, OAuthError> {
        parameters.check_repeated()?;
        check_resources(parameters, issuer)?;
        Ok(Self { client: client(parameters)?, scopes: requested_scopes(parameters)? })
    }
}

impl RevocationRequest {
    /// Parses the body of a request.
    pub fn parse(parameters: &Parameters) -> Result<Self, OAuthError> {
        parameters.check_repeated()?;
        let client = parameters.get("client_id").map(|_| client(parameters)).transpose()?;
        Ok(Self { client, token: parameters.require("token")?.to_owned() })
    }
}

fn client(parameters: &Parameters) -> Result<ClientId, OAuthError> {
    ClientId::parse(parameters.require("client_id")?).ok_or_else(|| {
        OAuthError::new(
            OAuthErrorCode::InvalidClient,
            "the parameter client_id is not a known client",
        )
    })
}
