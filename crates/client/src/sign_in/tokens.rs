//! The answer to a request for a token (RFC 6749, section 5.1).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::super::token::Token;
use super::error::SignInError;

/// Tokens, and what they are good for. They are not displayed.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tokens {
    pub(super) access_token: String,
    pub(super) refresh_token: Option<String>,
    /// In seconds since 1970; none if the server does not say it.
    pub(super) expires_at: Option<i64>,
    pub(super) scope: Option<String>,
}

impl Tokens {
    /// Parses an answer. Without a scope in it, it is the one that was asked for.
    pub(super) fn parse(
        answer: &Map<String, Value>,
        asked: Option<&str>,
        now: Timestamp,
    ) -> Result<Self, SignInError> {
        let invalid =
            |what| SignInError::Metadata(format!("the authorization server sends {what}"));
        let text = |name| answer.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let kind = text("token_type").ok_or_else(|| invalid("no kind of token"))?;
        if !kind.eq_ignore_ascii_case("bearer") {
            return Err(invalid("a token of an unknown kind"));
        }
        let token = text("access_token").filter(|token| Token::parse(token).is_some());
        let token = token.ok_or_else(|| invalid("no token"))?;
        let seconds = answer.get("expires_in").and_then(|value| {
            // Some servers send a string.
            value.as_f64().or_else(|| value.as_str()?.parse().ok())
        });
        #[expect(clippy::cast_possible_truncation, reason = "a cast of a number saturates")]
        let seconds = seconds.map(|seconds| seconds as i64);
        Ok(Self {
            access_token: token.to_owned(),
            refresh_token: text("refresh_token").map(str::to_owned),
            expires_at: seconds.map(|seconds| now.as_second().saturating_add(seconds)),
            scope: text("scope").or(asked).map(str::to_owned),
        })
    }

    /// Returns `true` if they can still be used in so many seconds.
    pub(super) fn are_valid_for(&self, seconds: i64, now: Timestamp) -> bool {
        self.expires_at.is_none_or(|end| end > now.as_second().saturating_add(seconds))
    }
}
