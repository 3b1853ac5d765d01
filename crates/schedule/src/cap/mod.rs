//! The cap of a server: how often a schedule may fire, why it is rejected, and what to write.

mod closest;
mod rejection;

pub use rejection::{FIRES_PER_DAY_MAX, ScheduleRejection};
