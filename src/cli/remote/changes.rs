//! What an update changes, field by field.

use crate::cli::term::diff;
use crate::cli::term::sheet::Sheet;
use dibber_client::text_in_form_of;
use dibber_skill::contract::{SkillUpdate, StoredSkill};
use dibber_skill::names::Roster;

/// The most characters of a string that is shown beside its old value; a longer one is shown as a
/// diff.
const BESIDE_CHARACTERS_MAX: usize = 200;

/// Writes a row for each field that an update changes, and a diff for each string of several lines.
pub(super) fn write(sheet: &mut Sheet, old: &StoredSkill, update: &SkillUpdate, roster: &Roster) {
    let short = [
        ("label", Some(old.name.as_str()), update.name.as_deref()),
        ("summary", Some(old.description.as_str()), update.description.as_deref()),
        (
            "ages",
            old.age_range.as_deref(),
            update.age_range.as_ref().map(|change| change.ages().unwrap_or("none")),
        ),
    ];
    let mut long = Vec::new();
    for (word, before, after) in short {
        let before = before.unwrap_or_default();
        match after {
            Some(after) if is_long(before) || is_long(after) => long.push((word, before, after)),
            Some(after) => {
                let before = if before.is_empty() { "none" } else { before };
                sheet.row(word, &format!("{before} → {after}"));
            }
            None => {}
        }
    }
    if let Some(may) = update.kid_callable {
        let (before, after) = (launch_permission(old.kid_callable), launch_permission(may));
        sheet.row("children", &format!("{before} → {after}"));
    }
    let canvases = update.remove_canvas_ids.iter().map(|id| format!("- {id}"));
    let canvases = canvases.chain(update.add_canvas_ids.iter().map(|id| format!("+ {id}")));
    for (index, line) in canvases.enumerate() {
        sheet.row(if index == 0 { "canvases" } else { "" }, &line);
    }
    if let Some(change) = &update.response_model {
        let word = |has_model| if has_model { "has a schema" } else { "none" };
        let before = word(old.response_model.model().is_some());
        let after = if change.model().is_some() { "another schema" } else { "none" };
        sheet.row("result", &format!("{before} → {after}"));
    }
    // A server without content hashes may store another form of what it is sent.
    let has_own_form = old.content_hash.is_none();
    let changed = update.instructions.as_deref();
    let formed = changed.filter(|_| has_own_form).map(|text| text_in_form_of(text, &old.prompt));
    if let Some(changed) = changed {
        long.push(("prompt", formed.as_deref().unwrap_or(&old.prompt), changed));
    }
    for (word, before, after) in long {
        sheet.end_line();
        let diff = diff::unified(
            word,
            &diff::end_line(before, after),
            &diff::end_line(after, before),
            roster,
        );
        sheet.push_diff(&diff);
    }
}

fn is_long(text: &str) -> bool {
    text.contains('\n') || text.chars().nth(BESIDE_CHARACTERS_MAX).is_some()
}

const fn launch_permission(may: bool) -> &'static str {
    if may { "may launch it" } else { "may not launch it" }
}
