//! The fields of an object in the answer of a server: a missing one is none, and one of another type
//! is a protocol error.

use serde_json::{Map, Value};

use crate::failure::Failure;

/// An object in an answer.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    object: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// Reads an object; `what` is what it is in the answer.
    pub(super) fn of(value: &'a Value, what: &str) -> Result<Self, Failure> {
        let object = value.as_object();
        let object = object.ok_or_else(|| wrong(&format!("{what} is not an object")))?;
        Ok(Self { object })
    }

    /// Returns a field; null is none.
    pub(super) fn get(self, name: &str) -> Option<&'a Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn has(self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(super) fn string(self, name: &str) -> Result<Option<String>, Failure> {
        self.typed(name, "a string", |value| value.as_str().map(str::to_owned))
    }

    /// Returns a string that a server must send.
    pub(super) fn required_string(self, name: &str) -> Result<String, Failure> {
        self.string(name)?.ok_or_else(|| wrong(&format!("its answer has no `{name}`")))
    }

    pub(super) fn boolean(self, name: &str) -> Result<Option<bool>, Failure> {
        self.typed(name, "a boolean", Value::as_bool)
    }

    pub(super) fn size(self, name: &str) -> Result<Option<u64>, Failure> {
        self.typed(name, "a size", Value::as_u64)
    }

    pub(super) fn object(self, name: &str) -> Result<Option<Map<String, Value>>, Failure> {
        self.typed(name, "an object", |value| value.as_object().cloned())
    }

    pub(super) fn list(self, name: &str) -> Result<Option<&'a Vec<Value>>, Failure> {
        self.typed(name, "a list", Value::as_array)
    }

    fn typed<T>(
        self,
        name: &str,
        expected: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, Failure> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let read = read(value);
        read.map(Some).ok_or_else(|| wrong(&format!("`{name}` is not {expected}")))
    }
}

/// Returns the failure of an answer of another shape.
pub(super) fn wrong(what: &str) -> Failure {
    Failure::protocol_error(what)
}
