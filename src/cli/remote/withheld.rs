//! The fields of a skill or a heartbeat that a server has refused because of a child's name in them.
//! Only the server knows the name, so it cannot be masked: the fields are withheld as a whole, also
//! where the server repeats them in its message.

use std::borrow::Cow;
use std::cmp::Reverse;

use serde_json::Value;

use crate::cli::error::CommandError;
use dibber_skill::contract::{
    HeartbeatChange, InputVariable, PolicyDecision, SkillUpdate, SkillWrite, ToolError,
};
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
                None if first == "instructions" => fields.push("prompt"),
                None => fields.extend(FIELDS),
            }
        }
        Self(fields)
    }

    /// Masks the values of the fields in the reasons of a refusal.
    pub(super) fn mask_reasons(&self, policy: &mut PolicyDecision, sent: &impl AuthorFields) {
        let values = self.values(sent);
        for reason in &mut policy.reasons {
            for text in [&mut reason.message, &mut reason.fix] {
                *text = values.mask(text).into_owned();
            }
        }
    }

    /// Returns an update without the fields.
    pub(super) fn remove_from(&self, update: &SkillUpdate) -> SkillUpdate {
        let mut update = update.clone();
        let fields = [
            ("name", &mut update.name),
            ("description", &mut update.description),
            ("prompt", &mut update.instructions),
        ];
        for (_, value) in fields.into_iter().filter(|(field, _)| self.has(field)) {
            *value = None;
        }
        update
    }

    /// Returns the values of the fields.
    fn values<'a>(&self, sent: &'a impl AuthorFields) -> Values<'a> {
        Values::new(self.0.iter().flat_map(|field| sent.values(field)).collect())
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

/// What is sent to a server, with the fields that contain strings of the author's.
pub(super) trait AuthorFields {
    /// Returns the strings of a field, by the name that [`SkillWrite`] has for it.
    fn values(&self, field: &str) -> Vec<&str>;
}

impl AuthorFields for SkillWrite {
    fn values(&self, field: &str) -> Vec<&str> {
        let input = |input| {
            let InputVariable { name, description, .. }: &InputVariable = input;
            [Some(name.as_str()), description.as_deref()].into_iter().flatten()
        };
        match field {
            "name" => vec![&self.name],
            "description" => vec![&self.description],
            "prompt" => vec![&self.prompt],
            "handsReferenced" => self.hands_referenced.iter().map(String::as_str).collect(),
            _ => self.input_variables.iter().flat_map(input).collect(),
        }
    }
}

impl AuthorFields for SkillUpdate {
    fn values(&self, field: &str) -> Vec<&str> {
        let value = match field {
            "name" => &self.name,
            "description" => &self.description,
            "prompt" => &self.instructions,
            _ => &None,
        };
        value.as_deref().into_iter().collect()
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

/// Returns the error of a call with the values of what was sent masked that are withheld because of it.
pub(super) fn mask_skill(error: CommandError, sent: &impl AuthorFields) -> CommandError {
    match Withheld::by_error(&error) {
        withheld if withheld.is_empty() => error,
        withheld => error.masked(&withheld.values(sent)),
    }
}

/// Returns the error of a call with the name of the heartbeat masked if the server refuses a name.
pub(super) fn mask_heartbeat(error: CommandError, name: &str) -> CommandError {
    if refuses_name(&error) { error.masked(&Values::new(vec![name])) } else { error }
}

/// Returns a decision of a server with the values of what was sent masked that it refuses.
pub(super) fn mask_policy(mut policy: PolicyDecision, sent: &impl AuthorFields) -> PolicyDecision {
    Withheld::by_policy(&policy).mask_reasons(&mut policy, sent);
    policy
}

/// Returns the error of the change of a heartbeat with what it sends masked if the server refuses a
/// name.
pub(super) fn mask_change(error: CommandError, change: &HeartbeatChange) -> CommandError {
    match change {
        HeartbeatChange::EditName { name: sent }
        | HeartbeatChange::EditText { prompt_text: sent } => mask_heartbeat(error, sent),
        _ => error,
    }
}

/// Returns the error of a call about a heartbeat, with its name before it unless the server refuses a
/// name.
pub(super) fn with_heartbeat(error: CommandError, name: &str) -> CommandError {
    let error = mask_heartbeat(error, name);
    let is_withheld = refuses_name(&error);
    let context: Message = if is_withheld { "a heartbeat".into() } else { quote(name).into() };
    error.with_context(context)
}
