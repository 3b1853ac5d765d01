//! JSON that means the same to every reader: an object with a key twice is refused, since some readers
//! take the first value and others the last.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Parses a text; an object that has a key twice is an error.
pub(super) fn parse(text: &str) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = StrictValue.deserialize(&mut deserializer)?;
    deserializer.end().map(|()| value)
}

struct StrictValue;

impl<'de> DeserializeSeed<'de> for StrictValue {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for StrictValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(StrictValue)? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom("duplicate key"));
            }
            let value = members.next_value_seed(StrictValue)?;
            object.insert(key, value);
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_those_of_json() {
        let text = r#"{"a":[1,-1,0.5,true,null,"é\u0000"],"b":{}}"#;
        let expected = json!({"a": [1, -1, 0.5, true, null, "é\u{0}"], "b": {}});
        assert_eq!(parse(text).expect("JSON"), expected);
    }

    #[test]
    fn what_readers_disagree_about_is_refused() {
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        for (text, expected) in [
            (r#"{"a":1,"a":1}"#, "duplicate key"),
            (r#"[{"b":{"a":1,"\u0061":2}}]"#, "duplicate key"),
            (r#""\ud800""#, "hex escape"),
            ("1e999", "out of range"),
            (&deep, "recursion limit"),
            ("1 2", "trailing"),
        ] {
            let error = parse(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
