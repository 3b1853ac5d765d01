//! `skill.toml` as data: the manifest of a skill of the Skills Protocol.
//!
//! Every value keeps its bytes. Parsing never fails: [`parse`] returns what could be read and
//! the [`ProtocolProblem`]s, in the order of the file. [`check()`] adds what is wrong between the
//! manifest and the other files of the skill.

mod as_json;
mod check;
mod check_secrets;
mod check_unrunnable;
mod comments;
mod input_schema;
mod model;
mod name;
mod problem;
mod python;
mod read;
mod reader;
mod requirements;
mod runtime;
mod schema_keys;
mod tools;

use dibber_text::Source;

pub use as_json::{frontmatter_as_json, manifest_as_json};
pub use check::{check, identity};
pub use comments::comments;
pub use model::{
    PROTOCOL_BYTES_MAX, Permissions, ProtocolKind, ProtocolManifest, Runtime, SECRETS_MAX,
};
pub use name::{DOTTED_NAME_BYTES_MAX, DottedName};
pub use problem::{ProtocolProblem, ProtocolProblemKind};
pub use requirements::{REQUIREMENTS_FILES, first_package};
pub use semver::Version;
pub use tools::{as_tool, tools};

/// Parses a `skill.toml`.
pub fn parse(source: &Source) -> (ProtocolManifest, Vec<ProtocolProblem>) {
    read::manifest(source)
}
