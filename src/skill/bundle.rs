//! The folder of a skill: which files are in it.

/// The name that the specification gives the skill's own file.
pub const SKILL_FILE_NAME: &str = "SKILL.md";

/// The name of the file that makes a folder one of the Skills Protocol.
pub const PROTOCOL_FILE_NAME: &str = "skill.toml";

/// The most files of one skill that are listed; the rest is counted and not looked at.
pub const FILES_MAX: usize = 10_000;

/// Which specification a folder follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BundleKind {
    /// Agent Skills: a folder with `SKILL.md`.
    AgentSkill,
    /// Skills Protocol: a folder with `skill.toml` beside it, where dotted names are right.
    SkillsProtocol,
}

/// The folder of a skill.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// The folder's path, as it is shown; empty for the current folder.
    pub path: String,
    /// The folder's own name; none when the skill came from standard input without a folder.
    pub name: Option<String>,
    /// Which specification it follows.
    pub kind: BundleKind,
    /// The name of the skill's file as it is written on disk.
    pub skill_file: String,
    /// The files, the skill's own among them, sorted by path.
    pub files: Vec<BundleFile>,
    /// How many files there are beyond [`FILES_MAX`].
    pub files_left_out: usize,
    /// The bytes of `SKILL.md` on disk; more than were read when it is too large.
    pub skill_file_bytes: u64,
}

/// A file in a skill's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleFile {
    /// The path from the skill's folder, with `/` between its parts.
    pub path: String,
    /// What kind of file it is.
    pub kind: FileKind,
}

/// What kind of file something is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file, and how many bytes it has.
    Regular(u64),
    /// A symbolic link whose target lies in the skill's folder.
    LinkInside,
    /// A symbolic link whose target lies elsewhere: the target as written.
    LinkOutside(String),
    /// A symbolic link that leads nowhere, or in a circle: the target as written.
    LinkBroken(String),
    /// A pipe, a socket or a device.
    Special,
    /// A folder that has the name of a file.
    Folder,
}

impl Bundle {
    /// Makes the bundle of a skill that is only a text: a file of that name, alone in a folder.
    pub fn of_text(path: impl Into<String>, name: Option<String>) -> Self {
        Self {
            path: path.into(),
            name,
            kind: BundleKind::AgentSkill,
            skill_file: SKILL_FILE_NAME.to_owned(),
            files: Vec::new(),
            files_left_out: 0,
            skill_file_bytes: 0,
        }
    }

    /// The path, as it is shown, of a file in the folder.
    pub fn path_of(&self, file: &str) -> String {
        if self.path.is_empty() { file.to_owned() } else { format!("{}/{file}", self.path) }
    }

    /// The file at that path from the folder.
    pub fn file(&self, path: &str) -> Option<&BundleFile> {
        self.files
            .binary_search_by(|file| file.path.as_str().cmp(path))
            .ok()
            .map(|index| &self.files[index])
    }

    /// Tells whether a file lies below the folder of that path, which ends without a `/`.
    pub fn has_folder(&self, path: &str) -> bool {
        let prefix = || path.bytes().chain([b'/']);
        let first = self.files.partition_point(|file| file.path.bytes().lt(prefix()));
        self.files.get(first).is_some_and(|file| {
            file.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
        })
    }

    /// The skills that lie in folders below this one.
    pub fn nested_skills(&self) -> NestedSkills<'_> {
        let mut folders: Vec<&str> =
            self.files.iter().filter_map(|file| folder_of_skill_file(&file.path)).collect();
        folders.sort_unstable();
        folders.dedup_by(|later, earlier| later.starts_with(*earlier));
        NestedSkills { folders }
    }

    /// Tells whether the list of files is whole, so that a file that is not in it is missing.
    pub fn is_complete(&self) -> bool {
        self.files_left_out == 0 && !self.files.is_empty()
    }
}

/// The folder, with its `/`, of a path that ends in the name of a skill's file.
fn folder_of_skill_file(path: &str) -> Option<&str> {
    let slash = path.len().checked_sub(SKILL_FILE_NAME.len() + 1)?;
    let is_skill_file =
        path.as_bytes()[slash] == b'/' && path[slash + 1..].eq_ignore_ascii_case(SKILL_FILE_NAME);
    is_skill_file.then(|| &path[..=slash])
}

/// The skills that lie in folders below another one; their files are theirs.
#[derive(Debug)]
pub struct NestedSkills<'a> {
    /// The outermost folders, each with its `/`, sorted.
    folders: Vec<&'a str>,
}

impl<'a> NestedSkills<'a> {
    /// The folders from the outer skill, each with a `/` at its end; none lies in another.
    pub fn folders(&self) -> &[&'a str] {
        &self.folders
    }

    /// Tells whether the file at that path belongs to one of them.
    pub fn own(&self, path: &str) -> bool {
        let next = self.folders.partition_point(|folder| *folder <= path);
        next > 0 && path.starts_with(self.folders[next - 1])
    }
}
