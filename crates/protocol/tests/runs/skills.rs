//! Skills for the tests.

use std::fs;
use std::path::Path;

use dibber_protocol::{ProtocolSkill, RunPlan, SecretStore, plan_skill};
use dibber_sandbox::Limits;
use dibber_skill::contract::skills_protocol::{ExecuteSkill, RpcError};
use serde_json::Value;
use tempfile::TempDir;

/// The name of the skill of most tests.
pub(crate) const NAME: &str = "family.dates.countdown";

/// A skill in a directory that is removed with it.
pub(crate) struct TestSkill {
    pub(crate) skill: ProtocolSkill,
    directory: TempDir,
}

impl TestSkill {
    /// Creates a skill that is run, with this after its manifest.
    pub(crate) fn action(more: &str) -> Self {
        let runtime = "[runtime]\nlanguage = \"python\"\nentrypoint = \"code/main.py\"\n";
        Self::new(NAME, "0.1.0", &format!("kind = \"action\"\n{runtime}{more}"))
    }

    pub(crate) fn new(name: &str, version: &str, rest: &str) -> Self {
        let directory = TempDir::new().expect("a directory");
        let path = directory.path().join(name);
        fs::create_dir_all(path.join("code")).expect("a directory");
        let head =
            format!("name = \"{name}\"\nversion = \"{version}\"\ndescription = \"Counts.\"\n");
        let write = |name: &str, text: &str| fs::write(path.join(name), text).expect("a file");
        write("skill.toml", &format!("{head}{rest}"));
        write("SKILL.md", "---\nname: Countdown\n---\nCall it.\n");
        write("code/main.py", "def main(args): return args\n");
        let skill = ProtocolSkill::load(&path).unwrap_or_else(|error| panic!("{error}"));
        Self { skill, directory }
    }

    /// Adds a file.
    pub(crate) fn with_file(self, name: &str, text: &str) -> Self {
        fs::write(self.path().join(name), text).expect("a file");
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.skill.directory().unwrap_or(self.directory.path())
    }

    /// Plans a run of it.
    pub(crate) fn plan(&self, call: &Value) -> Result<RunPlan, RpcError> {
        self.plan_with(call, &SecretStore::default())
    }

    pub(crate) fn plan_with(
        &self,
        call: &Value,
        secrets: &SecretStore,
    ) -> Result<RunPlan, RpcError> {
        let call: ExecuteSkill = serde_json::from_value(call.clone()).expect("a call");
        plan_skill(&self.skill, &call, Vec::new(), secrets, &Limits::default())
    }
}

/// Returns a refusal in lines: its code and reason, its message, its help, and its issues.
pub(crate) fn shown(error: &RpcError) -> Vec<String> {
    let data = error.data.as_ref().expect("data");
    let mut lines =
        vec![format!("{} {:?}", error.code, data.reason), error.message.clone(), data.help.clone()];
    let issues = data.issues.iter();
    lines.extend(issues.map(|issue| format!("{} {}: {}", issue.path, issue.reason, issue.message)));
    lines
}
