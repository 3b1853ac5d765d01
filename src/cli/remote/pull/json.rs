//! `dibber pull --json`.

use std::path::Path;

use serde::Serialize;

use super::super::conflict::{self, ConflictV1};
use crate::cli::error_json::ErrorV1;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use dibber_client::publish::{PullPlan, PulledFileState};
use dibber_skill::contract::SkillId;
use dibber_skill::discover::shown_path;
use dibber_skill::names::Roster;

/// The version of the shape; it goes up when a field changes its meaning or goes away.
pub(super) const VERSION: u32 = 1;

/// Described by `schemas/pull.schema.json`.
#[derive(Serialize)]
pub(super) struct PullV1 {
    pub(super) version: u32,
    pub(super) server: String,
    pub(super) items: Vec<ItemV1>,
    /// Why other skills were not written, and the items that are blocked.
    pub(super) errors: Vec<ErrorV1>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ItemV1 {
    skill_id: SkillId,
    /// The folder of the skill.
    path: String,
    outcome: Outcome,
    /// Whether a push would change nothing.
    exact: bool,
    files: Vec<FileV1>,
    /// The changes of both sides, if the folder has changes that were not published.
    conflict: Option<ConflictV1>,
}

#[derive(Serialize)]
pub(super) struct FileV1 {
    path: String,
    /// How it differs from the file on disk: `same`, `new` or `changed`.
    state: &'static str,
}

/// What became of the files of a skill.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Outcome {
    /// They were written.
    Written,
    /// They are up to date.
    Unchanged,
    /// They have changes that would be lost.
    Blocked,
    /// Nothing was to be written.
    DryRun,
    /// They have changes that would be lost, and the question was answered with no.
    Declined,
}

impl Outcome {
    pub(super) const fn exit(self) -> Exit {
        match self {
            Self::Blocked => Exit::BadInput,
            Self::Written | Self::Unchanged | Self::DryRun | Self::Declined => Exit::Done,
        }
    }
}

pub(super) fn item(plan: &PullPlan, outcome: Outcome, roster: &Roster) -> ItemV1 {
    let mask = |path: &Path| mask(&shown_path(path), roster);
    let files = plan.files.iter().map(|file| FileV1 {
        path: mask(&plan.directory.join(&file.name)),
        state: match file.state {
            PulledFileState::Same => "same",
            PulledFileState::New => "new",
            PulledFileState::Changed(_) => "changed",
        },
    });
    ItemV1 {
        skill_id: plan.skill_id.clone(),
        path: mask(&plan.directory),
        outcome,
        exact: plan.is_exact,
        files: files.collect(),
        conflict: plan.conflict.as_ref().map(|it| conflict::json(it, roster)),
    }
}
