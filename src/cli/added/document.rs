//! The JSON of `dibber add` and `dibber update`.

use serde::Serialize;

use super::prepared::Prepared;
use crate::cli::error::CommandError;
use crate::cli::error_json::ErrorV1;
use crate::cli::mask::masked_json;
use crate::cli::term::ui::Ui;
use dibber_catalog::added::{AddedSkill, FileDifference, FileDifferenceKind, PlaceAction};

/// The version of the shape; it goes up when a field changes its meaning or goes away.
pub(super) const VERSION: u32 = 1;

/// Described by `schemas/add.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AddV1 {
    pub(super) version: u32,
    pub(super) items: Vec<SkillV1>,
    /// Whether the skills were installed.
    pub(super) is_applied: bool,
    pub(super) errors: Vec<ErrorV1>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SkillV1 {
    name: String,
    source: String,
    revision: Option<String>,
    path: String,
    digest: String,
    /// `new`, `update` or `same`.
    state: &'static str,
    description: Option<String>,
    license: Option<String>,
    compatibility: Option<String>,
    allowed_tools: Vec<String>,
    files: Vec<FileV1>,
    programs: Vec<String>,
    findings: Vec<FindingV1>,
    hints: Vec<HintV1>,
    left_out: Vec<String>,
    changes: Option<ChangesV1>,
    places: Vec<PlaceV1>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FileV1 {
    path: String,
    size: u64,
    digest: String,
    is_executable: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FindingV1 {
    path: String,
    line: Option<usize>,
    rule: &'static str,
    is_security: bool,
    message: String,
}

#[derive(Serialize)]
struct HintV1 {
    path: String,
    line: usize,
    kind: &'static str,
    word: &'static str,
}

#[derive(Serialize)]
struct ChangesV1 {
    fields: Vec<FieldChangeV1>,
    files: Vec<FileChangeV1>,
}

#[derive(Serialize)]
struct FieldChangeV1 {
    field: &'static str,
    before: Option<String>,
    after: Option<String>,
}

#[derive(Serialize)]
struct FileChangeV1 {
    path: String,
    kind: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PlaceV1 {
    path: String,
    action: &'static str,
    local_edits: Vec<FileChangeV1>,
}

/// Prints the JSON of skills.
pub(super) fn print(
    prepared: &[Prepared],
    is_applied: bool,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let items = prepared.iter().map(skill).collect();
    print_masked(&AddV1 { version: VERSION, items, is_applied, errors: ui.errors_json() }, ui)
}

/// Prints a document without secrets and names of children.
pub(super) fn print_masked(document: &impl Serialize, ui: &mut Ui) -> Result<(), CommandError> {
    let roster = ui.names()?;
    let value = serde_json::to_value(document).expect("strings and numbers are JSON");
    ui.print_json(&masked_json(&value, &roster))
}

fn skill(skill: &Prepared) -> SkillV1 {
    let AddedSkill { name, source, revision, path, digest, .. } = skill.plan.record.clone();
    let state = match &skill.plan.recorded {
        _ if skill.plan.is_done() => "same",
        None => "new",
        Some(_) => "update",
    };
    let it = skill.description.as_ref();
    let files = skill.plan.contents().list().into_iter().map(|file| FileV1 {
        path: file.path.as_str().to_owned(),
        size: file.size,
        digest: file.digest.to_string(),
        is_executable: file.is_executable,
    });
    let findings = skill.review.findings.iter().map(|finding| FindingV1 {
        path: finding.path.clone(),
        line: finding.line,
        rule: finding.rule,
        is_security: finding.is_security,
        message: finding.message.clone(),
    });
    let hints = skill.review.hints.iter().map(|hint| HintV1 {
        path: hint.path.clone(),
        line: hint.line,
        kind: hint.kind.name(),
        word: hint.word,
    });
    SkillV1 {
        name,
        source,
        revision,
        path,
        digest: digest.to_string(),
        state,
        description: it.map(|it| it.description.clone()),
        license: it.and_then(|it| it.license.clone()),
        compatibility: it.and_then(|it| it.compatibility.clone()),
        allowed_tools: it.map(|it| it.allowed_tools.clone()).unwrap_or_default(),
        files: files.collect(),
        programs: skill.review.scripts.iter().map(|script| script.path.clone()).collect(),
        findings: findings.collect(),
        hints: hints.collect(),
        left_out: skill.problems.iter().map(|it| it.with_path().shown(&()).to_string()).collect(),
        changes: changes(skill),
        places: skill.plan.steps.iter().map(|(path, action)| place(path, action)).collect(),
    }
}

fn changes(skill: &Prepared) -> Option<ChangesV1> {
    let changes = &skill.installed.first()?.changes;
    let fields = changes.fields.iter().map(|change| FieldChangeV1 {
        field: change.field,
        before: change.before.clone(),
        after: change.after.clone(),
    });
    let files = changes
        .files
        .iter()
        .map(|change| FileChangeV1 { path: change.path.clone(), kind: change.kind.name() });
    Some(ChangesV1 { fields: fields.collect(), files: files.collect() })
}

fn place(path: &str, action: &PlaceAction) -> PlaceV1 {
    let edit =
        |edit: &FileDifference| FileChangeV1 { path: edit.path.clone(), kind: edit.kind.name() };
    let lost =
        |path: &String| FileChangeV1 { path: path.clone(), kind: FileDifferenceKind::Extra.name() };
    let (action, local_edits) = match action {
        PlaceAction::Keep => ("keep", Vec::new()),
        PlaceAction::Create => ("create", Vec::new()),
        PlaceAction::Replace(edits) => ("replace", edits.iter().map(edit).collect()),
        PlaceAction::Overwrite(files) => ("overwrite", files.iter().map(lost).collect()),
        PlaceAction::Link => ("link", Vec::new()),
    };
    PlaceV1 { path: path.to_owned(), action, local_edits }
}
