//! The canvases that skills link.

use super::caller::not_yours;
use super::failure::Failure;
use super::store::{Canvas, FamilyId, Reader};
use dibber_skill::contract::{CanvasSummary, Issue, Scope};
use dibber_skill::draft::is_canvas_id;
use dibber_text::{ellipsize, escape_line};

/// What is wrong with linking these canvases, each given with its path among the arguments: one
/// that was made before ages were asked for cannot be linked. What has not the form of an id is
/// somebody else's to judge.
///
/// # Errors
/// When the family has not all of them.
pub(super) fn faults<R: Reader + ?Sized>(
    store: &R,
    family: &FamilyId,
    linked: &[(String, &str)],
) -> Result<Vec<Issue>, Failure> {
    let linked = linked.iter().filter(|(_, id)| is_canvas_id(id));
    let linked: Vec<_> = linked.map(|(path, id)| (path, spelled(id))).collect();
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
            "the canvas `{name}` is of the time before canvases said for which ages they are"
        ),
        fix: "make the canvas again, with its ages, and link the new one".to_owned(),
    }
}

/// The canvases of a skill, for a chooser, as they are now.
pub(super) fn summaries<R: Reader + ?Sized>(
    store: &R,
    family: &FamilyId,
    ids: &[String],
) -> Result<Vec<CanvasSummary>, Failure> {
    let mut distinct: Vec<String> = Vec::new();
    for id in ids.iter().map(|id| spelled(id)) {
        if !distinct.contains(&id) {
            distinct.push(id);
        }
    }
    let canvases = store.canvases_of(family, &distinct)?.into_iter();
    let summary = |Canvas { id, name, emoji, .. }| CanvasSummary { canvas_id: id, name, emoji };
    Ok(canvases.map(summary).collect())
}

/// The id as the store spells it: a UUID is the same in capitals.
fn spelled(id: &str) -> String {
    id.to_ascii_lowercase()
}
