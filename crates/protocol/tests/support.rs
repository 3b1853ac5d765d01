//! Directories of skills for one test.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use dibber_protocol::{Index, IndexProblem, Registry, Root};
use dibber_skill::contract::skills_protocol::{
    DescribeDetail, DescribeSkill, DescribedSkill, ListSkills, ReadSkillFile, RpcError, RpcReason,
    SkillFile, SkillListItem,
};
use tempfile::TempDir;

/// A directory for skills, which is removed at the end of the test.
pub(crate) struct Shelf(TempDir);

impl Shelf {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("a directory"))
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// Writes a file, and creates the directories before it.
    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, content).expect("a file");
    }

    /// Writes an instruction skill with a manifest.
    pub(crate) fn skill(&self, directory: &str, name: &str, version: &str) {
        self.write(&format!("{directory}/skill.toml"), manifest(name, version));
        self.write(&format!("{directory}/SKILL.md"), format!("---\nname: {name}\n---\n\nText.\n"));
    }

    /// Writes a skill without a manifest.
    pub(crate) fn plain(&self, directory: &str, name: &str) {
        let text = format!("---\nname: {name}\ndescription: Does {name}.\n---\n\n# Title\n");
        self.write(&format!("{directory}/SKILL.md"), text);
    }

    /// Gives a file or directory another time than it had, as if some time had passed.
    pub(crate) fn touch(&self, path: &str) {
        let file = File::open(self.path(path)).expect("a file");
        let time = file.metadata().and_then(|metadata| metadata.modified()).expect("a time");
        file.set_modified(time + Duration::from_secs(10)).expect("a time");
    }

    pub(crate) fn root(&self, path: &str) -> Root {
        Root { label: path.to_owned(), directory: self.path(path) }
    }

    /// Opens the whole directory as the root `tests`, comparing files in every call.
    pub(crate) fn registry(&self) -> Registry {
        open([Root { label: "tests".to_owned(), directory: self.0.path().to_owned() }])
    }
}

/// Opens roots, comparing files in every call.
pub(crate) fn open(roots: impl IntoIterator<Item = Root>) -> Registry {
    Registry::open(roots.into_iter().collect()).with_interval(Duration::ZERO)
}

pub(crate) fn manifest(name: &str, version: &str) -> String {
    format!(
        "name = \"{name}\"\nversion = \"{version}\"\ndescription = \"Does {name} {version}.\"\n\
         kind = \"instruction\"\n"
    )
}

/// The name of the built-in skill, which every list has.
pub(crate) const GUIDE: &str = "skills.protocol.guide";

/// Returns the names and versions of one list, without the built-in skill.
pub(crate) fn listed(index: &Index) -> Vec<String> {
    let items = pages(index, &ListSkills { limit: Some(200), ..ListSkills::default() });
    let shown = |item: SkillListItem| format!("{} {}", item.name, item.version.expect("a version"));
    items.into_iter().filter(|item| item.name != GUIDE).map(shown).collect()
}

/// Returns the items of all pages.
pub(crate) fn pages(index: &Index, call: &ListSkills) -> Vec<SkillListItem> {
    let mut items = Vec::new();
    let mut call = call.clone();
    loop {
        let page = index.list(&call).expect("a page");
        items.extend(page.skills);
        match page.next_cursor {
            Some(cursor) => call.cursor = Some(cursor),
            None => return items,
        }
    }
}

pub(crate) fn describe(
    index: &Index,
    name: &str,
    detail: DescribeDetail,
) -> Result<DescribedSkill, RpcError> {
    let detail = Some(detail);
    index.describe(&DescribeSkill { name: name.to_owned(), version: None, detail })
}

pub(crate) fn read(index: &Index, name: &str, path: &str) -> Result<SkillFile, RpcError> {
    let path = path.to_owned();
    index.read_file(&ReadSkillFile { name: name.to_owned(), version: None, path })
}

/// Asserts why a call was refused, and returns the message and the help.
#[track_caller]
pub(crate) fn refusal<T: std::fmt::Debug>(
    result: Result<T, RpcError>,
    reason: RpcReason,
) -> String {
    let error = result.expect_err("a refusal");
    assert_eq!(error.reason(), Some(reason), "{error:?}");
    let data = error.data.expect("data");
    assert!(!error.message.is_empty() && !data.help.is_empty(), "{} {}", error.message, data.help);
    format!("{}; {}", error.message, data.help)
}

/// Returns the problem of a directory.
#[track_caller]
pub(crate) fn problem(index: &Index, path: &Path) -> IndexProblem {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let found = index.problems().iter().find(|problem| problem.path == path);
    found.unwrap_or_else(|| panic!("{}: {:?}", path.display(), index.problems())).clone()
}
