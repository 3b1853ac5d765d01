//! New ids, of 128 random bits, and new tokens.

use dibber_skill::contract::{Id, IdForm, IdKind};
use dibber_text::hex;

/// Returns a new id of a kind: a UUID of version 4 (RFC 9562), or the first prefix of the kind and 32
/// hexadecimal digits.
pub(super) fn new<K: IdKind>() -> Id<K> {
    Id::from(match K::FORM {
        IdForm::Prefixed(prefixes) => with_prefix(prefixes[0], &random::<16>()),
        IdForm::Uuid => uuid::Builder::from_random_bytes(random()).into_uuid().to_string(),
    })
}

/// Returns a new token: `dib_` and 64 hexadecimal digits.
pub(super) fn token() -> String {
    with_prefix("dib_", &random::<32>())
}

/// Returns the id of this process among the servers of a store: `proc_` and 32 hexadecimal digits.
pub(super) fn instance() -> String {
    with_prefix("proc_", &random::<16>())
}

/// Returns the id of a directory with the files of blobs: `blobs_` and 32 hexadecimal digits.
pub(super) fn blob_directory() -> String {
    with_prefix("blobs_", &random::<16>())
}

/// Returns the id of a new grant: `grant_` and 32 hexadecimal digits.
pub(super) fn grant() -> String {
    with_prefix("grant_", &random::<16>())
}

/// Returns 32 random hexadecimal digits.
pub(super) fn random_digits() -> String {
    hex(random::<16>())
}

fn with_prefix(prefix: &str, bytes: &[u8]) -> String {
    format!("{prefix}{}", hex(bytes))
}

/// Returns bytes of the system's random number generator.
pub(super) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has random bytes");
    bytes
}
