//! One commit of a repository, fetched into a temporary one.

use std::path::Path;

use dibber_skill::skill::{SKILL_BYTES_MAX, SKILL_FILE_NAMES};
use dibber_text::{Message, is_skill_part, message, quote, quote_display};
use tempfile::TempDir;

use super::command::run;
use super::tree::{self, TreeEntry, TreeEntryKind};
use crate::contents::{ContentsBuilder, ContentsLimits, FileContents, SkillContents};
use crate::folder::FolderProblem;
use crate::path::SkillPath;
use crate::sources::offered::{OfferedSkill, OpenSource, SourceError, SourceErrorKind};
use crate::sources::source::GitAddress;

/// The most skills of a repository.
const SKILLS_MAX: usize = 5_000;

/// The most bytes that git prints for a revision.
const REVISION_BYTES_MAX: u64 = 1024;

/// What precedes a commit in a revision that is recorded.
const COMMIT: &str = "git:";

/// What a file begins with whose content is elsewhere (git-lfs.com, docs/spec.md).
const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";

/// A commit of a repository. Nothing of it is checked out: its files are read as they are stored.
#[derive(Debug)]
pub struct GitSource {
    address: GitAddress,
    commit: String,
    directory: TempDir,
    entries: Vec<TreeEntry>,
    offered: Vec<OfferedSkill>,
}

impl GitSource {
    /// Fetches a commit: that of the address, or exactly the one that was recorded.
    pub fn open(address: GitAddress, recorded: Option<&str>) -> Result<Self, SourceError> {
        let directory = tempfile::Builder::new().prefix("dibber-git").tempdir().map_err(failed)?;
        let repository = directory.path();
        let commit = match recorded {
            Some(recorded) => Some(recorded_commit(recorded)?),
            None => None,
        };
        run(repository, &["init", "--quiet", "--bare", "--template="], &[], REVISION_BYTES_MAX)?;
        let wanted = commit.or(address.revision.as_deref()).unwrap_or("HEAD");
        let fetch = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules"];
        let arguments = [&fetch[..], &["--no-auto-maintenance", "--", &address.url, wanted]];
        run(repository, &arguments.concat(), &[], REVISION_BYTES_MAX)?;
        let parse = ["rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}"];
        let fetched = run(repository, &parse, &[], REVISION_BYTES_MAX)?;
        let fetched = String::from_utf8_lossy(&fetched).trim().to_owned();
        if commit.is_some_and(|commit| commit != fetched) {
            let message = "git has fetched another commit than the recorded one";
            return Err(SourceError::new(SourceErrorKind::Refused, message));
        }
        let entries = tree::list(repository, &fetched)?;
        let offered = offered(repository, &address.path, &entries)?;
        Ok(Self { address, commit: fetched, directory, entries, offered })
    }

    fn entries_below<'a>(
        &'a self,
        path: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a TreeEntry)> {
        self.entries.iter().filter_map(move |entry| Some((below(path, &entry.path)?, entry)))
    }
}

impl OpenSource for GitSource {
    fn address(&self) -> String {
        self.address.to_string()
    }

    fn revision(&self) -> Option<String> {
        Some(format!("{COMMIT}{}", self.commit))
    }

    fn skills(&self) -> &[OfferedSkill] {
        &self.offered
    }

    fn read(
        &self,
        path: &str,
        limits: ContentsLimits,
    ) -> Result<(SkillContents, Vec<FolderProblem>), SourceError> {
        let (mut paths, mut entries, mut problems) = (Vec::new(), Vec::new(), Vec::new());
        for (below, entry) in self.entries_below(path) {
            match accepted(below, entry) {
                Ok(accepted) => {
                    paths.push(accepted);
                    entries.push(entry);
                }
                Err(message) => problems.push(FolderProblem { path: below.to_owned(), message }),
            }
        }
        if entries.len() > limits.files_max {
            let message = message!["it has more than ", limits.files_max, " files"];
            return Err(SourceError::new(SourceErrorKind::Refused, message));
        }
        let files = tree::read(self.directory.path(), &entries, limits.bytes_max)?;
        let refused = |message| SourceError::new(SourceErrorKind::Refused, message);
        let mut builder = ContentsBuilder::new(limits);
        for ((path, entry), bytes) in paths.into_iter().zip(entries).zip(files) {
            if bytes.starts_with(LFS_POINTER) {
                let message =
                    "is kept with Git LFS; only the pointer to its content is here".into();
                problems.push(FolderProblem { path: path.as_str().to_owned(), message });
            }
            let is_executable = entry.kind == TreeEntryKind::File { is_executable: true };
            let inserted = builder.insert(path, FileContents { bytes, is_executable });
            inserted.map_err(|error| refused(error.message()))?;
        }
        let contents = builder.finish().map_err(|error| refused(error.message()))?;
        Ok((contents, problems))
    }
}

