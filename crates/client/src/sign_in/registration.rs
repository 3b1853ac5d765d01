//! Registering this program as a client (RFC 7591).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::super::address::Address;
use super::authorization_server::AuthorizationServer;
use super::error::SignInError;
use super::web::Web;

/// The name under which a person sees this program.
const CLIENT_NAME: &str = "dibber";
/// The grant type of devices (RFC 8628, section 3.4).
pub(super) const DEVICE_CODE: &str = "urn:ietf:params:oauth:grant-type:device_code";
/// How a client shows who it is: not at all, with a header, and with a field.
const NO_METHOD: &str = "none";
const BASIC: &str = "client_secret_basic";
const POST: &str = "client_secret_post";

/// This program, as an authorization server knows it. It is not displayed: it may have a secret.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RegisteredClient {
    pub(super) id: String,
    /// A secret of servers that give one to every program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) secret: Option<String>,
    /// Whether the secret is sent in the header.
    #[serde(default)]
    pub(super) is_basic: bool,
    /// The address that was registered, which has a port.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) redirect_uri: Option<String>,
}

impl RegisteredClient {
    /// Returns a client that its owner has registered.
    pub const fn with_id(id: String) -> Self {
        Self { id, secret: None, is_basic: false, redirect_uri: None }
    }

    /// Returns the port of the address that was registered.
    pub fn port(&self) -> Option<u16> {
        let url: Address = self.redirect_uri.as_ref()?.parse().ok()?;
        url.has_port().then(|| url.port())
    }

    /// Sends a form with which the client shows who it is.
    pub(super) async fn send(
        &self,
        web: &Web,
        url: &Address,
        fields: &[(&str, &str)],
    ) -> Result<Map<String, Value>, SignInError> {
        match &self.secret {
            Some(secret) if self.is_basic => {
                web.send_form(url, fields, Some((&self.id, secret))).await
            }
            secret => {
                let mut fields = fields.to_vec();
                fields.push(("client_id", &self.id));
                fields.extend(secret.as_ref().map(|secret| ("client_secret", secret.as_str())));
                web.send_form(url, &fields, None).await
            }
        }
    }
}

/// Registers this program with an authorization server. Browsers are sent back to `redirect_uri`.
///
/// # Errors
/// If the server refuses, or lets no program register itself.
pub async fn register(
    server: &AuthorizationServer,
    redirect_uri: &str,
) -> Result<RegisteredClient, SignInError> {
    let Some(endpoint) = &server.registration_endpoint else {
        return Err(SignInError::Unsupported("way for programs to register themselves"));
    };
    let offers = |method: &str| server.client_methods.iter().any(|offered| offered == method);
    let method = match () {
        () if server.client_methods.is_empty() || offers(NO_METHOD) => NO_METHOD,
        () if offers(BASIC) => BASIC,
        () => POST,
    };
    let mut grant_types = vec!["authorization_code", "refresh_token"];
    grant_types.extend(server.offers_device_codes().then_some(DEVICE_CODE));
    let body = json!({
        "client_name": CLIENT_NAME,
        "application_type": "native",
        "redirect_uris": [redirect_uri],
        "grant_types": grant_types,
        "response_types": ["code"],
        "token_endpoint_auth_method": method,
    });
    let answer = server.web.send_json(endpoint, &body).await?;
    let text = |name| answer.get(name).and_then(Value::as_str).map(str::to_owned);
    let id = text("client_id").filter(|id| !id.is_empty());
    let id = id.ok_or_else(|| {
        SignInError::Metadata("the authorization server has given no id to this program".into())
    })?;
    let method = text("token_endpoint_auth_method").unwrap_or_else(|| method.to_owned());
    let secret = text("client_secret").filter(|_| method != NO_METHOD);
    let redirect_uri = Some(redirect_uri.to_owned());
    Ok(RegisteredClient { id, secret, is_basic: method == BASIC, redirect_uri })
}
