//! What a person reads before and after a push.

use super::apply::Outcome;
use super::arguments::{Options, PushMode};
use super::blocked::BlockedConflict;
use super::conclusion::{closed, is_allowed};
use super::heartbeats::SkillHeartbeats;
use super::outcome::Done;
use super::plan::PushItem;
use crate::cli::dry_run::render::{RenderContext, open_page, unpublished};
use crate::cli::remote::server_options::SelectedServer;
use crate::cli::remote::{changes, conflict};
use crate::cli::term::rendered::Rendered;
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::Ink;
use crate::cli::term::wording::quantity;
use dibber_client::publish::{
    Conflict, LockKey, MoveEvidence, ServerPreview, SkillChange, SkillCreation, SkillRecord,
    SkillStep, SkillUnchanged, updated_fields,
};
use dibber_lint::report::layout::columns;
use dibber_skill::contract::{Category, SkillId};
use dibber_skill::discover::{self, shown_path};
use dibber_skill::names::Roster;
use dibber_skill::privacy::Privacy;
use dibber_text::{Mask, Message, escape_line, message, quote_argument, quote_in_full};

/// The columns of the outcome in the list of several skills.
const WORD_COLUMNS: usize = 11;
/// The most columns that paths are aligned to in that list.
const PATH_COLUMNS_MAX: usize = 45;

/// The pages about what is planned: for one skill, all of it; for many, what changes, and a list.
pub(super) fn pages(
    options: &Options,
    items: &[PushItem],
    context: &RenderContext,
    server: &str,
) -> String {
    let mode = options.mode;
    let mut text = String::new();
    for item in items {
        let page = match (&item.step, mode) {
            (SkillStep::Unchanged(_), _) if items.len() > 1 => continue,
            (SkillStep::Unchanged(SkillUnchanged { skill_id, .. }), PushMode::Diff { .. }) => {
                nothing(item, skill_id, context, server)
            }
            (SkillStep::Blocked(blocked), _) => match &blocked.conflict {
                Some(found) => conflict(item, found, context, server),
                None => continue,
            },
            (SkillStep::Unchanged(_), _) => continue,
            (SkillStep::Create(creation), PushMode::Push | PushMode::Preview)
                if items.len() == 1 =>
            {
                complete(item, creation, context, server)
            }
            (SkillStep::Create(SkillCreation { preview: Some(preview) }), _)
                if items.len() > 1 && is_allowed(&preview.policy) =>
            {
                continue;
            }
            (
                SkillStep::Create(SkillCreation { preview })
                | SkillStep::Update(SkillChange { preview, .. }),
                _,
            ) => brief((item, mode), preview.as_ref(), context, server),
        };
        if !text.is_empty() {
            text.push('\n');
        }
        text += &page;
    }
    if items.len() > 1 && !options.is_unlisted() {
        if !text.is_empty() {
            text.push('\n');
        }
        text += &list(options, items, context.roster);
    }
    text
}

/// Returns the pages about the new skills of a list, which has only their names.
pub(super) fn listed_creations(
    items: &[PushItem],
    context: &RenderContext,
    server: &str,
) -> impl Iterator<Item = Rendered> {
    let listed = if items.len() > 1 { items } else { &[] };
    listed.iter().filter_map(move |item| match &item.step {
        SkillStep::Create(creation) => Some(complete(item, creation, context, server)),
        _ => None,
    })
}

/// Returns all about a new skill: what it does, its text, and the decision of the server.
fn complete(
    item: &PushItem,
    creation: &SkillCreation,
    context: &RenderContext,
    server: &str,
) -> Rendered {
    let sheet = open_page(item.review, None, context);
    // What lint allows is not among the diagnostics of the page.
    let reasons = &item.review.decision.reasons[..];
    let is_shown = item.review.reasons(context.settings).len() == reasons.len();
    let shown = if is_shown { reasons } else { &[] };
    closed(sheet, item, (creation.preview.as_ref(), shown), context, server)
}

