//! The JSON of `dibber pack`.

use std::path::Path;

use serde::Serialize;

use crate::cli::error::CommandError;
use crate::cli::mask::mask;
use crate::cli::term::ui::Ui;
use dibber_catalog::pack::{PackLayout, PackPlan, PackProblem};
use dibber_catalog::{Archive, ArchiveFormat, Digest, FileContents, SkillContents, SkillPath};
use dibber_skill::discover::shown_path;
use dibber_skill::names::Roster;
use dibber_text::Message;

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Described by `schemas/pack.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PackV1 {
    version: u32,
    /// The file that was written or checked; none for standard output.
    file: Option<String>,
    format: &'static str,
    layout: Option<&'static str>,
    size: usize,
    digest: Digest,
    is_written: bool,
    skills: Vec<SkillV1>,
    items: Vec<ItemV1>,
    problems: Vec<ProblemV1>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SkillV1 {
    /// Its directory in the archive; empty for the top.
    path: String,
    name: Option<String>,
    /// The digest of the skill as a whole, which does not depend on how it is packed.
    digest: Digest,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ItemV1 {
    path: String,
    size: usize,
    digest: Digest,
    is_executable: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ProblemV1 {
    level: &'static str,
    path: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    message: String,
    help: Option<String>,
}

impl PackV1 {
    pub(super) fn of_plan(
        plan: &PackPlan,
        contents: &SkillContents,
        file: Option<&Path>,
        is_written: bool,
        ui: &Ui,
    ) -> Result<Self, CommandError> {
        let roster = ui.names()?;
        let directory = match plan.layout {
            PackLayout::Root => "",
            PackLayout::Wrapper => &plan.name,
        };
        Ok(Self {
            version: VERSION,
            file: file.map(|file| mask(&shown_path(file), &roster)),
            format: format_name(plan.format),
            layout: Some(layout_name(plan.layout)),
            size: plan.bytes.len(),
            digest: plan.digest,
            is_written,
            skills: vec![SkillV1::new(directory, contents, &roster)],
            items: items(contents.files(), &roster),
            problems: plan.problems.iter().map(|problem| ProblemV1::new(problem, ui)).collect(),
        })
    }

    pub(super) fn of_archive(
        archive: &Archive,
        file: &Path,
        bytes: &[u8],
        skills: &[(&str, SkillContents)],
        layout: Option<PackLayout>,
        problems: &[PackProblem],
        ui: &Ui,
    ) -> Result<Self, CommandError> {
        let roster = ui.names()?;
        let notes = archive.notes.iter().map(|note| ProblemV1 {
            level: "note",
            path: Some(mask(&note.entry, &roster)),
            line: None,
            column: None,
            message: shown(&note.message, ui),
            help: None,
        });
        let problems = problems.iter().map(|problem| ProblemV1::new(problem, ui));
        let skill =
            |(path, contents): &(&str, SkillContents)| SkillV1::new(path, contents, &roster);
        Ok(Self {
            version: VERSION,
            file: Some(mask(&shown_path(file), &roster)),
            format: format_name(archive.format),
            layout: layout.map(layout_name),
            size: bytes.len(),
            digest: Digest::of(bytes),
            is_written: false,
            skills: skills.iter().map(skill).collect(),
            items: items(archive.files(), &roster),
            problems: problems.chain(notes).collect(),
        })
    }
}

impl SkillV1 {
    fn new(path: &str, contents: &SkillContents, roster: &Roster) -> Self {
        let description = contents.describe().description;
        Self {
            path: mask(path, roster),
            name: description.map(|description| mask(&description.name, roster)),
            digest: contents.digest(),
        }
    }
}

impl ProblemV1 {
    fn new(problem: &PackProblem, ui: &Ui) -> Self {
        let (line, column) = problem.position.unzip();
        Self {
            level: if problem.is_error { "error" } else { "warning" },
            path: problem.path.as_deref().map(|path| ui.shown(path).in_full().to_string()),
            line,
            column,
            message: shown(&problem.message, ui),
            help: problem.help.as_ref().map(|help| shown(help, ui)),
        }
    }
}

fn items<'a>(
    files: impl Iterator<Item = (&'a SkillPath, &'a FileContents)>,
    roster: &Roster,
) -> Vec<ItemV1> {
    let item = |(path, file): (&SkillPath, &FileContents)| ItemV1 {
        path: mask(path.as_str(), roster),
        size: file.bytes.len(),
        digest: Digest::of(&file.bytes),
        is_executable: file.is_executable,
    };
    files.map(item).collect()
}

fn shown(message: &Message, ui: &Ui) -> String {
    message.shown(&ui.privacy()).without_indent().to_string()
}

const fn format_name(format: ArchiveFormat) -> &'static str {
    match format {
        ArchiveFormat::Zip => "zip",
        ArchiveFormat::TarGz => "tar.gz",
    }
}

const fn layout_name(layout: PackLayout) -> &'static str {
    match layout {
        PackLayout::Root => "root",
        PackLayout::Wrapper => "wrapper",
    }
}
