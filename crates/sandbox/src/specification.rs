//! What the launcher gets, and what it reports.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::container::ContainerCommand;
use crate::control::Controller;
use crate::interpreter::Interpreter;
use crate::job::{Job, Program};
use crate::layer::Layer;
use crate::limits::Limits;
use crate::mode::Mode;

/// The source of the Python program that calls the function.
pub(crate) const HARNESS: &str = include_str!("harness.py");

/// What the harness writes before the result, and before any of the code of the job runs.
pub(crate) const BEGUN_MARK: &[u8] = b"begun\n";

/// What the launcher gets to know about a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Specification {
    pub(crate) mode: Mode,
    pub(crate) limits: Limits,
    pub(crate) interpreter: Interpreter,
    /// Directories to copy below the root of skills, by name.
    pub(crate) skills: Vec<(String, PathBuf)>,
    /// Files to show below the root of blobs, by name.
    pub(crate) blobs: Vec<(String, PathBuf)>,
    /// What the harness reads from its standard input, without the roots.
    pub(crate) job: serde_json::Map<String, serde_json::Value>,
    /// The directory for files of a run in modes that have no file system of their own.
    pub(crate) scratch: PathBuf,
    /// The name of the directory of the run in `scratch`, and of its container. It cannot be guessed, so
    /// that no one else has created it before.
    pub(crate) run_name: String,
    /// The process that starts the launcher.
    pub(crate) server: u32,
    /// The command of `Mode::Container`.
    pub(crate) container: Option<ContainerCommand>,
    /// The layers that are left out.
    #[cfg(feature = "disable-layers")]
    pub(crate) disabled: Vec<Layer>,
}

impl Specification {
    /// Returns `true` if the sandbox has a layer, which is always so in a release.
    #[cfg(not(feature = "disable-layers"))]
    #[expect(clippy::unused_self, reason = "it is used with the feature")]
    pub(crate) fn has(&self, _: Layer) -> bool {
        true
    }

    /// Returns `true` if the sandbox has a layer.
    #[cfg(feature = "disable-layers")]
    pub(crate) fn has(&self, layer: Layer) -> bool {
        !self.disabled.contains(&layer)
    }

    /// Returns the document that the harness reads, given where skills and blobs are.
    pub(crate) fn harness_input(&self, skills_root: &str, blobs_root: &str) -> String {
        let mut job = self.job.clone();
        job.insert("skills_root".to_owned(), skills_root.into());
        job.insert("blobs_root".to_owned(), blobs_root.into());
        serde_json::Value::Object(job).to_string()
    }
}

/// How the names of runs begin.
const RUN_NAME_PREFIX: &str = "dibber-sandbox-";

/// The digits that follow.
const RUN_NAME_DIGITS: usize = 32;

/// Returns a name for a run, which differs from all others.
pub(crate) fn new_run_name() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{RUN_NAME_PREFIX}{:016x}{:016x}", random(), random())
}

/// Returns `true` if a name can be that of a run.
#[cfg(target_os = "linux")]
pub(crate) fn is_run_name(name: &str) -> bool {
    let is_digit = |digit: u8| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit);
    name.strip_prefix(RUN_NAME_PREFIX)
        .is_some_and(|digits| digits.len() == RUN_NAME_DIGITS && digits.bytes().all(is_digit))
}

/// Returns the part of a job that the harness reads.
pub(crate) fn harness_job(job: &Job) -> serde_json::Map<String, serde_json::Value> {
    let (key, program, function) = match &job.program {
        Program::Skill { name, function } => ("skill", name, function),
        Program::Code { source, function } => ("code", source, function),
    };
    let skills =
        job.skills.iter().map(|skill| json!({"name": skill.name, "entrypoint": skill.entrypoint}));
    let mut document = serde_json::Map::new();
    document.insert(key.to_owned(), program.as_str().into());
    document.insert("function".to_owned(), function.as_str().into());
    document.insert("args".to_owned(), job.arguments.clone().into());
    document.insert("skills".to_owned(), skills.collect());
    document.insert("secrets".to_owned(), json!(job.secrets));
    document
}

/// What the launcher reports at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Report {
    /// The sandbox could not be prepared; nothing of the job ran.
    Refused(Refusal),
    /// The program ended, or was ended.
    Ended {
        ending: Ending,
        /// What a control group limited.
        controllers: Vec<Controller>,
    },
}

impl Report {
    /// Returns the report of the end of a program.
    pub(crate) fn ended(ending: Ending) -> Self {
        Self::Ended { ending, controllers: Vec::new() }
    }

    /// Returns the report of a run that a control group limited.
    #[must_use]
    pub(crate) fn with_controllers(self, limited: &[Controller]) -> Self {
        match self {
            Self::Refused(refusal) => Self::Refused(refusal),
            Self::Ended { ending, .. } => Self::Ended { ending, controllers: limited.to_vec() },
        }
    }
}

/// Why a sandbox could not be prepared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Refusal {
    /// What was being done, such as "mount /proc".
    pub(crate) step: String,
    /// Why it failed.
    pub(crate) reason: String,
    /// What has to be changed.
    pub(crate) cause: RefusalCause,
}

/// What has to be changed before a run that was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RefusalCause {
    /// A skill of the job.
    Skill,
    /// The sandbox, or the machine.
    Sandbox,
}

impl Refusal {
    /// Returns the refusal of a sandbox that cannot be prepared.
    pub(crate) fn new(step: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { step: step.into(), reason: reason.into(), cause: RefusalCause::Sandbox }
    }
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ending {
    /// By itself, with an exit code.
    Exited(i32),
    /// By a signal.
    Signaled(i32),
    /// It took longer than its time.
    Timeout,
    /// Its processes together used too much memory.
    Memory,
    /// Its files together were too large or too many.
    Disk,
    /// It had too many processes.
    Processes,
    /// The other side closed the socket.
    Cancelled,
}
