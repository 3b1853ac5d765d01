//! What a server needs to answer the methods of the protocol.

use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::blobs::{BlobOwner, Blobs, internal};
use super::run_slots::RunSlots;
use super::sandbox_search::{RETRY_INTERVAL, SandboxSearch};
use super::upload_slots::UploadSlots;
use crate::caller::Caller;
use crate::server::Server;
use dibber_protocol::{Index, Registry};
use dibber_sandbox::{Limits, Sandbox};
use dibber_skill::contract::skills_protocol::RpcError;

/// Finds a mode of the sandbox that works; an error says why none does.
pub type OpenSandbox = Box<dyn Fn() -> BoxFuture<'static, Result<Sandbox, String>> + Send + Sync>;

/// How the code of skills is run.
pub struct RunOptions {
    /// The data directory, with the file of the values of secrets. It is read for each run, so that
    /// changes count.
    pub data: PathBuf,
    /// What a run may use if its call says nothing else.
    pub limits: Limits,
    /// The most runs at once.
    pub concurrency: usize,
    /// Finds the sandbox; called until it is found.
    pub open_sandbox: OpenSandbox,
}

/// The skills that a server offers, and how their code is run.
pub struct SkillsProtocol {
    pub(super) server: Server,
    registry: Arc<Registry>,
    pub(super) blobs: Blobs,
    pub(super) slots: RunSlots,
    /// The data directory.
    pub(super) data: PathBuf,
    /// The limits of runs.
    pub(super) limits: Limits,
    pub(super) uploads: Arc<UploadSlots>,
    pub(super) sandbox: SandboxSearch<Sandbox>,
}

impl SkillsProtocol {
    /// Offers the skills of a registry.
    pub fn new(server: Server, registry: Registry, blobs: Blobs, options: RunOptions) -> Self {
        Self {
            server,
            registry: Arc::new(registry),
            blobs,
            slots: RunSlots::new(options.concurrency),
            uploads: Arc::default(),
            sandbox: SandboxSearch::new(options.open_sandbox, RETRY_INTERVAL),
            data: options.data,
            limits: options.limits,
        }
    }

    /// Returns how many runs there are at once, at most.
    pub fn concurrency(&self) -> usize {
        self.slots.count()
    }

    /// Returns the server with these skills. With `tools`, the methods are tools of MCP, too.
    pub fn into_server(self: Arc<Self>, tools: bool) -> Server {
        let server = self.server.clone();
        Server { skills_protocol: Some(self), has_skill_tools: tools, ..server }
    }

    /// Reads skills: files are compared with the index, and may have to be read again, which blocks.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Index) -> Result<T, RpcError> + Send + 'static,
    ) -> Result<T, RpcError> {
        let registry = Arc::clone(&self.registry);
        let read = tokio::task::spawn_blocking(move || read(&registry.index()));
        read.await.unwrap_or_else(|error| Err(internal(error)))
    }
}

/// Returns the owner of the blobs and the runs of a caller.
pub(super) fn owner(caller: &Caller, token: Option<&[u8; 32]>) -> BlobOwner {
    let family = caller.family.clone();
    match token {
        Some(digest) => BlobOwner::token(family, digest),
        None => BlobOwner::user(family, &caller.user_id),
    }
}
