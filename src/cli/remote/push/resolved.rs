//! What was done with skills that another writer has changed, before the rest is planned.

use dibber_client::publish::LockKey;

/// What was done with the skills that another writer has changed.
#[derive(Default)]
pub(super) struct Resolutions {
    /// Those whose files have the changes of both sides now, or would have them.
    pub(super) merged: Vec<LockKey>,
    /// Those whose files are now those of the server.
    pub(super) pulled: Vec<LockKey>,
    /// The skills that are overwritten on the server.
    pub(super) overwritten: Vec<LockKey>,
}

impl Resolutions {
    /// Returns `true` if another plan has to be made.
    pub(super) const fn is_empty(&self) -> bool {
        self.merged.is_empty() && self.pulled.is_empty() && self.overwritten.is_empty()
    }
}
