//! Storing files as blobs.

use std::path::Path;

use super::mime;
use super::rpc_session::{Purpose, RpcSession};
use crate::cli::bounded_input::{is_standard_input, read_bounded};
use crate::cli::error::CommandError;
use dibber_skill::contract::skills_protocol::{BlobCreated, CreateBlob, EncodedContent, Encoding};

/// The most MiB of a file that is sent.
const MEBIBYTES_MAX: u64 = 256;

/// A file that is to be stored.
pub(super) struct BlobFile {
    bytes: Vec<u8>,
    /// The MIME type.
    pub(super) mime: String,
}

impl BlobFile {
    /// Reads a file, or standard input for `-`. Without a type, its extension decides.
    pub(super) fn read(path: &Path, mime: Option<String>) -> Result<Self, CommandError> {
        let bytes = read_bounded(path, MEBIBYTES_MAX, "a server has a limit of its own, too")?;
        let is_text = std::str::from_utf8(&bytes).is_ok();
        let path = (!is_standard_input(path)).then_some(path);
        let mime = mime.unwrap_or_else(|| mime::of_file(path, is_text).to_owned());
        Ok(Self { bytes, mime })
    }

    pub(super) const fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Stores it. Text is sent as it is, and everything else in base64.
    pub(super) fn store(self, session: &RpcSession) -> Result<BlobCreated, CommandError> {
        let EncodedContent { content, encoding } = EncodedContent::from_bytes(self.bytes);
        // Servers that know only text have no encodings.
        let encoding = (encoding != Encoding::Utf8).then_some(encoding);
        let call = CreateBlob { content, mime: self.mime, encoding };
        session.wait(Purpose::Store, session.client.create_blob(&call))
    }
}
