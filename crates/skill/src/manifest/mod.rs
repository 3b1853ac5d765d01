//! `sprout.yaml` as data: how a skill is published.
//!
//! Every value keeps its bytes. Parsing never fails: [`parse`] returns what could be read and
//! the [`Fault`]s, in the order of the file. It accepts what the JSON Schema in
//! `schema/sprout.schema.json` accepts: the keys and the types of their values. What a value may
//! say (ages, ids, a label that is not blank) is judged from the arguments that it ends up in, by
//! `draft`.

mod faults;
mod keys;
mod read;
mod tree;

use crate::contract::Category;
use crate::skill::{FileKind, Node};
use dibber_text::{Source, Span};

/// The name of the file, beside `SKILL.md`.
pub const MANIFEST_FILE_NAME: &str = "sprout.yaml";

/// The most bytes of a manifest that are parsed (64 KiB).
pub const MANIFEST_BYTES_MAX: usize = 64 << 10;

/// The most faults of a manifest that are told; one more says how many there are beyond.
pub const FAULTS_MAX: usize = 50;

/// The JSON Schema (2020-12) of the file, for editors.
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
    /// A second place that helps to understand it, and what is to be seen there.
    pub label: Option<(Span, String)>,
    /// What the parser says, when these lines are not YAML.
    pub syntax: Option<Syntax>,
}

/// The kinds of [`Fault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A key that means nothing here.
    UnknownKey,
    /// It is not YAML, a value has the wrong type, or something that is needed is missing.
    Invalid,
}

/// Lines that are not YAML, for whoever looks for the cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Syntax {
    /// The parser's words.
    pub message: String,
    /// The lines that belong to the same key, with their line breaks.
    pub entry: Span,
}

impl Fault {
    /// Makes a fault of the kind [`FaultKind::Invalid`].
    pub fn invalid(span: Span, message: impl Into<String>, help: Option<String>) -> Self {
        let (kind, message) = (FaultKind::Invalid, message.into());
        Self { span, kind, message, help, label: None, syntax: None }
    }
}

/// Parses a `sprout.yaml`.
pub fn parse(source: &Source) -> (Manifest, Vec<Fault>) {
    read::manifest(source)
}

/// What to do about a type that is none of [`INPUT_TYPES`], as a sentence fragment.
pub fn input_type_help(written: &str) -> String {
    read::input_type_help(written)
}

/// What is wrong with a manifest that has another name.
pub fn misnamed(name: &str) -> Fault {
    let message = format!("`{name}` is not read: the file is called `{MANIFEST_FILE_NAME}`");
    let help = format!("rename it to `{MANIFEST_FILE_NAME}`");
    Fault::invalid(Span::default(), message, Some(help))
}

/// What is wrong with a manifest of which there is no text, because of what kind of file it is.
pub fn unread(kind: &FileKind) -> Fault {
    let (is, help) = match kind {
        FileKind::LinkInside | FileKind::LinkOutside(_) | FileKind::LinkBroken(_) => {
            ("is a symbolic link, which is not followed", "put the file itself in its place")
        }
        FileKind::Special => {
            ("is a pipe, a socket or a device", "put an ordinary text file in its place")
        }
        FileKind::Folder => ("is a folder", "put an ordinary text file in its place"),
        FileKind::Regular(bytes) if *bytes > MANIFEST_BYTES_MAX as u64 => {
            ("has more than 64 KiB, and was not read", tree::TOO_LARGE_HELP)
        }
        FileKind::Regular(_) => ("cannot be read", "look whether you are allowed to read it"),
    };
    let message = format!("`{MANIFEST_FILE_NAME}` {is}");
    Fault::invalid(Span::default(), message, Some(help.to_owned()))
}
