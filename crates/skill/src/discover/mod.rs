//! From paths to skills: which directories are skills, and what is in them.
//!
//! The only reader of skill trees. [`find`] walks the paths once, in parallel, and notes the
//! skills and the names of their files; [`load()`] reads one skill when its turn comes, so that
//! memory does not grow with the tree.

mod config_file;
mod error;
mod found;
mod group;
mod ignore_files;
mod load;
mod overlays;
mod paths;
mod project;
mod tree;
mod unread;
mod walk;

use dibber_text::isolation;

pub use config_file::{ConfigFileError, nearest_config, read_config, read_nearest_config};
pub use error::{DiscoverError, DiscoverErrorKind};
pub use found::{FoundKind, FoundSkill};
pub use ignore_files::IgnoreFiles;
pub use load::{load, load_published, load_published_files, load_text, load_with_overlays};
pub use overlays::Overlays;
pub use paths::{NO_PATH, from_current_directory, shown_path};
pub use project::{project_root, repository_root};
pub use walk::{find, find_near, find_with};

/// Runs work on one skill; a panic in it becomes an error that names the file at `path`.
pub fn isolated<T>(
    path: &str,
    work: impl FnOnce() -> Result<T, DiscoverError>,
) -> Result<T, DiscoverError> {
    isolation::isolated(work)
        .unwrap_or_else(|error| Err(DiscoverError::new(path, DiscoverErrorKind::Internal(error))))
}
