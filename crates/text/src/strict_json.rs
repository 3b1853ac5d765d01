//! JSON that every program reads in the same way: of a duplicate key, some take the first value and others
//! the last, and an integer of more than 64 bits is a float to some.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::untrusted::Shown;

/// Parses JSON of at most 127 levels. A duplicate key is an error, which names it; that of a number
/// which `f64` does not hold is one, too.
pub fn parse(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str::<Strict<Value>>(text).map(|strict| strict.0)
}

/// Checks what [`parse`] would parse, without its values: those of small objects need a hundred times the
/// memory of their text.
pub fn check(text: &str) -> Result<(), serde_json::Error> {
    serde_json::from_str::<Strict<()>>(text).map(|strict| strict.0)
}

/// Returns the numbers of valid JSON as they are written, in their order.
pub fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let start = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit())?;
            let is_string = rest[start..].starts_with('"');
            let token = &rest[start..];
            let end = if is_string { end_of_string(token) } else { end_of_number(token) };
            let (token, after) = token.split_at(end);
            rest = after;
            if !is_string {
                return Some(token);
            }
        }
    })
}

/// Returns the first integer of valid JSON that neither `i64` nor `u64` holds: as a float it would lose
/// digits.
pub fn large_integer(text: &str) -> Option<&str> {
    let is_integer = |number: &str| !number.contains(['.', 'e', 'E']);
    let fits = |number: &str| number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok();
    numbers(text).find(|number| is_integer(number) && !fits(number))
}

/// Returns how many arrays and objects are around the innermost value of valid JSON.
pub fn levels(text: &str) -> usize {
    let (mut rest, mut level, mut most) = (text, 0_usize, 0);
    while let Some(at) = rest.find(['"', '[', ']', '{', '}']) {
        let token = &rest[at..];
        let mut end = 1;
        match token.as_bytes()[0] {
            b'"' => end = end_of_string(token),
            b'[' | b'{' => level += 1,
            _ => level = level.saturating_sub(1),
        }
        most = most.max(level);
        rest = &token[end..];
    }
    most
}

/// Returns `true` if a [`Value`] holds JSON without loss: it has no duplicate key, and no number with
/// more digits than its type has.
pub fn is_exact(text: &str) -> bool {
    check(text).is_ok() && large_integer(text).is_none() && numbers(text).all(is_exact_number)
}

fn is_exact_number(text: &str) -> bool {
    if text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok() {
        return true;
    }
    let float = text.parse::<f64>();
    float.is_ok_and(|float| Decimal::parse(&format!("{float:e}")) == Decimal::parse(text))
}

/// The digits of a number without zeros at either end, and the exponent of the last one.
#[derive(PartialEq, Eq)]
struct Decimal {
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// Reads a number; none if its exponent is too large to be one of a float.
    fn parse(number: &str) -> Option<Self> {
        let number = number.trim_start_matches('-');
        let (digits, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_end_matches('0');
        let zeros = i64::try_from(all.len() - digits.len()).ok()?;
        let places = i64::try_from(fraction.len()).ok()?;
        let digits = digits.trim_start_matches('0').to_owned();
        if digits.is_empty() {
            return Some(Self { digits, exponent: 0 });
        }
        let exponent = exponent.parse::<i64>().ok()?.checked_add(zeros - places)?;
        Some(Self { digits, exponent })
    }
}

fn end_of_number(text: &str) -> usize {
    let is_part = |c: char| matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E');
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

fn end_of_string(text: &str) -> usize {
    let mut is_escaped = false;
    let is_end = |byte: &u8| {
        let is_end = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    };
    text.as_bytes()[1..].iter().position(is_end).map_or(text.len(), |end| end + 2)
}

/// What is made of JSON.
trait Made<'de>: Sized {
    type Members: Default;

    fn scalar(value: impl Into<Value>) -> Self;
    fn list(items: Vec<Self>) -> Self;
    fn object(object: Self::Members) -> Self;
    fn has(object: &Self::Members, key: &str) -> bool;
    fn insert(object: &mut Self::Members, key: Cow<'de, str>, value: Self);
}

impl<'de> Made<'de> for Value {
    type Members = Map<String, Self>;

    fn scalar(value: impl Into<Value>) -> Self {
        value.into()
    }

    fn list(items: Vec<Self>) -> Self {
        Self::Array(items)
    }

    fn object(object: Self::Members) -> Self {
        Self::Object(object)
    }

    fn has(object: &Self::Members, key: &str) -> bool {
        object.contains_key(key)
    }

    fn insert(object: &mut Self::Members, key: Cow<'de, str>, value: Self) {
        object.insert(key.into_owned(), value);
    }
}

impl<'de> Made<'de> for () {
    type Members = HashSet<Cow<'de, str>>;

    fn scalar(_: impl Into<Value>) -> Self {}

    fn list(_: Vec<Self>) -> Self {}

    fn object(_: Self::Members) -> Self {}

    fn has(object: &Self::Members, key: &str) -> bool {
        object.contains(key)
    }

    fn insert(object: &mut Self::Members, key: Cow<'de, str>, (): Self) {
        object.insert(key);
    }
}

/// JSON without duplicate keys.
struct Strict<T>(T);

impl<'de, T: Made<'de>> Deserialize<'de> for Strict<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor(PhantomData)).map(Self)
    }
}

