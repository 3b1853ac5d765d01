//! The modes of the sandbox.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::control::Controller;

/// How a run is isolated. The crate documentation compares them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Namespaces, and everything that `Landlock` has.
    Full,
    /// Landlock, a list of allowed system calls and resource limits.
    Landlock,
    /// A container runtime that the owner of the server names.
    Container,
}

impl Mode {
    /// All modes, in the order in which they are tried.
    pub const ALL: [Self; 3] = [Self::Full, Self::Landlock, Self::Container];

    /// Returns the name of the mode, as in configuration files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Landlock => "landlock",
            Self::Container => "container",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A mode, and whether it works on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModeStatus {
    /// The mode.
    pub mode: Mode,
    /// Why the mode does not work; `None` if it does.
    pub problem: Option<String>,
    /// What the kernel limits for all processes of a run together.
    pub controllers: Vec<Controller>,
}

impl ModeStatus {
    /// Returns how the memory, the processes and the processors of a run are limited in a mode that works:
    /// by the kernel or by looking at them. A container runtime has its own limits.
    pub fn limits(&self) -> Option<String> {
        if self.problem.is_some() || self.mode == Mode::Container {
            return None;
        }
        let names: Vec<_> = self.controllers.iter().map(|controller| controller.name()).collect();
        Some(if names.is_empty() {
            "memory is watched, because no control group is delegated".to_owned()
        } else {
            format!("a control group limits {}", names.join(", "))
        })
    }
}
