//! Running skills and code.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::contract::wire_enum::WireEnum;

/// The function of code that is called when a call names none.
pub const CODE_ENTRYPOINT_DEFAULT: &str = "main";

/// The longest time of a run, in seconds: five minutes.
pub const RUN_SECONDS_MAX: u64 = 300;

/// The parameters of `execute_skill`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExecuteSkill {
    /// The name of the skill.
    pub name: String,
    /// The version; the latest one if it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The argument of the function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Map<String, Value>>,
    /// The ids of blobs that the run may read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_blobs: Option<Vec<String>>,
    /// The longest time of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// Where `run_code` has the time; accepted here as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<RunLimits>,
}

/// The parameters of `run_code`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunCode {
    /// The language of the code.
    pub language: Language,
    /// The code.
    pub code: String,
    /// The function that is called; [`CODE_ENTRYPOINT_DEFAULT`] if it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entrypoint: Option<String>,
    /// The argument of the function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Map<String, Value>>,
    /// The names of skills that the code imports, each with `@` and a version if it is not the latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mount_skills: Option<Vec<String>>,
    /// The ids of blobs that the run may read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_blobs: Option<Vec<String>>,
    /// What the run may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<RunLimits>,
    /// Where `execute_skill` has the time; accepted here as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// The languages of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// Python 3.
    Python,
}

impl WireEnum for Language {}

/// What a run may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunLimits {
    /// The longest time of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// The result of `execute_skill` and `run_code`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// Whether the function returned.
    pub status: RunStatus,
    /// The id of the run, which begins with `run_`.
    pub run_id: String,
    /// What happened, in one line.
    #[serde(default)]
    pub summary: String,
    /// What the function returned, unless it is in a blob because of its size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
    /// The blobs that the run made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output_blobs: Vec<String>,
    /// The beginning of what the program printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logs_preview: Option<String>,
    /// Why the run failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RunFailure>,
    /// What was ignored or changed, such as a time over the limit of the server.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Whether a function returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It returned.
    Completed,
    /// It did not.
    Failed,
}

impl WireEnum for RunStatus {}

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunFailure {
    /// The class of the exception, or `EntrypointNotFound`, `NotSerializable`, `Timeout` or the name of
    /// another limit.
    #[serde(rename = "type")]
    pub kind: String,
    /// What went wrong.
    #[serde(default)]
    pub message: String,
    /// Where in the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
}
