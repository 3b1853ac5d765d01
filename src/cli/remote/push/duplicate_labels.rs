//! Skills that would be created although the server has one with their label: mostly, the record
//! of what was published was lost.

use std::collections::{BTreeMap, HashSet};

use super::apply::Outcome;
use super::page;
use super::plan::PushItem;
use super::resolution::Context;
use crate::cli::error::CommandError;
use crate::cli::remote::duplicate_skills::{Linked, keep_help};
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_client::Listed;
use dibber_client::publish::{
    CurrentSkills, LockFiles, SKILLS_MAX, SkillStep, unreadable_with_label,
};
use dibber_skill::contract::{SkillId, SkillListArguments, SkillListItem};
use dibber_skill::label::label_key;
use dibber_text::{Message, message, quote, quote_argument, quote_in_full};

/// Warns of every new skill whose label the server has already. A server that does not list its skills
/// does not prevent publishing.
pub(super) fn warn(
    items: &[PushItem],
    context: &Context<'_>,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let is_new = |item: &&PushItem| matches!(item.step, SkillStep::Create(_));
    if !items.iter().any(|item| is_new(&item)) {
        return Ok(());
    }
    let session = context.session;
    let Ok(listed) = session.block_on(context.skills.get()) else { return Ok(()) };
    warn_of_unreadable(items.iter().filter(is_new), listed, session, ui);
    let listed = &listed.items[..];
    let mut known: BTreeMap<String, Vec<&SkillId>> = BTreeMap::new();
    for item in listed.iter().filter(|item| !item.is_archived()) {
        known.entry(label_key(&item.name)).or_default().push(&item.skill_id);
    }
    for new in items.iter().filter(is_new) {
        match known.get(&label_key(&new.review.exact_arguments().name)) {
            Some(skill_ids) => warn_of_known(new, skill_ids, session, locks, ui)?,
            None => warn_of_archived(new, listed, session, ui),
        }
    }
    Ok(())
}

/// Warns of a new skill whose label these skills of the server have.
fn warn_of_known(
    new: &PushItem,
    skill_ids: &[&SkillId],
    session: &Session,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let label = &new.review.exact_arguments().name;
    let (mut linked, mut unlinked) = (Vec::new(), Vec::new());
    for skill_id in skill_ids {
        let others = match &new.draft {
            Some(draft) => locks.others_of(&draft.key, skill_id)?,
            None => Vec::new(),
        };
        let id = quote_in_full(skill_id.as_str());
        match others.iter().find(|other| other.has_skill()) {
            Some(other) => {
                let other = page::path_of(other);
                linked.push(message![id, ", which is ", quote_in_full(&other)]);
            }
            None => unlinked.push(message![id]),
        }
    }
    let path = quote_in_full(&new.review.path);
    let argument = quote_argument(&new.review.path);
    let advice = match &unlinked[..] {
        // Only one folder can be linked to a skill.
        [] => message!["write another `label` into the sprout.yaml of one of the folders"],
        candidates => message![
            if skill_ids.len() == 1 { "if it is the same skill" } else { "if it is one of them" },
            ", run `dibber skill link ",
            argument,
            " ",
            if let [one] = candidates { one.clone() } else { message!["ID"] },
            quote_in_full(&session.server.typed_options),
            "` first"
        ],
    };
    let count = match skill_ids.len() {
        1 => message!["a skill"],
        several => message![several, " skills"],
    };
    unlinked.extend(linked);
    ui.warning(message![
        path,
        " is new, but ",
        quote_in_full(session.server.name()),
        " has ",
        count,
        " with its label already, `",
        quote(label),
        "`: ",
        Message::join(unlinked, ", "),
        "; ",
        advice
    ]);
    Ok(())
}

