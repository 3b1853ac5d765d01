//! What a person reads about the heartbeats of a push.

use super::apply::Outcome;
use super::arguments::{HeartbeatChoice, Options};
use super::heartbeats::SkillHeartbeats;
use super::page::{is_unchanged, published_id};
use super::plan::PushItem;
use crate::cli::remote::heartbeat::plan_page;
use crate::cli::remote::session::Session;
use crate::cli::term::style::Style;
use crate::cli::term::wording::quantity;
use dibber_client::ToolInfo;
use dibber_skill::contract::HEARTBEAT_CREATE;
use dibber_skill::names::Roster;
use dibber_text::{Message, message, quote, quote_in_full};

/// Adds the pages of the heartbeats that are not up to date to those of the skills.
pub(super) fn add_pages(
    text: &mut String,
    heartbeats: &[SkillHeartbeats],
    style: Style,
    roster: &Roster,
) {
    let items = heartbeats.iter().flat_map(|of_skill| &of_skill.items);
    let changed = items.filter(|item| item.step().has_changes());
    for page in changed.filter_map(|item| plan_page::page(item, style, roster)) {
        if !text.is_empty() {
            text.push('\n');
        }
        *text += &page;
    }
}

/// Returns a line with the number of heartbeats that are up to date.
pub(super) fn unchanged_heartbeats(heartbeats: &[SkillHeartbeats]) -> Option<Message> {
    let count: usize = heartbeats.iter().map(SkillHeartbeats::unchanged).sum();
    let heartbeats = quantity(count, "heartbeat is", "heartbeats are");
    (count > 0).then(|| message![quote_in_full(&heartbeats), " up to date."])
}

/// Returns a line about heartbeats of `sprout.yaml` that are not set on the server, of a push that
/// publishes skills alone.
pub(super) fn unset_heartbeats(
    options: &Options,
    items: &[PushItem],
    outcomes: &[Outcome],
    session: &Session,
) -> Option<Message> {
    if options.heartbeats == HeartbeatChoice::Set {
        return None;
    }
    let is_there =
        |index, item: &PushItem| is_unchanged(item) || published_id(outcomes, index).is_some();
    let unset = items
        .iter()
        .enumerate()
        .filter(|(index, item)| is_there(*index, item) && item.has_unset_heartbeats());
    let unset: Vec<_> = unset.map(|(_, item)| quote_in_full(&item.review.path)).collect();
    let (what, path) = match &unset[..] {
        [] => return None,
        [one] => (message!["The heartbeats of ", *one, " are not set"], *one),
        several => {
            (message!["The heartbeats of ", several.len(), " skills are not set"], quote("PATH"))
        }
    };
    let (server, options) =
        (quote_in_full(session.server.name()), quote_in_full(&session.server.typed_options));
    // A token that may not set them has no such tool.
    let tools = session.block_on(session.client.tools()).unwrap_or_default();
    if ToolInfo::find(&tools, HEARTBEAT_CREATE).is_none() {
        return Some(message![what, " on ", server, ", where you may not set them"]);
    }
    Some(message![what, " on ", server, "; set them with `dibber push ", path, options, "`"])
}
