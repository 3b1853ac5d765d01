//! Skills that were published from directories which are gone: a push leaves them on the server,
//! and says so.

use std::path::PathBuf;

use super::arguments::{GoneSkills, Options};
use super::page;
use super::plan::PushItem;
use crate::cli::error::CommandError;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{LockFiles, Records, SkillStep, UnusedRecord, check_can_archive};
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
