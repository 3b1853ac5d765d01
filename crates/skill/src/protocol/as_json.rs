//! The files of a skill as JSON, as `describe_skill` returns them.

use serde_json::{Map, Value};
use toml::de::DeTable;

use super::input_schema;
use crate::manifest;
use crate::skill::Skill;

/// Returns a `skill.toml` as JSON, with the keys that have no meaning. A date is a string.
pub fn manifest_as_json(text: &str) -> Map<String, Value> {
    let (root, _) = DeTable::parse_recoverable(text);
    input_schema::as_json(root.get_ref())
}

/// Returns the frontmatter of a skill as JSON; of a duplicate key, the first value.
pub fn frontmatter_as_json(skill: &Skill) -> Map<String, Value> {
    let mut fields = Map::new();
    for entry in skill.fields() {
        if let Some(key) = entry.key.as_str()
            && !fields.contains_key(key)
        {
            fields.insert(key.to_owned(), manifest::value_as_json(&entry.value));
        }
    }
    fields
}
