//! The secrets that are sent to a server, which neither its errors, its progress nor its questions
//! may show: as they are, with characters in encoded form, such as those of a URL, and in base64.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use serde_json::{Map, Value};

use super::endpoint::Endpoint;
use super::error::ClientError;
use super::host::{Question, UserRequest};
use super::page_url::PageUrl;
use dibber_skill::contract::ToolError;
use dibber_text::{DecodedText, MASKED, Span};

/// The fewest bytes of a secret: a shorter one is a part of usual words.
const SECRET_BYTES_MIN: usize = 6;

/// The token and the values of the headers that are sent to a server, with their other forms.
#[derive(Clone, Default)]
pub(super) struct Secrets(Arc<[String]>);

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
            let last = value.rsplit_once(' ').map(|(_, last)| last.to_owned());
            secrets.extend(last.iter().filter_map(|last| password(last)));
            secrets.extend(last);
        }
        secrets.retain(|secret| secret.len() >= SECRET_BYTES_MIN);
        let in_base64: Vec<_> = secrets.iter().flat_map(|secret| in_base64(secret)).collect();
        secrets.extend(in_base64);
        // One may contain another.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Self(secrets.into())
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
            ClientError::NotApplied(message) => ClientError::NotApplied(self.mask(&message)),
            ClientError::Failed { message, may_have_applied } => {
                ClientError::Failed { message: self.mask(&message), may_have_applied }
            }
            ClientError::PageRequired { message, pages } => {
                let pages = pages.into_iter().filter(|page| !self.are_in(page)).collect();
                ClientError::PageRequired { message: self.mask(&message), pages }
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

    /// Returns a string of the server in which they are masked.
    pub(super) fn mask(&self, text: &str) -> String {
        let masked =
            self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret, MASKED));
        self.mask_encoded(&masked).unwrap_or(masked)
    }

    /// Returns the string with those masked that have characters in encoded form, if there are any.
    fn mask_encoded(&self, text: &str) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        let decoded = DecodedText::decode(text)?;
        let found = |secret: &String| decoded.text().match_indices(secret).collect::<Vec<_>>();
        let found = self.0.iter().flat_map(found);
        let span = |(start, secret): (usize, &str)| Span::new(start, start + secret.len());
        let mut spans: Vec<_> = found.map(|found| decoded.original(span(found))).collect();
        spans.sort_by_key(|span| span.start);
        let (mut masked, mut done) = (String::new(), 0);
        for span in spans {
            if span.start >= done {
                masked.extend([&text[done..span.start], MASKED]);
            }
            done = done.max(span.end);
        }
        masked.push_str(&text[done..]);
        Some(masked)
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

/// Returns the password of basic authentication (RFC 7617).
fn password(credentials: &str) -> Option<String> {
    let decoded = String::from_utf8(STANDARD.decode(credentials).ok()?).ok()?;
    decoded.split_once(':').map(|(_, password)| password.to_owned())
}

/// Returns what base64 of anything with the secret in it contains, in both alphabets: the secret
/// begins at the first, the second or the third byte of a group.
fn in_base64(secret: &str) -> impl Iterator<Item = String> {
    (0..3_usize).flat_map(move |offset| {
        let bytes: Vec<u8> = std::iter::repeat_n(0, offset).chain(secret.bytes()).collect();
        // The characters at both ends have bits of what is beside the secret.
        let (from, to) = ((offset * 4).div_ceil(3), bytes.len() * 4 / 3);
        [STANDARD_NO_PAD, URL_SAFE_NO_PAD].map(|engine| engine.encode(&bytes)[from..to].to_owned())
    })
}
