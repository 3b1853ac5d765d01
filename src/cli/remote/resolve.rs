//! Finds the skill that an argument names: by a folder, an id, a label or a name.

use std::ffi::OsStr;
use std::path::Path;

use super::session::Session;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_client::publish::{LockFiles, LockKey, name_of_label};
use dibber_skill::contract::{SkillId, SkillListArguments, SkillListItem};
use dibber_skill::discover::{self, FoundSkill};
use dibber_skill::label::label_key;
use dibber_text::{Message, closest_match, message, quote, quote_argument, quote_in_full};

/// The characters of a complete id: `sk_` and a UUID without hyphens. A shorter one may be the
/// beginning of an id.
const ID_CHARS: usize = 35;
/// The beginnings of a path that is no label.
const EXPLICIT_PATHS: [&str; 3] = ["./", "../", "/"];
/// The most skills that are searched for a name.
const SKILLS_MAX: usize = 200_000;
/// The most skills that are shown when a name is ambiguous.
const SHOWN_MAX: usize = 10;

/// Finds the id of a skill: the one that a folder was published as, even if it is gone, or the one
/// with that id or the only one whose id begins so, or the only one with that label or that name, or
/// the only one that was published from a folder with that name. A label matches in any case. Archived
/// skills are not found by their label or name, or that of their folder.
pub(super) fn resolve(
    typed: &str,
    session: &Session,
    locks: &mut LockFiles,
) -> Result<SkillId, CommandError> {
    resolve_listed(typed, &SkillListArguments::default(), NameMatch::Whole, session, locks)
}

/// Does the same as [`resolve`], and finds the only skill whose label begins with what was typed, too.
pub(super) fn resolve_by_start(
    typed: &str,
    session: &Session,
    locks: &mut LockFiles,
) -> Result<SkillId, CommandError> {
    resolve_listed(typed, &SkillListArguments::default(), NameMatch::Start, session, locks)
}

/// Does the same as [`resolve_by_start`], and finds archived skills, too.
pub(super) fn resolve_any(
    typed: &str,
    session: &Session,
    locks: &mut LockFiles,
) -> Result<SkillId, CommandError> {
    let list = SkillListArguments { include_archived: Some(true), ..SkillListArguments::default() };
    resolve_listed(typed, &list, NameMatch::Start, session, locks)
}

/// Reads the records of the folders among these arguments, so that an error of their file is
/// reported once and not for each of them.
pub(super) fn read_records(typed: &[String], locks: &mut LockFiles) -> Result<(), CommandError> {
    for typed in typed.iter().filter(|typed| is_path(typed)) {
        locks.get(&LockKey::new(Path::new(typed)))?;
    }
    Ok(())
}

/// How much of a label has to be typed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameMatch {
    Whole,
    /// The beginning, if no other label begins so.
    Start,
}

fn resolve_listed(
    typed: &str,
    list: &SkillListArguments,
    name_match: NameMatch,
    session: &Session,
    locks: &mut LockFiles,
) -> Result<SkillId, CommandError> {
    if let Some(found) = skill_in(typed)? {
        return published(&found, session, locks);
    }
    let id = typed.parse::<SkillId>().ok();
    if let Some(id) = id.clone().filter(|_| typed.len() >= ID_CHARS) {
        return Ok(id);
    }
    if is_path(typed)
        && let Some(published) = locks.get(&LockKey::new(Path::new(typed)))?
    {
        return Ok(published.skill_id);
    }
    if EXPLICIT_PATHS.iter().any(|start| typed.starts_with(start)) {
        return Err(no_folder(typed));
    }
    let all = session.wait(session.client.all_skills(list, SKILLS_MAX))?.items;
    let is_match = |item: &&SkillListItem| item.skill_id.as_str() == typed || is_name(typed, item);
    let mut found: Vec<_> = all.iter().filter(is_match).collect();
    if found.is_empty() && id.is_some() {
        found.extend(all.iter().filter(|item| item.skill_id.as_str().starts_with(typed)));
    }
    if found.is_empty() {
        let recorded = recorded_as(typed, locks)?;
        found.extend(all.iter().filter(|item| recorded.contains(&item.skill_id)));
    }
    let start = label_key(typed);
    if found.is_empty() && id.is_none() && name_match == NameMatch::Start && !start.is_empty() {
        found.extend(all.iter().filter(|item| label_key(&item.name).starts_with(&start)));
    }
    match &found[..] {
        [one] => Ok(one.skill_id.clone()),
        [] => id.ok_or_else(|| unknown(typed, &all, session)),
        several => Err(ambiguous(typed, several)),
    }
}

/// Returns the skills of the project whose folders have this name.
fn recorded_as(typed: &str, locks: &mut LockFiles) -> Result<Vec<SkillId>, CommandError> {
    let mut recorded = locks.recorded_skills(&LockKey::below_current_directory())?;
    recorded.retain(|(key, _)| key.skill_directory().file_name() == Some(OsStr::new(typed)));
    Ok(recorded.into_iter().map(|(_, id)| id).collect())
}