/// Warns of new skills if the list of the server has items that cannot be read, or leaves some out:
/// they may be the same.
fn warn_of_unreadable<'a>(
    new: impl Iterator<Item = &'a PushItem<'a>>,
    listed: &Listed<SkillListItem>,
    session: &Session,
    ui: &mut Ui,
) {
    let damaged = usize::try_from(listed.damaged).unwrap_or(usize::MAX);
    let server = quote_in_full(session.server.name());
    for item in new {
        let label = &item.review.exact_arguments().name;
        let count = unreadable_with_label(listed, label).count().saturating_add(damaged);
        if count == 0 {
            continue;
        }
        let skills = quantity(count, "skill", "skills");
        ui.warning(message![
            quote_in_full(&item.review.path),
            " is new, but ",
            quote_in_full(&skills),
            " of ",
            server,
            " cannot be read, and may be the same; `dibber skill list",
            quote_in_full(&session.server.typed_options),
            "` says more"
        ]);
    }
}

/// Warns of a new skill whose label only archived skills have: its folder was restored.
fn warn_of_archived(new: &PushItem, listed: &[SkillListItem], session: &Session, ui: &mut Ui) {
    let label = &new.review.exact_arguments().name;
    let is_it =
        |item: &&SkillListItem| item.is_archived() && label_key(&item.name) == label_key(label);
    let archived: Vec<_> = listed.iter().filter(is_it).collect();
    let Some(newest) = archived.last() else { return };
    let ids = archived.iter().map(|item| message![quote_in_full(item.skill_id.as_str())]);
    let path = quote_in_full(&new.review.path);
    let argument = quote_argument(&new.review.path);
    let id = quote_in_full(newest.skill_id.as_str());
    let options = quote_in_full(&session.server.typed_options);
    ui.warning(message![
        path,
        " is new, but ",
        quote_in_full(session.server.name()),
        " has an archived skill with its label, `",
        quote(label),
        "`: ",
        Message::join(ids, ", "),
        "; if it is the same skill, run `dibber skill unarchive ",
        id,
        options,
        "` and `dibber skill link ",
        argument,
        " ",
        id,
        options,
        "` first"
    ]);
}

/// Warns of every skill that has the label of one that this push has created, and was not there
/// before: another machine may have published the same folder at the same time, or the server has
/// taken an earlier attempt that seemed lost.
pub(super) fn warn_of_simultaneous(
    current: &CurrentSkills<'_>,
    (items, outcomes): (&[PushItem], &[Outcome]),
    session: &Session,
    ui: &mut Ui,
) {
    let created = items.iter().zip(outcomes).filter_map(|(item, outcome)| {
        let is_new = matches!(item.step, SkillStep::Create(_));
        outcome.as_ref()?.as_ref().ok().filter(|_| is_new).map(|id| (item, id))
    });
    let created: Vec<_> = created.collect();
    let Some(before) = current.before_creations().filter(|_| !created.is_empty()) else { return };
    let before: HashSet<_> = before.items.iter().map(|item| &item.skill_id).collect();
    let own: HashSet<_> = created.iter().map(|(_, id)| *id).collect();
    let active = SkillListArguments::default();
    let listed = session.block_on(session.client.all_skills(&active, SKILLS_MAX)).ok();
    let listed = listed.into_iter().flat_map(|listed| listed.items);
    let foreign = listed.filter(|it| {
        !it.is_archived() && !before.contains(&it.skill_id) && !own.contains(&it.skill_id)
    });
    let foreign: BTreeMap<_, _> = foreign.map(|it| (label_key(&it.name), it.skill_id)).collect();
    for (item, id) in created {
        let label = label_key(&item.review.exact_arguments().name);
        let Some(other) = foreign.get(&label) else { continue };
        let linked = (item.review.path.clone(), id.clone());
        ui.warning(simultaneous(&linked, other, session));
    }
}

/// Returns the warning that a skill with the label of a new one has appeared, and which of both to
/// keep.
fn simultaneous(linked: &Linked, other: &SkillId, session: &Session) -> Message {
    let (path, id) = linked;
    message![
        quote_in_full(path),
        " was published as ",
        quote_in_full(id.as_str()),
        ", and a skill with its label has appeared on ",
        quote_in_full(session.server.name()),
        ", ",
        quote_in_full(other.as_str()),
        "; if they are the same, ",
        keep_help(linked, (id.min(other), id.max(other)), session)
    ]
}
