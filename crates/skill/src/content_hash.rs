//! The hash of the contents of a skill or a heartbeat, regardless of the calls that led to them.
//!
//! A [`SpecHash`](crate::spec_hash::SpecHash) binds one call: it depends on the order of its lists
//! and on the defaults that it leaves out. This one identifies the state that a skill is in: defaults
//! are filled in, and hands, inputs and canvases are sets. Two skills have the same content hash
//! exactly when `change_of` of the client finds nothing to change between them, so
//! it shows whether a skill is still what was published. That of a heartbeat does the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::contract::{
    CanvasId, Category, ChildId, HeartbeatCreate, InputVariable, MissedFires, SkillId, SkillWrite,
    StoredSkill, TIME_ZONE_DEFAULT, wire_name,
};
use crate::spec_hash::canonical_json;

use dibber_schedule::Cron;
use dibber_text::hex;

/// The prefix of every content hash.
const PREFIX: &str = "c_";

/// The digits of the hash of a field: 64 bits, enough to notice a change.
const FIELD_HASH_DIGITS: usize = 16;

/// The hash of the content of a skill or a heartbeat: SHA-256 over the canonical JSON (RFC 8785) of its normal form.
///
/// It is written as `c_` and 64 lowercase hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentHash(String);

/// A skill in its normal form.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Content<'a> {
    name: &'a str,
    description: &'a str,
    category: Category,
    prompt: &'a str,
    hands_referenced: BTreeSet<String>,
    input_variables: Vec<&'a InputVariable>,
    kid_callable: bool,
    age_range: Option<&'a str>,
    canvas_ids: BTreeSet<CanvasId>,
    // Skills without one have the hash that they had before there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    response_model: Option<&'a Map<String, Value>>,
}

/// A heartbeat in its normal form.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HeartbeatContent<'a> {
    name: &'a str,
    cron: &'a str,
    tz: String,
    run_skill_id: &'a SkillId,
    assignment_skill_id: Option<&'a SkillId>,
    child_id: Option<&'a ChildId>,
    skill_input: Map<String, Value>,
    post_result_notify: bool,
    // One with the default has the hash that it had before there were others.
    #[serde(skip_serializing_if = "Option::is_none")]
    missed_fires: Option<MissedFires>,
}

impl ContentHash {
    /// Returns the hash of the skill that these arguments write.
    pub fn of_write(skill: &SkillWrite) -> Self {
        Self::compute(&Content::of_write(skill))
    }

    /// Returns the hash of a skill as a server has it.
    pub fn of_stored(skill: &StoredSkill) -> Self {
        Self::compute(&Content::of_stored(skill))
    }

    /// Returns the hash of the heartbeat that these arguments create. Whose chat it starts from is
    /// no part of it.
    pub fn of_heartbeat(create: &HeartbeatCreate) -> Self {
        Self::compute(&HeartbeatContent::of_create(create))
    }

    fn compute(content: &impl Serialize) -> Self {
        let digest = hex(Sha256::digest(canonical_json(content)));
        Self(format!("{PREFIX}{digest}"))
    }

    /// Returns the hash as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'a> HeartbeatContent<'a> {
    fn of_create(create: &'a HeartbeatCreate) -> Self {
        Self {
            name: &create.name,
            cron: &create.cron,
            // Servers spell it as the database of time zones does.
            tz: create.tz.as_deref().unwrap_or(TIME_ZONE_DEFAULT).to_ascii_lowercase(),
            run_skill_id: &create.run_skill_id,
            assignment_skill_id: create.assignment_skill_id.as_ref(),
            child_id: create.child_id.as_ref(),
            skill_input: create.skill_input.clone().unwrap_or_default(),
            post_result_notify: create.post_result_notify.unwrap_or_default(),
            missed_fires: create.missed_fires.filter(|it| *it != MissedFires::default()),
        }
    }
}

