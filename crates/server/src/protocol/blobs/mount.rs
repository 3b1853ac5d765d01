//! Blobs as files that a run can read.

use std::io::{self, Write as _};
use std::path::Path;

use super::directory::MountDirectory;
use super::handle::{BlobOwner, Blobs, blocking};
use super::limits::MOUNTED_BLOBS_MAX;
use super::read::decode_row;
use super::refusal;
use crate::store::{Blob, BlobPlace};
use dibber_sandbox::MountedBlob;
use dibber_skill::contract::skills_protocol::{BLOB_PREFIX, RpcError};
use dibber_text::private::open_private;

/// The blobs of a run, as files, until this is dropped.
#[derive(Debug)]
pub struct MountedBlobs {
    /// The blobs, each once.
    pub blobs: Vec<MountedBlob>,
    /// The files of those that are in the database.
    directory: Option<MountDirectory>,
}

impl Blobs {
    /// Returns blobs as files.
    ///
    /// # Errors
    /// If the owner does not have one of them any more, or there are more than [`MOUNTED_BLOBS_MAX`].
    pub async fn mount(&self, owner: &BlobOwner, ids: &[String]) -> Result<MountedBlobs, RpcError> {
        if ids.len() > MOUNTED_BLOBS_MAX {
            let message = format!("a run can have at most {MOUNTED_BLOBS_MAX} blobs");
            let help = "put contents that belong together into one blob";
            return Err(refusal::invalid_parameter("/input_blobs", &message, help));
        }
        let mut blobs: Vec<Blob> = Vec::new();
        for (index, id) in ids.iter().enumerate() {
            let blob = self.find(owner, id, &format!("/input_blobs/{index}")).await?;
            if blobs.iter().all(|known| known.id != blob.id) {
                blobs.push(blob);
            }
        }
        let own = self.clone();
        blocking(move || own.mount_files(blobs)).await
    }

    fn mount_files(&self, blobs: Vec<Blob>) -> Result<MountedBlobs, RpcError> {
        let mut mounted = MountedBlobs { blobs: Vec::new(), directory: None };
        for blob in blobs {
            let not_found = || refusal::not_found(&blob.id, self.limits.lifetime);
            let id = blob.id.as_str().strip_prefix(BLOB_PREFIX).unwrap_or_default().to_owned();
            let file = match blob.place {
                BlobPlace::Row(content) => {
                    let content = decode_row(content, blob.encoding)?;
                    let directory = match mounted.directory.take() {
                        Some(directory) => directory,
                        None => self.directory.create_mount().map_err(refusal::internal)?,
                    };
                    let path = mounted.directory.insert(directory).path().join(&id);
                    write_private(&path, &content).map_err(refusal::internal)?;
                    path
                }
                BlobPlace::Directory(directory) if directory == self.directory.id => {
                    let path = self.directory.file(&blob.id).map_err(refusal::internal)?;
                    if !path.exists() {
                        return Err(not_found());
                    }
                    path
                }
                BlobPlace::Directory(_) => return Err(not_found()),
            };
            mounted.blobs.push(MountedBlob { id, file });
        }
        Ok(mounted)
    }
}

/// Writes a new file that only its owner can read.
fn write_private(path: &Path, content: &[u8]) -> io::Result<()> {
    open_private(path)?.write_all(content)
}
