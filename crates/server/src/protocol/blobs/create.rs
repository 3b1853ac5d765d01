//! `create_blob`, and outputs of runs that are too large for an answer.

use std::io::{self, Write as _};
use std::mem;
use std::sync::Arc;

use tempfile::NamedTempFile;

use super::decoder::{Decoder, NotBase64};
use super::directory::BlobDirectory;
use super::handle::{BlobOwner, Blobs, blocking};
use super::refusal;
use super::utf8::Utf8Check;
use crate::id;
use crate::store::{Blob, BlobPlace, BlobUsage, StoreExt};
use dibber_skill::contract::skills_protocol::{
    BlobCreated, CreateBlob, EncodedContent, Encoding, Mime, RpcError,
};

/// A blob that is being created. Nothing remains of it unless it is finished. Everything here blocks
/// its thread.
pub struct NewBlob {
    blobs: Blobs,
    owner: BlobOwner,
    mime: Mime,
    encoding: Encoding,
    decoder: Decoder,
    content: NewContent,
}

/// The content as it arrives, decoded.
struct NewContent {
    directory: Arc<BlobDirectory>,
    size_bytes: u64,
    utf8: Utf8Check,
    place: NewPlace,
    row_bytes_max: u64,
    bytes_max: u64,
    /// The refusal of a content that is larger.
    refusal: RpcError,
}

/// How large the next blob of an owner may be.
pub(in crate::protocol) struct BlobRoom {
    /// The most bytes.
    pub(in crate::protocol) bytes_max: u64,
    /// The refusal of a larger one.
    pub(in crate::protocol) refusal: RpcError,
}

enum NewPlace {
    Memory(Vec<u8>),
    File(NamedTempFile),
}

/// Why a part was not added.
enum AddError {
    NotBase64,
    TooLarge,
    Io(io::Error),
}

impl Blobs {
    /// Stores a content.
    ///
    /// # Errors
    /// If its MIME type or its encoding is not valid, or it is too large, or the owner has too many
    /// blobs already.
    pub async fn create(
        &self,
        owner: &BlobOwner,
        call: CreateBlob,
    ) -> Result<BlobCreated, RpcError> {
        let (blobs, owner) = (self.clone(), owner.clone());
        blocking(move || {
            let mut blob = blobs.begin(owner, &call.mime, call.encoding.unwrap_or_default())?;
            blob.write(call.content.as_bytes())?;
            blob.finish()
        })
        .await
    }

    /// Stores a string, and returns the id of its blob.
    ///
    /// # Errors
    /// The same as for [`create`](Self::create).
    pub async fn store_output(
        &self,
        owner: &BlobOwner,
        mime: &str,
        content: String,
    ) -> Result<String, RpcError> {
        let call = CreateBlob { content, mime: mime.to_owned(), encoding: None };
        Ok(self.create(owner, call).await?.blob_id)
    }

    /// Begins a blob whose content arrives in parts. This blocks its thread.
    ///
    /// # Errors
    /// If its MIME type is not valid, or the owner has too many blobs already.
    pub fn begin(
        &self,
        owner: BlobOwner,
        mime: &str,
        encoding: Encoding,
    ) -> Result<NewBlob, RpcError> {
        let mime = mime.parse().map_err(|_| {
            let help = "write a type and a subtype of at most 255 bytes, as in `text/plain`";
            refusal::invalid_parameter("/kind", "`kind` is not a MIME type", help)
        })?;
        let BlobRoom { bytes_max, refusal } = self.room(&owner)?;
        let content = NewContent {
            directory: Arc::clone(&self.directory),
            size_bytes: 0,
            utf8: Utf8Check::default(),
            place: NewPlace::Memory(Vec::new()),
            row_bytes_max: self.limits.row_bytes,
            bytes_max,
            refusal,
        };
        let decoder = Decoder::new(encoding);
        Ok(NewBlob { blobs: self.clone(), owner, mime, encoding, decoder, content })
    }

    /// Returns how large the next blob of an owner may be. This blocks its thread.
    ///
    /// # Errors
    /// If the owner has too many blobs already.
    pub(in crate::protocol) fn room(&self, owner: &BlobOwner) -> Result<BlobRoom, RpcError> {
        let (counted, since) = (owner.clone(), self.used_since());
        let usage: Result<BlobUsage, RpcError> = self.server.store().read_blocking(move |store| {
            Ok(store.blob_usage(&counted.family, &counted.key, since)?)
        });
        let usage = usage?;
        self.check_quota(usage, 0)?;
        let free = self.limits.owner_bytes.saturating_sub(usage.bytes);
        Ok(if free < self.limits.blob_bytes {
            BlobRoom { bytes_max: free, refusal: self.too_much() }
        } else {
            let refusal = refusal::too_large(self.limits.blob_bytes);
            BlobRoom { bytes_max: self.limits.blob_bytes, refusal }
        })
    }

