//! The pages about planned heartbeats, the question about them, and what was done.

use super::page::{self, Shown};
use super::plan::HeartbeatItem;
use crate::cli::error::CommandError;
use crate::cli::remote::withheld;
use crate::cli::term::rendered::Rendered;
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::{Ink, Style};
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_client::publish::{
    HeartbeatCreation, HeartbeatEdit, HeartbeatOutcome, HeartbeatStep, HeartbeatUnchanged,
    PossibleDuplicate, UndoneHeartbeat,
};
use dibber_skill::contract::{
    HeartbeatChange, HeartbeatCreate, HeartbeatDescription, HeartbeatId, HeartbeatListItem,
    MissedFires,
};
use dibber_skill::names::Roster;
use dibber_text::{Shown as ShownText, message, quote, quote_in_full};

/// The most heartbeats that are named as perhaps the same as a new one.
const SIMILAR_SHOWN_MAX: usize = 5;

/// What is said of a heartbeat that is cancelled.
const FOR_GOOD: &str = "cancelling cannot be undone; `dibber heartbeat pause` can";

/// Returns the page about a heartbeat; none for one that is blocked.
pub(in crate::cli::remote) fn page(
    item: &HeartbeatItem,
    style: Style,
    roster: &Roster,
) -> Option<Rendered> {
    let name = item.name();
    let mut more = Vec::new();
    let (state, description, is_paused) = match item.step() {
        HeartbeatStep::Create(creation) => {
            let HeartbeatCreation {
                create,
                description,
                replaced,
                is_paused,
                undoes,
                possible_duplicate,
                ..
            } = creation;
            of_create(create, &mut more);
            more.extend(possible_duplicate.as_ref().map(duplicate_warning));
            if let Some(replaced) = replaced {
                more.push(("replaces", replaced.cadence_text.clone()));
                more.push((
                    "",
                    "what it fills in or posts has changed, which takes a new heartbeat".into(),
                ));
            }
            more.extend(paused(*is_paused));
            more.extend(undone(undoes));
            ("new heartbeat", description, *is_paused)
        }
        HeartbeatStep::Update(HeartbeatEdit { updates, listed, description, undoes }) => {
            more.push(("id", listed.heartbeat_id.to_string()));
            if listed.name != name {
                more.push(("was", format!("called {}", ShownText::to_be_masked(&listed.name))));
            }
            more.push(("was", listed.cadence_text.clone()));
            more.extend(updates.iter().find_map(|(update, _)| missed_of(&update.change)));
            let is_paused = updates.iter().any(|(it, _)| it.change == HeartbeatChange::Pause);
            let is_paused = is_paused || !listed.enabled;
            more.extend(paused(is_paused));
            more.extend(undone(undoes));
            more.extend(note(listed));
            ("changed heartbeat", description, is_paused)
        }
        HeartbeatStep::Cancel(listed, undoes) => {
            more.extend(undone(undoes));
            more.push(("note", FOR_GOOD.to_owned()));
            let heading = format!("{name} (will be cancelled)");
            return Some(of_listed(&heading, listed, item, more, style, roster));
        }
        HeartbeatStep::Unchanged(HeartbeatUnchanged { listed, .. }) => {
            more.extend(note(listed));
            let heading = format!("{name} (heartbeat is up to date)");
            return Some(of_listed(&heading, listed, item, more, style, roster));
        }
        HeartbeatStep::Unlisted(_) | HeartbeatStep::Forget(_) | HeartbeatStep::Blocked(_) => {
            return None;
        }
    };
    more.extend(item.path.clone().map(|path| ("from", path)));
    let heading = format!("{name} ({state})");
    Some(page::one(&Shown { heading, description, is_paused, more }, style, roster))
}

