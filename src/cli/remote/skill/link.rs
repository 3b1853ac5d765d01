//! `dibber skill link` and `dibber skill unlink`.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;

use super::linked_heartbeats;
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::resolve;
use crate::cli::remote::server_options::{self, SelectedServer};
use crate::cli::remote::session::{self, Session};
use crate::cli::term::ask::Asker;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    ListedSkills, LockFiles, LockKey, RecordedLink, create_record, recorded_links,
};
use dibber_client::{RecordedServer, ServerSource};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{SkillId, StoredSkill};
use dibber_skill::discover::{self, FoundSkill, shown_path};
use dibber_skill::names::Roster;
use dibber_text::{Message, message, quote, quote_argument, quote_in_full};

pub(super) const LINK: Command = Command { name: "link", define: define_link, run: run_link };
pub(super) const UNLINK: Command =
    Command { name: "unlink", define: define_unlink, run: run_unlink };

/// The version of the shapes of `--json`; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Connect a folder with a skill of a server
///
/// Records in dibber.lock that the folder is this skill, so that the next push changes it instead of
/// making another one. Neither the folder nor the skill is changed.
#[derive(Args)]
struct LinkArgs {
    /// The folder of the skill
    #[arg(value_name = "PATH")]
    path: PathBuf,

    /// The skill of the server: its id, its label or its name
    #[arg(value_name = "SKILL")]
    skill: String,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Remove the link between a folder and a skill
///
/// Removes the folder from dibber.lock, whether or not it exists. Nothing is changed on the server,
/// and the next push of the folder would make another skill. The server is not asked, unless
/// dibber.lock does not say which one is meant.
#[derive(Args)]
struct UnlinkArgs {
    /// The folder of the skill
    #[arg(value_name = "PATH")]
    path: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `schemas/skill-link.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LinkV1 {
    version: u32,
    server: String,
    path: String,
    skill_id: SkillId,
    /// Whether a push would change nothing.
    same: bool,
}

/// Described by `schemas/skill-unlink.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UnlinkV1 {
    version: u32,
    server: String,
    path: String,
    /// The skill, which is not changed.
    skill_id: SkillId,
    /// The names of its heartbeats, which are not cancelled.
    heartbeats: Vec<String>,
}

fn define_link(command: ClapCommand) -> ClapCommand {
    session::define(LinkArgs::augment_args(command))
}

fn define_unlink(command: ClapCommand) -> ClapCommand {
    session::define(UnlinkArgs::augment_args(command))
}

fn run_link(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed: LinkArgs = parse_args(matches);
    let typed_path = typed.path.to_string_lossy().into_owned();
    let Some(found) = resolve::skill_in(&typed_path)? else {
        let message = message![quote_in_full(&typed_path), " does not exist"];
        return Err(CommandError::new(message).help("name the folder of a skill"));
    };
    let session = Session::open(matches, ui)?;
    ui.names()?;
    let mut locks = session.locks()?;
    let skill_id = resolve::resolve(&typed.skill, &session, &mut locks)?;
    let stored = session.wait(ListedSkills::new(&session.client).read(&skill_id))?.skill;
    let key = LockKey::new(&found.directory);
    locks.lock_directories([&key], |directory| session::show_wait(ui, directory))?;
    let was_linked = locks.get(&key)?.is_some();
    let is_same = link(&found, &stored, &key, &mut locks)?;
    if !was_linked {
        // An interrupted push may have created an equal skill, which is not looked for any more.
        session.publisher()?.discard_unfinished(&key.subject())?;
    }
    linked_heartbeats::record(&found, &key, &session, &mut locks, ui);
    let folder = shown_folder(&found.directory);
    if typed.json {
        let linked = LinkV1 {
            version: VERSION,
            server: ui.masked(session.server.name()).into_owned(),
            path: ui.masked(&folder).into_owned(),
            skill_id,
            same: is_same,
        };
        ui.print_json(&linked)?;
        return Ok(Exit::Done);
    }
    let (argument, path) = (quote_argument(&folder), quote_in_full(&folder));
    let id = quote_in_full(skill_id.as_str());
    let server = quote_in_full(session.server.name());
    ui.eprintln(message!["Linked ", path, " to ", id, " on ", server, "."]);
    if !is_same {
        let options = &session.server.typed_options;
        let options = quote_in_full(options);
        ui.eprintln(message!["They differ; to see how, run: dibber diff ", argument, options]);
    }
    Ok(Exit::Done)
}

/// Records a directory as a stored skill. Returns `true` if a push would change nothing.
fn link(
    found: &FoundSkill,
    stored: &StoredSkill,
    key: &LockKey,
    locks: &mut LockFiles,
) -> Result<bool, CommandError> {
    let id = quote_in_full(stored.skill_id.as_str());
    if stored.is_archived() {
        let error = CommandError::new(message![id, " is archived"]);
        return Err(error.help("link another skill, or publish a new one").exit(Exit::NotFound));
    }
    if let Some(known) = locks.get(key)?.filter(|known| known.skill_id != stored.skill_id) {
        return Err(linked_already(&found.directory, &known.skill_id));
    }
    let skill = discover::isolated(&found.shown_skill_file(), || discover::load_published(found));
    let skill = skill.map_err(|error| CommandError::from(&error))?;
    let mut is_moved = false;
    for other in locks.others_of(key, &stored.skill_id)? {
        if other.has_skill() {
            return Err(linked_already(&other.skill_directory(), &stored.skill_id));
        }
        // The directory was moved here: its heartbeats go with it.
        locks.record_moves(&[(other, key.clone())])?;
        is_moved = true;
    }
    let published = create_record(&skill, stored);
    let is_same = published.content_hash.is_some();
    // A record of what the server has now says more: a push sees that it was not changed since. So
    // does that of a moved directory: a push merges the changes since.
    let content = ContentHash::of_stored(stored).to_string();
    let is_known = |hash: &String| is_moved || *hash == content;
    let known = locks.get(key)?.filter(|it| it.content_hash.as_ref().is_some_and(is_known));
    if is_same || known.is_none() {
        locks.record(vec![(key.clone(), published)])?;
    }
    Ok(is_same)
}

fn linked_already(directory: &Path, skill_id: &SkillId) -> CommandError {
    let path = shown_folder(directory);
    let (argument, path) = (quote_argument(&path), quote_in_full(&path));
    let id = quote_in_full(skill_id.as_str());
    CommandError::new(message![path, " is linked to ", id, " already"]).help(message![
        "`dibber skill unlink ",
        argument,
        "` removes that link first"
    ])
}

/// Returns the path of a directory as a person types it here.
fn shown_folder(directory: &Path) -> String {
    let path = shown_path(&discover::from_current_directory(directory.to_owned()));
    if path.is_empty() { ".".to_owned() } else { path }
}

fn run_unlink(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed: UnlinkArgs = parse_args(matches);
    let roster = ui.names()?;
    let key = LockKey::new(&typed.path);
    let links = recorded_links(&key)?;
    let selected = server_options::select(matches)?;
    let link = match recorded_link(&links, &selected) {
        Some(link) => Some(link),
        None if links.len() > 1 && is_default(&selected) => {
            Some(chosen(&links, &typed.path, ui, &roster)?)
        }
        None => None,
    };
    let Some(link) = link else { return unlink_of_server(&typed, &key, matches, ui) };
    let mut locks = LockFiles::new(RecordedServer::named(&link.server));
    locks.lock_directories([&key], |directory| session::show_wait(ui, directory))?;
    locks.unlink(&key)?;
    report_unlinked(&typed, link, ui)?;
    Ok(Exit::Done)
}

/// Returns the link to the selected server, as far as that is known without asking it: the only one
/// with its address, or the only one at all if no server is named.
fn recorded_link<'a>(
    links: &'a [RecordedLink],
    selected: &SelectedServer,
) -> Option<&'a RecordedLink> {
    if let ([only], true) = (links, is_default(selected)) {
        return Some(only);
    }
    let mut matching = links.iter().filter(|link| link.address.as_deref() == Some(selected.name()));
    matching.next().filter(|_| matching.next().is_none())
}

