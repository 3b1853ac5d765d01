//! A request that a person answers in a browser, and the answer to it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use dibber_text::hex;

use super::authorization_server::AuthorizationServer;
use super::error::SignInError;
use super::exchange::AuthorizationCode;
use super::registration::RegisteredClient;

/// The random bytes of a state and of a proof key.
const RANDOM_BYTES: usize = 32;

/// What a person is asked in a browser. It is not displayed: it has a secret.
pub struct SignInRequest {
    server: AuthorizationServer,
    client: RegisteredClient,
    redirect_uri: String,
    state: String,
    verifier: String,
}

impl SignInRequest {
    /// Creates a request. The browser is sent back to `redirect_uri`.
    ///
    /// # Errors
    /// If the system gives no random numbers.
    pub fn new(
        server: AuthorizationServer,
        client: RegisteredClient,
        redirect_uri: String,
    ) -> Result<Self, SignInError> {
        Ok(Self { server, client, redirect_uri, state: random()?, verifier: random()? })
    }

    /// Returns the address to open in a browser.
    pub fn url(&self) -> String {
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&self.verifier));
        let mut url = self.server.authorization_endpoint.to_url();
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.client.id)
            .append_pair("redirect_uri", &self.redirect_uri)
            .append_pair("state", &self.state)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256")
            .append_pair("resource", &self.server.resource)
            .extend_pairs(self.server.scope.iter().map(|scope| ("scope", scope)));
        url.into()
    }

    /// Returns the code of an answer: the address to which the browser was sent, or its path and query.
    ///
    /// # Errors
    /// If it is the answer to another request or of another server, or a refusal.
    pub fn check(&self, answer: &str) -> Result<AuthorizationCode, SignInError> {
        let (_, query) = answer
            .trim()
            .split_once('?')
            .ok_or(SignInError::WrongAnswer("it has no parameters"))?;
        let query = query.split('#').next().unwrap_or_default();
        let pairs: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
        let get = |name: &str| {
            let mut values =
                pairs.iter().filter(|(found, _)| found == name).map(|(_, value)| value);
            match (values.next(), values.next()) {
                (value, None) => Ok(value.map(AsRef::as_ref)),
                _ => Err(SignInError::WrongAnswer("a parameter is there twice")),
            }
        };
        if get("state")? != Some(self.state.as_str()) {
            return Err(SignInError::WrongAnswer("its `state` is another one"));
        }
        // An answer of another server could make this one get a code that is not its own (RFC 9207).
        match get("iss")? {
            Some(issuer) if issuer != self.server.issuer => {
                return Err(SignInError::WrongAnswer("it is that of another server (`iss`)"));
            }
            None if self.server.names_itself => {
                return Err(SignInError::WrongAnswer("it does not name its server (`iss`)"));
            }
            _ => {}
        }
        if let Some(code) = get("error")? {
            let description = get("error_description")?.map(str::to_owned);
            return Err(SignInError::Refused { code: code.to_owned(), description });
        }
        let code = get("code")?.ok_or(SignInError::WrongAnswer("it has no code"))?;
        Ok(AuthorizationCode {
            server: self.server.clone(),
            client: self.client.clone(),
            code: code.to_owned(),
            redirect_uri: self.redirect_uri.clone(),
            verifier: self.verifier.clone(),
        })
    }
}

fn random() -> Result<String, SignInError> {
    let mut bytes = [0; RANDOM_BYTES];
    getrandom::fill(&mut bytes).map_err(|_| SignInError::Random)?;
    // Hexadecimal: no program on the way changes it.
    Ok(hex(bytes))
}
