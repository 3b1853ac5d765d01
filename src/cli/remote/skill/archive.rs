//! `dibber skill archive` and `dibber skill unarchive`.

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;

use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::call_errors;
use crate::cli::remote::resolve;
use crate::cli::remote::session::{self, Session};
use crate::cli::term::ask::Asker;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    Archival, PublishError, check_can_archive, set_archival, settle_archival,
};
use dibber_skill::contract::{SkillId, StoredSkill};
use dibber_text::{escape_line, message, quote_in_full};

pub(super) const ARCHIVE: Command =
    Command { name: "archive", define: define_archive, run: archive };
pub(super) const UNARCHIVE: Command =
    Command { name: "unarchive", define: define_unarchive, run: unarchive };

/// The version of the shape of `--json`; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Archive skills of a server
///
/// An archived skill can be read, and no longer be run, scheduled or published to. `dibber skill
/// unarchive` reverses it.
#[derive(Args)]
struct ArchiveArgs {
    #[command(flatten)]
    skills: Skills,
}

/// Unarchive skills, so that they can be used again
#[derive(Args)]
struct UnarchiveArgs {
    #[command(flatten)]
    skills: Skills,
}

#[derive(Args)]
struct Skills {
    /// The skills: their folders, labels, names or ids
    #[arg(value_name = "SKILL", required = true)]
    named: Vec<String>,

    /// Do it without asking
    #[arg(long, short)]
    yes: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `tests/reference/skill-archive.schema.json`.
#[derive(Serialize)]
struct ArchiveV1 {
    version: u32,
    server: String,
    items: Vec<ItemV1>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ItemV1 {
    skill_id: SkillId,
    name: String,
    archived: bool,
    /// Whether that was changed.
    changed: bool,
}

fn define_archive(command: ClapCommand) -> ClapCommand {
    session::define(ArchiveArgs::augment_args(command))
}

fn define_unarchive(command: ClapCommand) -> ClapCommand {
    session::define(UnarchiveArgs::augment_args(command))
}

fn archive(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed: ArchiveArgs = parse_args(matches);
    run(&typed.skills, Archival::Archived, matches, ui)
}

fn unarchive(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed: UnarchiveArgs = parse_args(matches);
    run(&typed.skills, Archival::InUse, matches, ui)
}

/// Returns each of the named skills once, as the server has it.
fn stored_skills(named: &[String], session: &Session) -> Result<Vec<StoredSkill>, CommandError> {
    let mut locks = session.locks()?;
    let mut skills: Vec<StoredSkill> = Vec::new();
    for name in named {
        let id = resolve::resolve_any(name, session, &mut locks)?;
        if skills.iter().all(|skill| skill.skill_id != id) {
            skills.push(session.wait(session.client.skill_get(&id))?.skill);
        }
    }
    Ok(skills)
}

fn run(
    typed: &Skills,
    archival: Archival,
    matches: &ArgMatches,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let roster = ui.names()?;
    let interrupt = Interrupt::watch()?;
    let session = Session::open(matches)?;
    session.announce_interrupted_plan()?;
    session.wait(check_can_archive(&session.client))?;
    let skills = stored_skills(&typed.named, &session)?;
    let wanted = archival == Archival::Archived;
    let count = skills.iter().filter(|skill| skill.archived != wanted).count();
    let (verb, done) = match archival {
        Archival::Archived => ("Archive", "archived"),
        Archival::InUse => ("Unarchive", "in use"),
    };
    if count > 0 && !typed.yes {
        if !ui.can_ask() {
            let message = "cannot ask for confirmation: this is not a terminal";
            return Err(CommandError::new(message).help("add `--yes` to do it without asking"));
        }
        let server = quote_in_full(session.server.name());
        let what = match &skills[..] {
            [one] => message!["`", quote_in_full(&one.name), "`"],
            _ => message![count, if count == 1 { " skill" } else { " skills" }],
        };
        let question = message![verb, " ", what, " on ", server, "?"];
        if !Asker::new(ui, &roster).confirm(question, false)? {
            ui.eprintln("Nothing was changed.");
            return Ok(Exit::Done);
        }
    }
    // From here on, Ctrl-C ends the program at once, and the same command finishes the work.
    drop(interrupt);
    let mut items = Vec::new();
    for skill in skills {
        let changed = skill.archived != wanted;
        if changed {
            let set = set_archival(&skill.skill_id, archival, session.publisher()?);
            session.block_on(set).map_err(|error| failure(error, &skill))?;
        } else {
            let settled = settle_archival(&skill.skill_id, session.publisher()?);
            settled.map_err(|error| failure(error, &skill))?;
        }
        let name = ui.masked(&skill.name).into_owned();
        if !typed.json {
            let already = if changed { "" } else { " already" };
            let (name, id) = (escape_line(&name), escape_line(skill.skill_id.as_str()));
            ui.eprintln(message![
                "`",
                quote_in_full(&name),
                "` is ",
                done,
                already,
                ": ",
                quote_in_full(&id),
                "."
            ]);
        }
        items.push(ItemV1 { skill_id: skill.skill_id, name, archived: wanted, changed });
    }
    if typed.json {
        ui.print_json(&ArchiveV1 {
            version: VERSION,
            server: ui.masked(session.server.name()).into_owned(),
            items,
        })?;
    }
    Ok(Exit::Done)
}

fn failure(error: PublishError, skill: &StoredSkill) -> CommandError {
    match error {
        PublishError::Call(error) => {
            call_errors::command_error(&error).with_context(quote_in_full(&skill.name))
        }
        error => error.into(),
    }
}
