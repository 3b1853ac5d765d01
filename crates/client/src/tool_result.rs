//! The result of a call of a tool.

use serde_json::Value;

use super::content::Content;
use super::failure::Failure;
use dibber_skill::contract::{ERROR, ErrorCode, REPLAYED, ToolError, WireEnum};

/// The result of a tool that did not fail, as the server sent it, but without the secrets that were
/// sent to it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    json: Value,
    is_masked: bool,
}

impl ToolResult {
    /// Parses the result of `tools/call`, which may be the error of the tool.
    pub(super) fn parse(result: Value, is_masked: bool) -> Result<Self, Failure> {
        if !result.is_object() {
            return Err(Failure::protocol_error("the result of the tool is not an object"));
        }
        // Before it had a type, a task was a field of the result.
        let is_task = result.get("task").is_some() && result.get("content").is_none();
        match result.get("resultType").and_then(Value::as_str) {
            None | Some("complete") if !is_task => {}
            None | Some("complete" | "task") => {
                let cause = "the server runs it as a task, which dibber does not support";
                return Err(Failure::protocol_error(cause));
            }
            Some(_) => {
                let cause = "the result of the tool has an unknown type";
                return Err(Failure::protocol_error(cause));
            }
        }
        if result.get("content").is_some_and(|content| !content.is_array() && !content.is_null()) {
            return Err(Failure::protocol_error("the content of the tool's result is not a list"));
        }
        let result = Self { json: result, is_masked };
        if result.json.get("isError") == Some(&Value::Bool(true)) {
            Err(result.error())
        } else {
            Ok(result)
        }
    }

    /// Returns the result as the server sent it.
    pub const fn json(&self) -> &Value {
        &self.json
    }

    /// Returns `true` if the server sent a secret that was sent to it, which is masked.
    pub(super) const fn is_masked(&self) -> bool {
        self.is_masked
    }

    /// Returns the structured content, if there is any.
    pub fn structured(&self) -> Option<&Value> {
        self.json.get("structuredContent")
    }

    /// Returns the blocks of content, in the order of the server.
    pub fn content(&self) -> impl Iterator<Item = Content<'_>> {
        let blocks = self.json.get("content").and_then(Value::as_array);
        blocks.into_iter().flatten().map(Content::parse)
    }

    /// Returns the value that a tool of the contract answers with: the structured content, or that
    /// of its text.
    pub fn into_value(mut self) -> Value {
        if let Some(value) = self.json.get_mut("structuredContent") {
            return value.take();
        }
        let text = self.joined_text("");
        serde_json::from_str(&text).unwrap_or(Value::String(text))
    }

    fn joined_text(&self, separator: &str) -> String {
        let blocks = self.content().filter_map(|content| match content {
            Content::Text(text) => Some(text),
            _ => None,
        });
        blocks.collect::<Vec<_>>().join(separator)
    }

    /// Returns the error that it reports.
    fn error(self) -> Failure {
        let message = self.joined_text("\n");
        let value = self.into_value();
        let error = value.get(ERROR).unwrap_or(&value);
        let replayed = value.get(REPLAYED) == Some(&Value::Bool(true));
        if let Ok(error) = serde_json::from_value::<ToolError>(error.clone()) {
            return Failure::tool_error(ToolError { replayed, ..error });
        }
        if let Some(error) = from_line(&message).or_else(|| of_other_code(error)) {
            return Failure::tool_error(error);
        }
        let message = match message.is_empty() {
            true if value.as_str() == Some("") => "it gives no reason".to_owned(),
            true => value.to_string(),
            false => message,
        };
        Failure::failed(message)
    }
}

/// Parses an error of the contract that is written as text: `BAD_INPUT PII_IN_PROMPT: …`.
fn from_line(text: &str) -> Option<ToolError> {
    let (codes, message) = text.split_once(": ")?;
    let (code, reason) = match codes.split_once(' ') {
        Some((code, reason)) => (code, Some(reason)),
        None => (codes, None),
    };
    let code = ErrorCode::from_name(code)?;
    let is_reason = |reason: &&str| {
        reason
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    };
    let reason = match reason {
        Some(reason) => Some(Some(reason).filter(is_reason)?.to_owned()),
        None => None,
    };
    Some(ToolError { reason, ..ToolError::new(code, message, "") })
}

/// The codes of other servers that mean the same as one of the contract, and promise as much: nothing was
/// changed.
const OTHER_CODES: [(&str, ErrorCode); 5] = [
    ("NOT_FOUND", ErrorCode::DomainNotFound),
    ("FORBIDDEN", ErrorCode::PermissionDenied),
    ("UNAUTHORIZED", ErrorCode::PermissionDenied),
    ("UNAUTHENTICATED", ErrorCode::PermissionDenied),
    ("INVALID_INPUT", ErrorCode::BadInput),
];

/// Parses an error with a code that only other servers have, which becomes its reason.
fn of_other_code(error: &Value) -> Option<ToolError> {
    let text = |name: &str| error.get(name).and_then(Value::as_str);
    let written = text("code")?;
    let (name, code) = OTHER_CODES.into_iter().find(|(name, _)| *name == written)?;
    let error = ToolError::new(code, text("message").unwrap_or(written), text("fix").unwrap_or(""));
    Some(error.reason(name))
}
