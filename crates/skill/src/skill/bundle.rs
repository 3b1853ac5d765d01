//! The directory of a skill: which files are in it.

use std::sync::Arc;

/// The name of the skill's own file in the specification.
pub const SKILL_FILE_NAME: &str = "SKILL.md";

/// The names under which that file is found.
pub const SKILL_FILE_NAMES: [&str; 2] = [SKILL_FILE_NAME, "skill.md"];

/// The name of the file that makes a directory one of the Skills Protocol.
pub const PROTOCOL_FILE_NAME: &str = "skill.toml";

/// The most files of one skill that are listed; the rest is counted and not looked at.
pub const FILES_MAX: usize = 10_000;

/// Which specification a directory follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BundleKind {
    /// Agent Skills: a directory with `SKILL.md`.
    AgentSkill,
    /// Skills Protocol: a directory with `skill.toml` beside it, where dotted names are right.
    SkillsProtocol,
}

/// The directory of a skill.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// The directory's path, as it is shown; empty for the current directory.
    pub path: String,
    /// The directory's own name; none when the skill came from standard input without a directory.
    pub name: Option<String>,
    /// Which specification it follows.
    pub kind: BundleKind,
    /// The name of the skill's file as it is written on disk.
    pub skill_file: String,
    /// The files, the skill's own among them, sorted by path. Of a skill in a directory below, only
    /// the skill's file is among them.
    pub files: Vec<BundleFile>,
    /// How many files there are beyond [`FILES_MAX`].
    pub files_left_out: usize,
    /// The bytes of `SKILL.md` on disk; more than were read when it is too large.
    pub skill_file_bytes: u64,
    /// The files of the skills in directories below.
    pub nested_files: NestedFiles,
}

/// A file in a skill's directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleFile {
    /// The path from the skill's directory, with `/` between its parts.
    pub path: String,
    /// What kind of file it is.
    pub kind: FileKind,
}

/// What kind of file something is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file, and how many bytes it has.
    Regular(u64),
    /// A symbolic link whose target is in the skill's directory.
    LinkInside,
    /// A symbolic link whose target is elsewhere: the target as written.
    LinkOutside(String),
    /// A broken or circular symbolic link: the target as written.
    LinkBroken(String),
    /// A pipe, a socket or a device.
    Special,
    /// A directory that has the name of a file.
    Directory,
}

impl Bundle {
    /// Creates the bundle of a skill without files on disk: a `SKILL.md` alone in a directory.
    pub fn of_text(path: impl Into<String>, name: Option<String>) -> Self {
        Self {
            path: path.into(),
            name,
            kind: BundleKind::AgentSkill,
            skill_file: SKILL_FILE_NAME.to_owned(),
            files: Vec::new(),
            files_left_out: 0,
            skill_file_bytes: 0,
            nested_files: NestedFiles::default(),
        }
    }

    /// The path, as it is shown, of a file in the directory.
    pub fn path_of(&self, file: &str) -> String {
        if self.path.is_empty() { file.to_owned() } else { format!("{}/{file}", self.path) }
    }

    /// The file at that path from the directory.
    pub fn file(&self, path: &str) -> Option<&BundleFile> {
        self.files
            .binary_search_by(|file| file.path.as_str().cmp(path))
            .ok()
            .map(|index| &self.files[index])
    }

    /// Returns whether the file at that path is a regular one, also if it belongs to a skill in a
    /// directory below; none if there is no file.
    pub fn is_regular(&self, path: &str) -> Option<bool> {
        match self.file(path) {
            Some(file) => Some(matches!(file.kind, FileKind::Regular(_))),
            None => self.nested_files.is_regular(path),
        }
    }

    /// Returns `true` if a file is below the directory of that path, which ends without a `/`.
    pub fn has_directory(&self, path: &str) -> bool {
        has_directory(&self.files, |file| &file.path, path) || self.nested_files.has_directory(path)
    }

