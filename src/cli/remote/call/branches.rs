//! Which of several schemas a value was meant for, if none of them accepts it.

use serde_json::Value;

use super::json_type::field;
use super::mismatch::{Mismatch, PathPart, Problem};
use crate::cli::remote::schema_words::target;

/// How well a value fits a schema that does not accept it; a better one is greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// The number of fields with a value that the schema names.
    choices: usize,
    /// The number of fields that the schema knows.
    fields: usize,
    /// The number of items before the mismatch.
    items: usize,
}

/// Returns the mismatch of the branch of `anyOf` or `oneOf` for which a value was most likely
/// meant; none if it has the type of none of them. A field whose value is a choice of no branch,
/// although every branch has choices for it, is the mismatch of all of them.
pub(super) fn closest_branch<'v>(
    branches: Vec<(&'v Value, Mismatch<'v>)>,
    value: &'v Value,
    root: &'v Value,
) -> Option<Mismatch<'v>> {
    let inner = branches.into_iter().filter(|(_, mismatch)| !mismatch.is_whole_value());
    let mut inner: Vec<_> = inner
        .map(|(branch, mismatch)| {
            let branch = target(branch, root).unwrap_or(branch);
            (fit(branch, &mismatch, value, root), branch, mismatch)
        })
        .collect();
    let branches: Vec<_> = inner.iter().map(|(_, branch, _)| *branch).collect();
    if branches.len() > 1
        && let Some(mismatch) = mismatch_of_all(&branches, value, root)
    {
        return Some(mismatch);
    }
    let best = inner.iter().map(|(fit, ..)| *fit).max()?;
    let best = inner.iter().position(|(fit, ..)| *fit == best)?;
    Some(inner.swap_remove(best).2)
}

fn fit(branch: &Value, mismatch: &Mismatch<'_>, value: &Value, root: &Value) -> Fit {
    let items = match mismatch.first_part() {
        Some(PathPart::Item(index)) => index,
        _ => 0,
    };
    let mut fit = Fit { choices: 0, fields: 0, items };
    for (name, value) in value.as_object().into_iter().flatten() {
        let Some(field) = field(branch, name) else { continue };
        fit.fields += 1;
        fit.choices += usize::from(choices(field, root).contains(value));
    }
    fit
}

/// Returns the mismatch of the first field whose value none of several schemas names, although each
/// of them names values for it.
fn mismatch_of_all<'v>(
    branches: &[&'v Value],
    value: &'v Value,
    root: &'v Value,
) -> Option<Mismatch<'v>> {
    value.as_object()?.iter().find_map(|(name, value)| {
        let mut known = Vec::new();
        for branch in branches {
            let choices = field(branch, name).map_or(&[][..], |field| choices(field, root));
            if choices.is_empty() || choices.contains(value) {
                return None;
            }
            known.extend(
                choices.iter().filter(|choice| !known.contains(choice)).collect::<Vec<_>>(),
            );
        }
        let problem = Problem::Choice { value, choices: known };
        Some(problem.at_value().inside(PathPart::Field(name)))
    })
}

/// Returns the values that a schema names; none if it accepts others, too.
pub(super) fn choices<'v>(schema: &'v Value, root: &'v Value) -> &'v [Value] {
    let schema = target(schema, root).unwrap_or(schema);
    let only = schema.get("const").map(std::slice::from_ref);
    only.or_else(|| schema.get("enum")?.as_array().map(Vec::as_slice)).unwrap_or_default()
}
