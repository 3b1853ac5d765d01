//! The contents of a `skill.toml`.

use semver::Version;
use serde_json::{Map, Value};

use super::name::DottedName;
use crate::manifest::Located;

/// The most bytes of a manifest that are parsed (64 KiB).
pub const PROTOCOL_BYTES_MAX: usize = 64 << 10;

/// The most secrets, and the most hosts, that a skill asks for.
pub const SECRETS_MAX: usize = 50;

/// The most characters of a description: as many as in `SKILL.md`.
pub(super) const DESCRIPTION_CHARACTERS_MAX: usize = 1024;

/// The contents of a `skill.toml`. A field that is missing or not valid is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProtocolManifest {
    /// The name under which agents find the skill.
    pub name: Option<Located<DottedName>>,
    /// Its version.
    pub version: Option<Located<Version>>,
    /// What it does, on one line.
    pub description: Option<Located<String>>,
    /// Whether it is run or read.
    pub kind: Option<Located<ProtocolKind>>,
    /// What is run: `[runtime]`.
    pub runtime: Option<Runtime>,
    /// What a run may use beyond its arguments: `[permissions]`.
    pub permissions: Permissions,
    /// A JSON Schema of the arguments of a run: `[input_schema]`.
    pub input_schema: Option<Located<Map<String, Value>>>,
}

/// Whether a skill is run or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtocolKind {
    /// It has code that `execute_skill` runs.
    Action,
    /// It has only instructions.
    Instruction,
}

impl ProtocolKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Action, Self::Instruction];

    /// Returns the word for it in `skill.toml` and in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Action => "action",
            Self::Instruction => "instruction",
        }
    }

    /// Returns the kind with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The table `[runtime]`. The language is always Python.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Runtime {
    /// The path of the file that is run, from the directory of the skill.
    pub entrypoint: Option<Located<String>>,
    /// The function of this file that is called; `main`, at the place of the file, if the manifest
    /// names none.
    pub export: Option<Located<String>>,
}

/// The table `[permissions]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// The names of the secrets that a run gets.
    pub secrets: Vec<Located<String>>,
    /// The hosts that a run may connect to.
    pub network: Vec<Located<String>>,
}
