//! Checksums and encodings that show whether a token or key is complete.

use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{Engine, alphabet};

/// Returns `true` if the last 6 of 36 characters are the checksum of the first 30: CRC-32 in
/// base62, as in the tokens of GitHub since 2021.
pub(super) fn has_valid_checksum(body: &str) -> bool {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let Some((random, checksum)) = body.split_at_checked(30) else { return false };
    let mut left = crc32(random.as_bytes());
    let is_digit = |digit: u8| {
        let expected = DIGITS[(left % 62) as usize];
        left /= 62;
        digit == expected
    };
    checksum.bytes().rev().all(is_digit)
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            // 0xEDB88320 is the bit-reversed polynomial of CRC-32 (ITU-T V.42).
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

/// Padding may be missing, and unused bits are ignored, as in most decoders of tokens and keys.
const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
/// The alphabet of keys in PEM.
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
/// The alphabet of web tokens.
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

/// Decodes a part of a web token that is text.
pub(super) fn decode_token_part(base64: &str) -> Option<String> {
    String::from_utf8(URL_SAFE.decode(base64).ok()?).ok()
}

/// Returns `true` if the base64 of a private key is complete: a DER sequence begins with its length,
/// and an OpenSSH key with a magic string.
pub(super) fn is_complete_private_key(base64: &str) -> bool {
    let Ok(bytes) = STANDARD.decode(base64) else { return false };
    let rest = bytes.len();
    match *bytes.as_slice() {
        [0x30, 0x82, high, low, ..] => rest == 4 + usize::from(high) * 256 + usize::from(low),
        [0x30, 0x81, length, ..] => rest == 3 + usize::from(length),
        [0x30, length, ..] if length < 0x80 => rest == 2 + usize::from(length),
        _ => bytes.starts_with(b"openssh-key-v1\0") && rest > 200,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_real_tokens() {
        let (random, checksum) = ("zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17");
        assert!(has_valid_checksum(&format!("{random}{checksum}")));
        assert!(!has_valid_checksum(&format!("{random}0mLq18")));
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn token_parts_are_decoded() {
        assert_eq!(decode_token_part("c2tpbGw=").as_deref(), Some("skill"));
        assert_eq!(decode_token_part("c2tpbGw").as_deref(), Some("skill"));
        assert_eq!(decode_token_part("Pz8_").as_deref(), Some("???"));
        assert_eq!(decode_token_part("a b"), None);
    }
}
