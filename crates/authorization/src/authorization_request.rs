//! A request that a person is asked about (RFC 6749, section 4.1.1).

use dibber_skill::contract::{Scope, WireEnum};

use super::client::{Client, ClientId, GrantType};
use super::error::{OAuthError, OAuthErrorCode};
use super::issuer::Issuer;
use super::parameters::Parameters;
use super::pkce::CodeChallenge;
use super::redirect_uri::RedirectUri;
use super::scopes::parse_scopes;

/// The most bytes of `state`, which is sent back.
const STATE_BYTES_MAX: usize = 2048;

/// What a client asks a person for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorizationRequest {
    /// The client.
    pub client: ClientId,
    /// Where the browser is sent back to.
    pub redirect_uri: RedirectUri,
    /// What the client wants to have back, to recognise its own request.
    pub state: Option<String>,
    /// The proof key of the code.
    pub challenge: CodeChallenge,
    /// The scopes that the client asks for.
    pub scopes: Vec<Scope>,
}

/// Why a request is not one that a person is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusedAuthorization {
    /// It is not certain that its address is one of the client: the error is shown, and the browser is
    /// sent nowhere.
    Shown(OAuthError),
    /// The client gets the error: the browser is sent to this address.
    Redirected {
        /// The address, with the error.
        address: String,
        /// The error.
        error: OAuthError,
    },
}

impl AuthorizationRequest {
    /// Parses a request of a client to the server with this public URL.
    pub fn parse(
        parameters: &Parameters,
        client: &Client,
        issuer: &Issuer,
    ) -> Result<Self, RefusedAuthorization> {
        let redirect_uri = redirect_uri(parameters, client).map_err(RefusedAuthorization::Shown)?;
        let state = parameters.get("state").map(str::to_owned);
        let refused = |error: OAuthError, state: Option<&str>| RefusedAuthorization::Redirected {
            address: error_address(&redirect_uri, &error, state, issuer),
            error,
        };
        if state.as_ref().is_some_and(|state| state.len() > STATE_BYTES_MAX) {
            let description = format!("the parameter state has more than {STATE_BYTES_MAX} bytes");
            return Err(refused(invalid(description), None));
        }
        match Self::parse_rest(parameters, client, issuer) {
            Ok((challenge, scopes)) => {
                Ok(Self { client: client.id.clone(), redirect_uri, state, challenge, scopes })
            }
            Err(error) => Err(refused(error, state.as_deref())),
        }
    }

    /// Parses everything whose errors the client gets.
    fn parse_rest(
        parameters: &Parameters,
        client: &Client,
        issuer: &Issuer,
    ) -> Result<(CodeChallenge, Vec<Scope>), OAuthError> {
        parameters.check_repeated()?;
        if parameters.require("response_type")? != "code" {
            let description = "the parameter response_type is not code";
            return Err(OAuthError::new(OAuthErrorCode::UnsupportedResponseType, description));
        }
        if parameters.get("response_mode").is_some_and(|mode| mode != "query") {
            return Err(invalid("the parameter response_mode is not query"));
        }
        if !client.may_use(GrantType::AuthorizationCode) {
            let description = "the client did not register the grant type authorization_code";
            return Err(OAuthError::new(OAuthErrorCode::UnauthorizedClient, description));
        }
        let challenge = CodeChallenge::parse(
            parameters.require("code_challenge")?,
            parameters.get("code_challenge_method"),
        )?;
        check_resources(parameters, issuer)?;
        Ok((challenge, requested_scopes(parameters)?))
    }

    /// Returns the address to which the browser is sent with a code.
    pub fn allowed_address(&self, code: &str, issuer: &Issuer) -> String {
        self.address(&[("code", code)], issuer)
    }

    /// Returns the address to which the browser is sent if the person refuses, or cannot be asked.
    pub fn refused_address(&self, error: &OAuthError, issuer: &Issuer) -> String {
        error_address(&self.redirect_uri, error, self.state.as_deref(), issuer)
    }

    fn address(&self, answer: &[(&str, &str)], issuer: &Issuer) -> String {
        answer_address(&self.redirect_uri, answer, self.state.as_deref(), issuer)
    }
}

/// Returns the scopes that a request names, or every one if it names none: the person decides.
pub(crate) fn requested_scopes(parameters: &Parameters) -> Result<Vec<Scope>, OAuthError> {
    parameters.get("scope").map_or_else(|| Ok(Scope::all()), parse_scopes)
}

/// Returns an error if a token is to be for another server (RFC 8707).
pub(crate) fn check_resources(parameters: &Parameters, issuer: &Issuer) -> Result<(), OAuthError> {
    if parameters.resources().iter().all(|resource| issuer.is_resource(resource)) {
        return Ok(());
    }
    let description = "the parameter resource is not an address of this server";
    Err(OAuthError::new(OAuthErrorCode::InvalidTarget, description))
}

fn redirect_uri(parameters: &Parameters, client: &Client) -> Result<RedirectUri, OAuthError> {
    let requested = RedirectUri::parse(parameters.require("redirect_uri")?)
        .map_err(|error| invalid(error.to_string()))?;
    if client.metadata.redirect_uris.iter().any(|registered| requested.is(registered)) {
        return Ok(requested);
    }
    Err(invalid("the parameter redirect_uri is not one that the client registered"))
}

fn error_address(
    redirect_uri: &RedirectUri,
    error: &OAuthError,
    state: Option<&str>,
    issuer: &Issuer,
) -> String {
    let answer = [("error", error.code.name()), ("error_description", error.description.as_str())];
    answer_address(redirect_uri, &answer, state, issuer)
}

/// Returns an address with an answer. It names the server, so that a client that uses several notices an
/// answer of another one (RFC 9207).
fn answer_address(
    redirect_uri: &RedirectUri,
    answer: &[(&str, &str)],
    state: Option<&str>,
    issuer: &Issuer,
) -> String {
    let state = state.map(|state| ("state", state));
    let parameters: Vec<_> =
        answer.iter().copied().chain(state).chain([("iss", issuer.as_str())]).collect();
    redirect_uri.with_parameters(&parameters)
}

fn invalid(description: impl Into<String>) -> OAuthError {
    OAuthError::new(OAuthErrorCode::InvalidRequest, description)
}
