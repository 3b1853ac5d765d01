//! An archive in memory, and the skills in it.

use std::collections::BTreeMap;

use dibber_skill::skill::SKILL_FILE_NAMES;
use dibber_text::{Message, message, quote};

use super::collector::Collected;
use super::format::ArchiveFormat;
use super::problem::{ArchiveLimits, ArchiveProblem};
use super::read_tar::read_tar_gz;
use super::read_zip::read_zip;
use crate::contents::{ContentsBuilder, ContentsError, FileContents, SkillContents};
use crate::path::SkillPath;

/// An archive that was read.
#[derive(Debug)]
pub struct Archive {
    /// How it is packed.
    pub format: ArchiveFormat,
    /// The entries that are left out, which is no problem.
    pub notes: Vec<ArchiveProblem>,
    /// Why the archive is refused; at most 100.
    pub problems: Vec<ArchiveProblem>,
    limits: ArchiveLimits,
    files: BTreeMap<SkillPath, FileContents>,
}

/// Why an archive has no skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveError {
    /// It is neither a zip file nor one of gzip.
    UnknownFormat,
    /// It is refused.
    Refused(Vec<ArchiveProblem>),
    /// There is no `SKILL.md` in it.
    NoSkill,
    /// There is none in this directory.
    NotThere(String),
    /// There is more than one, in these directories.
    Several(Vec<String>),
    /// The files are not those of a skill.
    Contents(ContentsError),
}

impl Archive {
    /// Reads an archive of anyone. What is wrong with it is in [`Self::problems`].
    pub fn read(bytes: &[u8], limits: ArchiveLimits) -> Result<Self, ArchiveError> {
        let format = ArchiveFormat::detect(bytes).ok_or(ArchiveError::UnknownFormat)?;
        let Collected { files, notes, problems } = match format {
            ArchiveFormat::Zip => read_zip(bytes, limits),
            ArchiveFormat::TarGz => read_tar_gz(bytes, limits),
        };
        Ok(Self { format, notes, problems, limits, files })
    }

    /// Returns the files that could be read, sorted by path.
    pub fn files(&self) -> impl ExactSizeIterator<Item = (&SkillPath, &FileContents)> {
        self.files.iter()
    }

    /// Returns the directories with a `SKILL.md` that are not in the directory of another one, sorted. The
    /// top is an empty string.
    pub fn skills(&self) -> Vec<&str> {
        let own = self.files.keys().filter(|path| SKILL_FILE_NAMES.contains(&path.file_name()));
        let mut directories: Vec<&str> =
            own.map(|path| path.directories().next().unwrap_or_default()).collect();
        directories.sort_unstable_by_key(|directory| (directory.len(), *directory));
        let mut outermost: Vec<&str> = Vec::new();
        for directory in directories {
            if !outermost.iter().any(|outer| is_below(directory, outer)) {
                outermost.push(directory);
            }
        }
        outermost.sort_unstable();
        outermost
    }

    /// Returns the skill of the archive, or that in a directory of it. A directory around everything, as
    /// hosts of repositories add one, need not be named.
    pub fn skill(&self, inside: Option<&str>) -> Result<SkillContents, ArchiveError> {
        if !self.problems.is_empty() {
            return Err(ArchiveError::Refused(self.problems.clone()));
        }
        let directory = match inside {
            Some(inside) => self.directory(inside)?,
            None => match self.skills()[..] {
                [] => return Err(ArchiveError::NoSkill),
                [only] => only.to_owned(),
                ref several => {
                    let several = several.iter().map(|&directory| directory.to_owned()).collect();
                    return Err(ArchiveError::Several(several));
                }
            },
        };
        let mut builder = ContentsBuilder::new(self.limits.contents);
        for (path, file) in
            self.files.iter().filter(|(path, _)| is_below(path.as_str(), &directory))
        {
            let start = if directory.is_empty() { 0 } else { directory.len() + 1 };
            let path = SkillPath::new(&path.as_str()[start..]);
            let path = path.map_err(|error| ArchiveError::Contents(ContentsError::Path(error)))?;
            builder.insert(path, file.clone()).map_err(ArchiveError::Contents)?;
        }
        builder.finish().map_err(ArchiveError::Contents)
    }

    /// Returns the directory of that name in the archive, or in the one around everything.
    fn directory(&self, inside: &str) -> Result<String, ArchiveError> {
        let inside = inside.trim_end_matches('/');
        let has_skill = |directory: &str| {
            SKILL_FILE_NAMES.iter().any(|name| {
                let path = if directory.is_empty() {
                    (*name).into()
                } else {
                    format!("{directory}/{name}")
                };
                self.files.contains_key(path.as_str())
            })
        };
        if has_skill(inside) {
            return Ok(inside.to_owned());
        }
        let below = self.wrapper().map(|wrapper| format!("{wrapper}/{inside}"));
        below
            .filter(|directory| has_skill(directory))
            .ok_or_else(|| ArchiveError::NotThere(inside.to_owned()))
    }

    /// Returns the directory that everything is in, if there is one.
    pub fn wrapper(&self) -> Option<&str> {
        let top = self.files.keys().next()?.as_str().split_once('/')?.0;
        self.files.keys().all(|path| is_below(path.as_str(), top)).then_some(top)
    }
}

/// Returns `true` if a path is in a directory, which is the top if it is empty, or is that directory.
fn is_below(path: &str, directory: &str) -> bool {
    directory.is_empty()
        || path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl ArchiveError {
    /// Returns what is wrong.
    pub fn message(&self) -> Message {
        match self {
            Self::UnknownFormat => "it is neither a zip file nor a tar file with gzip".into(),
            Self::Refused(problems) => match &problems[..] {
                [] => "the archive is refused".into(),
                [only] => only.with_entry(),
                [first, others @ ..] => {
                    message![first.with_entry(), "; and ", others.len(), " more problems"]
                }
            },
            Self::NoSkill => "there is no `SKILL.md` in the archive".into(),
            Self::NotThere(directory) => {
                message!["there is no `SKILL.md` in `", quote(directory), "` of the archive"]
            }
            Self::Several(directories) => {
                message!["there are ", directories.len(), " skills in the archive"]
            }
            Self::Contents(error) => error.message(),
        }
    }
}
