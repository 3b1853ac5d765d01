//! Blobs of the Skills Protocol: contents that are kept for a while beside the calls.
//!
//! A small content is in its row. A large one is a file, which is named by the id of the blob, in a
//! directory with an id of its own: servers on several machines may share a database, and only one of
//! them has the file.

use dibber_skill::contract::BlobId;
use dibber_skill::contract::skills_protocol::Encoding;

use super::error::StoreResult;
use super::families::FamilyId;

/// A blob. Its content is never changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// The id, which no other blob of the store has.
    pub id: BlobId,
    /// Who created it, and alone may use it: the key of a token, or a user.
    pub owner: String,
    /// The MIME type.
    pub mime: String,
    /// How the content is written in JSON: a text as it is, everything else in base64.
    pub encoding: Encoding,
    /// The size of the content, decoded.
    pub size_bytes: u64,
    /// Where the content is.
    pub place: BlobPlace,
    /// When it was created.
    pub created_at: i64,
    /// When it was last used.
    pub used_at: i64,
}

/// Where the content of a blob is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlobPlace {
    /// In the row, as it is written in JSON.
    Row(String),
    /// In a file of the directory with this id.
    Directory(String),
}

/// What the blobs of an owner take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlobUsage {
    /// The number of blobs.
    pub count: u64,
    /// The sum of their sizes.
    pub bytes: u64,
}

/// A blob that was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovedBlob {
    /// The id.
    pub id: BlobId,
    /// The id of the directory with its file, if it has one.
    pub directory: Option<String>,
}

/// Looks up blobs.
pub trait ReadBlobs {
    /// Returns the blob of an owner with this id.
    fn blob(&self, family: &FamilyId, owner: &str, id: &BlobId) -> StoreResult<Option<Blob>>;
    /// Returns what the blobs of an owner take that were used at a time or later.
    fn blob_usage(&self, family: &FamilyId, owner: &str, since: i64) -> StoreResult<BlobUsage>;
    /// Returns `true` if a blob of any family was last used before a time.
    fn has_blobs_unused_since(&self, time: i64) -> StoreResult<bool>;
    /// Returns `true` if a blob of any family has a file of this id in this directory.
    fn has_blob_file(&self, directory: &str, id: &BlobId) -> StoreResult<bool>;
    /// Returns the ids of the blobs of all families with a file in this directory, sorted, after an
    /// id and up to so many.
    fn blob_files(
        &self,
        directory: &str,
        after: Option<&BlobId>,
        limit: usize,
    ) -> StoreResult<Vec<BlobId>>;
}

/// Changes blobs.
pub trait WriteBlobs: ReadBlobs {
    /// Adds a blob.
    fn add_blob(&self, family: &FamilyId, blob: &Blob) -> StoreResult<()>;
    /// Records that a blob was used, unless it was used later; returns `false` if it is gone.
    fn record_blob_use(&self, family: &FamilyId, id: &BlobId, at: i64) -> StoreResult<bool>;
    /// Removes a blob with a file in this directory.
    fn remove_blob_file(&self, directory: &str, id: &BlobId) -> StoreResult<()>;
    /// Removes some of the blobs of all families that were last used before a time, up to so many.
    fn remove_blobs_unused_since(&self, time: i64, limit: usize) -> StoreResult<Vec<RemovedBlob>>;
}
