//! The fields of a skill or a heartbeat that a server has refused because of a child's name in them.
//! Only the server knows the name, so it cannot be masked: the fields are withheld as a whole, also
//! where the server repeats them in its message.

use std::borrow::Cow;
use std::cmp::Reverse;

use serde_json::Value;

use crate::cli::error::CommandError;
use dibber_skill::contract::{InputVariable, PolicyDecision, SkillWrite, ToolError};
use dibber_skill::draft::Reason;
use dibber_text::{MASKED, Mask, Message, quote};

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

    /// Masks the values of the fields in the reasons of a refusal.
    pub(super) fn mask_reasons(&self, policy: &mut PolicyDecision, skill: &SkillWrite) {
        let values = self.values(skill);
        for reason in &mut policy.reasons {
            for text in [&mut reason.message, &mut reason.fix] {
                *text = values.mask(text).into_owned();
            }
        }
    }

    /// Returns the values of the fields.
    fn values<'a>(&self, skill: &'a SkillWrite) -> Values<'a> {
        let input = |input: &'a InputVariable| {
            [Some(input.name.as_str()), input.description.as_deref()].into_iter().flatten()
        };
        let values = self.0.iter().flat_map(|field| match *field {
            "name" => vec![skill.name.as_str()],
            "description" => vec![skill.description.as_str()],
            "prompt" => vec![skill.prompt.as_str()],
            "handsReferenced" => skill.hands_referenced.iter().map(String::as_str).collect(),
            _ => skill.input_variables.iter().flat_map(input).collect(),
        });
        Values::new(values.collect())
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

/// Values that are not printed, the longest first: one may contain another.
struct Values<'a>(Vec<&'a str>);

impl<'a> Values<'a> {
    fn new(mut values: Vec<&'a str>) -> Self {
        values.retain(|value| !value.trim().is_empty());
        values.sort_by_key(|value| Reverse(value.len()));
        Self(values)
    }
}

impl Mask for Values<'_> {
    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mask = |text: Cow<'t, str>, value: &&str| {
            if text.contains(value) { text.replace(value, MASKED).into() } else { text }
        };
        self.0.iter().fold(text.into(), mask)
    }
}

/// Returns `true` if the error of a call is that a server refuses a name.
pub(super) fn refuses_name(error: &CommandError) -> bool {
    !Withheld::by_error(error).is_empty()
}

/// Returns the error of a call with the values of the skill masked that are withheld because of it.
pub(super) fn mask_skill(error: CommandError, skill: &SkillWrite) -> CommandError {
    match Withheld::by_error(&error) {
        withheld if withheld.is_empty() => error,
        withheld => error.masked(&withheld.values(skill)),
    }
}

/// Returns the error of a call with the name of the heartbeat masked if the server refuses a name.
pub(super) fn mask_heartbeat(error: CommandError, name: &str) -> CommandError {
    if refuses_name(&error) { error.masked(&Values::new(vec![name])) } else { error }
}

/// Returns the error of a call about a heartbeat, with its name before it unless the server refuses a
/// name.
pub(super) fn with_heartbeat(error: CommandError, name: &str) -> CommandError {
    let error = mask_heartbeat(error, name);
    let is_withheld = refuses_name(&error);
    let context: Message = if is_withheld { "a heartbeat".into() } else { quote(name).into() };
    error.with_context(context)
}
