//! The fields of a skill that a server has refused because of a child's name in them. Only the
//! server knows the name, so it cannot be masked: the fields are withheld as a whole.

use serde_json::Value;

use crate::cli::error::CommandError;
use dibber_skill::contract::{PolicyDecision, ToolError};
use dibber_skill::draft::Reason;

/// The fields that contain strings of the author's.
const FIELDS: [&str; 5] = ["name", "description", "prompt", "handsReferenced", "inputVariables"];

/// Fields whose values are not printed.
#[derive(Clone, Debug, Default)]
pub(super) struct Withheld(Vec<&'static str>);

impl Withheld {
    /// Returns the fields that the reasons of a refusal name.
    pub(super) fn by_policy(policy: &PolicyDecision) -> Self {
        let reasons = policy.reasons.iter().filter(|reason| is_name(&reason.reason));
        Self::by_pointers(reasons.map(|reason| reason.path.as_str()))
    }

    /// Returns the fields that the error of a call names.
    pub(super) fn by_error(error: &CommandError) -> Self {
        let served = error.server_error().cloned();
        let served = served.and_then(|error| serde_json::from_value::<ToolError>(error).ok());
        let Some(ToolError { reason, message, details, .. }) = served else {
            let message = error.message().shown(&()).to_string();
            return Self::by_pointers(is_name(&message).then_some(""));
        };
        let issues = details.as_ref().and_then(|details| details["issues"].as_array());
        let issues = issues.map(Vec::as_slice).unwrap_or_default();
        let text = |issue: &Value, key: &str| issue[key].as_str().unwrap_or_default().to_owned();
        let issues = issues.iter().filter(|issue| is_name(&text(issue, "reason")));
        let mut pointers: Vec<_> = issues.map(|issue| text(issue, "path")).collect();
        if pointers.is_empty() && (reason.as_deref().is_some_and(is_name) || is_name(&message)) {
            pointers.push(String::new());
        }
        Self::by_pointers(pointers.iter().map(String::as_str))
    }

    /// Returns the fields of these JSON Pointers: all of them if one names no field.
    fn by_pointers<'a>(pointers: impl IntoIterator<Item = &'a str>) -> Self {
        let mut fields = Vec::new();
        for pointer in pointers {
            let first = pointer.trim_start_matches('/').split('/').next().unwrap_or_default();
            match FIELDS.into_iter().find(|field| *field == first) {
                Some(field) => fields.push(field),
                None => fields.extend(FIELDS),
            }
        }
        Self(fields)
    }

    /// Returns `true` if every value is printed.
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if the value of a field is not printed.
    pub(super) fn has(&self, field: &str) -> bool {
        self.0.contains(&field)
    }

    /// Returns the fields, in the order of the contract.
    pub(super) fn fields(&self) -> Vec<&'static str> {
        FIELDS.into_iter().filter(|field| self.has(field)).collect()
    }
}

fn is_name(reason: &str) -> bool {
    reason.contains(Reason::ChildName.code())
}
