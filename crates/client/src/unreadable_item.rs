//! Items of a list that violate the contract of their tool.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::{Error, Value};

/// The beginning of the error of a field that is missing.
const MISSING: &str = "missing field ";
/// The beginning of an error about an id, which names it already.
const ID: &str = "an id ";

/// An item of a list that violates the contract of its tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableItem {
    /// Its label, if it has one.
    pub label: Option<String>,
    /// Its id, if it has one.
    pub id: Option<String>,
    /// What is wrong.
    pub cause: String,
}

impl UnreadableItem {
    pub(super) fn new<T: DeserializeOwned>(item: &Value, error: &Error) -> Self {
        let field = |name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
        Self {
            label: field("name"),
            id: field("skillId").or_else(|| field("heartbeatId")),
            cause: cause::<T>(item, error),
        }
    }

    /// Returns its label, else its id.
    pub fn name(&self) -> Option<&str> {
        self.label.as_deref().or(self.id.as_deref())
    }
}

impl fmt::Display for UnreadableItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "cannot read `{name}` in a list: {}", self.cause),
            None => write!(f, "cannot read an item of a list: {}", self.cause),
        }
    }
}

/// Returns what is wrong with an item that cannot be read.
pub(super) fn cause<T: DeserializeOwned>(item: &Value, error: &Error) -> String {
    let error = error.to_string();
    let Value::Object(fields) = item else { return "it is not an object".to_owned() };
    if error.starts_with(ID) {
        return error;
    }
    if let Some(name) = error.strip_prefix(MISSING) {
        return format!("it has no {name}");
    }
    // Without the field that is wrong, it can be read, or lacks that field.
    let is_wrong = |name: &&String| {
        let mut others = fields.clone();
        others.remove(*name);
        match T::deserialize(&Value::Object(others)) {
            Ok(_) => true,
            Err(error) => error.to_string() == format!("{MISSING}`{name}`"),
        }
    };
    match fields.keys().find(is_wrong) {
        Some(name) => format!("its `{name}` cannot be {}", fields[name]),
        None => "several of its fields are not those of the contract".to_owned(),
    }
}
