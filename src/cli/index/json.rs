//! The JSON of `dibber index`.

use serde::Serialize;

use crate::cli::error::CommandError;
use crate::cli::mask::mask;
use crate::cli::term::ui::Ui;
use dibber_catalog::Digest;
use dibber_catalog::well_known::{Artifact, IndexEntry, SiteChange, SiteChangeKind};
use dibber_text::Message;

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Described by `schemas/index.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct IndexV1 {
    version: u32,
    /// The directory, or the URL of the index.
    site: String,
    is_written: bool,
    items: Vec<ItemV1>,
    changes: Vec<ChangeV1>,
    problems: Vec<ProblemV1>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ItemV1 {
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    url: String,
    digest: Option<Digest>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangeV1 {
    path: String,
    change: &'static str,
    is_foreign: bool,
    size: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProblemV1 {
    level: &'static str,
    /// The directory of a skill, or the place in an index as a JSON pointer.
    place: String,
    message: String,
}

impl IndexV1 {
    pub(super) fn new(
        site: &str,
        is_written: bool,
        items: Vec<ItemV1>,
        changes: &[SiteChange],
        problems: Vec<ProblemV1>,
        ui: &Ui,
    ) -> Result<Self, CommandError> {
        let roster = ui.names()?;
        let change = |change: &SiteChange| ChangeV1 {
            path: mask(&change.path, &roster),
            change: change_name(change.kind),
            is_foreign: change.is_foreign,
            size: change.size,
        };
        Ok(Self {
            version: VERSION,
            site: mask(site, &roster),
            is_written,
            items,
            changes: changes.iter().map(change).collect(),
            problems,
        })
    }
}

impl ItemV1 {
    pub(super) fn new(entry: &IndexEntry, ui: &Ui) -> Result<Self, CommandError> {
        let roster = ui.names()?;
        let (kind, url, digest) = match &entry.artifact {
            Artifact::SkillMd { url, digest } => ("skill-md", url, *digest),
            Artifact::Archive { url, digest } => ("archive", url, *digest),
            Artifact::Files { url, digest, .. } => ("files", url, *digest),
        };
        Ok(Self { name: mask(&entry.name, &roster), kind, url: mask(url, &roster), digest })
    }
}

impl ProblemV1 {
    pub(super) fn new(
        is_error: bool,
        place: &str,
        message: &Message,
        ui: &Ui,
    ) -> Result<Self, CommandError> {
        let roster = ui.names()?;
        Ok(Self {
            level: if is_error { "error" } else { "warning" },
            place: mask(place, &roster),
            message: message.shown(&ui.privacy()).without_indent().to_string(),
        })
    }
}

pub(super) const fn change_name(kind: SiteChangeKind) -> &'static str {
    match kind {
        SiteChangeKind::Added => "added",
        SiteChangeKind::Changed => "changed",
        SiteChangeKind::Unchanged => "unchanged",
        SiteChangeKind::Removed => "removed",
    }
}
