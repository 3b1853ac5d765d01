//! How the conflicts of a push are resolved. Nothing is written here.

use dibber_client::publish::{LockKey, MovedSkill, PullPlan};
use dibber_skill::discover::{FoundSkill, Overlays};

/// How skills are published that another writer has changed.
#[derive(Default)]
pub(super) struct Resolutions {
    /// The files that are written before anything is published.
    pub(super) files: Vec<ResolvedFiles>,
    /// The skills that are overwritten on the server.
    pub(super) overwritten: Vec<LockKey>,
}

/// The files that a skill gets.
pub(super) struct ResolvedFiles {
    pub(super) key: LockKey,
    pub(super) plan: PullPlan,
    /// The skill that the folder is taken for, if it was moved.
    pub(super) moved: Option<MovedSkill>,
    pub(super) kind: ResolutionKind,
}

/// What the files of a skill contain after a conflict is resolved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ResolutionKind {
    /// The changes of both sides.
    Merge,
    /// What the server has.
    Pull,
}

impl Resolutions {
    /// Returns `true` if another plan has to be made.
    pub(super) const fn is_empty(&self) -> bool {
        self.files.is_empty() && self.overwritten.is_empty()
    }

    /// Returns the files of a skill, if a conflict of it is resolved by writing files.
    pub(super) fn files_of(&self, key: &LockKey) -> Option<&ResolvedFiles> {
        self.files.iter().find(|files| files.key == *key)
    }

    /// Returns the content of the files that are not written yet, and adds those that are new.
    pub(super) fn overlays(&self, found: &mut [FoundSkill]) -> Overlays {
        let mut overlays = Overlays::default();
        for skill in found {
            let Some(resolved) = self.files_of(&LockKey::new(&skill.directory)) else { continue };
            for file in &resolved.plan.files {
                overlays.insert_file(skill, &file.name, file.text.clone().into_bytes());
            }
        }
        overlays
    }
}
