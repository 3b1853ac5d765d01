//! The three sides of a skill that another writer has changed: what was published, what the server
//! has, and what the folder has.

use serde::Serialize;
use serde_json::Value;

use crate::cli::mask::masked_json;
use crate::cli::term::diff;
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::Ink;
use dibber_client::publish::{ChangedBy, Conflict, ConflictField};
use dibber_skill::contract::SkillWrite;
use dibber_skill::names::Roster;

/// The most characters of a string that is shown in a row; a longer one is shown as a diff.
const ROW_CHARACTERS_MAX: usize = 200;

/// What is shown for a value that is not set.
const NONE: &str = "none";

/// A conflict in the output of `push --json`, `diff --json` and `pull --json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConflictV1 {
    /// Whether this machine still has what was published; `base` is null otherwise.
    base_known: bool,
    fields: Vec<FieldV1>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FieldV1 {
    field: &'static str,
    /// `here`, `server`, `both` or `unknown`.
    changed: &'static str,
    base: Value,
    theirs: Value,
    ours: Value,
}

impl ConflictV1 {
    /// Removes the values of the fields that are withheld.
    pub(super) fn withhold(&mut self, is_withheld: impl Fn(&str) -> bool) {
        for field in self.fields.iter_mut().filter(|field| is_withheld(field.field)) {
            (field.base, field.theirs, field.ours) = (Value::Null, Value::Null, Value::Null);
        }
    }
}

/// Returns a conflict as JSON.
pub(super) fn json(conflict: &Conflict, roster: &Roster) -> ConflictV1 {
    let value = |side: &SkillWrite, field: &str| {
        let side = serde_json::to_value(side).expect("a skill is an object");
        masked_json(&side[field], roster)
    };
    let fields = conflict.fields.iter().map(|ConflictField { name, changed_by }| FieldV1 {
        field: name,
        changed: match changed_by {
            ChangedBy::Us => "here",
            ChangedBy::Them => "server",
            ChangedBy::Both => "both",
            ChangedBy::Unknown => "unknown",
        },
        base: conflict.base.as_ref().map_or(Value::Null, |base| value(base, name)),
        theirs: value(&conflict.theirs, name),
        ours: value(&conflict.ours, name),
    });
    ConflictV1 { base_known: conflict.base.is_some(), fields: fields.collect() }
}

/// Writes the fields in which the sides differ: short values in rows, and long ones as diffs.
pub(super) fn write(sheet: &mut Sheet, conflict: &Conflict, server: &str, roster: &Roster) {
    let note = format!("changed on {server} since it was last published or pulled here");
    sheet.painted_row("conflict", &note, Some(Ink::Warning));
    if conflict.base.is_none() {
        sheet.row("base", "what was published is not known on this machine");
    }
    let mut long = Vec::new();
    for ConflictField { name, changed_by } in &conflict.fields {
        let sides = Sides::of_field(conflict, name);
        let changed = match changed_by {
            ChangedBy::Us => "changed here".to_owned(),
            ChangedBy::Them => format!("changed on {server}"),
            ChangedBy::Both => format!("changed here and on {server}"),
            ChangedBy::Unknown => format!("not the same here and on {server}"),
        };
        sheet.row(word(name), &changed);
        if sides.are_long() {
            long.push((word(name), sides));
            continue;
        }
        if let Some(base) = &sides.base {
            sheet.row("  base", base);
        }
        sheet.row("  theirs", &sides.theirs);
        sheet.row("  ours", &sides.ours);
    }
    for (word, sides) in long {
        for (before, after) in sides.pairs(word) {
            sheet.end_line();
            sheet.push_diff(&diff::named(
                (&before.0, &diff::end_line(before.1, after.1)),
                (&after.0, &diff::end_line(after.1, before.1)),
                roster,
            ));
        }
    }
    sheet.end_line();
}

/// The values of one field.
struct Sides {
    base: Option<String>,
    theirs: String,
    ours: String,
}

/// The name and the value of one side.
type NamedSide<'a> = (String, &'a str);

impl Sides {
    fn of_field(conflict: &Conflict, field: &str) -> Self {
        Self {
            base: conflict.base.as_ref().map(|base| value(base, field)),
            theirs: value(&conflict.theirs, field),
            ours: value(&conflict.ours, field),
        }
    }

    fn are_long(&self) -> bool {
        let mut sides = self.base.iter().chain([&self.theirs, &self.ours]);
        sides.any(|it| it.contains('\n') || it.chars().nth(ROW_CHARACTERS_MAX).is_some())
    }

    /// Returns the sides to compare: each with what was published, or the two with each other.
    fn pairs(&self, word: &str) -> Vec<(NamedSide<'_>, NamedSide<'_>)> {
        let base = self.base.as_deref().map(|base| (format!("{word} (base)"), base));
        let theirs = (format!("{word} (theirs)"), self.theirs.as_str());
        let ours = (format!("{word} (ours)"), self.ours.as_str());
        let Some(base) = base else { return vec![(theirs, ours)] };
        let changed = [theirs, ours].into_iter().filter(|side| side.1 != base.1);
        changed.map(|side| (base.clone(), side)).collect()
    }
}

/// Returns the value of a field as it is shown.
fn value(side: &SkillWrite, field: &str) -> String {
    let side = serde_json::to_value(side).expect("a skill is an object");
    match &side[field] {
        Value::String(text) => text.clone(),
        Value::Null => NONE.to_owned(),
        Value::Array(items) => {
            let items = items.iter().map(|item| match item.as_str() {
                Some(text) => text.to_owned(),
                None => item["name"].as_str().map_or_else(|| item.to_string(), str::to_owned),
            });
            items.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

/// Returns what fields are called in a sentence.
pub(super) fn words(fields: &[&str]) -> String {
    fields.iter().copied().map(word).collect::<Vec<_>>().join(", ")
}

/// Returns what a field is called on a page.
pub(super) fn word(field: &str) -> &'static str {
    match field {
        "name" => "label",
        "description" => "summary",
        "category" => "category",
        "handsReferenced" => "hands",
        "inputVariables" => "inputs",
        "kidCallable" => "children",
        "ageRange" => "ages",
        "canvasIds" => "canvases",
        _ => "prompt",
    }
}
