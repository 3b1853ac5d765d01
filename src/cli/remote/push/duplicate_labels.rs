//! Skills that would be created although the server has one with their label: mostly, the record
//! of what was published was lost.

use std::collections::{BTreeMap, HashSet};

use super::apply::Outcome;
use super::page;
use super::plan::PushItem;
use crate::cli::error::CommandError;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{LockFiles, SkillStep};
use dibber_skill::contract::{SkillId, SkillListArguments, SkillListItem};
use dibber_text::{message, quote, quote_in_full};

/// The most skills of a server that are searched.
const SKILLS_MAX: usize = 10_000;

/// The skills of a server before a push creates others.
pub(super) struct SkillsBefore(HashSet<SkillId>);

/// Warns of every new skill whose label the server has already, and returns what the server has. A
/// server that does not list its skills does not prevent publishing.
pub(super) fn warn(
    items: &[PushItem],
    session: &Session,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<Option<SkillsBefore>, CommandError> {
    let is_new = |item: &&PushItem| matches!(item.step, SkillStep::Create(_));
    if !items.iter().any(|item| is_new(&item)) {
        return Ok(None);
    }
    let Some(listed) = list(session) else { return Ok(None) };
    let known: BTreeMap<_, _> =
        listed.iter().map(|item| (normal(&item.name), &item.skill_id)).collect();
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
    Ok(Some(SkillsBefore(listed.into_iter().map(|item| item.skill_id).collect())))
}

/// Warns of every skill that has the label of one that this push has created, and was not there
/// before: another machine has published the same folder at the same time.
pub(super) fn warn_of_simultaneous(
    before: &SkillsBefore,
    (items, outcomes): (&[PushItem], &[Outcome]),
    session: &Session,
    ui: &mut Ui,
) {
    let created = items.iter().zip(outcomes).filter_map(|(item, outcome)| {
        let is_new = matches!(item.step, SkillStep::Create(_));
        outcome.as_ref()?.as_ref().ok().filter(|_| is_new).map(|id| (item, id))
    });
    let created: Vec<_> = created.collect();
    if created.is_empty() {
        return;
    }
    let own: HashSet<_> = created.iter().map(|(_, id)| *id).collect();
    let listed = list(session).unwrap_or_default().into_iter();
    let foreign =
        listed.filter(|it| !before.0.contains(&it.skill_id) && !own.contains(&it.skill_id));
    let foreign: BTreeMap<_, _> = foreign.map(|it| (normal(&it.name), it.skill_id)).collect();
    let options = quote_in_full(&session.server.typed_options);
    for (item, id) in created {
        let Some(other) = foreign.get(&normal(&item.review.exact_arguments().name)) else {
            continue;
        };
        let path = quote_in_full(&item.review.path);
        let (id, other) = (quote_in_full(id.as_str()), quote_in_full(other.as_str()));
        ui.warning(message![
            path,
            " was published as ",
            id,
            ", and meanwhile another machine has published a skill with its label, ",
            other,
            "; if they are the same, archive one of them: `dibber skill archive ",
            other,
            options,
            "`, or `dibber skill archive ",
            id,
            options,
            "` and then `dibber skill unlink ",
            path,
            options,
            "` and `dibber skill link ",
            path,
            " ",
            other,
            options,
            "`"
        ]);
    }
}

/// Returns the skills of a server, if it lists them.
fn list(session: &Session) -> Option<Vec<SkillListItem>> {
    let all = SkillListArguments::default();
    let listed = session.block_on(session.client.all_skills(&all, SKILLS_MAX));
    listed.ok().map(|listed| listed.items)
}

/// Returns a label in the form in which people take two of them for the same.
fn normal(label: &str) -> String {
    label.trim().to_lowercase()
}