/// Returns `true` if no server is named anywhere.
const fn is_default(selected: &SelectedServer) -> bool {
    matches!(selected.selection.source, ServerSource::Default)
}

/// Asks which link is meant.
fn chosen<'a>(
    links: &'a [RecordedLink],
    path: &Path,
    ui: &mut Ui,
    roster: &Roster,
) -> Result<&'a RecordedLink, CommandError> {
    let path = shown_folder(path);
    let path = quote_in_full(&path);
    let labels = links.iter().map(|link| {
        message![quote_in_full(link.skill_id.as_str()), " on ", quote_in_full(link.server_name())]
    });
    let labels: Vec<_> = labels.collect();
    if !ui.can_ask() {
        let message = message![path, " is linked to ", Message::join(labels, ", ")];
        return Err(CommandError::new(message).help("name the server with `--server`"));
    }
    let question = message![path, " has several links. Which one should be removed?"];
    let chosen = Asker::new(ui, roster).select(question, &labels, 0)?;
    Ok(&links[chosen])
}

/// Asks the selected server for its id, and removes the link to it.
fn unlink_of_server(
    typed: &UnlinkArgs,
    key: &LockKey,
    matches: &ArgMatches,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let session = Session::open(matches, ui)?;
    let mut locks = session.locks()?;
    locks.lock_directories([key], |directory| session::show_wait(ui, directory))?;
    let server = session.recorded()?.key().to_owned();
    // The record of a deleted folder is in the file alone: as it is read for a server, it is part of
    // that of another folder of the same skill.
    let link = match recorded_links(key)?.into_iter().find(|link| link.server == server) {
        Some(link) => Some(link),
        None => locks.get(key)?.map(|known| RecordedLink {
            server,
            address: None,
            skill_id: known.skill_id,
            heartbeats: known.heartbeats.into_keys().collect(),
        }),
    };
    let Some(link) = link else {
        let path = shown_folder(&typed.path);
        let (path, server) = (quote_in_full(&path), quote_in_full(session.server.name()));
        let error = CommandError::new(message![path, " is not linked to a skill of ", server]);
        return Err(error.help("`dibber push` links what it publishes").exit(Exit::NotFound));
    };
    locks.unlink(key)?;
    let link = RecordedLink { address: Some(session.server.name().to_owned()), ..link };
    report_unlinked(typed, &link, ui)?;
    Ok(Exit::Done)
}

fn report_unlinked(
    typed: &UnlinkArgs,
    link: &RecordedLink,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let path = shown_folder(&typed.path);
    if typed.json {
        let heartbeats = link.heartbeats.iter().map(|name| ui.masked(name).into_owned());
        return ui.print_json(&UnlinkV1 {
            version: VERSION,
            server: ui.masked(link.server_name()).into_owned(),
            path: ui.masked(&path).into_owned(),
            skill_id: link.skill_id.clone(),
            heartbeats: heartbeats.collect(),
        });
    }
    let (path, server) = (quote_in_full(&path), quote_in_full(link.server_name()));
    let id = quote_in_full(link.skill_id.as_str());
    ui.eprintln(message![
        "Unlinked ",
        path,
        " from ",
        id,
        "; nothing was changed on ",
        server,
        "."
    ]);
    if !link.heartbeats.is_empty() {
        let names = link.heartbeats.iter().map(|name| message!["`", quote(name), "`"]);
        let names = Message::join(names, ", ");
        ui.eprintln(message![
            "Its heartbeats were not cancelled: ",
            names,
            "; `dibber heartbeat cancel` cancels one."
        ]);
    }
    Ok(())
}
