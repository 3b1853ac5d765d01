//! The response model of a skill in calls: what is wrong with one, and with data that have to match it.

use serde_json::{Map, Value};

use super::roster::FamilyMask;
use dibber_skill::contract::{Issue, RESULT_DATA};
use dibber_skill::names::Roster;
use dibber_skill::response_model::{ModelIssue, check_data, check_model};
use dibber_text::Mask;

/// Returns what is wrong with the response model of a skill that is written, as issues of the call.
pub(super) fn problems(model: Option<&Map<String, Value>>, roster: &Roster) -> Vec<Issue> {
    let issues = model.map(check_model).unwrap_or_default();
    let reason = "INVALID_RESPONSE_MODEL";
    issues.into_iter().map(|it| issue(it, "/responseModel", reason, roster)).collect()
}

/// Checks the data of a result with the response model of its skill.
///
/// # Errors
/// What does not match, as issues of the call.
pub(super) fn check(
    model: &Map<String, Value>,
    data: Option<&Value>,
    roster: &Roster,
) -> Result<(), Vec<Issue>> {
    let path = format!("/result/{RESULT_DATA}");
    let reason = "RESULT_MISMATCH";
    let Some(data) = data else {
        return Err(vec![Issue {
            path,
            reason: reason.to_owned(),
            message: "the result has no `data`, and the skill has a response model".to_owned(),
            fix: "add `data` as the responseModel of skill_get describes it".to_owned(),
        }]);
    };
    let checked = check_data(model, data);
    checked
        .map_err(|issues| issues.into_iter().map(|it| issue(it, &path, reason, roster)).collect())
}

/// Returns an issue below a path of the call. The names of fields may contain that of a child.
fn issue(issue: ModelIssue, below: &str, reason: &str, roster: &Roster) -> Issue {
    let mask = FamilyMask { roster };
    Issue {
        path: mask.mask(&format!("{below}{}", issue.json_pointer())).into_owned(),
        reason: reason.to_owned(),
        message: mask.mask(&issue.message).into_owned(),
        fix: issue.help,
    }
}
