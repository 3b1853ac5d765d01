//! Storing files as blobs.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::mime;
use super::rpc_session::{Purpose, RpcSession};
use crate::cli::error::CommandError;
use crate::cli::output::STANDARD_STREAM;
use dibber_client::skills_protocol::EncodedContent;
use dibber_skill::contract::skills_protocol::{BlobCreated, CreateBlob, Encoding};
use dibber_text::{Message, message, quote_path};

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
        let is_standard_input = path.as_os_str() == STANDARD_STREAM;
        let shown =
            if is_standard_input { Message::from("standard input") } else { quote_path(path) };
        let read = if is_standard_input {
            limited(io::stdin().lock())
        } else {
            File::open(path).and_then(limited)
        };
        let bytes =
            read.map_err(|error| CommandError::io(message!["cannot read ", shown.clone()], error))?;
        if bytes.len() as u64 > MEBIBYTES_MAX << 20 {
            let message = message![shown, " is larger than ", MEBIBYTES_MAX, " MiB"];
            return Err(CommandError::new(message).help("a server has a limit of its own, too"));
        }
        let is_text = std::str::from_utf8(&bytes).is_ok();
        let path = (!is_standard_input).then_some(path);
        let mime = mime.unwrap_or_else(|| mime::of_file(path, is_text).to_owned());
        Ok(Self { bytes, mime })
    }

    pub(super) const fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Stores it. Text is sent as it is, and everything else in base64.
    pub(super) fn store(self, session: &RpcSession) -> Result<BlobCreated, CommandError> {
        let EncodedContent { content, encoding } = EncodedContent::of(self.bytes);
        // Servers that know only text have no encodings.
        let encoding = (encoding != Encoding::Utf8).then_some(encoding);
        let call = CreateBlob { content, mime: self.mime, encoding };
        session.wait(Purpose::Store, session.client.create_blob(&call))
    }
}

/// Reads one byte more than the limit, which shows that there is more.
fn limited(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take((MEBIBYTES_MAX << 20) + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
