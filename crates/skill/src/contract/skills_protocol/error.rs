//! Calls that were refused: errors of JSON-RPC 2.0 (section 5.1).

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::contract::envelope::Issue;
use crate::contract::wire_enum::WireEnum;

/// The codes of JSON-RPC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RpcCode {
    /// What arrived is not JSON.
    ParseError,
    /// It is no request.
    InvalidRequest,
    /// There is no such method.
    MethodNotFound,
    /// The parameters do not fit, or what they name does not exist.
    InvalidParams,
    /// The server failed.
    InternalError,
}

impl RpcCode {
    /// Returns the number.
    pub const fn number(self) -> i64 {
        match self {
            Self::ParseError => -32700,
            Self::InvalidRequest => -32600,
            Self::MethodNotFound => -32601,
            Self::InvalidParams => -32602,
            Self::InternalError => -32603,
        }
    }
}

/// Why a call was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RpcReason {
    /// What arrived is not JSON.
    NotJson,
    /// It is no request of JSON-RPC 2.0.
    NotARequest,
    /// A batch is empty, or has too many calls.
    BatchSize,
    /// There is no such method.
    UnknownMethod,
    /// A parameter is missing, or is of another type than it must be.
    InvalidParams,
    /// A call has no id to answer to: a reason in the log, since there is no answer.
    NotificationRefused,
    /// The cursor is not of this list.
    InvalidCursor,
    /// There is no skill of this name.
    SkillNotFound,
    /// The skill has no such version.
    VersionNotFound,
    /// The skill has a link or a special file, is too large, or is not there any more: it cannot be run.
    InvalidSkill,
    /// The skill has no such file.
    FileNotFound,
    /// A path leads out of the skill.
    InvalidPath,
    /// A file is larger than what is read.
    FileTooLarge,
    /// The skill has no code.
    NotExecutable,
    /// The arguments do not match the input schema of the skill.
    InvalidArguments,
    /// The skill needs packages that are not installed.
    DependenciesNotInstalled,
    /// The skill needs a network, which runs do not have.
    NetworkNotSupported,
    /// The server does not know a secret that the skill needs.
    SecretMissing,
    /// The server cannot isolate code.
    SandboxUnavailable,
    /// Too many runs wait already.
    Busy,
    /// There is no such blob, or not any more.
    BlobNotFound,
    /// A content is larger than a blob may be.
    BlobTooLarge,
    /// The blobs of the token are as many or as large as they may be.
    QuotaExceeded,
    /// The token lacks a scope.
    ScopeMissing,
    /// The server failed.
    Internal,
}

impl WireEnum for RpcReason {}

/// A call that was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RpcError {
    /// The code; one of [`RpcCode`], or one of another server.
    pub code: i64,
    /// What is wrong.
    pub message: String,
    /// More about it; none if another server says it in a form of its own.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "own_data")]
    pub data: Option<RpcErrorData>,
}

/// More about a refused call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RpcErrorData {
    /// Why it was refused.
    pub reason: RpcReason,
    /// What to do about it.
    pub help: String,
    /// What is wrong with each parameter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<Issue>,
    /// What was ignored, which may be what the call lacks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Returns the data of an error if they have our form: other servers put anything there.
fn own_data<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<RpcErrorData>, D::Error> {
    let data = Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(data).ok())
}

impl RpcError {
    /// Creates an error.
    pub fn new(
        code: RpcCode,
        reason: RpcReason,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let data =
            RpcErrorData { reason, help: help.into(), issues: Vec::new(), warnings: Vec::new() };
        Self { code: code.number(), message: message.into(), data: Some(data) }
    }

    /// Creates the error of a parameter, or of what it names.
    pub fn invalid(reason: RpcReason, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(RpcCode::InvalidParams, reason, message, help)
    }

    /// Adds an issue of each parameter.
    #[must_use]
    pub fn with_issues(mut self, issues: Vec<Issue>) -> Self {
        if let Some(data) = &mut self.data {
            data.issues = issues;
        }
        self
    }

    /// Adds what was ignored.
    pub fn add_warnings(&mut self, warnings: impl IntoIterator<Item = String>) {
        if let Some(data) = &mut self.data {
            data.warnings.extend(warnings);
        }
    }

    /// Returns why the call was refused, if the server says so in our words.
    pub fn reason(&self) -> Option<RpcReason> {
        self.data.as_ref().map(|data| data.reason)
    }
}

impl fmt::Display for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RpcError {}
