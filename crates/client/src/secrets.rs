//! The secrets that are sent to a server, which its errors must not show.

use serde_json::Value;

use super::endpoint::Endpoint;
use super::error::ClientError;
use dibber_skill::contract::ToolError;
use dibber_text::MASKED;

/// The fewest bytes of a secret: a shorter one is a part of usual words.
const SECRET_BYTES_MIN: usize = 6;

/// The token and the values of the headers that are sent to a server.
#[derive(Default)]
pub(super) struct Secrets(Vec<String>);

impl Secrets {
    /// Returns the secrets that are sent to a server.
    pub(super) fn of(endpoint: &Endpoint) -> Self {
        let Endpoint::Http { token, headers, .. } = endpoint else { return Self::default() };
        let mut secrets: Vec<String> =
            token.iter().map(|token| token.reveal().to_owned()).collect();
        for header in headers {
            let (_, value) = header.reveal();
            let Ok(value) = value.to_str() else { continue };
            secrets.push(value.to_owned());
            // A scheme may precede the secret: `Bearer …`.
            secrets.extend(value.rsplit_once(' ').map(|(_, last)| last.to_owned()));
        }
        secrets.retain(|secret| secret.len() >= SECRET_BYTES_MIN);
        Self(secrets)
    }

    /// Returns an error of the server in which they are masked.
    pub(super) fn mask_error(&self, error: ClientError) -> ClientError {
        if self.0.is_empty() {
            return error;
        }
        match error {
            ClientError::Refused(mut refusal) => {
                let ToolError { message, fix, reason, details, .. } = &mut *refusal;
                for text in [message, fix].into_iter().chain(reason) {
                    *text = self.mask(text);
                }
                *details = details.take().map(|details| self.mask_json(details));
                ClientError::Refused(refusal)
            }
            ClientError::Failed { message, may_have_applied } => {
                ClientError::Failed { message: self.mask(&message), may_have_applied }
            }
            ClientError::PageRequired { message, pages } => {
                ClientError::PageRequired { message: self.mask(&message), pages }
            }
            ClientError::Rejected(cause) => ClientError::Rejected(self.mask(&cause)),
            ClientError::UnknownMethod(cause) => ClientError::UnknownMethod(self.mask(&cause)),
            ClientError::Unreachable(cause) => ClientError::Unreachable(self.mask(&cause)),
            ClientError::NoAnswer(cause) => ClientError::NoAnswer(self.mask(&cause)),
            ClientError::TooManyRequests(cause) => ClientError::TooManyRequests(self.mask(&cause)),
            ClientError::OutcomeUnknown(cause) => ClientError::OutcomeUnknown(self.mask(&cause)),
            ClientError::MayBeCreatedLater(cause) => {
                ClientError::MayBeCreatedLater(self.mask(&cause))
            }
            ClientError::Protocol(cause) => ClientError::Protocol(self.mask(&cause)),
            other => other,
        }
    }

    fn mask(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret, MASKED))
    }

    fn mask_json(&self, value: Value) -> Value {
        match value {
            Value::String(text) => self.mask(&text).into(),
            Value::Array(items) => items.into_iter().map(|item| self.mask_json(item)).collect(),
            Value::Object(entries) => {
                let masked =
                    |(key, value): (String, Value)| (self.mask(&key), self.mask_json(value));
                Value::Object(entries.into_iter().map(masked).collect())
            }
            other => other,
        }
    }
}