struct StrictVisitor<T>(PhantomData<T>);

impl<'de, T: Made<'de>> Visitor<'de> for StrictVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::scalar(()))
    }

    fn visit_bool<E>(self, value: bool) -> Result<T, E> {
        Ok(T::scalar(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<T, E> {
        Ok(T::scalar(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<T, E> {
        Ok(T::scalar(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<T, E> {
        Ok(T::scalar(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<T, E> {
        Ok(T::scalar(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<T, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(T::list(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<T, A::Error> {
        let mut object = T::Members::default();
        while let Some(Key(key)) = members.next_key()? {
            if T::has(&object, &key) {
                let key = Shown::to_be_masked(&key);
                return Err(A::Error::custom(format_args!("duplicate key `{key}`")));
            }
            let Strict(value) = members.next_value()?;
            T::insert(&mut object, key, value);
        }
        Ok(T::object(object))
    }
}

/// A key, which is part of the text unless it has escapes.
#[derive(serde::Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_those_of_json() {
        let text = r#" {"a":[1,-1,0.5,true,null,"é\u0000"],"\u0062":{}} "#;
        let expected = json!({"a": [1, -1, 0.5, true, null, "é\u{0}"], "b": {}});
        assert_eq!(parse(text).expect("JSON"), expected);
        assert!(check(text).is_ok());
    }

    #[test]
    fn what_programs_read_differently_is_an_error() {
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        for (text, expected) in [
            (r#"{"a":1,"a":1}"#, "duplicate key `a` at line 1 column 10"),
            (r#"[{"b":{"a":1,"\u0061":2}}]"#, "duplicate key `a`"),
            (r#""\ud800""#, "hex escape"),
            ("1e999", "out of range"),
            (&deep, "recursion limit"),
            ("1 2", "trailing"),
        ] {
            let error = parse(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{error}");
            assert_eq!(check(text).expect_err(text).to_string(), error);
        }
        assert!(check(r#"[{"a":1},{"a":{"a":1}}]"#).is_ok());
    }

    #[test]
    fn numbers_are_found_outside_of_strings() {
        let text = r#"{"a1":[-0.5e+3,"2\"3\\",4],"b":{"5":6}}"#;
        assert_eq!(numbers(text).collect::<Vec<_>>(), ["-0.5e+3", "4", "6"]);
        assert_eq!(numbers("10").collect::<Vec<_>>(), ["10"]);
    }

    #[test]
    fn what_a_value_alters_is_not_exact() {
        let exact = [
            "[1.0,1.10,1e2,1E5,-0,-0.0,0.30,12345678.25,1e22,5e-324,0e999,18446744073709551615]",
            r#"{"a":"1e400","b":[0.1,-2.5E-3,100.00]}"#,
        ];
        for text in exact {
            assert!(is_exact(text), "{text}");
        }
        for text in [
            "18446744073709551616",
            "100000000000000000000",
            "-9223372036854775809",
            "3.141592653589793238462643383279",
            "12345678901234567.0",
            "1e-400",
            "1e400",
            "1e99999999999999999999",
            r#"{"a":1,"a":2}"#,
            r#""\ud83d""#,
        ] {
            assert!(!is_exact(text), "{text}");
        }
    }

    #[test]
    fn integers_that_lose_digits_are_found() {
        for (text, expected) in [
            ("[18446744073709551615,-9223372036854775808,1e300,0.5]", None),
            (r#"{"a99999999999999999999":"99999999999999999999"}"#, None),
            ("100000000000000000000.0", None),
            ("[[18446744073709551616]]", Some("18446744073709551616")),
            (r#"{"a":-9223372036854775809}"#, Some("-9223372036854775809")),
        ] {
            assert_eq!(large_integer(text), expected, "{text}");
        }
    }
}
