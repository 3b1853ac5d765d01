//! What the heartbeat of a server is to one of `sprout.yaml`.

use crate::publish::published::PublishedHeartbeat;

/// What the heartbeat of a server is to one of `sprout.yaml`.
#[derive(Clone, Copy)]
pub(super) enum Counterpart<'a> {
    /// It is recorded as this one.
    Recorded(&'a PublishedHeartbeat),
    /// It is not recorded, and the same as far as the server says.
    Same,
    /// It has taken the place of the recorded one, under the same name.
    SameName,
}

impl<'a> Counterpart<'a> {
    pub(super) const fn known(self) -> Option<&'a PublishedHeartbeat> {
        match self {
            Self::Recorded(known) => Some(known),
            Self::Same | Self::SameName => None,
        }
    }
}
