//! The canvases that skills link.

use super::caller::EntityKind;
use super::failure::Failure;
use super::problems::Problems;
use super::store::{Canvas, FamilyId, Listed, Reader};
use dibber_skill::contract::{CanvasId, CanvasSummary, Scope};
use dibber_text::Shown;

/// Reports what is wrong with linking these canvases, each given with its path among the arguments:
/// the family does not have one, or one has no ages. An id of the wrong form is left to the draft
/// analyzers.
pub(super) fn check<R: Reader + ?Sized>(
    store: &R,
    family: &FamilyId,
    linked: &[(String, &CanvasId)],
    problems: &mut Problems,
) -> Result<(), Failure> {
    let linked = linked.iter().filter(|(_, id)| id.is_well_formed());
    let linked: Vec<_> = linked.map(|(path, id)| (path, id.normalized())).collect();
    let ids: Vec<_> = linked.iter().map(|(_, id)| id.clone()).collect();
    let found = store.canvases_of(family, &ids)?.complete()?;
    for (path, id) in linked {
        match found.iter().find(|canvas| canvas.id == id) {
            None => problems.add_not_found(Scope::SkillWrite, path, EntityKind::Canvas),
            Some(canvas) if canvas.age_range.is_none() => {
                let name = Shown::to_be_masked(&canvas.name);
                problems.add_bad_input(
                    path,
                    "LEGACY_CANVAS_NO_DIMENSIONS",
                    format!(
                        "the canvas `{name}` has no ages: it was created before canvases had them"
                    ),
                    "link a canvas that has ages; family_query_overview lists the canvases",
                );
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// Returns the canvases of a skill as they are now, for a chooser, without those that are damaged.
pub(super) fn summaries<R: Reader + ?Sized>(
    store: &R,
    family: &FamilyId,
    ids: &[CanvasId],
) -> Result<Listed<CanvasSummary>, Failure> {
    let mut distinct: Vec<CanvasId> = Vec::new();
    for id in ids.iter().map(CanvasId::normalized) {
        if !distinct.contains(&id) {
            distinct.push(id);
        }
    }
    let Listed { rows, damaged } = store.canvases_of(family, &distinct)?;
    let summary = |Canvas { id, name, emoji, .. }| CanvasSummary { canvas_id: id, name, emoji };
    Ok(Listed { rows: rows.into_iter().map(summary).collect(), damaged })
}
