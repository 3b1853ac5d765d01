//! A content as it is written in JSON: text as it is, and other bytes in base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;

use dibber_skill::contract::skills_protocol::Encoding;

/// A content as it is written in JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedContent {
    /// The string.
    pub content: String,
    /// How it is written.
    pub encoding: Encoding,
}

impl EncodedContent {
    /// Writes bytes.
    pub fn of(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(content) => Self { content, encoding: Encoding::Utf8 },
            Err(error) => {
                Self { content: BASE64.encode(error.as_bytes()), encoding: Encoding::Base64 }
            }
        }
    }

    /// Returns the bytes; none if they are not valid base64.
    pub(super) fn into_bytes(self) -> Option<Vec<u8>> {
        match self.encoding {
            Encoding::Utf8 => Some(self.content.into_bytes()),
            Encoding::Base64 => BASE64.decode(self.content.trim_ascii()).ok(),
        }
    }
}
