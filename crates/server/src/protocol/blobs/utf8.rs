//! Checking for UTF-8, part by part.

use std::str::from_utf8;

/// A check of bytes that arrive in parts, which may end within a character.
#[derive(Debug, Default)]
pub(super) struct Utf8Check {
    /// The beginning of a character, up to three bytes.
    begun: Vec<u8>,
    is_invalid: bool,
}

impl Utf8Check {
    /// Adds a part.
    pub(super) fn add(&mut self, mut part: &[u8]) {
        while !self.is_invalid
            && !self.begun.is_empty()
            && let Some((byte, rest)) = part.split_first()
        {
            self.begun.push(*byte);
            part = rest;
            match from_utf8(&self.begun) {
                Ok(_) => self.begun.clear(),
                Err(error) => self.is_invalid = error.error_len().is_some(),
            }
        }
        if self.is_invalid {
            return;
        }
        if let Err(error) = from_utf8(part) {
            self.is_invalid = error.error_len().is_some();
            self.begun.extend_from_slice(&part[error.valid_up_to()..]);
        }
    }

    /// Returns `true` if all parts together are UTF-8.
    pub(super) fn is_valid(&self) -> bool {
        !self.is_invalid && self.begun.is_empty()
    }

    /// Returns `true` if the parts are not UTF-8, whatever follows.
    pub(super) const fn is_invalid(&self) -> bool {
        self.is_invalid
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_are_judged_as_the_whole() {
        let whole = [
            "aé€🌱".as_bytes().to_vec(),
            vec![0xff],
            vec![b'a', 0xe2, 0x82],
            vec![0xe2, 0x28, 0xa1],
            vec![0xf0, 0x9f, 0x8c, 0xb1, 0xf0, 0x9f],
            vec![0xed, 0xa0, 0x80],
        ];
        for bytes in whole {
            for first in 0..=bytes.len() {
                for second in first..=bytes.len() {
                    let mut check = Utf8Check::default();
                    check.add(&bytes[..first]);
                    check.add(&bytes[first..second]);
                    check.add(&bytes[second..]);
                    let expected = from_utf8(&bytes).is_ok();
                    assert_eq!(check.is_valid(), expected, "{bytes:?} {first} {second}");
                }
            }
        }
    }
}
