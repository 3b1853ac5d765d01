//! A short hash in a name, which tells apart what the name does not show.

use dibber_text::hex;
use sha2::{Digest, Sha256};

/// The number of its digits.
const HASH_DIGITS: usize = 6;

/// Returns the first hexadecimal digits of the SHA-256 of these bytes.
pub(super) fn short_hash(bytes: impl AsRef<[u8]>) -> String {
    let mut digits = hex(Sha256::digest(bytes));
    digits.truncate(HASH_DIGITS);
    digits
}
