//! The answer of a dry-run of `skill_write`, of any server.
//!
//! The contract leaves open how a server computes its spec-hash, which form and words its decision
//! has, and what its preview contains. The hash is therefore echoed as it is, a decision in other
//! words is one to review unless it denies, and what the preview does contain is compared with what
//! was sent.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::stored_form::is_same_text;
use dibber_skill::content_hash::{normal_canvases, normal_hands};
use dibber_skill::contract::{
    CanvasId, Category, Decision, PolicyDecision, PolicyReason, SKILL_WRITE_FIELDS, SkillWrite,
    WireEnum,
};

/// The reason of a decision that is in none of the words of the contract.
pub const UNKNOWN_DECISION: &str = "UNKNOWN_DECISION";
/// The reason of an argument that the preview has with another value.
pub const PREVIEW_DIFFERS: &str = "PREVIEW_DIFFERS";
/// The reason of the note that a server takes no response model.
const MODEL_NOT_SENT: &str = "RESPONSE_MODEL_NOT_SENT";
/// Decisions in other words that refuse a skill, which may also be names that are `true`.
const REFUSALS: [&str; 8] =
    ["refuse", "deny", "denied", "refused", "reject", "rejected", "block", "blocked"];
/// Names that refuse a skill if they are `false`.
const PERMISSIONS: [&str; 6] = ["allow", "allowed", "permit", "permitted", "approve", "approved"];
/// The reason of a reason that is not in the form of this program.
const UNKNOWN_REASON: &str = "REASON";

/// The answer of a dry-run of `skill_write`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "DryRunAnswer")]
pub struct DryRun {
    /// The decision of the safety checks.
    pub policy_decision: PolicyDecision,
    /// The hash of the arguments, in whatever form the server writes it.
    pub spec_hash: String,
    /// What to do next.
    pub next_step: String,
    /// The skill as it would be stored.
    preview: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DryRunAnswer {
    #[serde(default)]
    preview_skill: Value,
    #[serde(default)]
    policy_decision: Value,
    spec_hash: String,
    #[serde(default)]
    next_step: String,
}

impl From<DryRunAnswer> for DryRun {
    fn from(answer: DryRunAnswer) -> Self {
        let preview = match answer.preview_skill {
            Value::Object(preview) => preview,
            _ => Map::new(),
        };
        Self {
            policy_decision: policy_decision(&answer.policy_decision),
            spec_hash: answer.spec_hash,
            next_step: answer.next_step,
            preview,
        }
    }
}

impl DryRun {
    /// Adds a reason to review the skill for each argument that the preview shows with another
    /// value than was sent. Arguments that it does not show, or shows in another form, are not
    /// compared.
    pub fn review_differences(&mut self, sent: &SkillWrite) {
        for name in SKILL_WRITE_FIELDS {
            let Some(shown) = self.preview.get(name).filter(|it| is_other(name, it, sent)) else {
                continue;
            };
            let message = match shown.as_str().filter(|_| name != "prompt") {
                Some(text) => format!("the server's preview has a different {name}, `{text}`"),
                None => format!("the server's preview has a different {name}"),
            };
            let path = format!("/{name}");
            let fix = "the server stores what its preview shows";
            let reason = PolicyReason { path, ..review(PREVIEW_DIFFERS, message, fix) };
            let policy = &mut self.policy_decision;
            policy.reasons.push(reason);
            policy.decision = policy.decision.max(Decision::Review);
        }
    }

    /// Adds the note that the server takes no response model.
    pub(crate) fn note_unsent_model(&mut self) {
        self.policy_decision.reasons.push(PolicyReason {
            reason: MODEL_NOT_SENT.into(),
            decision: Decision::Allow,
            path: "/responseModel".to_owned(),
            message: "the server takes no response model, so `result` is not sent".to_owned(),
            fix: "nothing needs to be done; results are not checked there".to_owned(),
        });
    }

