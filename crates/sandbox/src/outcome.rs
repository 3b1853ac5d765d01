//! What became of a run.

use std::fmt;
use std::io;
use std::time::Duration;

use serde_json::Value;

use crate::control::Controller;
use crate::mode::{Mode, ModeStatus};
use crate::specification::{Refusal, RefusalCause};

/// The largest output that is returned as a value; a larger one is returned as bytes.
pub const OUTPUT_INLINE_BYTES_MAX: usize = 64 * 1024;

/// What became of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How the run was isolated.
    pub mode: Mode,
    /// What the function returned, or why it did not.
    pub result: Result<Output, RunError>,
    /// What the program printed.
    pub logs: Logs,
    /// How long the run took.
    pub duration: Duration,
    /// What the kernel limited for all processes of the run together; nothing if no control group was
    /// delegated to this process.
    pub controllers: Vec<Controller>,
}

/// What a function returned.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// A value whose JSON has at most [`OUTPUT_INLINE_BYTES_MAX`].
    Inline(Value),
    /// The JSON of a larger value.
    Large(String),
}

/// Why a function returned nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunError {
    /// The class of a Python exception, or one of `Timeout`, `MemoryLimit`, `DiskLimit`,
    /// `ProcessLimit`, `OutputLimit`, `CpuLimit`, `ProgramExited`, `Cancelled`, `InvalidResult`,
    /// `NotSerializable` and `EntrypointNotFound`. A class of the code that has the name of one of the
    /// sandbox's own, such as `Timeout`, is `code.Timeout`.
    pub kind: String,
    /// What went wrong.
    pub message: String,
    /// The Python trace.
    pub trace: Option<String>,
}

impl RunError {
    /// Returns an error without a trace.
    pub(crate) fn new(kind: &str, message: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), message: message.into(), trace: None }
    }
}

/// What a program printed, as far as it was kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Logs {
    /// The beginning of it; invalid UTF-8 is replaced.
    pub text: String,
    /// How many bytes were dropped.
    pub dropped_bytes: u64,
}

/// A sandbox that could not run a job. Nothing of the job ran, unless the launcher failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum SandboxError {
    /// The job names a skill or blob that cannot be mounted.
    InvalidJob(String),
    /// A skill cannot be copied: it has a link or a special file, is too large, or is not there.
    InvalidSkill {
        /// What was being done, with the path in the skill.
        step: String,
        /// Why it failed.
        reason: String,
    },
    /// The launcher ended without a report, or did not end. The job may have begun.
    Launcher(io::Error),
    /// The sandbox could not be prepared.
    Refused {
        /// What was being done.
        step: String,
        /// Why it failed.
        reason: String,
    },
}

impl fmt::Display for SandboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidJob(reason) => f.write_str(reason),
            Self::Launcher(error) => write!(f, "the sandbox launcher failed: {error}"),
            Self::InvalidSkill { step, reason } | Self::Refused { step, reason } => {
                write!(f, "cannot {step}: {reason}")
            }
        }
    }
}

impl std::error::Error for SandboxError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Launcher(error) => Some(error),
            _ => None,
        }
    }
}

impl From<Refusal> for SandboxError {
    fn from(refusal: Refusal) -> Self {
        let Refusal { step, reason, cause } = refusal;
        match cause {
            RefusalCause::Skill => Self::InvalidSkill { step, reason },
            RefusalCause::Sandbox => Self::Refused { step, reason },
        }
    }
}

/// No mode that the caller accepts works on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    /// The accepted modes, and why each one does not work.
    pub tried: Vec<ModeStatus>,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no sandbox is available")?;
        for ModeStatus { mode, problem, .. } in &self.tried {
            write!(f, "; {mode}: {}", problem.as_deref().unwrap_or("works"))?;
        }
        Ok(())
    }
}

impl std::error::Error for Unavailable {}