    /// Returns an error if an owner may not have another blob of a size.
    fn check_quota(&self, usage: BlobUsage, size_bytes: u64) -> Result<(), RpcError> {
        if usage.count >= self.limits.owner_blobs {
            return Err(refusal::too_many(self.limits.owner_blobs, self.limits.lifetime));
        }
        if usage.bytes.saturating_add(size_bytes) > self.limits.owner_bytes {
            return Err(self.too_much());
        }
        Ok(())
    }

    fn too_much(&self) -> RpcError {
        refusal::too_much(self.limits.owner_bytes, self.limits.lifetime)
    }

    /// Records a blob, if the owner may have it.
    fn record(&self, owner: BlobOwner, blob: Blob) -> Result<(), RpcError> {
        let (blobs, since) = (self.clone(), self.used_since());
        self.server.store().write_blocking(move |store| {
            let usage = store.blob_usage(&owner.family, &owner.key, since)?;
            blobs.check_quota(usage, blob.size_bytes)?;
            Ok(store.add_blob(&owner.family, &blob)?)
        })
    }
}

impl NewBlob {
    /// Adds a part of the content, as it is written in its encoding. It may end within a character.
    ///
    /// # Errors
    /// If the content is not in its encoding, or too large. The blob cannot be finished then.
    pub fn write(&mut self, part: &[u8]) -> Result<(), RpcError> {
        let content = &mut self.content;
        let added = self.decoder.add(part, |decoded| content.add(decoded));
        added.map_err(|error| error.into_refusal(&self.content))
    }

    /// Ends the content, and stores it.
    ///
    /// # Errors
    /// If the content is not in its encoding, or the owner has too many blobs by now.
    pub fn finish(mut self) -> Result<BlobCreated, RpcError> {
        let content = &mut self.content;
        let end = self.decoder.finish().map_err(AddError::from);
        let added = end.and_then(|end| content.add(end));
        added.map_err(|error| error.into_refusal(&self.content))?;
        let Self { blobs, owner, mime, encoding, content, .. } = self;
        let is_utf8 = content.utf8.is_valid();
        if encoding == Encoding::Utf8 && !is_utf8 {
            let help = "encode it in base64, with `encoding: \"base64\"`";
            return Err(refusal::invalid_parameter("/content", "`content` is not UTF-8", help));
        }
        let is_text = is_utf8 && (encoding == Encoding::Utf8 || mime.is_text);
        let encoding = if is_text { Encoding::Utf8 } else { Encoding::Base64 };
        let size_bytes = content.size_bytes;
        let (id, now) = (id::new(), blobs.now());
        let blob_id = String::from(id.clone());
        let blob = |place| Blob {
            id: id.clone(),
            owner: owner.key.clone(),
            mime: mime.written,
            encoding,
            size_bytes,
            place,
            created_at: now,
            used_at: now,
        };
        match content.place {
            NewPlace::Memory(bytes) => {
                let encoded = EncodedContent::with_encoding(bytes, encoding);
                let content = encoded.map_err(refusal::internal)?.content;
                blobs.record(owner.clone(), blob(BlobPlace::Row(content)))?;
            }
            NewPlace::File(file) => {
                let directory = BlobPlace::Directory(blobs.directory.id.clone());
                let placed = blobs.directory.place(file, &id).map_err(refusal::internal)?;
                if let Err(error) = blobs.record(owner.clone(), blob(directory)) {
                    placed.remove();
                    return Err(error);
                }
            }
        }
        Ok(BlobCreated { blob_id, size_bytes: Some(size_bytes), warnings: Vec::new() })
    }
}

impl NewContent {
    fn add(&mut self, bytes: &[u8]) -> Result<(), AddError> {
        let size_bytes = self.size_bytes.saturating_add(bytes.len() as u64);
        if size_bytes > self.bytes_max {
            return Err(AddError::TooLarge);
        }
        self.size_bytes = size_bytes;
        if !self.utf8.is_invalid() {
            self.utf8.add(bytes);
        }
        if let NewPlace::Memory(begun) = &mut self.place {
            if size_bytes <= self.row_bytes_max {
                begun.extend_from_slice(bytes);
                return Ok(());
            }
            let mut file = self.directory.create()?;
            file.write_all(&mem::take(begun))?;
            self.place = NewPlace::File(file);
        }
        if let NewPlace::File(file) = &mut self.place {
            file.write_all(bytes)?;
        }
        Ok(())
    }
}

impl AddError {
    fn into_refusal(self, content: &NewContent) -> RpcError {
        match self {
            Self::NotBase64 => {
                let help = "encode it with the alphabet of RFC 4648, section 4, without line \
                            breaks; leave `encoding` out for text";
                refusal::invalid_parameter("/content", "`content` is not base64", help)
            }
            Self::TooLarge => content.refusal.clone(),
            Self::Io(cause) => refusal::internal(cause),
        }
    }
}

impl From<NotBase64> for AddError {
    fn from(_: NotBase64) -> Self {
        Self::NotBase64
    }
}

impl From<io::Error> for AddError {
    fn from(cause: io::Error) -> Self {
        Self::Io(cause)
    }
}
