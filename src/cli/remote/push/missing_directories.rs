//! Skills that were published from directories which are gone: a push leaves them on the server,
//! and says so.

use std::path::PathBuf;

use super::arguments::{MissingSkills, Options};
use super::page;
use super::plan::PushItem;
use crate::cli::error::CommandError;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use dibber_client::ClientError;
use dibber_client::publish::{
    LockFiles, LockKey, MissingRecord, MoveEvidence, MovedDirectory, Records, SkillStep,
    check_can_archive, find_moved_directories,
};
use dibber_skill::discover::{DiscoverError, DiscoverErrorKind, shown_path};
use dibber_text::{escape_line, message, quote_in_full};

/// Checks the paths of a push that archives. Where the last skill is gone, there still is something
/// to archive, and the path of a folder that is gone names what is archived.
///
/// # Errors
/// If another path cannot be read: then nothing is archived, for it may be a typing error.
pub(super) fn check_paths(
    problems: Vec<DiscoverError>,
    options: &Options,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let mut unexpected = None;
    for problem in problems {
        let is_expected = match problem.kind {
            DiscoverErrorKind::NoSkill => true,
            DiscoverErrorKind::NotFound => is_recorded(&problem.path, options, locks)?,
            _ => false,
        };
        if !is_expected && let Some(earlier) = unexpected.replace(problem) {
            ui.error(&CommandError::from(&earlier));
        }
    }
    let Some(last) = unexpected else { return Ok(()) };
    Err(CommandError::from(&last).help(
        "nothing was published or archived; `--prune` takes existing folders, and those that \
         dibber.lock records",
    ))
}

/// Returns `true` if a path of a push, which does not exist, is recorded or has recorded folders.
fn is_recorded(path: &str, options: &Options, locks: &mut LockFiles) -> Result<bool, CommandError> {
    match options.paths.iter().find(|typed| shown_path(typed) == path) {
        Some(typed) => Ok(!locks.missing_records_below(typed)?.is_empty()),
        None => Ok(false),
    }
}

/// Returns the records below the paths of a push whose directories have no skill any more, except
/// those of skills that were moved, also out of the paths. Unless they are to be archived, a single
/// new skill adds those of its whole project: it may be one of them, under another name and with
/// another text.
pub(super) fn find(
    options: &Options,
    items: &[PushItem],
    (session, locks): (&Session, &mut LockFiles),
    ui: &mut Ui,
) -> Result<Vec<MissingRecord>, CommandError> {
    if options.records == Records::Ignore {
        return Ok(Vec::new());
    }
    let mut missing: Vec<MissingRecord> = Vec::new();
    let here = [PathBuf::from(".")];
    let paths = if options.paths.is_empty() { &here[..] } else { &options.paths };
    for path in paths.iter().filter(|path| !path.is_file()) {
        add(locks.missing_records_below(path)?, &mut missing);
    }
    if let [PushItem { step: SkillStep::Create(_), draft: Some(draft), .. }] = items
        && options.missing_skills == MissingSkills::Report
    {
        add(locks.missing_records(&draft.key)?, &mut missing);
    }
    let is_moved = |record: &MissingRecord| {
        items.iter().any(|item| item.record.moved_from() == Some(&record.key))
    };
    missing.retain(|record| !is_moved(record));
    let moved = moved_elsewhere(&missing, session, locks)?;
    missing.retain(|record| {
        let directory = moved.iter().find(|directory| directory.moved.from == record.key);
        if let Some(directory) = directory {
            warn_of_moved(directory, options, ui);
        }
        directory.is_none()
    });
    Ok(missing)
}

/// Returns the directories that skills were moved to, in the whole projects of these records.
fn moved_elsewhere(
    missing: &[MissingRecord],
    session: &Session,
    locks: &mut LockFiles,
) -> Result<Vec<MovedDirectory>, CommandError> {
    let mut moved = Vec::new();
    let mut searched: Vec<&LockKey> = Vec::new();
    for MissingRecord { key, .. } in missing {
        if searched.iter().all(|other| other.lock_file() != key.lock_file()) {
            searched.push(key);
            let project = key.skill_directory();
            moved.extend(find_moved_directories(&project, session.publisher()?, locks)?);
        }
    }
    Ok(moved)
}

/// Says where a skill is now that is not at or below the paths any more.
fn warn_of_moved(directory: &MovedDirectory, options: &Options, ui: &mut Ui) {
    let MovedDirectory { key, moved } = directory;
    let (from, to) = (page::path_of(&moved.from), page::path_of(key));
    ui.warning(message![
        quote_in_full(&from),
        if moved.evidence == MoveEvidence::SameContent { " is now " } else { " may now be " },
        quote_in_full(&to),
        if options.missing_skills == MissingSkills::Archive {
            ", and its skill is not archived; add that path"
        } else {
            "; add that path"
        }
    ]);
}

/// Adds the records that are not there yet.
fn add(records: Vec<MissingRecord>, missing: &mut Vec<MissingRecord>) {
    let is_new = |record: &MissingRecord| missing.iter().all(|known| known.key != record.key);
    let records: Vec<_> = records.into_iter().filter(is_new).collect();
    missing.extend(records);
}

/// Lists them, and says what can be done about them.
pub(super) fn show(
    missing: &[MissingRecord],
    options: &Options,
    session: &Session,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    if missing.is_empty() {
        return Ok(());
    }
    if options.missing_skills == MissingSkills::Archive {
        // What becomes of each is shown once it is planned.
        return session.block_on(check_can_archive(&session.client)).map_err(|error| {
            let shown = session.command_error(&error);
            match error {
                ClientError::NoTool(_) => shown.help(
                    "the server cannot archive skills; `dibber skill unlink PATH` removes the folder \
                     that is gone from dibber.lock, and changes nothing on the server",
                ),
                _ => shown,
            }
        });
    }
    if !options.is_json {
        let rows = missing.iter().map(|record| {
            ("gone", page::path_of(&record.key), record.published.skill_id.to_string())
        });
        let table = page::table(rows.collect(), &*ui.names()?);
        ui.print(table.as_bytes())?;
    }
    let server = escape_line(session.server.name()).into_owned();
    let what = match missing {
        [one] => message![
            "the folder ",
            quote_in_full(&page::path_of(&one.key)),
            " is gone; dibber.lock still has its skill on ",
            quote_in_full(&server)
        ],
        several => message![
            several.len(),
            " folders are gone; dibber.lock still has their skills on ",
            quote_in_full(&server)
        ],
    };
    ui.warning(message![
        what,
        "; `dibber push --prune` archives ",
        if missing.len() == 1 { "it" } else { "them" },
        " unless that is done, `dibber skill link PATH SKILL` says where a folder \
         is now, `dibber skill unlink PATH` removes a folder from dibber.lock"
    ]);
    Ok(())
}