/// Returns the name and the path of a skill, its changes, and the decision of the server.
fn brief(
    (item, mode): (&PushItem, PushMode),
    preview: Option<&ServerPreview>,
    context: &RenderContext,
    server: &str,
) -> Rendered {
    let mut sheet = Sheet::new(context.style, context.roster);
    title(&mut sheet, item);
    match &item.step {
        SkillStep::Update(SkillChange { stored, update, conflict, .. }) => {
            sheet.row("skill", stored.skill_id.as_str());
            moved(&mut sheet, item);
            if let Some(sides) = conflict {
                conflict::write(&mut sheet, sides, server, context.roster);
                if !matches!(mode, PushMode::Diff { .. }) {
                    let undone = format!("the changes of {server} in: {}", undone_fields(sides));
                    sheet.painted_row("undoes", &undone, Some(Ink::Warning));
                }
            } else {
                changes::write(&mut sheet, stored, update, context.roster);
                sheet.end_line();
            }
        }
        _ => sheet.row("skill", "new"),
    }
    if !item.review.unpublished.is_empty() {
        sheet.row("not sent", &unpublished(&item.review.unpublished));
    }
    closed(sheet, item, (preview, &[]), context, server)
}

/// Returns the page about a skill that another writer has changed.
pub(super) fn conflict(
    item: &PushItem,
    conflict: &BlockedConflict,
    context: &RenderContext,
    server: &str,
) -> Rendered {
    let mut sheet = Sheet::new(context.style, context.roster);
    title(&mut sheet, item);
    sheet.row("skill", conflict.skill_id.as_str());
    conflict::write(&mut sheet, &conflict.sides, server, context.roster);
    sheet.finish()
}

fn nothing(item: &PushItem, skill_id: &SkillId, context: &RenderContext, server: &str) -> Rendered {
    let mut sheet = Sheet::new(context.style, context.roster);
    title(&mut sheet, item);
    sheet.row("skill", skill_id.as_str());
    moved(&mut sheet, item);
    if item.linked_skill().is_some() {
        sheet.row("", "not linked yet: `dibber push` links it: same content");
    }
    sheet.row("changes", &format!("none: {server} is up to date"));
    sheet.finish()
}

/// Writes where a skill was before, if it was moved.
fn moved(sheet: &mut Sheet, item: &PushItem) {
    let SkillRecord::Moved(moved) = &item.record else { return };
    sheet.row("moved from", &path_of(&moved.from));
    if moved.evidence != MoveEvidence::SameContent {
        sheet.row("", "likely, but its content is another: `dibber push --yes` does not send it");
    }
}

/// Returns the path of a recorded directory, from the current directory.
pub(super) fn path_of(key: &LockKey) -> String {
    shown_path(&discover::from_current_directory(key.skill_directory()))
}

fn title(sheet: &mut Sheet, item: &PushItem) {
    let name = item.review.preview.as_ref().map_or("", |preview| preview.name.as_str());
    sheet.title(name, &item.review.path);
}

/// Returns a line for each skill that is not up to date: what is done with it, its path and its name.
/// The others are counted, unless their names are wanted.
fn list(options: &Options, items: &[PushItem], roster: &Roster) -> String {
    let is_listed = |item: &&PushItem| options.is_verbose || is_noteworthy(item);
    let is_diff = matches!(options.mode, PushMode::Diff { .. });
    let lines = items.iter().filter(is_listed).map(|item| {
        let (word, details) = match &item.step {
            SkillStep::Create(_) => {
                let preview = item.review.preview.as_ref();
                ("new", preview.map(|preview| preview.name.clone()).unwrap_or_default())
            }
            SkillStep::Update(_) if is_diff && item.is_behind() => ("behind", moved_note(item)),
            SkillStep::Update(SkillChange { conflict: Some(_), update, .. }) if is_diff => {
                ("conflict", updated_fields(update).join(", ") + &moved_note(item))
            }
            SkillStep::Update(SkillChange { update, conflict, .. }) => {
                let undone = conflict
                    .as_ref()
                    .map(|conflict| format!(" (undoes {})", undone_fields(conflict)));
                let changed = updated_fields(update).join(", ");
                ("update", changed + &undone.unwrap_or_default() + &moved_note(item))
            }
            SkillStep::Unchanged(_) => (unchanged_word(item), moved_note(item)),
            SkillStep::Blocked(_) if item.is_behind() => ("behind", String::new()),
            SkillStep::Blocked(_) => ("blocked", String::new()),
        };
        (word, item.review.path.clone(), details)
    });
    let mut lines: Vec<_> = lines.collect();
    let count = items.len() - lines.len();
    if count > 0 {
        lines.push(("unchanged", quantity(count, "skill", "skills"), String::new()));
    }
    table(lines, roster)
}

