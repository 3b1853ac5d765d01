//! Offers for people.

use super::approvals::{Approval, Approvals};
use super::arguments::BrowseArgs;
use super::offer::{Offer, needs};
use crate::cli::error::CommandError;
use crate::cli::term::ui::Ui;
use dibber_catalog::acp::{Difference, OfferedKind, OfferedSkill};
use dibber_text::{message, quote_in_full};

/// Prints what is offered, or what differs.
pub(super) fn print(
    offers: &[Offer],
    differences: Option<&[Difference]>,
    arguments: &BrowseArgs,
    approvals: &Approvals,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    for problem in offers.iter().flat_map(|offer| &offer.problems) {
        let place = if problem.pointer.is_empty() { "a line" } else { &problem.pointer };
        let end = if problem.is_skipped { "; skipped" } else { "" };
        ui.warning(message![quote_in_full(place), ": ", problem.message.clone(), end]);
    }
    let mut page = String::new();
    if let Some(differences) = differences {
        for difference in differences {
            push_difference(&mut page, difference, ui);
        }
        if differences.is_empty() {
            ui.eprintln("both offer the same");
        }
        return ui.print(page.as_bytes());
    }
    let mut hidden = 0_usize;
    for offer in offers {
        for offered in &offer.skills {
            if arguments.is_shown(offered) {
                push_skill(&mut page, offered, approvals.of(&offer.key, offered), ui);
            } else {
                hidden += 1;
            }
        }
    }
    ui.print(page.as_bytes())?;
    if offers.iter().all(|offer| offer.skills.is_empty()) {
        ui.eprintln("the agent offers no skills and no commands");
    } else if hidden > 0 {
        ui.eprintln(message!["not shown: ", hidden, " of other licences, tools or needs"]);
    }
    Ok(())
}

fn push_difference(page: &mut String, difference: &Difference, ui: &Ui) {
    let name = ui.shown(difference.name()).in_full();
    *page += &match difference {
        Difference::OnlyFirst(_) => format!("{name}: only the first agent offers it\n"),
        Difference::OnlySecond(_) => format!("{name}: only the second agent offers it\n"),
        Difference::Changed(_, fields) => format!("{name}: {} differ\n", fields.join(", ")),
    };
}

fn push_skill(page: &mut String, offered: &OfferedSkill, approval: Approval, ui: &Ui) {
    let skill = &offered.skill;
    let shown = |text: &str| ui.shown(text).in_full().to_string();
    let license = skill.license.as_deref().map(|license| format!("  {}", shown(license)));
    let kind = if offered.kind == OfferedKind::Command { "  (command)" } else { "" };
    *page += &format!("{}{}{kind}\n", shown(&skill.name), license.unwrap_or_default());
    *page += &format!("  {}\n", shown(&skill.description));
    if let Some(compatibility) = &skill.compatibility {
        *page += &format!("  needs: {}\n", shown(compatibility));
    }
    let needs = needs(offered);
    let missing: Vec<&str> =
        needs.iter().filter(|(_, is_missing)| *is_missing).map(|(need, _)| need.name).collect();
    if !missing.is_empty() {
        *page += &format!("  missing here: {}\n", missing.join(", "));
    }
    if !skill.allowed_tools.is_empty() {
        let approval = match approval {
            Approval::Approved => "approved",
            Approval::Lost => "not approved: the skill has changed since",
            Approval::None => "not approved",
        };
        *page += &format!("  wants: {} ({approval})\n", shown(&skill.allowed_tools.join(" ")));
    }
}
