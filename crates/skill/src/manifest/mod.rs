//! `sprout.yaml` as data: how a skill is published.
//!
//! Every value keeps its bytes. Parsing never fails: [`parse`] returns what could be read and
//! the [`ManifestProblem`]s, in the order of the file. It accepts what the JSON Schema in
//! `schema/sprout.schema.json` accepts: the keys and the types of their values. Which values are
//! valid (ages, ids, a label that is not blank) is checked by `draft`, on the arguments that they
//! end up in.

mod heartbeats;
mod input_values;
mod keys;
mod located;
mod model;
mod problem;
mod problems;
mod read;
mod result;
mod schedule;
mod tree;

use dibber_text::Source;

pub(crate) use input_values::value_as_json;

pub use located::Located;
pub use model::{
    Heartbeat, INPUT_TYPES, Input, MANIFEST_BYTES_MAX, MANIFEST_FILE_NAME, Manifest, PROBLEMS_MAX,
};
pub use problem::{ManifestProblem, ManifestProblemKind, SyntaxError};
pub use read::{input_type_help, is_included_path};
pub use schedule::WireSchedule;

/// The JSON Schema (2020-12) of the file, for editors.
pub const SCHEMA: &str = include_str!("../../schema/sprout.schema.json");

/// Parses a `sprout.yaml`.
pub fn parse(source: &Source) -> (Manifest, Vec<ManifestProblem>) {
    read::manifest(source)
}
