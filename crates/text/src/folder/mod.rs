//! Files beneath a directory, which may contain anything.
//!
//! A path never leaves the directory: it has only names, and no symbolic link is followed, wherever it
//! leads. Nothing here blocks: a pipe is opened without waiting for its other end, and is refused.
//! Hard links are files like any other, since who can create one can also read what it leads to.

mod entry;
mod error;
mod path;
#[cfg(not(unix))]
mod portable;
mod read;
#[cfg(unix)]
mod unix;

pub use entry::{EntryKind, FolderEntry};
pub use error::FileError;
pub use path::check_path;
#[cfg(not(unix))]
pub use portable::Folder;
pub use read::{read_beginning, read_whole};
#[cfg(unix)]
pub use unix::Folder;
