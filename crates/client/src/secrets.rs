//! The secrets that are sent to a server, which nothing that it sends back may show.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use super::command_line::{ServerCommand, is_of_secret};
use super::endpoint::Endpoint;
use super::error::ClientError;
use super::header::Header;
use super::host::{Question, UserRequest};
use super::page_url::PageUrl;
use super::secret_forms::SecretForms;
use dibber_skill::contract::ToolError;

/// The token and the values of the headers that are sent to a server.
#[derive(Clone, Default)]
pub(super) struct Secrets {
    /// Those that its errors, its progress and its questions must not show.
    all: SecretForms,
    /// Those that its results must not show. The value of a header such as `X-Team: parents` is not
    /// one of them: masked, it would be missing in what is published and pulled.
    of_results: SecretForms,
}

impl Secrets {
    /// Returns the secrets that are sent to a server.
    pub(super) fn of(endpoint: &Endpoint) -> Self {
        match endpoint {
            Endpoint::Embedded(_) => Self::default(),
            Endpoint::Http { token, sign_in, headers, .. } => {
                let token = || {
                    let stored = sign_in.iter().flat_map(|it| it.current().secrets());
                    token.iter().map(|token| token.reveal().to_owned()).chain(stored)
                };
                let named = headers.iter().filter(|header| is_of_secret(header.name()));
                Self {
                    all: token().chain(headers.iter().flat_map(header_secrets)).collect(),
                    of_results: token().chain(named.flat_map(header_secrets)).collect(),
                }
            }
            Endpoint::Program { command, .. } => {
                Self { all: SecretForms::default(), of_results: program_secrets(command) }
            }
        }
    }

    /// Returns an error of the server in which they are masked.
    pub(super) fn mask_error(&self, error: ClientError) -> ClientError {
        if self.all.is_empty() {
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
            ClientError::NotApplied(message) => ClientError::NotApplied(self.mask(&message)),
            ClientError::Failed { message, may_have_applied } => {
                ClientError::Failed { message: self.mask(&message), may_have_applied }
            }
            ClientError::PageRequired { message, pages } => {
                let pages = pages.into_iter().filter(|page| !self.are_in(page)).collect();
                ClientError::PageRequired { message: self.mask(&message), pages }
            }
            ClientError::RpcRefused(mut refusal) => {
                refusal.message = self.mask(&refusal.message);
                refusal.data = refusal.data.take().map(|data| self.mask_json(data));
                ClientError::RpcRefused(refusal)
            }
            ClientError::Rejected(cause) => ClientError::Rejected(self.mask(&cause)),
            ClientError::UnknownMethod(cause) => ClientError::UnknownMethod(self.mask(&cause)),
            ClientError::Unreachable(cause) => ClientError::Unreachable(self.mask(&cause)),
            ClientError::NoAnswer(cause) => ClientError::NoAnswer(self.mask(&cause)),
            ClientError::AnswerLost(cause) => ClientError::AnswerLost(self.mask(&cause)),
            ClientError::TooManyRequests(cause) => ClientError::TooManyRequests(self.mask(&cause)),
            ClientError::OutcomeUnknown(cause) => ClientError::OutcomeUnknown(self.mask(&cause)),
            ClientError::MayBeCreatedLater(cause) => {
                ClientError::MayBeCreatedLater(self.mask(&cause))
            }
            ClientError::Protocol(cause) => ClientError::Protocol(self.mask(&cause)),
            other => other,
        }
    }

    /// Returns a question of the server in which they are masked. A page with one of them in its URL
    /// is not to be opened.
    pub(super) fn mask_question(&self, question: Question) -> Question {
        let Question { message, request } = question;
        let request = match request {
            UserRequest::Form(schema) => UserRequest::Form(self.mask_entries(schema)),
            UserRequest::Page(page) if self.are_in(&page) => UserRequest::Unsupported,
            other => other,
        };
        Question { message: self.mask(&message), request }
    }

    /// Returns `true` if the URL of a page contains one.
    fn are_in(&self, page: &PageUrl) -> bool {
        let url = page.to_string();
        self.mask(&url) != url
    }

    /// Masks them in the result of a request. Returns `true` if it had one.
    pub(super) fn mask_result(&self, result: &mut Value) -> bool {
        !self.of_results.is_empty() && self.mask_value(result)
    }

    /// Returns a part of a result in which they are masked.
    pub(super) fn mask_part(&self, text: String) -> String {
        self.of_results.masked(&text).unwrap_or(text)
    }

    fn mask_value(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => match self.of_results.masked(text) {
                Some(masked) => {
                    *text = masked;
                    true
                }
                None => false,
            },
            Value::Array(items) => {
                // Every item is masked, also after one that was.
                let mut masked = false;
                for item in items {
                    masked |= self.mask_value(item);
                }
                masked
            }
            Value::Object(entries) => {
                let mut masked = false;
                for value in entries.values_mut() {
                    masked |= self.mask_value(value);
                }
                self.mask_keys(entries) || masked
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }

    /// Masks them in keys. A usual key has none, and nothing is copied.
    fn mask_keys(&self, entries: &mut Map<String, Value>) -> bool {
        let is_masked = entries.keys().any(|key| self.of_results.masked(key).is_some());
        if is_masked {
            let entries_before = std::mem::take(entries).into_iter();
            let masked = |key: String| self.of_results.masked(&key).unwrap_or(key);
            *entries = entries_before.map(|(key, value)| (masked(key), value)).collect();
        }
        is_masked
    }

    /// Returns a string of the server in which they are masked.
    pub(super) fn mask(&self, text: &str) -> String {
        self.all.masked(text).unwrap_or_else(|| text.to_owned())
    }

    fn mask_json(&self, value: Value) -> Value {
        match value {
            Value::String(text) => self.mask(&text).into(),
            Value::Array(items) => items.into_iter().map(|item| self.mask_json(item)).collect(),
            Value::Object(entries) => Value::Object(self.mask_entries(entries)),
            other => other,
        }
    }

    fn mask_entries(&self, entries: Map<String, Value>) -> Map<String, Value> {
        let masked = |(key, value): (String, Value)| (self.mask(&key), self.mask_json(value));
        entries.into_iter().map(masked).collect()
    }
}

/// Returns the value of a header, and the secrets that it consists of.
fn header_secrets(header: &Header) -> Vec<String> {
    let (_, value) = header.reveal();
    let Ok(value) = value.to_str() else { return Vec::new() };
    // A scheme may precede the secret: `Bearer …`.
    let last = value.rsplit_once(' ').map(|(_, last)| last.to_owned());
    let password = last.as_deref().and_then(password);
    [Some(value.to_owned()), last, password].into_iter().flatten().collect()
}

/// Returns the secrets among the arguments and variables of a program. A usual word, such as that of
/// `--auth bearer`, is none.
fn program_secrets(command: &ServerCommand) -> SecretForms {
    let is_word = |secret: &String| secret.bytes().all(|byte| byte.is_ascii_lowercase());
    command.secrets().into_iter().filter(|secret| !is_word(secret)).collect()
}

/// Returns the password of basic authentication (RFC 7617).
fn password(credentials: &str) -> Option<String> {
    let decoded = String::from_utf8(STANDARD.decode(credentials).ok()?).ok()?;
    decoded.split_once(':').map(|(_, password)| password.to_owned())
}
