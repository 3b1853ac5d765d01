//! What a server sends for people and models: the blocks of a tool's result or of a prompt, and the
//! contents of a resource. A block that is not understood is kept and does not hide the others.

use std::fmt;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::Value;

/// Standard base64, with or without padding: servers send both.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// One block of content.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Content<'a> {
    /// Text.
    Text(&'a str),
    /// Bytes: an image, audio, or the contents of a resource.
    Blob(Blob<'a>),
    /// The contents of a resource that is text.
    ResourceText {
        /// Its URI.
        uri: &'a str,
        /// The text.
        text: &'a str,
    },
    /// A resource that can be read from the server.
    Link(ResourceLink<'a>),
    /// A block of another kind, or one that is malformed.
    Unknown(&'a Value),
}

/// Bytes, encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blob<'a> {
    /// What it is.
    pub kind: BlobKind,
    /// Its MIME type, as the server names it.
    pub mime_type: Option<&'a str>,
    /// The URI of the resource whose contents it is.
    pub uri: Option<&'a str>,
    data: &'a str,
}

/// What bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlobKind {
    /// An image.
    Image,
    /// Audio.
    Audio,
    /// The contents of a resource.
    Resource,
}

/// A reference to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceLink<'a> {
    /// Its URI.
    pub uri: &'a str,
    /// Its name.
    pub name: Option<&'a str>,
    /// What it is.
    pub description: Option<&'a str>,
    /// Its MIME type.
    pub mime_type: Option<&'a str>,
}

/// The data of a block is not base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotBase64;

impl<'a> Content<'a> {
    /// Parses a block of a tool's result or of a prompt.
    pub fn parse(block: &'a Value) -> Self {
        Self::known(block).unwrap_or(Self::Unknown(block))
    }

    /// Parses an item of the contents of a resource.
    pub fn parse_resource(contents: &'a Value) -> Self {
        Self::contents(contents).unwrap_or(Self::Unknown(contents))
    }

    fn known(block: &'a Value) -> Option<Self> {
        let blob = |kind| {
            let (data, mime_type) = (string(block, "data")?, string(block, "mimeType"));
            Some(Self::Blob(Blob { kind, mime_type, uri: None, data }))
        };
        match string(block, "type")? {
            "text" => Some(Self::Text(string(block, "text")?)),
            "image" => blob(BlobKind::Image),
            "audio" => blob(BlobKind::Audio),
            "resource" => Self::contents(block.get("resource")?),
            "resource_link" => Some(Self::Link(ResourceLink {
                uri: string(block, "uri")?,
                name: string(block, "title").or_else(|| string(block, "name")),
                description: string(block, "description"),
                mime_type: string(block, "mimeType"),
            })),
            _ => None,
        }
    }

    fn contents(contents: &'a Value) -> Option<Self> {
        let uri = string(contents, "uri")?;
        if let Some(text) = string(contents, "text") {
            return Some(Self::ResourceText { uri, text });
        }
        let (data, mime_type) = (string(contents, "blob")?, string(contents, "mimeType"));
        Some(Self::Blob(Blob { kind: BlobKind::Resource, mime_type, uri: Some(uri), data }))
    }
}

impl Blob<'_> {
    /// Decodes the bytes.
    pub fn decode(&self) -> Result<Vec<u8>, NotBase64> {
        BASE64.decode(self.data).map_err(|_| NotBase64)
    }
}

impl fmt::Display for NotBase64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("its data is not base64")
    }
}

impl std::error::Error for NotBase64 {}

fn string<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}
