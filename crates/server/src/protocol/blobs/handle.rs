//! The blobs of a server, and who they belong to.

use std::io;
use std::path::Path;
use std::sync::Arc;

use tokio::task::spawn_blocking;

use super::directory::{BlobDirectory, is_file_name};
use super::limits::BlobLimits;
use super::refusal;
use crate::failure::Failure;
use crate::server::Server;
use crate::store::{Blob, StoreExt};
use dibber_skill::contract::skills_protocol::{BLOB_PREFIX, RpcError};
use dibber_skill::contract::{BlobId, FamilyId, UserId};
use dibber_text::hex;

/// How long after a use the next one is not recorded, so that not each read writes, in milliseconds.
const USE_PRECISION: i64 = 60_000;

/// The blobs of a server. Its clones share everything.
#[derive(Clone)]
pub struct Blobs {
    pub(super) server: Server,
    pub(super) directory: Arc<BlobDirectory>,
    pub(super) limits: BlobLimits,
}

/// Who blobs belong to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BlobOwner {
    pub(super) family: FamilyId,
    pub(super) key: String,
}

impl BlobOwner {
    /// Returns the owner for callers with a token, of which this is the SHA-256 digest.
    pub fn token(family: FamilyId, digest: &[u8; 32]) -> Self {
        Self { family, key: format!("token:{}", hex(digest)) }
    }

    /// Returns the owner for callers without a token.
    pub fn user(family: FamilyId, user: &UserId) -> Self {
        Self { family, key: format!("user:{user}") }
    }

    /// Returns the family that shares everything that its tokens and users have.
    pub(in crate::protocol) fn family(&self) -> &FamilyId {
        &self.family
    }
}

impl Blobs {
    /// Opens the blobs of a server, with their files in a data directory. This blocks its thread.
    ///
    /// # Errors
    /// If the directory for the files cannot be created or read.
    pub fn open(server: &Server, data: &Path, limits: BlobLimits) -> io::Result<Self> {
        let id = server.store().read_blocking(|store| Ok::<_, Failure>(store.server_id()?));
        let id = id.map_err(|failure| io::Error::other(failure.into_tool_error().message))?;
        let directory = Arc::new(BlobDirectory::open(data, &id)?);
        Ok(Self { server: server.clone(), directory, limits })
    }

    /// Returns the present, in milliseconds.
    pub(super) fn now(&self) -> i64 {
        self.server.now().as_millisecond()
    }

    /// Returns the time before which the last use of a blob is too long ago.
    pub(super) fn used_since(&self) -> i64 {
        let lifetime = i64::try_from(self.limits.lifetime.as_millis()).unwrap_or(i64::MAX);
        self.now().saturating_sub(lifetime)
    }

    /// Returns a blob that is used. `path` is that of the parameter with its id.
    pub(super) async fn find(
        &self,
        owner: &BlobOwner,
        typed: &str,
        path: &str,
    ) -> Result<Blob, RpcError> {
        let Some(id) = parse_id(typed) else { return Err(refusal::not_an_id(path)) };
        let (wanted, since) = (owner.clone(), self.used_since());
        let store = self.server.store();
        let found = id.clone();
        let blob = store
            .read(move |store| {
                Ok::<_, RpcError>(store.blob(&wanted.family, &wanted.key, &found)?)
            })
            .await?;
        let not_found = || refusal::not_found(&id, self.limits.lifetime);
        let blob = blob.filter(|blob| blob.used_at >= since).ok_or_else(not_found)?;
        if self.record_use(owner, &blob).await { Ok(blob) } else { Err(not_found()) }
    }

    /// Records that a blob is used; returns `false` if it is gone.
    async fn record_use(&self, owner: &BlobOwner, blob: &Blob) -> bool {
        let now = self.now();
        if now.saturating_sub(blob.used_at) < USE_PRECISION {
            return true;
        }
        let (family, id) = (owner.family.clone(), blob.id.clone());
        let record =
            self.server.store().write(move |store| store.record_blob_use(&family, &id, now));
        record.await.unwrap_or_else(|cause| {
            // It can be read also while nothing can be written.
            tracing::warn!(%cause, "cannot record the use of a blob");
            true
        })
    }
}

/// Returns the id of a blob, which may lack its prefix.
fn parse_id(typed: &str) -> Option<BlobId> {
    let name = typed.strip_prefix(BLOB_PREFIX).unwrap_or(typed);
    is_file_name(name).then(|| BlobId::from(format!("{BLOB_PREFIX}{name}")))
}

/// Runs work that waits for the disk on a thread of its own.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RpcError> + Send + 'static,
) -> Result<T, RpcError> {
    spawn_blocking(work).await.unwrap_or_else(|cause| Err(refusal::internal(cause)))
}
