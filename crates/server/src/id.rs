//! New ids, of 128 bits of chance, and new tokens.

use std::fmt::Write;

use dibber_text::hex;

/// A new id: `sk_` and 32 hexadecimal digits.
pub(super) fn new(prefix: &str) -> String {
    with_prefix(prefix, &random::<16>())
}

/// A new token: `dib_` and 64 hexadecimal digits.
pub(super) fn token() -> String {
    with_prefix("dib", &random::<32>())
}

fn with_prefix(prefix: &str, bytes: &[u8]) -> String {
    format!("{prefix}_{}", hex(bytes))
}

/// A new UUID of version 4 (RFC 9562).
pub(super) fn uuid() -> String {
    let mut bytes = random::<16>();
    bytes[6] = bytes[6] & 0x0F | 0x40;
    bytes[8] = bytes[8] & 0x3F | 0x80;
    let mut id = String::new();
    for (index, byte) in bytes.iter().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            id.push('-');
        }
        write!(id, "{byte:02x}").expect("a text takes everything");
    }
    id
}

/// Bytes that nobody can guess.
pub(super) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}
