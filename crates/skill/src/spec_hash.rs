//! The hash that binds what was shown to what is sent: canonical JSON and its digest.
//!
//! The canonical form is the JSON Canonicalization Scheme, RFC 8785. Its numbers are
//! double-precision floats; a number that these do not represent exactly is refused before anything
//! is hashed, so that two different calls never have the same hash.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::{Serialize, Serializer};
use serde_json::{Map, Number, Value};
use sha2::{Digest, Sha256};

use dibber_text::{hex, json_pointer};

/// The largest integer, of either sign, that a double-precision float represents exactly, and the
/// next one too: 2^53 − 1.
pub const INTEGER_MAX: u64 = (1 << 53) - 1;

/// The prefix of every hash.
const PREFIX: &str = "h_";
/// The number of bytes of a SHA-256 digest.
const DIGEST_BYTES: usize = 32;
/// The arguments that control how a call is made, and do not change what it writes.
const NOT_HASHED: [&str; 2] = ["dryRun", "specHash"];

/// The hash of a call: SHA-256 over the canonical form of `{"tool":…,"arguments":…}`.
///
/// It is written as `h_` and 64 lowercase hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SpecHash([u8; DIGEST_BYTES]);

/// Why a value has no hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotHashable {
    /// The path of the value, as a JSON Pointer (RFC 6901).
    pub path: String,
    /// The number that a double-precision float does not represent exactly.
    pub number: String,
}

impl SpecHash {
    /// Returns the hash of a call of `tool`. `dryRun` and `specHash` are ignored, and so is the
    /// order of the keys; defaults that are not among the arguments are not filled in.
    ///
    /// # Panics
    /// Never: every JSON value has a canonical form.
    pub fn compute(tool: &str, arguments: &Map<String, Value>) -> Result<Self, NotHashable> {
        let hashed: BTreeMap<&str, &Value> =
            entries_of(arguments).filter(|(name, _)| !NOT_HASHED.contains(name)).collect();
        check_entries(hashed.clone(), &mut Vec::new())?;
        let call = Call { arguments: hashed, tool };
        Ok(Self(Sha256::digest(canonical_json(&call)).into()))
    }
}

#[derive(Serialize)]
struct Call<'a> {
    arguments: BTreeMap<&'a str, &'a Value>,
    tool: &'a str,
}

impl fmt::Display for SpecHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", hex(self.0))
    }
}

impl fmt::Debug for SpecHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The error for a string that is not a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAHash;

impl fmt::Display for NotAHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a spec-hash is `h_` and 64 lowercase hexadecimal digits")
    }
}

impl std::error::Error for NotAHash {}

impl FromStr for SpecHash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        let digits = text.strip_prefix(PREFIX).ok_or(NotAHash)?.as_bytes();
        let mut bytes = [0; DIGEST_BYTES];
        if digits.len() != 2 * DIGEST_BYTES {
            return Err(NotAHash);
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for SpecHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SpecHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

const fn digit(character: u8) -> Result<u8, NotAHash> {
    match character {
        b'0'..=b'9' => Ok(character - b'0'),
        b'a'..=b'f' => Ok(character - b'a' + 10),
        _ => Err(NotAHash),
    }
}

impl fmt::Display for NotHashable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, number } = self;
        write!(
            f,
            "the number {number} at `{path}` is too large to be exact in JSON (the limit is 2^53 - 1)"
        )
    }
}

impl std::error::Error for NotHashable {}

/// Returns the canonical form of a value: RFC 8785, as UTF-8. Numbers are converted to the closest
/// double-precision floats.
///
/// # Panics
/// If the value is not valid JSON: it has a key that is not a string, or NaN. A [`Value`] never
/// has.
pub fn canonical_json(value: &impl Serialize) -> String {
    serde_json_canonicalizer::to_string(value).expect("string keys, finite numbers")
}

/// Checks that the canonical form represents all numbers exactly: otherwise two different calls
/// would have the same form.
pub fn check_hashable(arguments: &Map<String, Value>) -> Result<(), NotHashable> {
    check_entries(entries_of(arguments), &mut Vec::new())
}

fn entries_of(entries: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> {
    entries.iter().map(|(key, value)| (key.as_str(), value))
}

fn check_entries<'a>(
    entries: impl IntoIterator<Item = (&'a str, &'a Value)>,
    path: &mut Vec<String>,
) -> Result<(), NotHashable> {
    entries.into_iter().try_for_each(|(key, value)| {
        path.push(key.to_owned());
        check_numbers(value, path)?;
        path.pop();
        Ok(())
    })
}

fn check_numbers(value: &Value, path: &mut Vec<String>) -> Result<(), NotHashable> {
    match value {
        Value::Number(number) if !is_exact(number) => {
            Err(NotHashable { path: json_pointer(&*path), number: number.to_string() })
        }
        Value::Array(items) => items.iter().enumerate().try_for_each(|(index, item)| {
            path.push(index.to_string());
            check_numbers(item, path)?;
            path.pop();
            Ok(())
        }),
        Value::Object(entries) => check_entries(entries_of(entries), path),
        _ => Ok(()),
    }
}

/// Returns `true` if a number is a fraction, or an integer of at most [`INTEGER_MAX`].
#[expect(clippy::cast_precision_loss, reason = "the limit is a power of two less one: exact")]
fn is_exact(number: &Number) -> bool {
    match (number.as_u64(), number.as_i64(), number.as_f64()) {
        (Some(positive), _, _) => positive <= INTEGER_MAX,
        (None, Some(negative), _) => negative.unsigned_abs() <= INTEGER_MAX,
        (None, None, Some(float)) => float.fract() != 0.0 || float.abs() <= INTEGER_MAX as f64,
        (None, None, None) => false,
    }
}
