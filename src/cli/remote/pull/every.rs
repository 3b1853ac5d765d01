//! The skills of a pull of all skills.

use crate::cli::error::CommandError;
use crate::cli::remote::damaged::warn_of_missing;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_client::Listed;
use dibber_skill::contract::{SkillId, SkillListArguments, SkillListItem};
use dibber_text::{Message, message, quote_in_full};

/// The most skills that are written.
const SKILLS_MAX: usize = 200_000;

/// Returns what names each skill that is not archived, and its id. If there is none, it says so.
pub(super) fn all_skills(
    session: &Session,
    ui: &mut Ui,
) -> Result<Vec<(String, SkillId)>, CommandError> {
    let every = SkillListArguments::default();
    let listed = session.wait(session.client.all_skills(&every, SKILLS_MAX))?;
    warn_of_missing(&listed, ui);
    if listed.next_cursor.is_some() {
        ui.warning(message!["only the first ", SKILLS_MAX, " skills are pulled"]);
    }
    let Listed { items, unreadable, damaged, .. } = listed;
    let in_use = items.into_iter().filter(|item| !item.is_archived());
    let named = |item: SkillListItem| (item.skill_id.to_string(), item.skill_id);
    let named: Vec<_> = in_use.map(named).collect();
    if named.is_empty() && unreadable.is_empty() && damaged == 0 {
        ui.eprintln(nothing_to_pull(session));
    }
    Ok(named)
}

/// Returns why there is nothing to pull. If the archived skills cannot be listed, nothing has failed.
fn nothing_to_pull(session: &Session) -> Message {
    let every = SkillListArguments { include_archived: Some(true), ..Default::default() };
    let listed = session.wait(session.client.all_skills(&every, SKILLS_MAX));
    let archived = listed.map(|listed| listed.items.len());
    let server = quote_in_full(session.server.name());
    let archived = match archived {
        Ok(0) => return message!["Nothing to pull: ", server, " has no skills."],
        Ok(archived) => archived,
        Err(_) => return message!["Nothing to pull: ", server, " has no skills in use."],
    };
    let count = quantity(archived, "skill", "skills");
    let are = if archived == 1 { "is" } else { "are" };
    message![
        "Nothing to pull: ",
        quote_in_full(&count),
        " of ",
        server,
        " ",
        are,
        " archived; `dibber skill list --archived",
        quote_in_full(&session.server.typed_options),
        "` shows more."
    ]
}
