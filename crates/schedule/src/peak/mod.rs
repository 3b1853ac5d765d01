//! How often schedules fire: at most in 24 hours, and on average.

mod combined;
mod single;
mod windows;

pub use combined::{CombinedPeak, combined_peak};
pub use single::Peak;