    /// Returns what was sent with the values that the preview shows instead. Of inputs, a preview
    /// need not show more than the names, so they are those that were sent.
    pub(crate) fn shown(&self, sent: &SkillWrite) -> SkillWrite {
        let mut skill = sent.clone();
        for name in SKILL_WRITE_FIELDS {
            if let Some(shown) = self.preview.get(name).filter(|it| is_other(name, it, sent)) {
                set_field(&mut skill, name, shown);
            }
        }
        skill
    }
}

/// Sets a field of a skill to the value of a preview, if that is one.
fn set_field(skill: &mut SkillWrite, name: &str, shown: &Value) {
    let text = || shown.as_str().unwrap_or_default().to_owned();
    match name {
        "name" => skill.name = text(),
        "description" => skill.description = text(),
        "category" => skill.category = Category::from_name(&text()).or(skill.category),
        "prompt" => skill.prompt = text(),
        "handsReferenced" => skill.hands_referenced = strings(shown).unwrap_or_default(),
        "kidCallable" => skill.kid_callable = shown.as_bool(),
        "ageRange" => skill.age_range = Some(text()).filter(|range| !range.is_empty()),
        "responseModel" => skill.response_model = shown.as_object().cloned(),
        "canvasIds" => {
            let ids = strings(shown).unwrap_or_default();
            skill.canvas_ids = ids.into_iter().map(CanvasId::from).collect();
        }
        _ => {}
    }
}

fn is_other(name: &str, shown: &Value, sent: &SkillWrite) -> bool {
    let text = |sent: &str| shown.as_str().is_some_and(|shown| !is_same_text(shown, sent));
    match name {
        "name" => text(&sent.name),
        "description" => text(&sent.description),
        "category" => text(sent.category.unwrap_or_default().name()),
        "prompt" => text(&sent.prompt),
        "handsReferenced" => strings(shown)
            .is_some_and(|shown| normal_hands(&shown) != normal_hands(&sent.hands_referenced)),
        "inputVariables" => names(shown).is_some_and(|shown| {
            let sent = sent.input_variables.iter().map(|input| input.name.as_str());
            shown != sent.collect()
        }),
        "kidCallable" => {
            shown.as_bool().is_some_and(|shown| shown != sent.kid_callable.unwrap_or_default())
        }
        "ageRange" => text(sent.age_range.as_deref().unwrap_or_default()),
        "responseModel" => {
            shown.as_object().is_some_and(|shown| Some(shown) != sent.response_model.as_ref())
        }
        _ => strings(shown).is_some_and(|shown| {
            let shown: Vec<_> = shown.into_iter().map(CanvasId::from).collect();
            normal_canvases(&shown) != normal_canvases(&sent.canvas_ids)
        }),
    }
}

fn strings(list: &Value) -> Option<Vec<String>> {
    let items = list.as_array()?.iter();
    items.map(|item| item.as_str().map(str::to_owned)).collect()
}

/// Returns the names of inputs: of objects with a name, or of strings.
fn names(list: &Value) -> Option<BTreeSet<&str>> {
    let items = list.as_array()?.iter();
    items.map(|item| item.as_str().or_else(|| item.get("name")?.as_str())).collect()
}

/// Returns a decision in the words of the contract. One in other words has to be reviewed, unless it
/// plainly refuses, and its reason contains what the server has answered.
fn policy_decision(answer: &Value) -> PolicyDecision {
    let decision = answer.get("decision").unwrap_or(answer);
    let known = decision.as_str().and_then(|it| Decision::from_name(&it.to_ascii_lowercase()));
    let reasons = answer.get("reasons").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut reasons: Vec<_> = reasons.iter().map(policy_reason).collect();
    if let Some(decision) = known {
        return PolicyDecision { decision, reasons };
    }
    let decision = if is_refusal(answer) {
        let message = match decision.as_str() {
            Some(word) => format!("the server's decision is `{word}`"),
            None => format!("the server's decision is `{decision}`"),
        };
        let reason = review(UNKNOWN_DECISION, message, "change what the server objects to");
        reasons.insert(0, PolicyReason { decision: Decision::Refuse, ..reason });
        Decision::Refuse
    } else {
        let message = match answer {
            Value::Null => "the server's answer has no policy decision".to_owned(),
            _ => format!("unknown policy decision {answer}"),
        };
        let fix = "review the preview before you publish the skill";
        reasons.insert(0, review(UNKNOWN_DECISION, message, fix));
        Decision::Review
    };
    PolicyDecision { decision, reasons }
}

/// Returns `true` if a decision that is not in the words of the contract permits nothing: a word for
/// a refusal, a value that is no word at all, or an object without `decision` that has a refusal.
fn is_refusal(answer: &Value) -> bool {
    let is_one_of = |names: &[&str], name: &str| {
        names.iter().any(|other| name.trim().eq_ignore_ascii_case(other))
    };
    let is_member_refusal = |(name, value): (&String, &Value)| match value {
        Value::String(word) => is_one_of(&REFUSALS, word),
        Value::Bool(true) => is_one_of(&REFUSALS, name),
        Value::Bool(false) => is_one_of(&PERMISSIONS, name),
        _ => false,
    };
    match (answer.get("decision"), answer) {
        (None, Value::Object(members)) => members.iter().any(is_member_refusal),
        (decision, _) => match decision.unwrap_or(answer) {
            Value::String(word) => is_one_of(&REFUSALS, word),
            Value::Null => false,
            _ => true,
        },
    }
}

fn policy_reason(reason: &Value) -> PolicyReason {
    serde_json::from_value(reason.clone()).unwrap_or_else(|_| {
        let message = reason.as_str().map_or_else(|| reason.to_string(), str::to_owned);
        review(UNKNOWN_REASON, message, "")
    })
}

fn review(reason: &'static str, message: String, fix: &str) -> PolicyReason {
    let (decision, path, fix) = (Decision::Review, String::new(), fix.to_owned());
    PolicyReason { reason: reason.into(), decision, path, message, fix }
}