    /// The skills that lie in directories below this one.
    pub fn nested_skills(&self) -> NestedSkills<'_> {
        let mut directories: Vec<&str> =
            self.files.iter().filter_map(|file| directory_of_skill_file(&file.path)).collect();
        directories.sort_unstable();
        directories.dedup_by(|later, earlier| later.starts_with(*earlier));
        NestedSkills { directories }
    }

    /// Returns `true` if the list of files is whole, so that a file that is not in it is missing.
    pub fn is_complete(&self) -> bool {
        self.files_left_out == 0 && !self.files.is_empty()
    }
}

/// The directory, with its `/`, of a path that ends in the name of a skill's file.
fn directory_of_skill_file(path: &str) -> Option<&str> {
    let slash = path.len().checked_sub(SKILL_FILE_NAME.len() + 1)?;
    let is_skill_file =
        path.as_bytes()[slash] == b'/' && path[slash + 1..].eq_ignore_ascii_case(SKILL_FILE_NAME);
    is_skill_file.then(|| &path[..=slash])
}

/// The skills that lie in directories below another one; their files are theirs.
#[derive(Debug)]
pub struct NestedSkills<'a> {
    /// The outermost directories, each with its `/`, sorted.
    directories: Vec<&'a str>,
}

impl<'a> NestedSkills<'a> {
    /// The directories from the outer skill, each with a `/` at its end; none is in another.
    pub fn directories(&self) -> &[&'a str] {
        &self.directories
    }

    /// Returns `true` if the file at that path belongs to one of them.
    pub fn own(&self, path: &str) -> bool {
        let next = self.directories.partition_point(|directory| *directory <= path);
        next > 0 && path.starts_with(self.directories[next - 1])
    }
}

/// The files of a tree of directories, by their paths alone.
#[derive(Debug)]
pub struct FileTree {
    files: Vec<TreeFile>,
}

/// A file of a [`FileTree`].
#[derive(Debug)]
pub struct TreeFile {
    /// The path from the top of the tree, with `/` between its parts.
    pub path: String,
    /// Whether it is a regular file.
    pub is_regular: bool,
}

impl FileTree {
    /// Returns the tree of files that are sorted by path.
    pub const fn new(files: Vec<TreeFile>) -> Self {
        Self { files }
    }
}

/// The files of the skills in directories below a skill: enough to see that a path leads to one.
///
/// The tree is shared by all skills in it. If each had a list of its own, skills that lie in one
/// another would need room that grows with the cube of their number.
#[derive(Clone, Debug, Default)]
pub struct NestedFiles {
    tree: Option<Arc<FileTree>>,
    /// The directory of the outer skill from the top of the tree, with a `/` unless it is the top.
    directory: String,
}

impl NestedFiles {
    /// Returns the files below the directory of that path, which ends in a `/` or is empty.
    pub const fn new(tree: Arc<FileTree>, directory: String) -> Self {
        Self { tree: Some(tree), directory }
    }

    fn is_regular(&self, path: &str) -> Option<bool> {
        let files = &self.tree.as_ref()?.files;
        let path = format!("{}{path}", self.directory);
        let index = files.binary_search_by(|file| file.path.as_str().cmp(&path)).ok()?;
        Some(files[index].is_regular)
    }

    fn has_directory(&self, path: &str) -> bool {
        self.tree.as_ref().is_some_and(|tree| {
            has_directory(&tree.files, |file| &file.path, &format!("{}{path}", self.directory))
        })
    }
}

/// Returns `true` if one of some files, sorted by path, is in that directory.
fn has_directory<T>(files: &[T], path_of: impl Fn(&T) -> &str, directory: &str) -> bool {
    let prefix = || directory.bytes().chain([b'/']);
    let first = files.partition_point(|file| path_of(file).bytes().lt(prefix()));
    files.get(first).is_some_and(|file| {
        path_of(file).strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
    })
}
