//! A file whose changes matter.

use std::fs::Metadata;
use std::path::PathBuf;

use dibber_text::FileStamp;

/// A file or directory, and its stamp before it was read; none if it was not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Watched {
    pub(super) path: PathBuf,
    pub(super) stamp: Option<FileStamp>,
}

impl Watched {
    pub(super) fn new(path: PathBuf, metadata: Option<&Metadata>) -> Self {
        Self { path, stamp: metadata.map(FileStamp::from_metadata) }
    }

    /// Notes the stamp that the file at a path, or the link itself, has now.
    pub(super) fn now(path: PathBuf) -> Self {
        let stamp = FileStamp::of_link(&path);
        Self { path, stamp }
    }

    /// Returns `true` if the file has not changed.
    pub(super) fn is_same(&self) -> bool {
        FileStamp::of_link(&self.path) == self.stamp
    }
}
