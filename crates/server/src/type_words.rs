//! The type of a value in words, for messages and for the guides.

use super::input_schema::{ValueSchema, ValueType};

/// Returns a type that a schema accepts, in words.
pub(super) fn type_in_words(wanted: ValueType, schema: &ValueSchema) -> String {
    match (wanted, schema.minimum, schema.maximum) {
        (ValueType::Integer, Some(min), Some(max)) => format!("an integer from {min} to {max}"),
        (ValueType::Integer, Some(min), None) => format!("an integer of at least {min}"),
        (ValueType::Integer, None, Some(max)) => format!("an integer of at most {max}"),
        (ValueType::Integer, None, None) => "an integer".to_owned(),
        (ValueType::Null, ..) => "null".to_owned(),
        (ValueType::Boolean, ..) => "true or false".to_owned(),
        (ValueType::String, ..) => "a string".to_owned(),
        (ValueType::Array, ..) => "an array".to_owned(),
        (ValueType::Object, ..) if schema.required.is_empty() => "an object".to_owned(),
        (ValueType::Object, ..) => format!("an object with `{}`", schema.required.join("`, `")),
    }
}
