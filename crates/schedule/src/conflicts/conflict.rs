//! What the comparison of schedules finds.

use crate::fires::Fire;
use crate::horizon::Horizon;

/// The most conflicts that are listed.
pub const CONFLICTS_MAX: usize = 1_000;
/// The most minutes between two fires that are called near: half a day.
pub const WITHIN_MINUTES_MAX: u32 = 12 * 60;

/// The kind of a conflict, the most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConflictKind {
    /// Both schedules are the same, in the same zone.
    Duplicate,
    /// They fire in the same minute.
    SameMinute,
    /// A clock change brings them nearer to each other than they are on other days.
    ClockChange,
    /// They fire within the requested number of minutes.
    Near,
}

impl ConflictKind {
    pub(super) const ALL: [Self; 4] =
        [Self::Duplicate, Self::SameMinute, Self::ClockChange, Self::Near];
}

/// A conflict between two schedules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Their indexes among the schedules, the smaller one first.
    pub schedules: (usize, usize),
    /// The kind.
    pub kind: ConflictKind,
    /// The first two fires that are in conflict.
    pub first: (Fire, Fire),
    /// The number of fires of the first schedule that are in conflict within the horizon; `None`
    /// when the conflict was found on the calendar, and so recurs for ever.
    pub count: Option<u32>,
}

/// The conflicts of a set of schedules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflicts {
    /// The most severe first, then in the order of the schedules; at most [`CONFLICTS_MAX`].
    pub found: Vec<Conflict>,
    /// The number of conflicts beyond those.
    pub left_out: usize,
    /// The time span in which clock changes and schedules of different zones were compared.
    pub horizon: Horizon,
}