/// Returns the path of a file of a skill, or why it cannot be one.
fn accepted(below: &str, entry: &TreeEntry) -> Result<SkillPath, Message> {
    match entry.kind {
        TreeEntryKind::Link => Err("is a symbolic link".into()),
        TreeEntryKind::Submodule => Err("is a submodule, which is not fetched".into()),
        TreeEntryKind::File { .. }
            if below.split('/').any(|name| is_git_name(name) || !is_skill_part(name)) =>
        {
            Err("is in a directory of a tool".into())
        }
        TreeEntryKind::File { .. } => SkillPath::new(below).map_err(|error| error.message),
    }
}

fn is_git_name(name: &str) -> bool {
    name.eq_ignore_ascii_case(".git")
}

/// Returns the path from a directory; none if it is not in that directory.
fn below<'a>(directory: &str, path: &'a str) -> Option<&'a str> {
    if directory.is_empty() {
        return Some(path);
    }
    path.strip_prefix(directory)?.strip_prefix('/')
}

/// Returns the skills in a directory, without those in the directories of others.
fn offered(
    repository: &Path,
    directory: &str,
    entries: &[TreeEntry],
) -> Result<Vec<OfferedSkill>, SourceError> {
    let is_skill_file = |entry: &&TreeEntry| {
        let name = entry.path.rsplit('/').next().unwrap_or_default();
        SKILL_FILE_NAMES.contains(&name)
            && matches!(entry.kind, TreeEntryKind::File { .. })
            && entry.size <= SKILL_BYTES_MAX as u64
            && below(directory, &entry.path).is_some()
    };
    let mut found: Vec<(&str, &TreeEntry)> = entries
        .iter()
        .filter(is_skill_file)
        .map(|entry| (entry.path.rsplit_once('/').map_or("", |(above, _)| above), entry))
        .collect();
    found.sort_by_key(|(path, _)| *path);
    found.dedup_by_key(|(path, _)| *path);
    let all: std::collections::BTreeSet<_> = found.iter().map(|(path, _)| *path).collect();
    let is_nested = |path: &str| {
        let mut above = path;
        let has_root = !path.is_empty() && all.contains("");
        has_root
            || std::iter::from_fn(|| {
                above = above.rsplit_once('/')?.0;
                Some(above)
            })
            .any(|above| all.contains(above))
    };
    found
        .retain(|(path, _)| !is_nested(path) && dibber_text::folder::check_path(&at(path)).is_ok());
    if found.is_empty() {
        let message = match directory {
            "" => "the repository has no skill".into(),
            _ => message!["the repository has no skill in `", quote(directory), "`"],
        };
        return Err(SourceError::new(SourceErrorKind::NotFound, message));
    }
    if found.len() > SKILLS_MAX {
        let message = message!["the repository has more than ", SKILLS_MAX, " skills"];
        return Err(SourceError::new(SourceErrorKind::Refused, message));
    }
    let files: Vec<_> = found.iter().map(|(_, entry)| *entry).collect();
    let texts = tree::read(repository, &files, SKILL_BYTES_MAX as u64 * 64)?;
    let skills = found.iter().zip(texts);
    Ok(skills.map(|((path, _), text)| OfferedSkill::new(path, text)).collect())
}

/// Returns the path of the file of a skill.
fn at(directory: &str) -> String {
    if directory.is_empty() { "SKILL.md".to_owned() } else { format!("{directory}/SKILL.md") }
}

/// Returns the commit of a revision that was recorded.
fn recorded_commit(recorded: &str) -> Result<&str, SourceError> {
    let commit = recorded.strip_prefix(COMMIT).filter(|commit| {
        (40..=64).contains(&commit.len()) && commit.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    commit.ok_or_else(|| {
        let message = message!["the recorded revision `", quote(recorded), "` is not a commit"];
        SourceError::new(SourceErrorKind::Refused, message)
    })
}

fn failed(error: std::io::Error) -> SourceError {
    SourceError::new(SourceErrorKind::Failed, quote_display(error))
}
