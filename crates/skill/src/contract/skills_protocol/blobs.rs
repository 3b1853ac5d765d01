//! Large contents beside the calls.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::wire_enum::WireEnum;

/// What the id of a blob begins with. Files below `/blobs` are named by what follows.
pub const BLOB_PREFIX: &str = "blob:";

/// The most bytes of a sample when a call names no limit.
pub const READ_BLOB_BYTES_DEFAULT: u64 = 2000;

/// How a content is written in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Encoding {
    /// As it is.
    #[default]
    #[serde(rename = "utf-8")]
    Utf8,
    /// In base64 (RFC 4648, section 4).
    #[serde(rename = "base64")]
    Base64,
}

impl WireEnum for Encoding {}

/// The parameters of `create_blob`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreateBlob {
    /// The content.
    pub content: String,
    /// The MIME type, such as `text/plain`.
    #[serde(rename = "kind")]
    pub mime: String,
    /// How the content is written; `utf-8` if it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<Encoding>,
}

/// The result of `create_blob`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlobCreated {
    /// The id, which begins with `blob:`.
    pub blob_id: String,
    /// The size of the content, decoded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// What was ignored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Which part of a blob is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BlobMode {
    /// Its beginning.
    #[default]
    SampleHead,
    /// Its end.
    SampleTail,
    /// All of it.
    Full,
}

impl WireEnum for BlobMode {}

/// The parameters of `read_blob`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadBlob {
    /// The id of the blob.
    pub blob_id: String,
    /// Which part is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<BlobMode>,
    /// The most bytes; [`READ_BLOB_BYTES_DEFAULT`] for samples, no limit of its own for `full`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
    /// The bytes to skip, for reading a large blob in several calls. Not with `sample_tail`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
}

/// The result of `read_blob`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlobContent {
    /// The id of the blob.
    pub blob_id: String,
    /// The MIME type.
    #[serde(rename = "kind", default, skip_serializing_if = "Option::is_none")]
    pub mime: Option<String>,
    /// Which part was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<BlobMode>,
    /// The content, or the part of it.
    #[serde(default)]
    pub content: String,
    /// How the content is written.
    #[serde(default)]
    pub encoding: Encoding,
    /// The size of the whole blob.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// Whether there is more than `content`: after it, if the call had an offset.
    #[serde(default)]
    pub truncated: bool,
    /// The content once more, for clients that read it here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// What was ignored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}
