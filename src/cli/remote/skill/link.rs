//! `dibber skill link` and `dibber skill unlink`.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, Command as ClapCommand};
use jiff::Timestamp;

use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::resolve;
use crate::cli::remote::session::{self, Session};
use crate::cli::term::ui::Ui;
use dibber_client::publish::{LockFiles, LockKey, linked};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{SkillId, StoredSkill};
use dibber_skill::discover::{self, FoundSkill, shown_path};
use dibber_text::escape_line;

pub(super) const LINK: Command = Command { name: "link", define: define_link, run: run_link };
pub(super) const UNLINK: Command =
    Command { name: "unlink", define: define_unlink, run: run_unlink };

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
}

/// Forget which skill of a server a folder is
///
/// Removes the folder from dibber.lock, whether or not it exists. The skill stays on the server, and
/// the next push of the folder would make another one.
#[derive(Args)]
struct UnlinkArgs {
    /// The folder of the skill
    #[arg(value_name = "PATH")]
    path: PathBuf,
}

fn define_link(command: ClapCommand) -> ClapCommand {
    session::define(LinkArgs::augment_args(command))
}

fn define_unlink(command: ClapCommand) -> ClapCommand {
    session::define(UnlinkArgs::augment_args(command))
}

fn run_link(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed: LinkArgs = parse_args(matches);
    ui.names()?;
    let typed_path = typed.path.to_string_lossy().into_owned();
    let Some(found) = resolve::skill_in(&typed_path)? else {
        let message = format!("{} does not exist", escape_line(&typed_path));
        return Err(CommandError::new(message).help("name the folder of a skill"));
    };
    let session = Session::open(matches)?;
    let mut locks = session.locks();
    let skill_id = resolve::resolve(&typed.skill, &session, &mut locks)?;
    let stored = session.wait(session.client.skill_get(&skill_id))?.skill;
    let key = locks.key(&found.directory);
    locks.lock_directories([&key], |directory| session::show_wait(ui, directory))?;
    let is_same = link(&found, &stored, &key, &mut locks)?;
    let shown = |text: &str| escape_line(text).into_owned();
    let (path, id) = (shown(&shown_folder(&found.directory)), shown(skill_id.as_str()));
    show_line(&format!("Linked {path} to {id} on {}.", shown(session.server.name())), ui);
    if !is_same {
        let options = &session.server.typed_options;
        let line = format!("They differ; to see how, run: dibber diff {path}{options}");
        show_line(&line, ui);
    }
    Ok(Exit::Done)
}

fn show_line(line: &str, ui: &mut Ui) {
    let line = ui.masked(line).into_owned();
    ui.eprintln(&line);
}

/// Records a directory as a stored skill. Returns `true` if a push would change nothing.
fn link(
    found: &FoundSkill,
    stored: &StoredSkill,
    key: &LockKey,
    locks: &mut LockFiles,
) -> Result<bool, CommandError> {
    let id = escape_line(stored.skill_id.as_str());
    if stored.archived {
        let error = CommandError::new(format!("{id} is archived"));
        return Err(error.help("link another skill, or publish a new one").exit(Exit::NotFound));
    }
    if let Some(known) = locks.get(key)?.filter(|known| known.skill_id != stored.skill_id) {
        return Err(linked_already(&found.directory, &known.skill_id));
    }
    let unused = locks.unused_records(key)?;
    for other in locks.others_of(key, &stored.skill_id)? {
        if !unused.iter().any(|record| record.key == other) {
            return Err(linked_already(&other.skill_directory(), &stored.skill_id));
        }
        // The directory was moved here: its heartbeats go with it.
        locks.record_moves(&[(other, key.clone())])?;
    }
    let skill = discover::isolated(&found.shown_skill_file(), || discover::load_published(found));
    let skill = skill.map_err(|error| CommandError::from(&error))?;
    let published = linked(&skill, stored, Timestamp::now());
    let is_same = published.content_hash.is_some();
    // A record of what the server has now says more: a push sees that nobody has changed it since.
    let content = ContentHash::of_stored(stored).to_string();
    let known = locks.get(key)?.filter(|known| known.content_hash.as_ref() == Some(&content));
    if is_same || known.is_none() {
        locks.record(vec![(key.clone(), published)])?;
    }
    Ok(is_same)
}

fn linked_already(directory: &Path, skill_id: &SkillId) -> CommandError {
    let path = shown_folder(directory);
    let (path, id) = (escape_line(&path), escape_line(skill_id.as_str()));
    CommandError::new(format!("{path} is linked to {id} already"))
        .help(format!("`dibber skill unlink {path}` forgets that first"))
}

/// Returns the path of a directory as a person types it here.
fn shown_folder(directory: &Path) -> String {
    let path = shown_path(&discover::from_current_directory(directory.to_owned()));
    if path.is_empty() { ".".to_owned() } else { path }
}

fn run_unlink(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed: UnlinkArgs = parse_args(matches);
    ui.names()?;
    let session = Session::open(matches)?;
    let mut locks = session.locks();
    let key = locks.key(&typed.path);
    locks.lock_directories([&key], |directory| session::show_wait(ui, directory))?;
    let path = shown_folder(&typed.path);
    let (path, server) = (escape_line(&path), escape_line(session.server.name()).into_owned());
    let Some(known) = locks.get(&key)? else {
        let error = CommandError::new(format!("{path} is not linked to a skill of {server}"));
        return Err(error.help("`dibber push` links what it publishes").exit(Exit::NotFound));
    };
    locks.remove(&key)?;
    let id = escape_line(known.skill_id.as_str());
    let line = format!("Unlinked {path} from {id}, which stays on {server}.");
    show_line(&line, ui);
    Ok(Exit::Done)
}