/// Returns the fields whose changes on the server a push undoes.
fn undone_fields(conflict: &Conflict) -> String {
    conflict
        .fields_changed_on_server()
        .into_iter()
        .map(conflict::word)
        .collect::<Vec<_>>()
        .join(", ")
}

const fn is_blocked(item: &PushItem) -> bool {
    matches!(item.step, SkillStep::Blocked(_))
}

/// Returns where a skill was before, in parentheses, if it was moved.
fn moved_note(item: &PushItem) -> String {
    item.record
        .moved_from()
        .map(|from| format!(" (moved from {})", path_of(from)))
        .unwrap_or_default()
}

pub(super) fn is_unchanged(item: &PushItem) -> bool {
    matches!(item.step, SkillStep::Unchanged(_))
}

/// Returns `true` if a skill is not just up to date.
fn is_noteworthy(item: &PushItem) -> bool {
    !is_unchanged(item) || unchanged_word(item) != "unchanged"
}

/// Returns the word for a skill that is up to date: what is recorded of it may change.
fn unchanged_word(item: &PushItem) -> &'static str {
    match &item.record {
        SkillRecord::Moved(_) => "moved",
        SkillRecord::SameContent(_) => "linked",
        SkillRecord::None | SkillRecord::Recorded(_) | SkillRecord::Recovered(_) => "unchanged",
    }
}

/// Returns a table of three columns. Nothing is cut: paths and ids are there to be copied.
pub(super) fn table(rows: Vec<(&str, String, String)>, roster: &Roster) -> String {
    let privacy = Privacy { roster };
    let shown = |text: &str| escape_line(&privacy.mask(text)).into_owned();
    let rows: Vec<_> =
        rows.into_iter().map(|(word, path, about)| (word, shown(&path), shown(&about))).collect();
    let longest = rows.iter().map(|(_, path, _)| columns(path)).max().unwrap_or_default();
    let path_columns = longest.min(PATH_COLUMNS_MAX);
    let mut out = String::new();
    for (word, path, about) in rows {
        let gap = path_columns.saturating_sub(columns(&path));
        let line = format!("{word:<WORD_COLUMNS$}{path}{:gap$}  {about}", "");
        out += line.trim_end();
        out.push('\n');
    }
    out
}

/// Returns the id of a skill that was published.
pub(super) fn published_id(outcomes: &[Outcome], index: usize) -> Option<&SkillId> {
    outcomes.get(index)?.as_ref()?.as_ref().ok()
}

/// Returns the list of what was done with several skills, with their ids. Skills that are up to date
/// are listed only if that is wanted.
pub(super) fn summary(
    options: &Options,
    items: &[PushItem],
    outcomes: &[Outcome],
    roster: &Roster,
) -> String {
    let is_listed = |(_, item): &(usize, &PushItem)| options.is_verbose || is_noteworthy(item);
    let lines = items.iter().enumerate().filter(is_listed).map(|(index, item)| {
        let done = published_id(outcomes, index);
        let id = done.map_or("", SkillId::as_str);
        let (word, id) = match (&item.step, done) {
            (SkillStep::Unchanged(SkillUnchanged { skill_id, .. }), _) => {
                (unchanged_word(item), skill_id.as_str())
            }
            (SkillStep::Blocked(_), _) if item.is_behind() => ("behind", id),
            (SkillStep::Blocked(_), _) => ("blocked", id),
            (SkillStep::Create(_), Some(_)) => ("new", id),
            (SkillStep::Update(_), Some(_)) => ("updated", id),
            (_, None) => ("failed", id),
        };
        (word, item.review.path.clone(), id.to_owned() + &moved_note(item))
    });
    table(lines.collect(), roster)
}

