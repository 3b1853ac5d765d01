//! Reading an index of anyone, in every shape that is in use.

use std::collections::HashSet;

use dibber_text::{Message, message, quote, quote_display, strict_json};
use serde_json::{Map, Value};

use super::artifact::IndexEntry;
use super::index::INDEX_SCHEMA;
use super::index_problem::IndexProblem;
use super::index_version::IndexVersion;
use super::read_entry::EntryReader;

/// The most skills of an index.
const SKILLS_MAX: usize = 10_000;

/// An index that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadIndex {
    /// Its version.
    pub version: IndexVersion,
    /// The skills that could be read, in their order.
    pub entries: Vec<IndexEntry>,
    /// What is wrong.
    pub problems: Vec<IndexProblem>,
}

/// Reads an index. An error means that nothing of it is used.
pub fn read_index(bytes: &[u8]) -> Result<ReadIndex, Message> {
    let text = std::str::from_utf8(bytes).map_err(|_| "the index is not UTF-8")?;
    let (text, has_mark) = text.strip_prefix('\u{feff}').map_or((text, false), |text| (text, true));
    let index = strict_json::parse(text)
        .map_err(|error| message!["the index is not JSON: ", quote_display(error)])?;
    let Value::Object(index) = index else { return Err("the index is not a JSON object".into()) };
    let mut problems = Vec::new();
    if has_mark {
        problems.push(IndexProblem::warning("", "it begins with a byte order mark"));
    }
    let version = version(&index, &mut problems)?;
    let Some(Value::Array(skills)) = index.get("skills") else {
        return Err("the index has no list `skills`".into());
    };
    if skills.len() > SKILLS_MAX {
        return Err(message!["the index has more than ", SKILLS_MAX, " skills"]);
    }
    let mut entries = Vec::new();
    let mut names = HashSet::new();
    for (at, skill) in skills.iter().enumerate() {
        let mut reader = EntryReader { at, version, problems: &mut problems };
        let Some(entry) = reader.read(skill) else { continue };
        if !names.insert(entry.name.clone()) {
            let message = message!["the name `", quote(&entry.name), "` is there more than once"];
            problems.push(IndexProblem::error(format!("/skills/{at}/name"), message));
            continue;
        }
        entries.push(entry);
    }
    Ok(ReadIndex { version, entries, problems })
}

fn version(
    index: &Map<String, Value>,
    problems: &mut Vec<IndexProblem>,
) -> Result<IndexVersion, Message> {
    match index.get("$schema") {
        Some(Value::String(schema)) if schema == INDEX_SCHEMA => Ok(IndexVersion::V0_2),
        Some(Value::String(schema)) => Err(message![
            "the index has the `$schema` `",
            quote(schema),
            "`, which is not known, and is not used"
        ]),
        Some(_) => Err("the `$schema` of the index is not a string".into()),
        None if index.get("version").and_then(Value::as_str) == Some("0.2.0") => {
            let message = "it has `version` in place of `$schema`, as the first draft had";
            problems.push(IndexProblem::warning("/version", message));
            Ok(IndexVersion::V0_2)
        }
        None => {
            let message = message!["it has no `$schema`, so it is read as version 0.1.0"];
            problems.push(IndexProblem::warning("", message));
            Ok(IndexVersion::V0_1)
        }
    }
}
