//! Skills that would be created although the server has one with their label: mostly, the record
//! of what was published was lost.

use std::collections::BTreeMap;

use super::plan::PushItem;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use dibber_client::publish::SkillStep;
use dibber_skill::contract::SkillListArguments;
use dibber_text::{ellipsize, escape_line};

/// The most skills of a server that are searched.
const SKILLS_MAX: usize = 10_000;

/// Warns of every new skill whose label the server has already. A server that does not list its
/// skills does not prevent publishing.
pub(super) fn warn(items: &[PushItem], session: &Session, ui: &mut Ui) {
    let is_new = |item: &&PushItem| matches!(item.step, SkillStep::Create(_));
    if !items.iter().any(|item| is_new(&item)) {
        return;
    }
    let all = SkillListArguments::default();
    let listed = session.client.all_skills(&all, SKILLS_MAX);
    let Ok(listed) = session.block_on(listed) else { return };
    let known: BTreeMap<_, _> =
        listed.items.iter().map(|item| (normal(&item.name), item.skill_id.as_str())).collect();
    let server = escape_line(session.server.name()).into_owned();
    for new in items.iter().filter(is_new) {
        let label = &new.review.exact_arguments().name;
        let Some(skill_id) = known.get(&normal(label)) else { continue };
        let (path, id) = (escape_line(&new.review.path), escape_line(skill_id));
        ui.warning(&format!(
            "{path} is new, but {server} has a skill with its label already, `{}`: {id}; if it is \
             the same skill, run `dibber skill link {path} {id}{}` first",
            ellipsize(label),
            session.server.typed_options
        ));
    }
}

/// Returns a label in the form in which people take two of them for the same.
fn normal(label: &str) -> String {
    label.trim().to_lowercase()
}
