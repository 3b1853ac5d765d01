//! Skills as data: parsing, `sprout.yaml`, drafts, names and hashes.

pub(crate) mod drafting;
mod heartbeat_revision;
pub(crate) mod ids;
mod likely_names;
pub(crate) mod manifest;
pub(crate) mod manifest_file;
pub(crate) mod manifest_schema;
pub(crate) mod names;
mod ordinary_answers;
pub(crate) mod parsing;
pub(crate) mod placeholders;
pub(crate) mod properties;
mod protocol;
pub(crate) mod recovery;
pub(crate) mod response_model;
pub(crate) mod scaffold;
pub(crate) mod secrets;
mod skills_protocol_schema;
pub(crate) mod spec_hash;
