//! `sprout.yaml` as data: how a skill is published.
//!
//! Every value keeps its bytes. Parsing never fails: [`parse`] returns what could be read and
//! every [`Fault`], in the order of the file. It accepts what the JSON Schema in
//! `schema/sprout.schema.json` accepts; what takes more than the file to judge is for `draft`.

mod read;

use crate::contract::Category;
use crate::skill::Node;
use crate::text::{Source, Span};

/// The name of the file, beside `SKILL.md`.
pub const MANIFEST_FILE_NAME: &str = "sprout.yaml";

/// The most bytes of a manifest that are parsed (64 KiB).
pub const MANIFEST_BYTES_MAX: usize = 64 << 10;

/// The JSON Schema of the file, for editors.
pub const SCHEMA: &str = include_str!("../../schema/sprout.schema.json");

/// The types that an input may have.
pub const INPUT_TYPES: [&str; 7] =
    ["string", "number", "integer", "boolean", "date", "array", "object"];

/// What a `sprout.yaml` says. A field that is not there, or that has a fault, is empty.
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
    /// Whether a child may launch it.
    pub kid_callable: Option<Located<bool>>,
    /// The ages that it is for, as written: `5-7`.
    pub age_range: Option<Located<String>>,
    /// The canvases that it links, as written.
    pub canvases: Vec<Located<String>>,
    /// When it runs by itself.
    pub heartbeats: Vec<Heartbeat>,
}

/// A value, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// The bytes of it in the file, quotes included.
    pub span: Span,
}

/// One thing that is filled in at each run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The name, as in `{{input.name}}`.
    pub name: Located<String>,
    /// One of [`INPUT_TYPES`].
    pub kind: Option<Located<String>>,
    /// What is to be filled in.
    pub description: Option<Located<String>>,
    /// Whether a run without it is refused; an input that is not required is filled with an
    /// empty text when nothing is given.
    pub is_required: bool,
}

/// One schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heartbeat {
    /// Its label.
    pub name: Located<String>,
    /// When it fires: five fields.
    pub cron: Located<String>,
    /// The IANA name of the time zone that `cron` is meant in.
    pub time_zone: Option<Located<String>>,
    /// What is filled in at each fire: the input's name and its value.
    pub input: Vec<(Located<String>, Node)>,
    /// The skill that made the schedule.
    pub assignment_skill: Option<Located<String>>,
    /// Whether what comes of it is posted to the family's inbox.
    pub post_result_notify: Option<Located<bool>>,
}

/// Something that is wrong with a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub span: Span,
    /// What kind of thing.
    pub kind: FaultKind,
    /// What is wrong, as a sentence fragment.
    pub message: String,
    /// The way out.
    pub help: Option<String>,
}

/// The kinds of [`Fault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A key that means nothing here.
    UnknownKey,
    /// It is not YAML, a value has the wrong type, or something that is needed is missing.
    Invalid,
}

/// Parses a `sprout.yaml`.
pub fn parse(source: &Source) -> (Manifest, Vec<Fault>) {
    read::manifest(source)
}
