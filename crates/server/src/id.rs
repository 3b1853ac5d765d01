//! New ids, of 128 random bits, and new tokens.

use dibber_text::hex;

/// Returns a new id: `sk_` and 32 hexadecimal digits.
pub(super) fn new(prefix: &str) -> String {
    with_prefix(prefix, &random::<16>())
}

/// Returns a new token: `dib_` and 64 hexadecimal digits.
pub(super) fn token() -> String {
    with_prefix("dib", &random::<32>())
}

fn with_prefix(prefix: &str, bytes: &[u8]) -> String {
    format!("{prefix}_{}", hex(bytes))
}

/// Returns a new UUID of version 4 (RFC 9562).
pub(super) fn uuid() -> String {
    uuid::Builder::from_random_bytes(random()).into_uuid().to_string()
}

/// Returns bytes of the system's random number generator.
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has random bytes");
    bytes
}
