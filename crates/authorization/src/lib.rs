//! The rules of an authorization server: who may have which token, as OAuth 2.1 says.
//!
//! Nothing here reads a clock, makes random numbers, stores or sends. A request is parsed into what it
//! asks for, or into the error that answers it; the server keeps codes, grants and tokens.
//!
//! # Modules
//!
//! A module imports only from floors below its own. A test reads this table and fails on any other import.
//!
//! | floor | module | contents | never |
//! |---|---|---|---|
//! | 0 | `authority` | the host and the port in a URL | I/O |
//! | 0 | `error` | the errors of OAuth by their codes | I/O |
//! | 1 | `issuer` | the public URL of a server, and the addresses below it | I/O |
//! | 1 | `redirect_uri` | where a browser is sent back to (RFC 8252) | I/O |
//! | 0 | `user_code` | the codes that people type (RFC 8628) | random numbers |
//! | 1 | `parameters` | the parameters of a request, each at most once | I/O |
//! | 1 | `pkce` | proof keys of codes (RFC 7636), S256 only | random numbers |
//! | 1 | `scopes` | sets of scopes | I/O |
//! | 2 | `challenge` | what a refused request is answered with (RFC 6750, RFC 9728) | I/O |
//! | 2 | `client` | what a client says of itself (RFC 7591, client id metadata documents) | fetching |
//! | 2 | `metadata` | what a server says of itself (RFC 8414, RFC 9728) | I/O |
//! | 3 | `authorization_request` | a request that a person is asked about | I/O |
//! | 3 | `token_request` | a request for a token | I/O |

mod authority;
mod authorization_request;
mod challenge;
mod client;
mod error;
mod issuer;
mod metadata;
mod parameters;
mod pkce;
mod redirect_uri;
mod scopes;
mod token_request;
mod user_code;

pub use authorization_request::{AuthorizationRequest, RefusedAuthorization};
pub use challenge::Challenge;
pub use client::{
    CLIENT_METADATA_BYTES_MAX, Client, ClientId, ClientIdKind, ClientMetadata, GrantType,
};
pub use error::{OAuthError, OAuthErrorCode};
pub use issuer::{Issuer, IssuerError};
pub use metadata::{AuthorizationServerMetadata, ProtectedResourceMetadata};
pub use parameters::Parameters;
pub use pkce::{CodeChallenge, CodeVerifier};
pub use redirect_uri::{RedirectUri, RedirectUriError};
pub use scopes::{parse_scopes, scope_text};
pub use token_request::{
    DeviceAuthorizationRequest, RevocationRequest, TokenRequest, TokenResponse,
};
pub use user_code::UserCode;
