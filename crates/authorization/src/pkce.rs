//! Proof keys of codes (RFC 7636): who asks for a token is who asked for the code. Only S256.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::error::{OAuthError, OAuthErrorCode};

/// The characters of a challenge: SHA-256 in base64url.
const CHALLENGE_CHARACTERS: usize = 43;
/// The characters of a verifier (RFC 7636, section 4.1).
const VERIFIER_CHARACTERS: std::ops::RangeInclusive<usize> = 43..=128;

/// What a client sends first: the digest of its verifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeChallenge(String);

/// What a client sends with the code. It is not displayed, and not compared.
#[derive(Clone)]
pub struct CodeVerifier(String);

impl CodeChallenge {
    /// Parses a challenge with its method, which has to be `S256`.
    pub fn parse(challenge: &str, method: Option<&str>) -> Result<Self, OAuthError> {
        let invalid = |text| Err(OAuthError::new(OAuthErrorCode::InvalidRequest, text));
        if method != Some("S256") {
            return invalid("the parameter code_challenge_method is not S256");
        }
        let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if challenge.len() != CHALLENGE_CHARACTERS || !challenge.bytes().all(is_base64) {
            return invalid("the parameter code_challenge is not a SHA-256 digest in base64url");
        }
        Ok(Self(challenge.to_owned()))
    }

    /// Returns a challenge that was stored.
    pub fn from_stored(challenge: &str) -> Option<Self> {
        Self::parse(challenge, Some("S256")).ok()
    }

    /// Returns the challenge as it is sent and stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns `true` if the verifier is the one of this challenge. The time that this takes depends on
    /// digests alone, which reveal nothing of the verifier.
    pub fn is_met_by(&self, verifier: &CodeVerifier) -> bool {
        self == &verifier.challenge()
    }
}

impl CodeVerifier {
    /// Parses a verifier.
    pub fn parse(text: &str) -> Result<Self, OAuthError> {
        let is_unreserved =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
        if VERIFIER_CHARACTERS.contains(&text.len()) && text.bytes().all(is_unreserved) {
            return Ok(Self(text.to_owned()));
        }
        let description =
            "the parameter code_verifier does not have 43 to 128 unreserved characters";
        Err(OAuthError::new(OAuthErrorCode::InvalidRequest, description))
    }

    /// Returns the challenge of this verifier.
    pub fn challenge(&self) -> CodeChallenge {
        CodeChallenge(URL_SAFE_NO_PAD.encode(Sha256::digest(&self.0)))
    }
}

impl fmt::Debug for CodeVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CodeVerifier(..)")
    }
}