impl<'a> Content<'a> {
    fn of_write(skill: &'a SkillWrite) -> Self {
        Self {
            name: &skill.name,
            description: &skill.description,
            category: skill.category.unwrap_or_default(),
            prompt: &skill.prompt,
            hands_referenced: normal_hands(&skill.hands_referenced),
            input_variables: normal_inputs(&skill.input_variables),
            kid_callable: skill.kid_callable.unwrap_or_default(),
            age_range: skill.age_range.as_deref(),
            canvas_ids: normal_canvases(&skill.canvas_ids),
            response_model: skill.response_model.as_ref(),
        }
    }

    fn of_stored(skill: &'a StoredSkill) -> Self {
        Self {
            name: &skill.name,
            description: &skill.description,
            category: skill.category,
            prompt: &skill.prompt,
            hands_referenced: normal_hands(&skill.hands_referenced),
            input_variables: normal_inputs(&skill.input_variables),
            kid_callable: skill.kid_callable,
            age_range: skill.age_range.as_deref(),
            canvas_ids: normal_canvases(&skill.canvas_ids),
            response_model: skill.response_model.model(),
        }
    }

    fn field_hashes(&self) -> BTreeMap<&'static str, String> {
        BTreeMap::from([
            ("name", field_hash(&self.name)),
            ("description", field_hash(&self.description)),
            ("category", field_hash(&self.category)),
            ("prompt", field_hash(&self.prompt)),
            ("handsReferenced", field_hash(&self.hands_referenced)),
            ("inputVariables", field_hash(&self.input_variables)),
            ("kidCallable", field_hash(&self.kid_callable)),
            ("ageRange", field_hash(&self.age_range)),
            ("canvasIds", field_hash(&self.canvas_ids)),
            ("responseModel", field_hash(&self.response_model)),
        ])
    }
}

/// Returns a short hash of each field of the skill that these arguments write, by its name.
pub fn field_hashes_of_write(skill: &SkillWrite) -> BTreeMap<&'static str, String> {
    Content::of_write(skill).field_hashes()
}

/// Returns a short hash of each field of a stored skill, by its name: two skills have the same hash
/// of a field if nothing has to be changed in it.
pub fn field_hashes(skill: &StoredSkill) -> BTreeMap<&'static str, String> {
    Content::of_stored(skill).field_hashes()
}

/// Returns a short hash of each part of the heartbeat that these arguments create, by its name. `run`
/// is the skill and its inputs, for whom, and what is posted.
pub fn heartbeat_field_hashes(create: &HeartbeatCreate) -> BTreeMap<&'static str, String> {
    let content = HeartbeatContent::of_create(create);
    let schedule = [
        ("name", field_hash(&content.name)),
        ("cron", field_hash(&normal_cron(content.cron))),
        ("tz", field_hash(&content.tz)),
        ("missedFires", field_hash(&create.missed_fires.unwrap_or_default())),
    ];
    let run =
        HeartbeatContent { name: "", cron: "", tz: String::new(), missed_fires: None, ..content };
    schedule.into_iter().chain([("run", field_hash(&run))]).collect()
}

/// Returns five fields in one spelling.
pub fn normal_cron(fields: &str) -> String {
    Cron::parse(fields).map_or_else(|_| fields.to_owned(), |cron| cron.normalized())
}

/// Returns the first hexadecimal digits of the hash of a value.
pub fn field_hash(value: &impl Serialize) -> String {
    let mut digest = hex(Sha256::digest(canonical_json(value)));
    digest.truncate(FIELD_HASH_DIGITS);
    digest
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns hands as a set, in one spelling.
pub fn normal_hands(hands: &[String]) -> BTreeSet<String> {
    hands.iter().map(|hand| wire_name(hand)).collect()
}

/// Returns inputs in the order of their names, which are unique in a valid skill.
pub fn normal_inputs(inputs: &[InputVariable]) -> Vec<&InputVariable> {
    let mut inputs: Vec<_> = inputs.iter().collect();
    inputs.sort_by(|a, b| a.name.cmp(&b.name));
    inputs
}

/// Returns canvases as a set, in one spelling.
pub fn normal_canvases(ids: &[CanvasId]) -> BTreeSet<CanvasId> {
    ids.iter().map(CanvasId::normalized).collect()
}
