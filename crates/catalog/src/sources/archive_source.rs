//! Skills of an archive.

use dibber_text::{message, quote};

use super::offered::{OfferedSkill, OpenSource, SourceError, SourceErrorKind};
use crate::archive::{Archive, ArchiveError, ArchiveLimits};
use crate::contents::{ContentsLimits, SkillContents};
use crate::digest::Digest;
use crate::folder::FolderProblem;

/// An archive that was read into memory.
#[derive(Debug)]
pub struct ArchiveSource {
    address: String,
    digest: Digest,
    archive: Archive,
    offered: Vec<OfferedSkill>,
}

impl ArchiveSource {
    /// Reads an archive, which is recorded by this address; exactly the one that was recorded, if one was.
    pub fn open(
        bytes: &[u8],
        address: String,
        recorded: Option<&str>,
    ) -> Result<Self, SourceError> {
        let digest = Digest::of(bytes);
        if let Some(recorded) = recorded.filter(|recorded| *recorded != digest.to_string()) {
            let message = message!["the archive is not the recorded one, ", quote(recorded)];
            return Err(SourceError::new(SourceErrorKind::Refused, message));
        }
        let archive = Archive::read(bytes, ArchiveLimits::ACCEPTED).map_err(|it| error(&it))?;
        if !archive.problems.is_empty() {
            return Err(error(&ArchiveError::Refused(archive.problems)));
        }
        let offer = |path: &&str| {
            let contents = archive.skill(Some(*path)).map_err(|it| error(&it))?;
            Ok(OfferedSkill::new(path, contents.skill_file().1.bytes.clone()))
        };
        let offered = archive.skills().iter().map(offer).collect::<Result<Vec<_>, _>>()?;
        if offered.is_empty() {
            return Err(error(&ArchiveError::NoSkill));
        }
        Ok(Self { address, digest, archive, offered })
    }
}

fn error(error: &ArchiveError) -> SourceError {
    let kind = match error {
        ArchiveError::NoSkill | ArchiveError::NotThere(_) => SourceErrorKind::NotFound,
        _ => SourceErrorKind::Refused,
    };
    SourceError::new(kind, error.message())
}

impl OpenSource for ArchiveSource {
    fn address(&self) -> String {
        self.address.clone()
    }

    fn revision(&self) -> Option<String> {
        Some(self.digest.to_string())
    }

    fn skills(&self) -> &[OfferedSkill] {
        &self.offered
    }

    fn read(
        &self,
        path: &str,
        _: ContentsLimits,
    ) -> Result<(SkillContents, Vec<FolderProblem>), SourceError> {
        let contents = self.archive.skill(Some(path)).map_err(|it| error(&it))?;
        let notes = self.archive.notes.iter();
        let notes = notes
            .map(|note| FolderProblem { path: note.entry.clone(), message: note.message.clone() });
        Ok((contents, notes.collect()))
    }
}
