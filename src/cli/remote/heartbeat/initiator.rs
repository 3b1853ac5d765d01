//! Which command plans heartbeats.

/// The command that plans: it decides about heartbeats that sprout.yaml no longer contains, and is
/// the one that advice names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::cli::remote) enum Initiator {
    /// `dibber heartbeat create`.
    Create,
    /// `dibber push`.
    Push,
    /// `dibber push`, for skills that it has just created.
    PushOfNew,
}
