//! Bytes as hexadecimal digits.

/// Returns two lowercase hexadecimal digits for each byte.
pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.as_ref().iter().flat_map(|byte| [byte >> 4, byte & 0x0F]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}
