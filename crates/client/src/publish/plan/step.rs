//! One step of a plan.

/// What has to be done for one item of a plan: a skill, a heartbeat, or a directory.
#[derive(Clone, Debug)]
pub enum Step<C, U, N, B> {
    /// It is created.
    Create(C),
    /// It exists, and is changed.
    Update(U),
    /// It is in the wanted state already.
    Unchanged(N),
    /// It must not, or cannot, be brought into the wanted state.
    Blocked(B),
}

impl<C, U, N, B> Step<C, U, N, B> {
    /// Returns `true` if something has to be written.
    pub const fn has_changes(&self) -> bool {
        matches!(self, Self::Create(_) | Self::Update(_))
    }

    /// Returns why it is blocked, if it is.
    pub const fn blocked(&self) -> Option<&B> {
        match self {
            Self::Blocked(blocked) => Some(blocked),
            _ => None,
        }
    }

    /// Turns the reason of a blocked step into another one.
    pub fn map_blocked<A>(self, map: impl FnOnce(B) -> A) -> Step<C, U, N, A> {
        match self {
            Self::Create(create) => Step::Create(create),
            Self::Update(update) => Step::Update(update),
            Self::Unchanged(unchanged) => Step::Unchanged(unchanged),
            Self::Blocked(blocked) => Step::Blocked(map(blocked)),
        }
    }
}
