//! Signing in with a code that a person types on another device (RFC 8628).

use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;
use tokio::time::Instant;

use super::super::address::Address;
use super::authorization_server::AuthorizationServer;
use super::error::SignInError;
use super::registration::{DEVICE_CODE, RegisteredClient};
use super::stored::StoredSignIn;
use super::tokens::Tokens;

/// The pause between two questions whether the person has answered, unless the server names another one.
const INTERVAL: Duration = Duration::from_secs(5);
/// What is added to it if the server asks for that (RFC 8628, section 3.5).
const SLOWER: Duration = Duration::from_secs(5);
/// The longest pause, and the longest wait, whatever the server says.
const INTERVAL_MAX: Duration = Duration::from_mins(1);
const WAIT_MAX: Duration = Duration::from_mins(30);

/// A code that a person types. It is not displayed: it has a secret.
pub struct DeviceSignIn {
    server: AuthorizationServer,
    client: RegisteredClient,
    device_code: String,
    user_code: String,
    page: Address,
    page_with_code: Option<Address>,
    interval: Duration,
    expires_in: Duration,
}

impl DeviceSignIn {
    /// Asks for a code.
    ///
    /// # Errors
    /// If the authorization server has no such codes, refuses, or cannot be reached.
    pub async fn begin(
        server: AuthorizationServer,
        client: RegisteredClient,
    ) -> Result<Self, SignInError> {
        let Some(endpoint) = &server.device_authorization_endpoint else {
            return Err(SignInError::Unsupported("codes for devices"));
        };
        let mut fields = vec![("resource", server.resource.as_str())];
        fields.extend(server.scope.iter().map(|scope| ("scope", scope.as_str())));
        let answer = client.send(&server.web, endpoint, &fields).await?;
        let text = |name| answer.get(name).and_then(Value::as_str);
        let seconds = |name| answer.get(name).and_then(Value::as_u64).map(Duration::from_secs);
        let page = |name| text(name)?.parse::<Address>().ok().filter(Address::is_private);
        let invalid = || SignInError::Metadata("the authorization server sends no code".to_owned());
        Ok(Self {
            device_code: text("device_code").ok_or_else(invalid)?.to_owned(),
            user_code: text("user_code").ok_or_else(invalid)?.to_owned(),
            page: page("verification_uri").ok_or_else(invalid)?,
            page_with_code: page("verification_uri_complete"),
            interval: seconds("interval").unwrap_or(INTERVAL).min(INTERVAL_MAX),
            expires_in: seconds("expires_in").unwrap_or(WAIT_MAX).min(WAIT_MAX),
            server,
            client,
        })
    }

    /// Returns the code to type.
    pub fn user_code(&self) -> &str {
        &self.user_code
    }

    /// Returns the page on which it is typed.
    pub const fn page(&self) -> &Address {
        &self.page
    }

    /// Returns the page with the code filled in, if there is one.
    pub const fn page_with_code(&self) -> Option<&Address> {
        self.page_with_code.as_ref()
    }

    /// Waits until the person has answered.
    ///
    /// # Errors
    /// If the person refuses, or does not answer in time.
    pub async fn wait(mut self, clock: fn() -> Timestamp) -> Result<StoredSignIn, SignInError> {
        let end = Instant::now() + self.expires_in;
        loop {
            tokio::time::sleep(self.interval).await;
            let fields = [
                ("grant_type", DEVICE_CODE),
                ("device_code", self.device_code.as_str()),
                ("resource", &self.server.resource),
            ];
            let endpoint = &self.server.token_endpoint;
            let answer = match self.client.send(&self.server.web, endpoint, &fields).await {
                Ok(answer) => answer,
                Err(error) => match error.code() {
                    Some("slow_down") if Instant::now() < end => {
                        self.interval = (self.interval + SLOWER).min(INTERVAL_MAX);
                        continue;
                    }
                    Some("authorization_pending") if Instant::now() < end => continue,
                    Some("authorization_pending" | "slow_down" | "expired_token") => {
                        return Err(SignInError::NoAnswer);
                    }
                    _ => return Err(error),
                },
            };
            let tokens = Tokens::parse(&answer, self.server.scope.as_deref(), clock())?;
            return Ok(StoredSignIn::new(&self.server, self.client, tokens));
        }
    }
}
