//! A call of the Skills Protocol that a server refused, as any server may say it.

use std::fmt;

use serde_json::{Map, Value, json};

use dibber_skill::contract::skills_protocol::{RpcCode, RpcReason};
use dibber_skill::contract::{Issue, WireEnum};

/// The most characters of the message of a refusal that are kept.
const MESSAGE_CHARACTERS_MAX: usize = 2_000;

/// A call that was refused: an error of JSON-RPC 2.0, whose `data` may be anything.
#[derive(Clone, Debug, PartialEq)]
pub struct RpcRefusal {
    /// The code, which may be one of the server's own.
    pub code: i64,
    /// What is wrong.
    pub message: String,
    /// More about it, in the form of the server.
    pub data: Option<Value>,
}

impl RpcRefusal {
    /// Parses the member `error` of an answer; none if it is no error of JSON-RPC.
    pub(super) fn parse(error: &Value) -> Option<Self> {
        let error = error.as_object()?;
        let code = error.get("code")?.as_i64()?;
        let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
        let message = message.chars().take(MESSAGE_CHARACTERS_MAX).collect();
        let data = error.get("data").filter(|data| !data.is_null()).cloned();
        Some(Self { code, message, data })
    }

    /// Returns why the call was refused, if the server says so in the words of dibber.
    pub fn reason(&self) -> Option<RpcReason> {
        RpcReason::from_name(self.reason_word()?)
    }

    /// Returns the word for the reason, which may be one of the server's own.
    pub fn reason_word(&self) -> Option<&str> {
        self.data()?.get("reason")?.as_str()
    }

    /// Returns what to do about it, if the server says so.
    pub fn help(&self) -> Option<&str> {
        self.data()?.get("help")?.as_str().filter(|help| !help.is_empty())
    }

    /// Returns what is wrong with each parameter, as far as the server says so.
    pub fn issues(&self) -> Vec<Issue> {
        let issues = self.data().and_then(|data| data.get("issues")?.as_array());
        let issue = |issue: &Value| serde_json::from_value(issue.clone()).ok();
        issues.into_iter().flatten().filter_map(issue).collect()
    }

    /// Returns `true` if the server promises with it that nothing ran. A failure of the server, or a
    /// code of its own, may come after the effect.
    pub(super) fn is_before_effect(&self) -> bool {
        let codes = [
            RpcCode::ParseError,
            RpcCode::InvalidRequest,
            RpcCode::MethodNotFound,
            RpcCode::InvalidParams,
        ];
        codes.iter().any(|code| code.number() == self.code)
            || self.reason().is_some_and(|reason| reason != RpcReason::Internal)
    }

    /// Returns it in the form of an error of a tool: the code as a string, and what else the server
    /// sent in `details`.
    pub fn to_json(&self) -> Value {
        let fix = self.help().unwrap_or_default();
        let mut json = json!({"code": self.code.to_string(), "message": self.message, "fix": fix});
        if let Some(reason) = self.reason_word() {
            json["reason"] = reason.into();
        }
        match &self.data {
            None => {}
            Some(Value::Object(data)) => json["details"] = data.clone().into(),
            Some(data) => json["details"] = json!({"data": data}),
        }
        json
    }

    fn data(&self) -> Option<&Map<String, Value>> {
        self.data.as_ref()?.as_object()
    }
}

impl fmt::Display for RpcRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = if self.message.is_empty() { "refused" } else { &self.message };
        match self.reason_word() {
            Some(reason) => write!(f, "{message} ({reason})"),
            None => write!(f, "{message} (code {})", self.code),
        }
    }
}
