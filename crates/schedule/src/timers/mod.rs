//! Schedules as timers of other programs: systemd, GitHub Actions and launchd. A crontab takes a
//! schedule as it is.
//!
//! What is written fires at the local times of the schedule, and a format that cannot state them is an
//! error. What a change of the clocks does to them is up to the program: [`clock_change_after`]
//! returns the first fire that this concerns.

mod clock_changes;
mod days;
mod error;
mod github;
mod launchd;
mod systemd;
mod values;

pub use clock_changes::{clock_change_after, has_same_clock};
pub use error::TimerError;
pub use github::github_cron;
pub use launchd::{INTERVALS_MAX, LaunchdInterval, launchd_intervals};
pub use systemd::on_calendar;
