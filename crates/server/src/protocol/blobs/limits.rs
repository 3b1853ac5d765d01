//! What blobs may take.

use std::time::Duration;

/// The most bytes of a blob that is in the database; a larger one is a file (64 KiB).
pub const ROW_BYTES_MAX: u64 = 64 << 10;

/// The most bytes of a blob (256 MiB).
const BLOB_BYTES_MAX: u64 = 256 << 20;

/// The most bytes of the blobs of an owner (1 GiB).
const OWNER_BYTES_MAX: u64 = 1 << 30;

/// The most blobs of an owner.
const OWNER_BLOBS_MAX: u64 = 1000;

/// The most bytes of a content in an answer that is built in memory (4 MiB).
const ANSWER_BYTES_MAX: u64 = 4 << 20;

/// How long a blob is kept after its last use.
const BLOB_LIFETIME: Duration = Duration::from_hours(24);

/// The most blobs of a run.
pub const MOUNTED_BLOBS_MAX: usize = 64;

/// What blobs may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlobLimits {
    /// The most bytes of a blob that is in the database.
    pub row_bytes: u64,
    /// The most bytes of a blob.
    pub blob_bytes: u64,
    /// The most bytes of the blobs of an owner.
    pub owner_bytes: u64,
    /// The most blobs of an owner.
    pub owner_blobs: u64,
    /// The most bytes of a content in an answer.
    pub answer_bytes: u64,
    /// How long a blob is kept after its last use.
    pub lifetime: Duration,
}

impl Default for BlobLimits {
    fn default() -> Self {
        Self {
            row_bytes: ROW_BYTES_MAX,
            blob_bytes: BLOB_BYTES_MAX,
            owner_bytes: OWNER_BYTES_MAX,
            owner_blobs: OWNER_BLOBS_MAX,
            answer_bytes: ANSWER_BYTES_MAX,
            lifetime: BLOB_LIFETIME,
        }
    }
}
