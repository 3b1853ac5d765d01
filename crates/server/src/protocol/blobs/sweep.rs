//! Removing what is not used any more: blobs and their files. Where there is nothing to remove, nothing is
//! written.

use std::io;

use super::handle::{Blobs, blocking};
use super::refusal;
use crate::store::{StoreExt, StoreResult};
use dibber_skill::contract::BlobId;
use dibber_skill::contract::skills_protocol::RpcError;

/// How many rows are looked at or removed at once, so that no other change waits long.
const BATCH: usize = 200;

/// What a sweep has removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Blobs that were not used for too long.
    pub blobs: usize,
    /// Files without a blob.
    pub files: usize,
    /// Blobs whose file is gone.
    pub blobs_without_file: usize,
}

impl Blobs {
    /// Removes blobs that were not used for too long, files without a blob, and blobs without a file. What
    /// another process is writing stays.
    ///
    /// # Errors
    /// If the store or the disk fails. What was removed until then stays removed.
    pub async fn remove_expired(&self) -> Result<Swept, RpcError> {
        let blobs = self.clone();
        blocking(move || {
            let mut swept = Swept::default();
            blobs.remove_unused(&mut swept).map_err(refusal::internal)?;
            blobs.directory.remove_leftovers();
            if blobs.directory.is_present() {
                blobs.remove_files(&mut swept).map_err(refusal::internal)?;
                blobs.remove_without_file(&mut swept).map_err(refusal::internal)?;
            } else {
                // The rows stay: the files may be back soon.
                tracing::warn!("the directory of the files of blobs is missing");
            }
            Ok(swept)
        })
        .await
    }

    /// Removes blobs that were not used for too long. The row goes first: a file without one is
    /// removed later.
    fn remove_unused(&self, swept: &mut Swept) -> io::Result<()> {
        let since = self.used_since();
        let has_unused = self.server.store().read_blocking(move |store| -> StoreResult<bool> {
            store.has_blobs_unused_since(since)
        });
        let mut has_more = has_unused.map_err(io::Error::other)?;
        while has_more {
            let removed = self.server.store().write_blocking(move |store| -> StoreResult<_> {
                store.remove_blobs_unused_since(since, BATCH)
            });
            let removed = removed.map_err(io::Error::other)?;
            swept.blobs += removed.len();
            for blob in &removed {
                if blob.directory.as_ref() == Some(&self.directory.id) {
                    self.directory.remove(&blob.id)?;
                }
            }
            has_more = removed.len() == BATCH;
        }
        Ok(())
    }

    /// Removes files without a blob. The process that writes one holds its lock until the blob is
    /// recorded, so that the owner of the lock sees the row, if there will ever be one.
    fn remove_files(&self, swept: &mut Swept) -> io::Result<()> {
        for id in self.directory.files()? {
            if self.has_row(&id)? {
                continue;
            }
            let Some(_locked) = self.directory.lock(&id)? else { continue };
            if !self.has_row(&id)? {
                self.directory.remove(&id)?;
                swept.files += 1;
            }
        }
        Ok(())
    }

    fn has_row(&self, id: &BlobId) -> io::Result<bool> {
        let (directory, id) = (self.directory.id.clone(), id.clone());
        let found = self.server.store().read_blocking(move |store| -> StoreResult<bool> {
            store.has_blob_file(&directory, &id)
        });
        found.map_err(io::Error::other)
    }

    /// Removes blobs whose file is gone. A file is in its place before its blob is recorded.
    fn remove_without_file(&self, swept: &mut Swept) -> io::Result<()> {
        let mut after = None;
        loop {
            let (directory, start) = (self.directory.id.clone(), after.take());
            let page = self.server.store().read_blocking(move |store| -> StoreResult<_> {
                store.blob_files(&directory, start.as_ref(), BATCH)
            });
            let page = page.map_err(io::Error::other)?;
            for id in &page {
                if self.directory.open_file(id)?.is_some() {
                    continue;
                }
                let (directory, id) = (self.directory.id.clone(), id.clone());
                let removed = self.server.store().write_blocking(move |store| -> StoreResult<()> {
                    store.remove_blob_file(&directory, &id)
                });
                removed.map_err(io::Error::other)?;
                swept.blobs_without_file += 1;
            }
            if page.len() < BATCH {
                return Ok(());
            }
            after = page.last().cloned();
        }
    }
}
