//! What one run may use.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The longest time of a run; longer ones are cut to it.
pub const TIMEOUT_MAX: Duration = Duration::from_mins(5);

const MIB: u64 = 1024 * 1024;

/// What one run may use; the default fits a function that transforms some megabytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The time from the start of the launcher to the end of the run; at most [`TIMEOUT_MAX`].
    pub timeout: Duration,
    /// The address space of each process, and the resident memory of all of them.
    pub memory_bytes: u64,
    /// Processes and threads at one time.
    pub processes: u64,
    /// Open files of each process.
    pub open_files: u64,
    /// The total size of the files in the workspace.
    pub disk_bytes: u64,
    /// Files and directories in the workspace.
    pub disk_entries: u64,
    /// The size of the result; a larger one fails the run.
    pub output_bytes: usize,
    /// How much of what the program prints is kept; the rest is read and dropped.
    pub log_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
            memory_bytes: 512 * MIB,
            processes: 32,
            open_files: 256,
            disk_bytes: 64 * MIB,
            disk_entries: 4096,
            output_bytes: 8 * 1024 * 1024,
            log_bytes: 64 * 1024,
        }
    }
}

impl Limits {
    /// Returns the time of a run, which is never longer than [`TIMEOUT_MAX`].
    #[must_use]
    pub fn capped_timeout(&self) -> Duration {
        self.timeout.min(TIMEOUT_MAX)
    }
}