/// Returns the page about a heartbeat as it is on the server.
fn of_listed(
    heading: &str,
    listed: &HeartbeatListItem,
    item: &HeartbeatItem,
    more: Vec<(&'static str, String)>,
    style: Style,
    roster: &Roster,
) -> Rendered {
    let mut sheet = Sheet::new(style, roster);
    sheet.wrap(0, heading, Some(Ink::Strong));
    sheet.row("when", &listed.cadence_text);
    let (next, zone) = (listed.next_run_at.as_deref(), listed.tz.as_deref());
    sheet.row("next", &page::next_or_paused(next, zone, !listed.enabled));
    sheet.row("id", listed.heartbeat_id.as_str());
    for (word, text) in more {
        sheet.row(word, &text);
    }
    if let Some(path) = &item.path {
        sheet.row("from", path);
    }
    sheet.finish()
}

/// Returns a row with what another writer has done on the server, and is undone.
fn undone(undoes: &UndoneHeartbeat) -> Option<(&'static str, String)> {
    let what = match undoes {
        UndoneHeartbeat::Nothing => return None,
        UndoneHeartbeat::Changes(parts) if parts.is_empty() => "changes on the server".to_owned(),
        UndoneHeartbeat::Changes(parts) => {
            let words: Vec<_> = parts.iter().map(|part| part.word()).collect();
            format!("the changes on the server in: {}", words.join(", "))
        }
        UndoneHeartbeat::Creation => {
            "what the server has under this name, which was not set from here".to_owned()
        }
        UndoneHeartbeat::Cancellation => "that it was cancelled on the server".to_owned(),
    };
    Some(("undoes", what))
}

fn paused(is_paused: bool) -> Option<(&'static str, String)> {
    is_paused.then(|| ("state", "stays paused".to_owned()))
}

/// Returns a row about heartbeats of the server that may be the same as a new one.
fn duplicate_warning(duplicate: &PossibleDuplicate) -> (&'static str, String) {
    let text = match duplicate {
        PossibleDuplicate::Same(id) => format!(
            "{id} runs this skill at the same times already; `dibber heartbeat cancel {id}` ends it"
        ),
        PossibleDuplicate::Similar(similar) => match &similar[..] {
            [(id, name)] => format!(
                "{} has the same name or time; if it runs this skill, too, that runs twice: \
                 `dibber heartbeat cancel {id}` ends the other",
                titled(id, name)
            ),
            several => {
                let shown = several.iter().take(SIMILAR_SHOWN_MAX);
                let mut titles: Vec<_> = shown.map(|(id, name)| titled(id, name)).collect();
                if let more @ 1.. = several.len().saturating_sub(SIMILAR_SHOWN_MAX) {
                    titles.push(format!("{more} more"));
                }
                format!(
                    "these have the same name or time: {}; if one of them runs this skill, too, \
                     that runs twice: find it with `dibber heartbeat list`, and cancel it",
                    titles.join(", ")
                )
            }
        },
    };
    ("warning", text)
}

/// Returns a heartbeat of the server with its name.
fn titled(id: &HeartbeatId, name: &str) -> String {
    format!("`{}` ({id})", ShownText::to_be_masked(name.trim()))
}

/// Returns a row about what a server does not list of a heartbeat.
fn note(listed: &HeartbeatListItem) -> Option<(&'static str, String)> {
    if listed.content_hash.is_some() {
        return None;
    }
    let unlisted = match (listed.skill_input.is_some(), listed.post_result_notify.is_some()) {
        (true, true) => return None,
        (true, false) => "whether results are posted",
        (false, true) => "inputs",
        (false, false) if listed.child_id.is_some() => "inputs, or whether results are posted",
        (false, false) => "inputs, the child, or whether results are posted",
    };
    let effect = "changes there are not seen; a change here replaces the heartbeat";
    Some(("note", format!("this server does not list {unlisted}: {effect}")))
}

/// Adds the rows of a new heartbeat. The values of inputs may be about a child, so only their names
/// are shown.
fn of_create(create: &HeartbeatCreate, more: &mut Vec<(&'static str, String)>) {
    more.push(("for", page::whom(create.child_id.as_ref())));
    if let Some(inputs) = &create.skill_input {
        let names: Vec<&str> = inputs.keys().map(String::as_str).collect();
        more.push(("fills in", names.join(", ")));
    }
    if create.post_result_notify == Some(true) {
        more.push(("posts", "the result of each run to the family's inbox".to_owned()));
    }
    more.extend(create.missed_fires.map(missed));
}

/// Returns a row about what runs of missed times, if a change is about it.
fn missed_of(change: &HeartbeatChange) -> Option<(&'static str, String)> {
    match change {
        HeartbeatChange::EditMissedFires { missed_fires } => Some(missed(*missed_fires)),
        _ => None,
    }
}

/// Returns a row about what runs of missed times.
fn missed(missed_fires: MissedFires) -> (&'static str, String) {
    let words = match missed_fires {
        MissedFires::Skip => "times that were missed do not run",
        MissedFires::Once => "of the times that were missed, the latest runs",
        MissedFires::All => "all times of the last 24 hours that were missed run",
    };
    ("missed", words.to_owned())
}

/// Returns what would be done, as the parts of a question: `make 2 heartbeats`. The schedule of the
/// only one to make or to change is added in words.
pub(in crate::cli::remote) fn intentions<'a>(
    items: impl IntoIterator<Item = &'a HeartbeatItem>,
) -> Vec<String> {
    let (mut made, mut changed, mut cancelled) = (Vec::new(), Vec::new(), 0);
    for item in items {
        match item.step() {
            HeartbeatStep::Create(HeartbeatCreation { description, .. }) => made.push(description),
            HeartbeatStep::Update(HeartbeatEdit { description, .. }) => changed.push(description),
            HeartbeatStep::Cancel(..) => cancelled += 1,
            HeartbeatStep::Unchanged(_)
            | HeartbeatStep::Unlisted(_)
            | HeartbeatStep::Forget(_)
            | HeartbeatStep::Blocked(_) => {}
        }
    }
    let heartbeats = |count| quantity(count, "heartbeat", "heartbeats");
    let with_schedule = |(verb, items): (&str, Vec<&HeartbeatDescription>)| match &items[..] {
        [] => None,
        [only] => Some(format!("{verb} 1 heartbeat (schedule: {})", only.cadence_text)),
        several => Some(format!("{verb} {} (schedules)", heartbeats(several.len()))),
    };
    let parts = [("make", made), ("change", changed)].into_iter().filter_map(with_schedule);
    let cancel = (cancelled > 0).then(|| format!("cancel {} for good", heartbeats(cancelled)));
    parts.chain(cancel).collect()
}

/// Reports what was done with a heartbeat.
pub(in crate::cli::remote) fn report_outcome(
    item: &HeartbeatItem,
    outcome: &Result<HeartbeatOutcome, CommandError>,
    ui: &mut Ui,
) {
    let name = quote(item.name());
    match outcome {
        Ok(HeartbeatOutcome::Created(id)) => {
            ui.eprintln(message!["made `", name, "`: ", quote_in_full(id.as_str())]);
        }
        Ok(HeartbeatOutcome::Changed) => ui.eprintln(message!["changed `", name, "`"]),
        Ok(HeartbeatOutcome::Cancelled) => ui.eprintln(message!["cancelled `", name, "`"]),
        Ok(HeartbeatOutcome::Unchanged) => {}
        Err(error) => {
            ui.item_error(&withheld::with_heartbeat(error.clone(), item.name()));
        }
    }
}
