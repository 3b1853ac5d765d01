//! The directories in which skills are.

use std::path::PathBuf;

/// A directory in which skills are, at any depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// The namespace of its skills that have no manifest.
    pub label: String,
    /// The directory; it may be a symbolic link.
    pub directory: PathBuf,
}

impl Root {
    /// Creates a root with the name of the directory as its label.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        let directory = directory.into();
        let real = std::fs::canonicalize(&directory);
        let name = real.as_deref().unwrap_or(&directory).file_name();
        let label = name.map_or_else(|| "local".to_owned(), |name| name.to_string_lossy().into());
        Self { label, directory }
    }
}
