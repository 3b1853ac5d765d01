//! What is to be run.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::limits::Limits;

/// One run: a function, its arguments, and what it may read.
#[derive(Clone, Debug)]
pub struct Job {
    /// The function to call.
    pub program: Program,
    /// The argument of the function.
    pub arguments: Map<String, Value>,
    /// The skills below `/skills`, importable as `skills.<name>`.
    pub skills: Vec<MountedSkill>,
    /// The blobs below `/blobs`.
    pub blobs: Vec<MountedBlob>,
    /// The secrets in `runtime.secrets`.
    pub secrets: Secrets,
    /// What the run may use.
    pub limits: Limits,
}

/// The function to call.
#[derive(Clone, Debug)]
pub enum Program {
    /// A function of the entry point of a mounted skill.
    Skill {
        /// The name of the skill, which is among the skills of the job.
        name: String,
        /// The name of the function.
        function: String,
    },
    /// A function of Python source code.
    Code {
        /// The source code.
        source: String,
        /// The name of the function.
        function: String,
    },
}

/// A skill that a run can read and import. Its files are copied, so later changes are not seen.
#[derive(Clone, Debug)]
pub struct MountedSkill {
    /// The dotted name, which is also the name of the directory below `/skills`.
    pub name: String,
    /// The directory of the skill.
    pub directory: PathBuf,
    /// The path of the module that `import skills.<name>` loads; `code/main.py` if it is `None`.
    pub entrypoint: Option<String>,
}

/// A blob that a run can read.
#[derive(Clone, Debug)]
pub struct MountedBlob {
    /// The id without `blob:`, which is also the name of the file below `/blobs`.
    pub id: String,
    /// The file with the content.
    pub file: PathBuf,
}

/// Secrets by name. The values are not shown by `Debug`.
#[derive(Clone, Default, Serialize)]
pub struct Secrets(pub BTreeMap<String, String>);

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let masked = self.0.keys().map(|name| (name, "****"));
        f.debug_map().entries(masked).finish()
    }
}

impl Job {
    /// Returns a job that calls the function `main` of `source`, without arguments.
    pub fn code(source: impl Into<String>) -> Self {
        Self {
            program: Program::Code { source: source.into(), function: "main".to_owned() },
            arguments: Map::new(),
            skills: Vec::new(),
            blobs: Vec::new(),
            secrets: Secrets::default(),
            limits: Limits::default(),
        }
    }

    /// Returns what is wrong with the names of skills and blobs, which become names of files.
    pub(crate) fn name_problem(&self) -> Option<String> {
        let skills = self.skills.iter().map(|skill| &skill.name);
        let blobs = self.blobs.iter().map(|blob| &blob.id);
        let bad = skills.chain(blobs).find(|name| !is_file_name(name));
        if let Some(name) = bad {
            return Some(format!("`{name}` cannot be the name of a skill or blob"));
        }
        match &self.program {
            Program::Skill { name, .. } if self.skills.iter().all(|skill| skill.name != *name) => {
                Some(format!("the skill `{name}` is not mounted"))
            }
            _ => None,
        }
    }
}

/// Returns `true` if a name is one component of a path, and of characters that need no escaping.
fn is_file_name(name: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    !name.is_empty() && name.len() <= 255 && !name.starts_with('.') && name.chars().all(is_allowed)
}
