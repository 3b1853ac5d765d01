//! What a server says of itself, for clients that find everything else there.

use dibber_skill::contract::{Scope, WireEnum};
use serde::Serialize;

use super::client::GrantType;
use super::issuer::Issuer;

/// The metadata of an authorization server (RFC 8414, section 2).
#[derive(Clone, Debug, Serialize)]
pub struct AuthorizationServerMetadata {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    registration_endpoint: String,
    revocation_endpoint: String,
    device_authorization_endpoint: String,
    scopes_supported: Vec<Scope>,
    response_types_supported: [&'static str; 1],
    response_modes_supported: [&'static str; 1],
    grant_types_supported: [GrantType; 3],
    code_challenge_methods_supported: [&'static str; 1],
    token_endpoint_auth_methods_supported: [&'static str; 1],
    revocation_endpoint_auth_methods_supported: [&'static str; 1],
    authorization_response_iss_parameter_supported: bool,
    client_id_metadata_document_supported: bool,
}

/// The metadata of a protected resource (RFC 9728, section 2).
#[derive(Clone, Debug, Serialize)]
pub struct ProtectedResourceMetadata {
    resource: String,
    resource_name: &'static str,
    authorization_servers: [String; 1],
    scopes_supported: Vec<Scope>,
    bearer_methods_supported: [&'static str; 1],
}

impl AuthorizationServerMetadata {
    /// The path of the metadata of a server whose public URL has no path.
    pub const PATH: &str = "/.well-known/oauth-authorization-server";
    /// The path at which a person is asked.
    pub const AUTHORIZATION_PATH: &str = "/oauth/authorize";
    /// The path at which tokens are issued.
    pub const TOKEN_PATH: &str = "/oauth/token";
    /// The path at which clients register.
    pub const REGISTRATION_PATH: &str = "/oauth/register";
    /// The path at which tokens are revoked.
    pub const REVOCATION_PATH: &str = "/oauth/revoke";
    /// The path at which devices ask for codes.
    pub const DEVICE_AUTHORIZATION_PATH: &str = "/oauth/device";

    /// Returns the metadata of the server with this public URL.
    pub fn new(issuer: &Issuer) -> Self {
        Self {
            issuer: issuer.to_string(),
            authorization_endpoint: issuer.address(Self::AUTHORIZATION_PATH),
            token_endpoint: issuer.address(Self::TOKEN_PATH),
            registration_endpoint: issuer.address(Self::REGISTRATION_PATH),
            revocation_endpoint: issuer.address(Self::REVOCATION_PATH),
            device_authorization_endpoint: issuer.address(Self::DEVICE_AUTHORIZATION_PATH),
            scopes_supported: Scope::all(),
            response_types_supported: ["code"],
            response_modes_supported: ["query"],
            grant_types_supported: [
                GrantType::AuthorizationCode,
                GrantType::RefreshToken,
                GrantType::DeviceCode,
            ],
            code_challenge_methods_supported: ["S256"],
            token_endpoint_auth_methods_supported: ["none"],
            revocation_endpoint_auth_methods_supported: ["none"],
            authorization_response_iss_parameter_supported: true,
            client_id_metadata_document_supported: true,
        }
    }
}

impl ProtectedResourceMetadata {
    /// The path of the metadata of a resource whose address has no path. Those of another one have its
    /// path after this one (RFC 9728, section 3.1).
    pub const PATH: &str = "/.well-known/oauth-protected-resource";

    /// Returns the metadata of the resource at a path of the server with this public URL.
    pub fn new(issuer: &Issuer, path: &str) -> Self {
        Self {
            resource: issuer.address(path),
            resource_name: "dibber",
            authorization_servers: [issuer.to_string()],
            scopes_supported: Scope::all(),
            bearer_methods_supported: ["header"],
        }
    }

    /// Returns the address of the metadata of the resource at a path of the server.
    pub fn address(issuer: &Issuer, path: &str) -> String {
        format!("{}{}{}{path}", issuer.origin(), Self::PATH, issuer.path())
    }
}
