//! Decoding contents part by part.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use dibber_skill::contract::skills_protocol::Encoding;

/// The characters that are decoded at once; a multiple of four.
const CHARACTERS: usize = 64 << 10;

/// Base64 in the middle of a content, which has no padding.
const MIDDLE: GeneralPurpose = engine(DecodePaddingMode::RequireNone);

/// The last characters of a content, with their padding or without.
const END: GeneralPurpose = engine(DecodePaddingMode::Indifferent);

const fn engine(padding: DecodePaddingMode) -> GeneralPurpose {
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(padding);
    GeneralPurpose::new(&STANDARD, config)
}

/// A content is not base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NotBase64;

/// Decodes a content that arrives in parts.
#[derive(Debug)]
pub(super) struct Decoder {
    encoding: Encoding,
    /// The last characters, up to four: they may be the end.
    last: Vec<u8>,
    decoded: Vec<u8>,
}

impl Decoder {
    pub(super) const fn new(encoding: Encoding) -> Self {
        Self { encoding, last: Vec::new(), decoded: Vec::new() }
    }

    /// Decodes a part, and passes on what is known by now.
    pub(super) fn add<E: From<NotBase64>>(
        &mut self,
        mut part: &[u8],
        mut pass: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.encoding == Encoding::Utf8 {
            return pass(part);
        }
        if !self.last.is_empty() {
            let missing = part.len().min(4 - self.last.len());
            let (first, rest) = part.split_at(missing);
            self.last.extend_from_slice(first);
            part = rest;
            if part.is_empty() {
                return Ok(());
            }
            let last = std::mem::take(&mut self.last);
            pass(self.decode(&last, &MIDDLE)?)?;
        }
        let middle = part.len().saturating_sub(1) / 4 * 4;
        let (middle, last) = part.split_at(middle);
        for characters in middle.chunks(CHARACTERS) {
            pass(self.decode(characters, &MIDDLE)?)?;
        }
        self.last.extend_from_slice(last);
        Ok(())
    }

    /// Decodes the end.
    pub(super) fn finish(&mut self) -> Result<&[u8], NotBase64> {
        let last = std::mem::take(&mut self.last);
        self.decode(&last, &END)
    }

    fn decode(&mut self, characters: &[u8], engine: &GeneralPurpose) -> Result<&[u8], NotBase64> {
        self.decoded.clear();
        engine.decode_vec(characters, &mut self.decoded).map_err(|_| NotBase64)?;
        Ok(&self.decoded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(text: &str, part: usize) -> Result<Vec<u8>, NotBase64> {
        let mut decoder = Decoder::new(Encoding::Base64);
        let mut whole = Vec::new();
        for characters in text.as_bytes().chunks(part) {
            decoder.add(characters, |bytes| {
                whole.extend_from_slice(bytes);
                Ok::<_, NotBase64>(())
            })?;
        }
        whole.extend_from_slice(decoder.finish()?);
        Ok(whole)
    }

    #[test]
    fn the_parts_are_decoded_as_the_whole() {
        let end = |bytes: &[u8]| (END.decode(bytes)).map_err(|_| NotBase64);
        for text in ["", "YQ==", "YQ", "YWI=", "YWJj", "YWJjZGVmZw==", "YWJjZGVmZ2g", "+/+/"] {
            let whole = end(text.as_bytes()).expect("base64");
            for part in 1..=text.len().max(1) {
                assert_eq!(decode(text, part).as_ref(), Ok(&whole), "{text} {part}");
            }
        }
        for text in ["Y", "YQ=a", "YQ==YQ==", "Y Q=", "YQ==\n", "-_-_", "YWJjZ", "===="] {
            for part in 1..=text.len() {
                assert_eq!(decode(text, part), Err(NotBase64), "{text} {part}");
            }
        }
    }
}
