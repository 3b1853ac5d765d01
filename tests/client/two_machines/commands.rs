//! The commands of a history.

use dibber_skill::contract::SkillId;

/// How a push treats what was changed elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PushMode {
    Plain,
    Force,
    Merge,
    New,
}

impl PushMode {
    const fn flag(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Force => Some("--force"),
            Self::Merge => Some("--merge"),
            Self::New => Some("--new"),
        }
    }
}

/// A command of dibber, on a folder or on everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Push { paths: Vec<String>, mode: PushMode },
    PushAll,
    Prune,
    Preview { path: String },
    Diff { path: String },
    Pull { paths: Vec<String>, is_forced: bool },
    PullId { skill_id: SkillId },
    PullAll { is_forced: bool },
    Rename { path: String, label: String },
    Archive { path: String },
    Unarchive { skill_id: SkillId },
    Link { path: String, skill_id: SkillId },
    Unlink { path: String },
}

impl Command {
    pub(super) const fn is_push(&self) -> bool {
        matches!(self, Self::Push { .. } | Self::PushAll | Self::Prune)
    }

    /// Returns `true` if it may write files.
    pub(super) const fn writes_files(&self) -> bool {
        self.is_pull() || matches!(self, Self::Push { mode: PushMode::Merge, .. })
    }

    /// Returns `true` if it may overwrite files that have changes of their own.
    pub(super) const fn overwrites_files(&self) -> bool {
        matches!(self, Self::Pull { is_forced: true, .. } | Self::PullAll { is_forced: true })
    }

    pub(super) const fn is_pull(&self) -> bool {
        matches!(self, Self::Pull { .. } | Self::PullId { .. } | Self::PullAll { .. })
    }

    /// Returns `true` if it changes nothing on the server.
    pub(super) const fn only_reads(&self) -> bool {
        let is_record = matches!(self, Self::Link { .. } | Self::Unlink { .. });
        self.is_pull() || is_record || matches!(self, Self::Preview { .. } | Self::Diff { .. })
    }

    pub(super) fn arguments(&self) -> Vec<&str> {
        match self {
            Self::Push { paths, mode } => ["push", "--yes"]
                .into_iter()
                .chain(mode.flag())
                .chain(paths.iter().map(String::as_str))
                .collect(),
            Self::Pull { paths, is_forced: true } => {
                ["pull", "--force"].into_iter().chain(paths.iter().map(String::as_str)).collect()
            }
            Self::Pull { paths, .. } => {
                ["pull"].into_iter().chain(paths.iter().map(String::as_str)).collect()
            }
            Self::PushAll => vec!["push", "--yes"],
            Self::Prune => vec!["push", "--yes", "--prune"],
            Self::Preview { path } => vec!["push", "--dry-run", path],
            Self::Diff { path } => vec!["diff", path],
            Self::PullId { skill_id } => vec!["pull", skill_id.as_str()],
            Self::PullAll { is_forced: true } => vec!["pull", "--all", "--force"],
            Self::PullAll { .. } => vec!["pull", "--all"],
            Self::Rename { path, label } => vec!["skill", "update", path, "--yes", "--name", label],
            Self::Archive { path } => vec!["skill", "archive", "--yes", path],
            Self::Unarchive { skill_id } => {
                vec!["skill", "unarchive", "--yes", skill_id.as_str()]
            }
            Self::Link { path, skill_id } => vec!["skill", "link", path, skill_id.as_str()],
            Self::Unlink { path } => vec!["skill", "unlink", path],
        }
    }
}
