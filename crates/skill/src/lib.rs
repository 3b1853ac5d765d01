//! Agent Skills as data: the files, the contracts, and what is derived from them.
//!
//! # Modules
//!
//! A module imports only from floors below its own. A test reads this table and fails on any
//! other import.
//!
//! | floor | module | contents | never |
//! |---|---|---|---|
//! | 0 | `spec_hash` | canonical JSON (RFC 8785) and the digest | I/O |
//! | 0 | `function_tool` | definitions of tools for function calling, in the forms of vendors | I/O |
//! | 0 | `label` | how the labels of skills are compared | I/O |
//! | 0 | `string_pattern` | `pattern` of JSON Schema, with limits | I/O |
//! | 0 | `toml_syntax` | what is wrong with the syntax of a TOML file | I/O |
//! | 1 | `response_model` | the JSON Schema of a skill's results: its limits, and checking data with it | I/O |
//! | 1 | `contract` | wire types of every system, one file per tool family; limits as constants | logic |
//! | 2 | `skill` | `SKILL.md` and its directory as data; parsing never fails, it returns the value and the problems | I/O, serde |
//! | 2 | `names` | children's names: the private list, finding them in a string, masking them | I/O |
//! | 2 | `scan` | what is suspicious in any text: hidden characters, secrets, downloads that are run | I/O |
//! | 2 | `age_range` | the ages that a skill is for | I/O |
//! | 2 | `diagnostic` | rule metadata, finding, labels, fix | printing |
//! | 3 | `content_hash` | the hash of the state that a skill is in | I/O |
//! | 3 | `privacy` | the mask of secrets and children's names | I/O |
//! | 3 | `manifest` | `sprout.yaml` as data with spans | I/O |
//! | 3 | `config` | `dibber.toml` as data with spans | I/O |
//! | 4 | `protocol` | `skill.toml` as data with spans, and what is wrong between it and the other files | I/O |
//! | 4 | `draft` | skill and manifest to the exact arguments of `skill_write`; the analyzers and the policy decision | I/O |
//! | 4 | `discover` | paths to skill directories; the only reader of skill trees | |
//! | 5 | `scaffold` | `templates/` and a few answers to the files of a new skill, as data | I/O, printing |
//! | 6 | `revision` | a few answers to edits of the files of a skill that exists | I/O, printing |

pub mod age_range;
pub mod config;
pub mod content_hash;
pub mod contract;
pub mod diagnostic;
pub mod discover;
pub mod draft;
pub mod function_tool;
pub mod label;
pub mod manifest;
pub mod names;
pub mod privacy;
pub mod protocol;
pub mod response_model;
pub mod revision;
pub mod scaffold;
pub mod scan;
pub mod skill;
pub mod spec_hash;
pub mod string_pattern;
mod toml_syntax;
