//! Skills that are about to be made although the server has one with their label: mostly, the
//! record of what was published was lost.

use std::collections::BTreeMap;

use super::survey::{Planned, Step};
use crate::cli::remote::calls::list_skills;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use dibber_skill::contract::ListArguments;
use dibber_text::{ellipsize, escape_line};

/// The most skills of a server that are looked through.
const SKILLS_MAX: usize = 10_000;

/// Warns of every new skill whose label the server has already. A server that does not list its
/// skills is no reason not to publish.
pub(super) fn warn(planned: &[Planned], session: &Session, ui: &mut Ui) {
    let is_new = |planned: &&Planned| matches!(planned.step, Step::Create { .. });
    if !planned.iter().any(|planned| is_new(&planned)) {
        return;
    }
    let all = ListArguments::default();
    let listed = list_skills(&session.client, &all, SKILLS_MAX);
    let Ok(listed) = session.block_on(listed) else { return };
    let known: BTreeMap<_, _> =
        listed.iter().map(|item| (same(&item.name), item.skill_id.as_str())).collect();
    let server = escape_line(session.choice.name()).into_owned();
    for new in planned.iter().filter(is_new) {
        let label = &new.review.exact_arguments().name;
        let Some(skill_id) = known.get(&same(label)) else { continue };
        let (path, id) = (escape_line(&new.review.path), escape_line(skill_id));
        ui.warning(&format!(
            "{path} is new, but {server} has a skill with its label already, `{}`: {id}; to \
             change that one, run `dibber pull {id}{}` first",
            ellipsize(label),
            session.choice.typed_options
        ));
    }
}

/// Labels that people take for one another.
fn same(label: &str) -> String {
    label.trim().to_lowercase()
}
