//! `read_blob`.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

use super::cut::{head_end, tail_start};
use super::handle::{BlobOwner, Blobs, blocking};
use super::refusal;
use crate::store::{Blob, BlobPlace};
use dibber_skill::contract::skills_protocol::{
    BlobContent, BlobMode, EncodedContent, Encoding, READ_BLOB_BYTES_DEFAULT, ReadBlob, RpcError,
};

/// The most bytes of a content that is also answered as `preview` (64 KiB).
const PREVIEW_BYTES_MAX: usize = 64 << 10;

/// A blob that can be read.
pub struct OpenedBlob {
    /// The id.
    pub blob_id: String,
    /// The MIME type.
    pub mime: String,
    /// How the content is written in JSON.
    pub encoding: Encoding,
    /// The size of the content.
    pub size_bytes: u64,
    /// The content, decoded. Reading it may block.
    pub reader: BlobReader,
}

/// The content of a blob.
pub struct BlobReader(Source);

/// The paths of parameters in issues.
const OFFSET: &str = "/offset";
const BLOB_ID: &str = "/blob_id";

/// Which part of a blob is read.
#[derive(Clone, Copy)]
struct Part {
    mode: BlobMode,
    bytes_max: u64,
    offset: Option<u64>,
}

enum Source {
    Row(Cursor<Vec<u8>>),
    File(File),
}

impl Blobs {
    /// Returns a blob, or a part of it. A part of a string ends between two characters, so that the next
    /// part begins at the offset of this one and its length.
    ///
    /// # Errors
    /// If the owner has no such blob any more, or its content has no part that begins at the offset.
    pub async fn read(&self, owner: &BlobOwner, call: &ReadBlob) -> Result<BlobContent, RpcError> {
        let mode = call.mode.unwrap_or_default();
        let bytes_max = match mode {
            BlobMode::Full => call.max_bytes.unwrap_or(u64::MAX),
            _ => call.max_bytes.unwrap_or(READ_BLOB_BYTES_DEFAULT),
        };
        let part =
            Part { mode, bytes_max: bytes_max.min(self.limits.answer_bytes), offset: call.offset };
        if mode == BlobMode::SampleTail && part.offset.is_some() {
            let help = "use the mode `full` or `sample_head`, or leave `offset` out";
            return Err(refusal::invalid_parameter(OFFSET, "`sample_tail` has no `offset`", help));
        }
        let opened = self.open_blob(owner, &call.blob_id).await?;
        blocking(move || opened.into_content(part)).await
    }

    /// Opens a blob for reading.
    ///
    /// # Errors
    /// If the owner has no such blob any more.
    pub async fn open_blob(&self, owner: &BlobOwner, id: &str) -> Result<OpenedBlob, RpcError> {
        let blob = self.find(owner, id, BLOB_ID).await?;
        let blobs = self.clone();
        blocking(move || blobs.open_content(blob)).await
    }

    fn open_content(&self, blob: Blob) -> Result<OpenedBlob, RpcError> {
        let source = match blob.place {
            BlobPlace::Row(content) => {
                Source::Row(Cursor::new(decode_row(content, blob.encoding)?))
            }
            BlobPlace::Directory(directory) => {
                // The file of another directory is on another machine, or was not copied.
                let is_own = directory == self.directory.id;
                let file = is_own.then(|| self.directory.open_file(&blob.id));
                let file = file.transpose().map_err(refusal::internal)?.flatten();
                let file =
                    file.ok_or_else(|| refusal::not_found(&blob.id, self.limits.lifetime))?;
                Source::File(file)
            }
        };
        Ok(OpenedBlob {
            blob_id: blob.id.into(),
            mime: blob.mime,
            encoding: blob.encoding,
            size_bytes: blob.size_bytes,
            reader: BlobReader(source),
        })
    }
}

/// Returns the content of a row.
pub(super) fn decode_row(content: String, encoding: Encoding) -> Result<Vec<u8>, RpcError> {
    EncodedContent { content, encoding }.into_bytes().map_err(refusal::internal)
}

impl OpenedBlob {
    fn into_content(mut self, part: Part) -> Result<BlobContent, RpcError> {
        let offset = part.offset.unwrap_or(0);
        self.check_offset(offset)?;
        let bytes = self.read_part(part).map_err(refusal::internal)?;
        let truncated = offset + (bytes.len() as u64) < self.size_bytes;
        let encoded = EncodedContent::with_encoding(bytes, self.encoding);
        let content = encoded.map_err(refusal::internal)?.content;
        Ok(BlobContent {
            blob_id: self.blob_id,
            mime: Some(self.mime),
            mode: Some(part.mode),
            // A large content twice would be more than an answer may have.
            preview: (content.len() <= PREVIEW_BYTES_MAX).then(|| content.clone()),
            content,
            encoding: self.encoding,
            size_bytes: Some(self.size_bytes),
            truncated,
            warnings: Vec::new(),
        })
    }

    /// Refuses an offset after the end, or in a character.
    fn check_offset(&mut self, offset: u64) -> Result<(), RpcError> {
        if offset > self.size_bytes {
            let message =
                format!("`offset` is {offset}, and the blob has {} bytes", self.size_bytes);
            let help = "send at most the size of the blob";
            return Err(refusal::invalid_parameter(OFFSET, &message, help));
        }
        if self.encoding == Encoding::Utf8 && offset > 0 {
            let mut next = Vec::new();
            let read = self.reader.seek(SeekFrom::Start(offset));
            let read = read.and_then(|_| self.reader.by_ref().take(1).read_to_end(&mut next));
            read.map_err(refusal::internal)?;
            if tail_start(&next) > 0 {
                let message = format!("`offset` is {offset}, which is in a character");
                let help = "add the bytes of the previous `content` in UTF-8 to its offset";
                return Err(refusal::invalid_parameter(OFFSET, &message, help));
            }
        }
        Ok(())
    }

    /// Reads a part, whose offset is checked.
    fn read_part(&mut self, part: Part) -> io::Result<Vec<u8>> {
        let is_text = self.encoding == Encoding::Utf8;
        let offset = part.offset.unwrap_or(0);
        let length = part.bytes_max.min(self.size_bytes - offset);
        let mut bytes = Vec::new();
        if part.mode == BlobMode::SampleTail {
            self.reader.seek(SeekFrom::Start(self.size_bytes - length))?;
            self.reader.by_ref().take(length).read_to_end(&mut bytes)?;
            if is_text {
                bytes.drain(..tail_start(&bytes));
            }
            return Ok(bytes);
        }
        self.reader.seek(SeekFrom::Start(offset))?;
        // One byte more, which shows whether a character ends before it.
        self.reader.by_ref().take(length + 1).read_to_end(&mut bytes)?;
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        bytes.truncate(if is_text { head_end(&bytes, length) } else { length });
        Ok(bytes)
    }
}

impl Read for BlobReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Source::Row(content) => content.read(buffer),
            Source::File(file) => file.read(buffer),
        }
    }
}

impl Seek for BlobReader {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        match &mut self.0 {
            Source::Row(content) => content.seek(position),
            Source::File(file) => file.seek(position),
        }
    }
}