/// Returns `true` if a skill has this label or this name.
fn is_name(typed: &str, item: &SkillListItem) -> bool {
    label_key(&item.name) == label_key(typed) || name_of_label(&item.name).as_deref() == Some(typed)
}

/// Returns `true` if a string is a path, and can be no label.
fn is_path(typed: &str) -> bool {
    Path::new(typed).components().nth(1).is_some()
}

/// Returns the skill in a folder, or `None` if there is no such path.
pub(super) fn skill_in(typed: &str) -> Result<Option<FoundSkill>, CommandError> {
    let path = Path::new(typed);
    if !path.exists() {
        return Ok(None);
    }
    let (mut found, problems) =
        discover::find(&[discover::from_current_directory(path.to_owned())]);
    match (found.len(), problems.first()) {
        (1, _) => Ok(found.pop()),
        (0, Some(problem)) => Err(CommandError::from(problem)),
        (count, _) => {
            let message =
                message![quote_in_full(typed), " contains ", count, " skills, expected one"];
            Err(CommandError::new(message).help("name the folder of one of them"))
        }
    }
}

fn published(
    found: &FoundSkill,
    session: &Session,
    locks: &mut LockFiles,
) -> Result<SkillId, CommandError> {
    let key = LockKey::new(&found.directory);
    if let Some(published) = locks.get(&key)? {
        return Ok(published.skill_id);
    }
    let shown = if found.shown.is_empty() { "." } else { found.shown.as_str() };
    let (argument, shown) = (quote_argument(shown), quote_in_full(shown));
    let server = quote_in_full(session.server.name());
    let message = message![shown, " is not published on ", server];
    Err(CommandError::new(message)
        .help(message![
            "publish it with `dibber push ",
            argument,
            "`, or name another server with `--server`"
        ])
        .exit(Exit::NotFound))
}

fn no_folder(typed: &str) -> CommandError {
    CommandError::new(message!["there is no folder `", quote(typed), "`"])
        .help("check the path; `dibber skill list` lists the published skills by name")
        .exit(Exit::NotFound)
}

fn unknown(typed: &str, all: &[SkillListItem], session: &Session) -> CommandError {
    let server = quote_in_full(session.server.name());
    let archived = archived(typed, session);
    let help = match (&archived[..], similar(typed, all)) {
        ([one], _) => {
            let id = quote_in_full(one.skill_id.as_str());
            let back = unarchive_help(&one.skill_id, session);
            message!["`", quote(&one.name), "` (", id, ") is archived; ", back]
        }
        (_, Some(label)) => message!["did you mean `", quote(label), "`?"],
        (_, None) => {
            "`dibber skill list` lists the skills; write the path of a folder with `./`".into()
        }
    };
    CommandError::new(message![server, " has no skill `", quote(typed), "`"])
        .help(help)
        .exit(Exit::NotFound)
}

/// Returns how an archived skill is put to use again.
pub(super) fn unarchive_help(id: &SkillId, session: &Session) -> Message {
    let options = quote_in_full(&session.server.typed_options);
    message!["`dibber skill unarchive ", quote_in_full(id.as_str()), options, "` brings it back"]
}

/// Returns the archived skills that have this name, or that of the folder at this path.
fn archived(typed: &str, session: &Session) -> Vec<SkillListItem> {
    let list = SkillListArguments { include_archived: Some(true), ..SkillListArguments::default() };
    let listed = session.block_on(session.client.all_skills(&list, SKILLS_MAX));
    let folder = Path::new(typed).file_name().and_then(OsStr::to_str).unwrap_or(typed);
    let items = listed.map(|listed| listed.items).unwrap_or_default().into_iter();
    items.filter(|it| it.is_archived() && (is_name(typed, it) || is_name(folder, it))).collect()
}

/// Returns the label that was probably meant: one of which a part was typed, or the most similar.
fn similar<'a>(typed: &str, all: &'a [SkillListItem]) -> Option<&'a str> {
    let typed = label_key(typed);
    let labels: Vec<_> = all.iter().map(|item| label_key(&item.name)).collect();
    let part = labels.iter().position(|label| !typed.is_empty() && label.contains(&typed));
    let found = part.or_else(|| {
        let closest = closest_match(&typed, labels.iter().map(String::as_str))?;
        labels.iter().position(|label| label == closest)
    });
    found.map(|index| all[index].name.as_str())
}

fn ambiguous(typed: &str, found: &[&SkillListItem]) -> CommandError {
    let mut lines: Vec<Message> = found
        .iter()
        .take(SHOWN_MAX)
        .map(|item| {
            let id = quote_in_full(item.skill_id.as_str());
            message!["  ", id, "  ", quote_in_full(&item.name)]
        })
        .collect();
    if found.len() > SHOWN_MAX {
        lines.push(message!["  … and ", found.len() - SHOWN_MAX, " more"]);
    }
    CommandError::new(message!["`", quote(typed), "` is ambiguous: ", found.len(), " skills match"])
        .excerpt(Message::join(lines, "\n"))
        .help("write the id of one of them")
}
