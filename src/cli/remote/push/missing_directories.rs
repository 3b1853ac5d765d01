//! Skills that were published from directories which are gone: a push leaves them on the server,
//! and says so.

use std::path::PathBuf;

use super::arguments::{Conflicts, GoneSkills, Options};
use super::page;
use super::plan::PushItem;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::call_errors;
use crate::cli::remote::session::Session;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    LockFiles, PublishError, Records, SkillRecord, SkillStep, UnusedRecord, check_can_archive,
    is_prunable, prune_skill,
};
use dibber_skill::discover::DiscoverError;
use dibber_text::{escape_line, message, quote_in_full};

/// Returns the records below the paths of a push whose directories have no skill any more, except
/// those of skills that were moved. Unless they are to be archived, a single new skill adds those
/// of its whole project: it may be one of them, under another name and with another text.
pub(super) fn find(
    options: &Options,
    items: &[PushItem],
    locks: &mut LockFiles,
) -> Result<Vec<UnusedRecord>, CommandError> {
    if options.records == Records::Ignore {
        return Ok(Vec::new());
    }
    let mut gone: Vec<UnusedRecord> = Vec::new();
    let here = [PathBuf::from(".")];
    let paths = if options.paths.is_empty() { &here[..] } else { &options.paths };
    for path in paths.iter().filter(|path| !path.is_file()) {
        add(locks.unused_records_below(path)?, &mut gone);
    }
    if let [PushItem { step: SkillStep::Create(_), draft: Some(draft), .. }] = items
        && options.gone_skills == GoneSkills::Report
    {
        add(locks.unused_records(&draft.key)?, &mut gone);
    }
    let is_moved = |record: &UnusedRecord| {
        items.iter().any(|item| item.record.moved_from() == Some(&record.key))
    };
    gone.retain(|record| !is_moved(record));
    Ok(gone)
}

/// Adds the records that are not there yet.
fn add(records: Vec<UnusedRecord>, gone: &mut Vec<UnusedRecord>) {
    let is_new = |record: &UnusedRecord| gone.iter().all(|known| known.key != record.key);
    let records: Vec<_> = records.into_iter().filter(is_new).collect();
    gone.extend(records);
}

/// Returns those that are archived, and why the others are not: they were changed on the server, or
/// may be a new folder that cannot be read as a skill.
pub(super) fn archived(
    gone: &[UnusedRecord],
    options: &Options,
    (items, unread): (&[PushItem], &[DiscoverError]),
    session: &Session,
) -> (Vec<UnusedRecord>, Vec<CommandError>) {
    if options.gone_skills == GoneSkills::Report || gone.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let unjudged =
        items.iter().find(|item| item.review.hash.is_none() && item.record == SkillRecord::None);
    let unjudged = unjudged.map(|item| item.review.path.clone());
    let mut unread = unread.iter().map(|problem| problem.path.clone());
    if let Some(path) = unjudged.or_else(|| unread.next()) {
        let path = quote_in_full(&path);
        let message = message!["nothing is archived: ", path, " may be a folder that is gone"];
        let help = "correct its files, so that it can be compared with what was published";
        return (Vec::new(), vec![CommandError::new(message).help(help).exit(Exit::BadInput)]);
    }
    let (mut archived, mut errors) = (Vec::new(), Vec::new());
    for record in gone {
        let is_prunable = options.conflicts == Conflicts::Overwrite
            || match session.wait(is_prunable(record, &session.client)) {
                Ok(is_prunable) => is_prunable,
                Err(error) => {
                    errors.push(error.with_context(quote_in_full(&page::path_of(&record.key))));
                    continue;
                }
            };
        if is_prunable {
            archived.push(record.clone());
        } else {
            errors.push(changed_elsewhere(record, session));
        }
    }
    (archived, errors)
}

/// A skill whose folder is gone, and that another writer has changed.
fn changed_elsewhere(record: &UnusedRecord, session: &Session) -> CommandError {
    let (path, id) = (page::path_of(&record.key), record.published.skill_id.to_string());
    let (path, id) = (quote_in_full(&path), quote_in_full(&id));
    let (server, options) = (session.server.name(), &session.server.typed_options);
    let (server, options) = (quote_in_full(server), quote_in_full(options));
    let message = message![
        "cannot archive ",
        id,
        " of ",
        path,
        ": it was changed on ",
        server,
        " since it was last published or pulled here"
    ];
    let help = message![
        "`dibber pull ",
        id,
        options,
        "` restores the folder with that change, `dibber skill archive ",
        id,
        options,
        "` archives it"
    ];
    CommandError::new(message).help(help).exit(Exit::BadInput)
}

/// Lists them, and says what can be done about them.
pub(super) fn show(
    gone: &[UnusedRecord],
    options: &Options,
    session: &Session,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    if gone.is_empty() {
        return Ok(());
    }
    if !options.is_json {
        let rows = gone.iter().map(|record| {
            let path = ui.masked(&page::path_of(&record.key)).into_owned();
            ("gone", path, record.published.skill_id.to_string())
        });
        let table = page::table(rows.collect());
        ui.print(table.as_bytes())?;
    }
    if options.gone_skills == GoneSkills::Archive {
        return session.wait(check_can_archive(&session.client));
    }
    let server = escape_line(session.server.name()).into_owned();
    let what = match gone {
        [one] => message![
            "the folder ",
            quote_in_full(&page::path_of(&one.key)),
            " is gone; its skill is still on ",
            quote_in_full(&server)
        ],
        several => message![
            several.len(),
            " folders are gone; their skills are still on ",
            quote_in_full(&server)
        ],
    };
    ui.warning(message![
        what,
        "; `dibber push --prune` archives ",
        if gone.len() == 1 { "it" } else { "them" },
        ", `dibber skill link PATH SKILL` says where a folder \
         is now, `dibber skill unlink PATH` removes a folder from dibber.lock"
    ]);
    Ok(())
}

/// Archives the skills, and removes their records. The errors are those of the skills that remain.
pub(super) fn prune(
    gone: &[UnusedRecord],
    session: &Session,
    locks: &mut LockFiles,
    interrupt: &Interrupt,
    ui: &mut Ui,
) -> Vec<CommandError> {
    let mut errors = Vec::new();
    let server = escape_line(session.server.name()).into_owned();
    for record in gone {
        let path = ui.masked(&page::path_of(&record.key)).into_owned();
        let _held = interrupt.hold();
        let publisher = match session.publisher() {
            Ok(publisher) => publisher,
            Err(error) => return vec![error],
        };
        match session.block_on(prune_skill(record, publisher, locks)) {
            Ok(()) => {
                let (path, id) = (escape_line(&path), &record.published.skill_id);
                ui.eprintln(message![
                    "Archived ",
                    quote_in_full(id.as_str()),
                    " of ",
                    quote_in_full(&path),
                    " on ",
                    quote_in_full(&server),
                    "."
                ]);
            }
            Err(PublishError::Call(error)) => {
                errors.push(call_errors::command_error(&error).with_context(quote_in_full(&path)));
            }
            Err(error) => errors.push(error.into()),
        }
    }
    errors
}
