//! What a run works on: the settings and unsaved files of the workspace, the skills, the options.

use std::path::PathBuf;

use crate::add_waivers::NewWaivers;
use crate::baseline::Baseline;
use crate::changed::ChangedLines;
use crate::settings::Settings;
use dibber_skill::diagnostic::Applicability;
use dibber_skill::discover::{DiscoverError, IgnoreFiles, Overlays};

/// The settings of runs, and the files that are not saved yet.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) settings: Settings,
    pub(super) overlays: Overlays,
}

/// The skills of a run.
#[derive(Clone, Debug)]
pub enum Input {
    /// The skills at and below these paths.
    Paths(Vec<PathBuf>),
    /// One skill whose `SKILL.md` has this content: from standard input, or a buffer that is not
    /// a file yet. If there is a skill at the path, the other files of its directory belong to it.
    SkillFile {
        /// The path of the file, if it has one.
        path: Option<PathBuf>,
        /// Its content.
        bytes: Vec<u8>,
    },
}

/// What a run reports and fixes.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Report and fix only findings on these lines.
    pub changes: Option<ChangedLines>,
    /// Report only findings that are not in this baseline.
    pub baseline: Option<Baseline>,
    /// Whether what git ignores is left out.
    pub ignore_files: IgnoreFiles,
    /// What happens to paths without a skill.
    pub paths_without_skill: PathsWithoutSkill,
    /// Plan a change of each skill, and report what is left.
    pub change: Option<SkillChange>,
}

/// What is changed in skills.
#[derive(Clone, Debug)]
pub enum SkillChange {
    /// The fixes up to this applicability are applied.
    Fix(Applicability),
    /// Waivers are added for the findings.
    AddWaivers(NewWaivers),
}

/// What happens to a path that is not part of a skill and contains none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathsWithoutSkill {
    /// It is a problem, as a mistyped path is.
    #[default]
    Report,
    /// It is skipped: the paths are all those that changed, whatever they are.
    Skip,
}

impl Input {
    /// Returns the paths that are linted.
    pub fn paths(&self) -> &[PathBuf] {
        match self {
            Self::Paths(paths) => paths,
            Self::SkillFile { path, .. } => path.as_slice(),
        }
    }
}

impl RunOptions {
    /// Returns `true` if a problem with a path is reported.
    pub(super) const fn reports(&self, problem: &DiscoverError) -> bool {
        match self.paths_without_skill {
            PathsWithoutSkill::Report => true,
            PathsWithoutSkill::Skip => !problem.is_without_skill(),
        }
    }
}

impl Workspace {
    /// Creates a workspace without overlays.
    pub fn new(settings: Settings) -> Self {
        Self { settings, overlays: Overlays::default() }
    }

    /// Returns the settings.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the overlays, to change them between runs.
    pub const fn overlays_mut(&mut self) -> &mut Overlays {
        &mut self.overlays
    }
}
