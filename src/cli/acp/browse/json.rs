//! Offers as JSON.

use serde::Serialize;
use serde_json::{Map, Value};

use super::approvals::{Approval, Approvals};
use super::arguments::BrowseArgs;
use super::offer::{Offer, needs};
use crate::cli::error::CommandError;
use crate::cli::error_json::ErrorV1;
use crate::cli::term::ui::Ui;
use dibber_catalog::Digest;
use dibber_catalog::acp::{Difference, OfferedKind, OfferedSkill};

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Described by `schemas/acp-browse.schema.json`.
#[derive(Serialize)]
struct BrowseV1<'a> {
    version: u32,
    items: Vec<ItemV1<'a>>,
    differences: Option<Vec<DifferenceV1<'a>>>,
    problems: Vec<ProblemV1<'a>>,
    errors: Vec<ErrorV1>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ItemV1<'a> {
    agent: String,
    kind: &'static str,
    name: String,
    description: String,
    license: Option<String>,
    compatibility: Option<String>,
    needs: Vec<&'static str>,
    missing: Vec<&'static str>,
    allowed_tools: Vec<String>,
    /// `approved`, `lost` or null.
    approval: Option<&'static str>,
    #[serde(rename = "_meta")]
    meta: &'a Map<String, Value>,
    digest: Digest,
}

#[derive(Serialize)]
struct DifferenceV1<'a> {
    name: String,
    /// `first`, `second` or `changed`.
    kind: &'static str,
    fields: &'a [&'static str],
}

#[derive(Serialize)]
struct ProblemV1<'a> {
    agent: String,
    pointer: &'a str,
    message: String,
    skipped: bool,
}

/// Prints what is offered.
pub(super) fn print(
    offers: &[Offer],
    differences: Option<&[Difference]>,
    arguments: &BrowseArgs,
    approvals: &Approvals,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let errors = ui.errors_json();
    let mut items = Vec::new();
    let mut problems = Vec::new();
    for offer in offers {
        let shown = offer.skills.iter().filter(|offered| arguments.is_shown(offered));
        items.extend(shown.map(|offered| item(offer, offered, approvals, ui)));
        problems.extend(offer.problems.iter().map(|problem| ProblemV1 {
            agent: ui.masked(&offer.agent).into_owned(),
            pointer: &problem.pointer,
            message: problem.message.shown(&ui.privacy()).to_string(),
            skipped: problem.is_skipped,
        }));
    }
    let differences = differences.map(|all| all.iter().map(|one| difference(one, ui)).collect());
    let mut value =
        serde_json::to_value(BrowseV1 { version: VERSION, items, differences, problems, errors })
            .expect("strings and lists are JSON");
    mask_meta(&mut value, ui);
    ui.print_json(&value)
}

fn item<'a>(
    offer: &Offer,
    offered: &'a OfferedSkill,
    approvals: &Approvals,
    ui: &Ui,
) -> ItemV1<'a> {
    let skill = &offered.skill;
    let masked = |text: &str| ui.masked(text).into_owned();
    let needs = needs(offered);
    ItemV1 {
        agent: masked(&offer.agent),
        kind: match offered.kind {
            OfferedKind::Skill => "skill",
            OfferedKind::Command => "command",
        },
        name: masked(&skill.name),
        description: masked(&skill.description),
        license: skill.license.as_deref().map(masked),
        compatibility: skill.compatibility.as_deref().map(masked),
        missing: needs.iter().filter(|(_, missing)| *missing).map(|(need, _)| need.name).collect(),
        needs: needs.iter().map(|(need, _)| need.name).collect(),
        allowed_tools: skill.allowed_tools.iter().map(|tool| masked(tool)).collect(),
        approval: match approvals.of(&offer.key, offered) {
            Approval::Approved => Some("approved"),
            Approval::Lost => Some("lost"),
            Approval::None => None,
        },
        meta: &skill.meta,
        digest: offered.digest,
    }
}

fn difference<'a>(difference: &'a Difference, ui: &Ui) -> DifferenceV1<'a> {
    let (kind, fields) = match difference {
        Difference::OnlyFirst(_) => ("first", &[][..]),
        Difference::OnlySecond(_) => ("second", &[][..]),
        Difference::Changed(_, fields) => ("changed", &fields[..]),
    };
    DifferenceV1 { name: ui.masked(difference.name()).into_owned(), kind, fields }
}

/// Masks names in what the protocol does not define, which may be anything.
fn mask_meta(value: &mut Value, ui: &Ui) {
    let items = value["items"].as_array_mut().into_iter().flatten();
    for item in items {
        let text = item["_meta"].to_string();
        let masked = ui.masked(&text);
        // A mask in the place of a number is no JSON.
        item["_meta"] = serde_json::from_str(&masked).unwrap_or_default();
    }
}
