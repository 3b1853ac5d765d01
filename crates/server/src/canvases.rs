//! The canvases that skills link.

use super::caller::not_yours;
use super::failure::Failure;
use super::store::{Canvas, FamilyId, Reader};
use dibber_skill::contract::{CanvasId, CanvasSummary, Issue, Scope};
use dibber_text::{ellipsize, escape_line};

/// Returns what is wrong with linking these canvases, each given with its path among the arguments:
/// one without ages cannot be linked. An id of the wrong form is left to the draft analyzers.
///
/// # Errors
/// If the family does not have all of them.
pub(super) fn problems<R: Reader + ?Sized>(
    store: &R,
    family: &FamilyId,
    linked: &[(String, &CanvasId)],
) -> Result<Vec<Issue>, Failure> {
    let linked = linked.iter().filter(|(_, id)| id.is_well_formed());
    let linked: Vec<_> = linked.map(|(path, id)| (path, id.normalized())).collect();
    let ids: Vec<_> = linked.iter().map(|(_, id)| id.clone()).collect();
    let found = store.canvases_of(family, &ids)?;
    let mut issues = Vec::new();
    for (path, id) in linked {
        let canvas = found.iter().find(|canvas| canvas.id == id);
        let canvas = canvas.ok_or_else(|| not_yours(Scope::SkillWrite, "canvas"))?;
        if canvas.age_range.is_none() {
            issues.push(without_ages(path.clone(), canvas));
        }
    }
    Ok(issues)
}

fn without_ages(path: String, canvas: &Canvas) -> Issue {
    let name = escape_line(&ellipsize(&canvas.name)).into_owned();
    Issue {
        path,
        reason: "LEGACY_CANVAS_NO_DIMENSIONS".to_owned(),
        message: format!(
            "the canvas `{name}` has no ages: it was created before canvases had them"
        ),
        fix: "create the canvas again, with its ages, and link the new one".to_owned(),
    }
}

/// Returns the canvases of a skill as they are now, for a chooser.
pub(super) fn summaries<R: Reader + ?Sized>(
    store: &R,
    family: &FamilyId,
    ids: &[CanvasId],
) -> Result<Vec<CanvasSummary>, Failure> {
    let mut distinct: Vec<CanvasId> = Vec::new();
    for id in ids.iter().map(CanvasId::normalized) {
        if !distinct.contains(&id) {
            distinct.push(id);
        }
    }
    let canvases = store.canvases_of(family, &distinct)?.into_iter();
    let summary = |Canvas { id, name, emoji, .. }| CanvasSummary { canvas_id: id, name, emoji };
    Ok(canvases.map(summary).collect())
}
