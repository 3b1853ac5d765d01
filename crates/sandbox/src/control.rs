//! What a control group limits.

use serde::{Deserialize, Serialize};

/// What the kernel limits for all processes of a run together, with a control group (cgroup v2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Controller {
    /// Memory, including that of the kernel, and the files of a workspace in memory.
    Memory,
    /// Processes and threads.
    Pids,
    /// Processors: at most all but one, and fewer if others need them.
    Cpu,
}

impl Controller {
    /// All controllers that are used.
    pub const ALL: [Self; 3] = [Self::Memory, Self::Pids, Self::Cpu];

    /// Returns the name of the controller, as the kernel shows it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Pids => "pids",
            Self::Cpu => "cpu",
        }
    }
}
