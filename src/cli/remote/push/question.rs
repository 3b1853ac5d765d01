//! The question of a push.

use super::heartbeats::SkillHeartbeats;
use super::page::listed_creations;
use super::plan::PushItem;
use super::prune::MissingSkill;
use crate::cli::dry_run::render::RenderContext;
use crate::cli::error::CommandError;
use crate::cli::remote::heartbeat::plan_page;
use crate::cli::term::ask::Asker;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::{capitalized, quantity};
use dibber_client::publish::SkillStep;
use dibber_text::{Message, message, quote_argument, quote_in_full};

/// What the question means.
const EXPLANATION: &str = "\
With yes, everything in the list above is done; with no, nothing is. Type yes or no; Enter alone \
means no.";

/// Returns the question about everything that would be written; none if there is nothing.
pub(super) fn question(
    items: &[PushItem],
    missing: &[MissingSkill],
    heartbeats: &[SkillHeartbeats],
    server: &str,
) -> Option<Message> {
    let published = items.iter().filter(|item| item.step.has_changes()).count();
    let archived = missing.iter().filter(|skill| skill.is_to_archive()).count();
    let skills = |count| quantity(count, "skill", "skills");
    let mut parts = Vec::new();
    if published > 0 {
        parts.push((format!("publish {}", skills(published)), "to"));
    }
    if archived > 0 {
        parts.push((format!("archive {}", skills(archived)), "on"));
    }
    let heartbeats = heartbeats.iter().flat_map(|of_skill| &of_skill.items);
    let heartbeats = heartbeats.chain(missing.iter().flat_map(|skill| &skill.heartbeats));
    parts.extend(plan_page::intentions(heartbeats).into_iter().map(|part| (part, "on")));
    let server = quote_in_full(server);
    let mut parts = parts.into_iter();
    let Some((first, preposition)) = parts.next() else {
        let merged = items.iter().filter(|item| item.is_merged()).count();
        let skills = skills(merged);
        let skills = quote_in_full(&skills);
        return (merged > 0).then(|| {
            message!["Write the changes of ", server, " into the files of ", skills, "?"]
        });
    };
    let first = capitalized(&first);
    let mut more: Vec<_> = parts.map(|(part, _)| part).collect();
    Some(match more.pop() {
        None => message![quote_in_full(&first), " ", preposition, " ", server, "?"],
        Some(last) => {
            more.push(format!("and {last} there?"));
            let more = more.join(", ");
            let more = quote_in_full(&more);
            message![quote_in_full(&first), " ", preposition, " ", server, ", ", more]
        }
    })
}

/// Returns what the question leaves out because of an error; none if nothing.
pub(super) fn left_out(items: &[PushItem], heartbeats: &[SkillHeartbeats]) -> Option<Message> {
    let parts = items.iter().zip(heartbeats).filter_map(|(item, of_skill)| {
        let path = quote_in_full(&item.review.path);
        if item.reasons_to_stop().next().is_some() {
            return Some(message![path]);
        }
        let blocked = of_skill.items.iter().filter(|it| it.step().blocked().is_some()).count();
        let schedules = if blocked == 1 { "the schedule of " } else { "schedules of " };
        (blocked > 0).then(|| message![schedules, path])
    });
    let parts: Vec<_> = parts.collect();
    if parts.is_empty() {
        return None;
    }
    Some(message!["Left as it is, because of the error above: ", Message::join(parts, ", "), "."])
}

/// Returns what is said after a no, with the next steps if it was about one new skill.
pub(super) fn declined(items: &[PushItem]) -> Message {
    match items {
        [one] if matches!(one.step, SkillStep::Create(_)) => {
            let path = quote_argument(&one.review.path);
            let later = message!["`dibber push ", path, "` publishes it later, "];
            message!["Nothing was published. ", later, "`dibber edit ", path, "` changes it."]
        }
        _ => "Nothing was published.".into(),
    }
}

/// Asks once for all, with a list of what will be done above the question. The new skills of a list
/// are shown completely if that is wanted.
pub(super) fn is_agreed(
    (question, left_out): (Message, Option<Message>),
    items: &[PushItem],
    (context, server): (&RenderContext<'_>, &str),
    ui: &mut Ui,
) -> Result<bool, CommandError> {
    if !ui.can_ask() {
        return Err(cannot_ask());
    }
    let mut asker = Asker::new(ui, context.roster);
    if let Some(left_out) = left_out {
        asker.eprintln(left_out);
    }
    let pages = || listed_creations(items, context, server);
    if pages().next().is_none() {
        return asker.confirm_explained(question, EXPLANATION, false);
    }
    asker.confirm_or_show(question, EXPLANATION, pages)
}

/// Returns the error of a push that needs an answer where none can be given.
pub(super) fn cannot_ask() -> CommandError {
    CommandError::cannot_confirm("`--dry-run` shows the preview; `--yes` publishes without asking")
}
