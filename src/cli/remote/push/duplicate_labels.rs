//! Skills that would be created although the server has one with their label: mostly, the record
//! of what was published was lost.

use std::collections::BTreeMap;

use super::page;
use super::plan::PushItem;
use crate::cli::error::CommandError;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{LockFiles, SkillStep};
use dibber_skill::contract::SkillListArguments;
use dibber_text::{message, quote, quote_in_full};

/// The most skills of a server that are searched.
const SKILLS_MAX: usize = 10_000;

/// Warns of every new skill whose label the server has already. A server that does not list its
/// skills does not prevent publishing.
pub(super) fn warn(
    items: &[PushItem],
    session: &Session,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let is_new = |item: &&PushItem| matches!(item.step, SkillStep::Create(_));
    if !items.iter().any(|item| is_new(&item)) {
        return Ok(());
    }
    let all = SkillListArguments::default();
    let listed = session.client.all_skills(&all, SKILLS_MAX);
    let Ok(listed) = session.block_on(listed) else { return Ok(()) };
    let known: BTreeMap<_, _> =
        listed.items.iter().map(|item| (normal(&item.name), &item.skill_id)).collect();
    let server = quote_in_full(session.server.name());
    for new in items.iter().filter(is_new) {
        let label = &new.review.exact_arguments().name;
        let Some(skill_id) = known.get(&normal(label)) else { continue };
        let (path, id) = (quote_in_full(&new.review.path), quote_in_full(skill_id.as_str()));
        let others = match &new.draft {
            Some(draft) => locks.others_of(&draft.key, skill_id)?,
            None => Vec::new(),
        };
        let advice = match others.iter().find(|other| other.has_skill()) {
            // Only one folder can be linked to it.
            Some(other) => message![
                ", which is ",
                quote_in_full(&page::path_of(other)),
                "; write another `label` into the sprout.yaml of one of the two"
            ],
            None => message![
                "; if it is the same skill, run `dibber skill link ",
                path,
                " ",
                id,
                quote_in_full(&session.server.typed_options),
                "` first"
            ],
        };
        ui.warning(message![
            path,
            " is new, but ",
            server,
            " has a skill with its label already, `",
            quote(label),
            "`: ",
            id,
            advice
        ]);
    }
    Ok(())
}

/// Returns a label in the form in which people take two of them for the same.
fn normal(label: &str) -> String {
    label.trim().to_lowercase()
}