/// Returns the closing line; none if the outcome is reported already.
pub(super) fn closing(
    items: &[PushItem],
    Done { outcomes, heartbeats, .. }: &Done,
    selected: &SelectedServer,
) -> Option<Message> {
    let server = quote_in_full(selected.name());
    let [one] = items else {
        return Some(quote_in_full(&tally(items, outcomes)).into());
    };
    let path = quote_in_full(&one.review.path);
    let done = published_id(outcomes, 0);
    let id = quote_in_full(done.map_or("", SkillId::as_str));
    match (&one.step, done) {
        // What was done with its heartbeats, or why not, is reported already.
        (SkillStep::Unchanged(_), _) if heartbeats.iter().any(SkillHeartbeats::are_reported) => {
            None
        }
        (SkillStep::Unchanged(_), _) => {
            let moved = moved_note(one);
            let path = message![path, quote_in_full(&moved)];
            Some(message!["Nothing to publish: ", path, " is up to date on ", server, "."])
        }
        (SkillStep::Create(_), Some(_)) => {
            Some(message!["Published ", path, " as ", id, " on ", server, "."])
        }
        (_, Some(_)) => Some(message!["Updated ", path, " as ", id, " on ", server, "."]),
        (_, None) => None,
    }
}

/// Returns the command that runs the only skill of a push, if it is new. At a terminal, `invoke`
/// asks for the inputs, so that the command is short enough for a line.
pub(super) fn run_command(
    items: &[PushItem],
    outcomes: &[Outcome],
    can_ask: bool,
) -> Option<Message> {
    let [one] = items else { return None };
    let is_new = matches!(one.step, SkillStep::Create(_)) && published_id(outcomes, 0).is_some();
    let preview = one.review.preview.as_ref().filter(|_| is_new)?;
    let is_home = preview.category == Category::HomeAgent;
    let inputs = if can_ask && !is_home { String::new() } else { needed_inputs(one) };
    let (path, inputs) = (quote_argument(&one.review.path), quote_in_full(&inputs));
    Some(message!["dibber ", if is_home { "render" } else { "invoke" }, " ", path, inputs])
}

/// Returns the options for the inputs that a run of a skill cannot leave out.
fn needed_inputs(item: &PushItem) -> String {
    let optional: Vec<_> = item.review.drafted().draft.optional_inputs().collect();
    let inputs = item.review.preview.iter().flat_map(|preview| &preview.input_variables);
    let names = inputs.map(|input| input.name.as_str()).filter(|name| !optional.contains(name));
    names.map(|name| format!(" --input {name}=…")).collect()
}

/// `50 skills: 40 new, 5 updated, 2 unchanged, 3 blocked`.
fn tally(items: &[PushItem], outcomes: &[Outcome]) -> String {
    let count = |is: &dyn Fn(&PushItem) -> bool| items.iter().filter(|it| is(it)).count();
    let done = |is_new: bool| {
        let is_done = |(index, item): &(usize, &PushItem)| {
            published_id(outcomes, *index).is_some()
                && matches!(item.step, SkillStep::Create(_)) == is_new
        };
        items.iter().enumerate().filter(is_done).count()
    };
    let counts = [
        (done(true), "new"),
        (done(false), "updated"),
        (count(&is_unchanged), "unchanged"),
        (count(&|it| is_blocked(it) && it.is_behind()), "behind"),
        (count(&|it| is_blocked(it) && !it.is_behind()), "blocked"),
        (outcomes.iter().flatten().filter(|outcome| outcome.is_err()).count(), "failed"),
    ];
    let counted = counts.iter().filter(|(count, _)| *count > 0);
    let counted: Vec<_> = counted.map(|(count, word)| format!("{count} {word}")).collect();
    match items.len() {
        0 => "Nothing to publish.".to_owned(),
        skills => format!("{skills} skills: {}", counted.join(", ")),
    }
}
