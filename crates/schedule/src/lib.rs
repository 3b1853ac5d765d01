//! Heartbeats: when they fire, how often, and in words.
//!
//! The present is an argument of everything here.

mod cap;
mod conflicts;
mod cron;
mod days;
mod error;
mod field;
mod fires;
mod ics;
mod notes;
mod picture;
mod refusal;
mod sets;
mod span;
mod timeline;
mod together;
mod tzdb;
mod within_cap;
mod words;
mod zones;

pub use cap::{FIRES_PER_DAY_MAX, Peak};
pub use conflicts::{
    CONFLICTS_MAX, Conflict, ConflictKind, Conflicts, WITHIN_MINUTES_MAX, conflicts,
};
pub use cron::{Cron, JobKind};
pub use error::CronError;
pub use field::FieldName;
pub use fires::{Fire, Schedule, Timing};
pub use ics::{Calendar, EVENTS_MAX, calendar};
pub use notes::clock_change_notes;
pub use picture::{DRAWN_MAX, Heartbeat, PICTURE_WIDTH, Picture, Piece, Role};
pub use refusal::Refusal;
pub use timeline::Horizon;
pub use together::{PeakTogether, peak_together};
pub use tzdb::{UnknownZone, tzdb_version, zone};
pub use words::{Clock, cadence_text};
