//! Archives of skills: reading those of anyone, and writing the same bytes on every system.
//!
//! Nothing is unpacked to the disk. What an archive says of itself is not believed: entries are counted
//! before they are read, sizes are those of what comes out, and an archive that two programs could read in
//! two ways is refused.

mod archive_file;
mod bounded;
mod collector;
mod format;
mod packed;
mod problem;
mod read_tar;
mod read_zip;
mod write;
mod write_zip;
mod zip_directory;
mod zip_entry;

pub use archive_file::{Archive, ArchiveError};
pub use format::{ArchiveFormat, ArchiveLayout};
pub use problem::{ArchiveLimits, ArchiveProblem};
pub use write::write_archive;
