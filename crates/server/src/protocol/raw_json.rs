//! The parts of a JSON text as they are written: an id has to be answered as it came, also a number
//! that no number type holds.
//!
//! Everything else here takes a string that [`check()`] has accepted, so that it only looks for where
//! strings, lists and objects end. Nothing is recursive, so no depth overflows the stack.

use serde::de::IgnoredAny;

/// The characters between the tokens of JSON.
const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// Returns what is wrong with a string that is not JSON.
pub(super) fn check(text: &str) -> Result<(), serde_json::Error> {
    serde_json::from_str::<IgnoredAny>(text).map(drop)
}

/// Returns the items of a list as they are written.
pub(super) fn items(list: &str) -> impl Iterator<Item = &str> {
    Parts { rest: inside(list) }
}

/// Returns the keys and the values of an object as they are written.
pub(super) fn members(object: &str) -> impl Iterator<Item = (&str, &str)> {
    Parts { rest: inside(object) }.map(|member| {
        let key = member.split_at(end_of_value(member)).0;
        let value = member[key.len()..].trim_start_matches(SPACE).trim_start_matches(':');
        (key, value.trim_matches(SPACE))
    })
}

/// Returns the first integer that neither `i64` nor `u64` holds: it would lose digits as a fraction.
pub(super) fn large_integer(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        rest = &rest[start..];
        let (token, after) = rest.split_at(end_of_value(rest));
        let is_integer = token.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
        if is_integer && token.parse::<i64>().is_err() && token.parse::<u64>().is_err() {
            return Some(token);
        }
        rest = after;
    }
    None
}

/// Returns what is between the brackets of a list or an object.
fn inside(text: &str) -> &str {
    let text = text.trim_matches(SPACE);
    text.get(1..text.len().saturating_sub(1)).unwrap_or_default()
}

/// The parts between the commas of a list or an object.
struct Parts<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Parts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let start = self.rest.trim_start_matches(SPACE);
        if start.is_empty() {
            return None;
        }
        let mut end = 0;
        // The value of a list, or the key and the value of an object.
        while end < start.len() && !start[end..].starts_with(',') {
            end += end_of_value(&start[end..]).max(1);
        }
        let (part, rest) = start.split_at(end);
        self.rest = rest.strip_prefix(',').unwrap_or_default();
        Some(part.trim_end_matches(SPACE))
    }
}

/// Returns where the value ends that a text begins with; a comma, a colon or a space is none.
fn end_of_value(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes.first() {
        Some(b'"') => end_of_string(bytes),
        Some(b'[' | b'{') => end_of_brackets(bytes),
        _ => {
            let is_end = |byte: &u8| b",:]} \t\n\r".contains(byte);
            bytes.iter().position(is_end).unwrap_or(bytes.len())
        }
    }
}

fn end_of_string(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn end_of_brackets(bytes: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at += end_of_string(&bytes[at..]);
                continue;
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' if depth == 1 => return at + 1,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn parts_are_as_they_are_written() {
        let list = r#" [ 1.0 ,"a,]\"" , {"b":[2 , {}]},[],null ] "#;
        let parts: Vec<_> = items(list).collect();
        assert_eq!(parts, ["1.0", r#""a,]\"""#, r#"{"b":[2 , {}]}"#, "[]", "null"]);
        let object = r#"{ "a" : 1e400,"b\"}":{"c":"}"} , "d":[1,2] }"#;
        let parts: Vec<_> = members(object).collect();
        let expected = [("\"a\"", "1e400"), (r#""b\"}""#, r#"{"c":"}"}"#), ("\"d\"", "[1,2]")];
        assert_eq!(parts, expected);
        assert_eq!((items("[]").count(), members(" { } ").count()), (0, 0));
    }

    #[test]
    fn integers_that_lose_digits_are_found() {
        let large = |text| large_integer(text);
        assert_eq!(large("[18446744073709551615,-9223372036854775808,1e300,0.5]"), None);
        assert_eq!(large("{\"a99999999999999999999\":\"99999999999999999999\"}"), None);
        assert_eq!(large("[[18446744073709551616]]"), Some("18446744073709551616"));
        assert_eq!(large("{\"a\":-9223372036854775809}"), Some("-9223372036854775809"));
        assert_eq!(large("100000000000000000000.0"), None);
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "[\\[\\]{},:\"\\\\a é]{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map("[\\[\\]{},:\"\\\\a]{0,3}", inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        /// However a value is written, its parts are those that a parser finds.
        #[test]
        fn parts_are_those_of_a_parser(value in any_json(), pretty in any::<bool>()) {
            let text =
                if pretty { format!("{value:#}") } else { value.to_string() };
            let parse = |part: &str| serde_json::from_str::<Value>(part).expect("JSON");
            match &value {
                Value::Array(_) => {
                    let parts: Vec<_> = items(&text).map(parse).collect();
                    prop_assert_eq!(json!(parts), value);
                }
                Value::Object(_) => {
                    let parts = members(&text)
                        .map(|(key, value)| (parse(key).as_str().expect("a key").to_owned(), parse(value)));
                    prop_assert_eq!(Value::Object(parts.collect()), value);
                }
                _ => prop_assert_eq!(end_of_value(&text), text.len()),
            }
            prop_assert_eq!(large_integer(&text), None);
        }
    }
}
