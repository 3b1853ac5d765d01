//! The name of an entry of the journal: two digests, of the subject of a write and of all of it.
//!
//! Two writes have the same entry only if they are the same. By the first digest, the entries of
//! one subject are found without reading them.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::intent::Intent;
use dibber_skill::spec_hash::canonical_json;
use dibber_text::hex;

/// The hexadecimal digits of the digest of the subject.
const SUBJECT_DIGITS: usize = 16;
/// The hexadecimal digits of the digest of everything that identifies a write.
const IDENTITY_DIGITS: usize = 32;
/// The character between the two.
const SEPARATOR: char = '-';
/// The digits of an entry's id: enough to distinguish a hundred entries, few enough to type.
const ID_DIGITS: usize = 8;

/// Returns the names that the entry of a write can have: by the key of the server, and by its address,
/// as of one that was begun before its id was known.
pub(super) fn of_intent(intent: &Intent) -> Vec<String> {
    intent.server.keys().map(|server| name_on(server, intent)).collect()
}

fn name_on(server: &str, intent: &Intent) -> String {
    let Intent { tool, subject, base, arguments, begun_by, .. } = intent;
    let mut whole = json!({
        "server": server, "tool": tool, "subject": subject, "base": base,
        "arguments": arguments,
    });
    if !begun_by.is_command() {
        whole["begunBy"] = json!(begun_by);
    }
    let prefix = subject.map_or_else(
        || format!("{}{SEPARATOR}", digest(&whole, SUBJECT_DIGITS)),
        |subject| subject_prefix(server, subject),
    );
    prefix + &digest(&whole, IDENTITY_DIGITS)
}

/// Returns the prefix of the names of the entries of a subject.
pub(super) fn subject_prefix(server: &str, subject: &str) -> String {
    let subject = json!({"server": server, "subject": subject});
    format!("{}{SEPARATOR}", digest(&subject, SUBJECT_DIGITS))
}

/// Returns the part of a name that all entries of the same subject share.
pub(super) fn prefix_of(name: &str) -> &str {
    name.split_at(SUBJECT_DIGITS + 1).0
}

/// Returns the id by which a person names an entry.
pub(super) fn id_of(name: &str) -> String {
    name.chars().skip(SUBJECT_DIGITS + 1).take(ID_DIGITS).collect()
}

/// Returns `true` if a string has the form of a name.
pub(super) fn is_name(name: &str) -> bool {
    let has_length = name.len() == SUBJECT_DIGITS + 1 + IDENTITY_DIGITS;
    has_length && name.bytes().all(|b| b.is_ascii_hexdigit() || b == SEPARATOR as u8)
}

fn digest(value: &Value, digits: usize) -> String {
    let mut digest = hex(Sha256::digest(canonical_json(value)));
    digest.truncate(digits);
    digest
}
