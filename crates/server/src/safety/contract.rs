//! What the program of the safety check reads and writes.

#![expect(clippy::doc_markdown, reason = "programs that read the schema see these as they are")]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use dibber_skill::contract::{Decision, PolicyDecision, SkillWrite, input_schema, output_schema};

use crate::store::Cadence;

/// What is to be judged: one JSON object on standard input.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SafetySubject {
    /// What the draft is.
    pub kind: SafetyKind,
    /// The strings that would be published, with the other arguments of the write.
    pub draft: Map<String, Value>,
    /// The decision of the server's own checks.
    pub decision: SafetyDecision,
    /// The codes of the reasons for that decision, such as CHILD_NAME.
    pub reasons: Vec<String>,
}

/// What is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SafetyKind {
    /// A skill: name, description, prompt and the other arguments of skill_write.
    Skill,
    /// A heartbeat: name, cron, tz and skillInput.
    Heartbeat,
}

/// Returns the JSON Schema of what the program reads.
pub fn safety_input_schema() -> Map<String, Value> {
    output_schema::<SafetySubject>()
}

/// Returns the JSON Schema of what the program writes.
pub fn safety_output_schema() -> Map<String, Value> {
    input_schema::<SafetyOutput>()
}

/// A decision; the strictest one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SafetyDecision {
    /// There is no reason against it.
    Approve,
    /// A parent has to look at it.
    Review,
    /// It must not be published.
    Refuse,
}

/// The verdict: one JSON object on standard output.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SafetyOutput {
    /// The decision.
    pub decision: SafetyDecision,
    /// Why, in sentences for the author.
    #[serde(default)]
    pub reasons: Vec<SafetyReason>,
}

/// A reason, as a sentence or with the place that it is about.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SafetyReason {
    /// The sentence alone.
    Message(String),
    /// The sentence with its place.
    Located {
        /// The sentence.
        message: String,
        /// A JSON Pointer into the draft, such as /prompt.
        path: String,
    },
}

impl SafetySubject {
    /// Returns a skill as it would be stored.
    pub(crate) fn skill(skill: &SkillWrite, decision: &PolicyDecision) -> Self {
        let reasons = decision.reasons.iter().map(|reason| reason.reason.to_string());
        Self {
            kind: SafetyKind::Skill,
            draft: fields(serde_json::to_value(skill)),
            decision: decision.decision.into(),
            reasons: reasons.collect(),
        }
    }

    /// Returns a heartbeat to which nothing else objects.
    pub(crate) fn heartbeat(
        name: &str,
        cadence: &Cadence,
        input: Option<&Map<String, Value>>,
    ) -> Self {
        let draft = json!({
            "name": name,
            "cron": cadence.cron(),
            "tz": cadence.time_zone(),
            "skillInput": input.cloned().unwrap_or_default(),
        });
        Self {
            kind: SafetyKind::Heartbeat,
            draft: fields(Ok(draft)),
            decision: SafetyDecision::Approve,
            reasons: Vec::new(),
        }
    }
}

fn fields(value: serde_json::Result<Value>) -> Map<String, Value> {
    match value {
        Ok(Value::Object(fields)) => fields,
        _ => unreachable!("a draft is an object with string keys"),
    }
}

impl From<Decision> for SafetyDecision {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Allow => Self::Approve,
            Decision::Review => Self::Review,
            Decision::Refuse => Self::Refuse,
        }
    }
}

impl From<SafetyDecision> for Decision {
    fn from(decision: SafetyDecision) -> Self {
        match decision {
            SafetyDecision::Approve => Self::Allow,
            SafetyDecision::Review => Self::Review,
            SafetyDecision::Refuse => Self::Refuse,
        }
    }
}
