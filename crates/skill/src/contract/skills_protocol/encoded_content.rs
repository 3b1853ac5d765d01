//! Contents as they are written in JSON: text as it is, and other bytes in base64.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::blobs::Encoding;

/// A content as it is written in JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedContent {
    /// The string.
    pub content: String,
    /// How it is written.
    pub encoding: Encoding,
}

/// A content is not what its encoding says: UTF-8, or base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidContent(Encoding);

impl fmt::Display for InvalidContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Encoding::Utf8 => "the content is not UTF-8",
            Encoding::Base64 => "the content is not valid base64",
        })
    }
}

impl std::error::Error for InvalidContent {}

impl EncodedContent {
    /// Encodes bytes: as text if they are UTF-8.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(content) => Self { content, encoding: Encoding::Utf8 },
            Err(error) => {
                Self { content: BASE64.encode(error.as_bytes()), encoding: Encoding::Base64 }
            }
        }
    }

    /// Encodes bytes in a given encoding.
    ///
    /// # Errors
    /// If they are not UTF-8, and have to be.
    pub fn with_encoding(bytes: Vec<u8>, encoding: Encoding) -> Result<Self, InvalidContent> {
        let content = match encoding {
            Encoding::Utf8 => String::from_utf8(bytes).map_err(|_| InvalidContent(encoding))?,
            Encoding::Base64 => BASE64.encode(bytes),
        };
        Ok(Self { content, encoding })
    }

    /// Returns the bytes.
    ///
    /// # Errors
    /// If they are not base64, and have to be.
    pub fn into_bytes(self) -> Result<Vec<u8>, InvalidContent> {
        match self.encoding {
            Encoding::Utf8 => Ok(self.content.into_bytes()),
            Encoding::Base64 => {
                BASE64.decode(self.content.trim_ascii()).map_err(|_| InvalidContent(self.encoding))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        for (bytes, content, encoding) in
            [(&b"\xC3\xA9\0"[..], "é\0", Encoding::Utf8), (&b"\xC3"[..], "ww==", Encoding::Base64)]
        {
            let encoded = EncodedContent::from_bytes(bytes.to_vec());
            assert_eq!(encoded, EncodedContent { content: content.to_owned(), encoding });
            assert_eq!(
                EncodedContent::with_encoding(bytes.to_vec(), encoding),
                Ok(encoded.clone())
            );
            assert_eq!(encoded.into_bytes(), Ok(bytes.to_vec()));
        }
        let invalid = EncodedContent::with_encoding(vec![0xC3], Encoding::Utf8);
        assert_eq!(invalid, Err(InvalidContent(Encoding::Utf8)));
        let content = "w".to_owned();
        let encoded = EncodedContent { content, encoding: Encoding::Base64 };
        assert_eq!(encoded.into_bytes(), Err(InvalidContent(Encoding::Base64)));
    }
}
