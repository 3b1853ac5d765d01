//! The contents of a `sprout.yaml`.

use serde_json::{Map, Value};

use super::located::Located;
use crate::contract::{Category, DATE_TYPE, MissedFires};
use crate::skill::Node;

/// The name of the file, beside `SKILL.md`.
pub const MANIFEST_FILE_NAME: &str = "sprout.yaml";

/// The most bytes of a manifest that are parsed (64 KiB).
pub const MANIFEST_BYTES_MAX: usize = 64 << 10;

/// The most problems of a manifest that are reported; one more counts the others.
pub const PROBLEMS_MAX: usize = 50;

/// The most files that a manifest includes.
pub(super) const INCLUDED_FILES_MAX: usize = 50;

/// The types that an input may have.
pub const INPUT_TYPES: [&str; 7] =
    ["string", "number", "integer", "boolean", DATE_TYPE, "array", "object"];

/// The contents of a `sprout.yaml`. A field that is missing or not valid is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The name under which a family finds the skill.
    pub label: Option<Located<String>>,
    /// What it does, in a parent's words.
    pub summary: Option<Located<String>>,
    /// Which agent it is for.
    pub category: Option<Located<Category>>,
    /// The tools that it uses, as written: `task_create` or `task.create`.
    pub hands: Option<Vec<Located<String>>>,
    /// What is filled in at each run.
    pub inputs: Option<Vec<Input>>,
    /// The text files of the skill that are appended to the prompt, as paths from its directory.
    pub include: Vec<Located<String>>,
    /// Whether a child may launch it.
    pub kid_callable: Option<Located<bool>>,
    /// The age range that it is for, as written: `5-7`.
    pub age_range: Option<Located<String>>,
    /// The canvases that it links, as written.
    pub canvases: Vec<Located<String>>,
    /// A JSON Schema of the data of its results.
    pub result: Option<Located<Map<String, Value>>>,
    /// The schedules on which it runs.
    pub heartbeats: Vec<Heartbeat>,
}

/// A value that is filled in at each run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The name, as in `{{input.name}}`.
    pub name: Located<String>,
    /// One of [`INPUT_TYPES`].
    pub kind: Option<Located<String>>,
    /// What to fill in.
    pub description: Option<Located<String>>,
    /// Whether a run without it is refused; an input that is not required is filled with an
    /// empty string when no value is given.
    pub is_required: bool,
}

/// One schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heartbeat {
    /// Its label.
    pub name: Located<String>,
    /// When it fires: five fields, or words.
    pub cron: Located<String>,
    /// The IANA name of the time zone of `cron`.
    pub time_zone: Option<Located<String>>,
    /// The value of each input, by its name.
    pub input: Vec<(Located<String>, Node)>,
    /// The skill that made the schedule.
    pub assignment_skill: Option<Located<String>>,
    /// Whether its result is posted to the family's inbox.
    pub post_result_notify: Option<Located<bool>>,
    /// What runs of the times that were missed.
    pub missed_fires: Option<Located<MissedFires>>,
}
