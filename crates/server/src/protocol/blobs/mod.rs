//! Blobs: large contents beside the calls.
//!
//! A blob belongs to the token that created it, and is gone some time after it was last used. A small
//! one is in the database, a large one is a file: written beside the others, made durable, renamed, and
//! only then recorded. A process that dies on the way leaves a file without a row, which the sweeper
//! removes; while the process lives, it holds a lock on the file.
//!
//! | module | contents |
//! |---|---|
//! | `decoder`, `utf8`, `cut` | base64, and characters that are cut in the middle |
//! | `directory` | the files |
//! | `handle` | the blobs of a server, and finding one |
//! | `create`, `read`, `mount` | the methods, and what runs are given |
//! | `sweep` | removing what is not used any more |

mod create;
mod cut;
mod decoder;
mod directory;
mod handle;
mod limits;
mod mount;
mod read;
mod refusal;
mod sweep;
mod utf8;

pub(super) use create::BlobRoom;
pub use create::NewBlob;
pub use handle::{BlobOwner, Blobs};
pub use limits::{BlobLimits, MOUNTED_BLOBS_MAX, ROW_BYTES_MAX};
pub use mount::MountedBlobs;
pub use read::{BlobReader, OpenedBlob};
pub(super) use refusal::internal;
pub use sweep::Swept;
