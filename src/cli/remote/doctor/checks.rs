//! The checks of what dibber finds on this computer and in this project.

use std::path::Path;

use clap::ArgMatches;
use clap_complete::Shell;

use super::item::ItemV2;
use crate::cli::completions::install::{self, FileState, Installation};
use crate::cli::default_zone::{DefaultZone, is_variable_unknown, system_zone};
use crate::cli::lint::configuration::{config_error, current_dir, file_error};
use crate::cli::names_file::NamesFile;
use crate::cli::remote::duplicate_skills;
use crate::cli::remote::server_options::{self, SelectedServer, server_option};
use crate::cli::remote::session::Session;
use crate::cli::remote::status::if_supported;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_client::publish::{Lock, LockKey, read_lock};
use dibber_client::{Client, ServerTarget};
use dibber_skill::contract::{Scope, Whoami, WireEnum};
use dibber_skill::discover::{self, from_current_directory, shown_path};
use dibber_text::{Message, message, quote_argument, quote_display, quote_in_full, quote_path};

/// The most directories without a skill that are listed.
const MISSING_SHOWN_MAX: usize = 20;

/// Returns the results of all of them, in the order of what depends on what.
pub(super) fn run(matches: &ArgMatches, ui: &mut Ui) -> Vec<ItemV2> {
    let mut items = vec![time_zone(ui)];
    items.extend(configuration(ui));
    items.push(names(ui));
    let (server, duplicates) = server(matches, ui);
    // A configuration that cannot be read is reported once, although no server can be selected.
    if !items.iter().any(|item| item.message == server.message) {
        items.push(server);
    }
    items.extend(duplicates);
    items.extend(lock(matches, ui));
    items.extend(completions(ui));
    items
}

fn time_zone(ui: &Ui) -> ItemV2 {
    let zone = DefaultZone::of_typed();
    let name = quote_in_full(&zone.name);
    let help = "set `TZ`, as in `TZ=Europe/Berlin`, or name the zone of a schedule with `--tz`";
    if is_variable_unknown() {
        let message = message!["time zone: `TZ` is not a known zone; ", name, " is used"];
        return ItemV2::warning("time-zone", message, help, ui);
    }
    if system_zone().is_some() {
        return ItemV2::ok("time-zone", message!["time zone: ", name], ui);
    }
    let message = message!["time zone: this computer names none; ", name, " is used"];
    ItemV2::warning("time-zone", message, help, ui)
}

/// Checks whether the files of the project and of the user can be read.
fn configuration(ui: &Ui) -> Vec<ItemV2> {
    let current_dir = current_dir();
    let project = discover::nearest_config(Path::new("."), &current_dir);
    let user = server_options::user_config().filter(|path| path.is_file());
    let files: Vec<_> = [project, user].into_iter().flatten().collect();
    if files.is_empty() {
        return vec![ItemV2::ok("configuration", "configuration: no dibber.toml", ui)];
    }
    let item = |path: &Path| match discover::read_config(path, &current_dir) {
        Err(error) => {
            vec![ItemV2::error("configuration", &file_error(path, error), ui)]
        }
        Ok((_, errors)) if errors.is_empty() => {
            let path = shown_path(path);
            vec![ItemV2::ok("configuration", message!["configuration: ", quote_in_full(&path)], ui)]
        }
        Ok((_, errors)) => {
            let errors = errors.iter().map(|error| config_error(error, ui.privacy()));
            errors.map(|error| ItemV2::error("configuration", &error, ui)).collect()
        }
    };
    files.iter().flat_map(|path| item(path)).collect()
}

fn names(ui: &Ui) -> ItemV2 {
    let read = ui.names().and_then(|_| NamesFile::locate()?.read());
    match read {
        Err(error) => ItemV2::error("names", &error, ui),
        Ok(contents) => {
            let message = match contents.list.len() {
                0 => "names: the list is empty".to_owned(),
                count => format!("names: {} in the list", quantity(count, "name", "names")),
            };
            ItemV2::ok("names", quote_in_full(&message), ui)
        }
    }
}

/// Checks whether the server is reached, and whether it has duplicates of what is published from this
/// project. The one in this program is checked with its database.
fn server(matches: &ArgMatches, ui: &mut Ui) -> (ItemV2, Vec<ItemV2>) {
    let selected = match server_options::select(matches) {
        Ok(selected) => selected,
        Err(error) => return (ItemV2::error("server", &error, ui), Vec::new()),
    };
    let name = quote_in_full(selected.name());
    if matches!(selected.selection.target, ServerTarget::Local { .. }) {
        let message = message!["server: ", name, ", in this program"];
        return (ItemV2::ok("server", message, ui), Vec::new());
    }
    let asked = Session::open(matches, ui).and_then(|session| {
        let server = session.wait(session.client.server())?;
        let scopes = session.block_on(scopes(&session.client));
        let id = session.recorded()?.key().to_owned();
        Ok((server, id, scopes, duplicate_skills::find_recorded(&session)))
    });
    match asked {
        Err(error) => {
            let error = error.with_context(message!["server: ", name]);
            (ItemV2::error("server", &error, ui), Vec::new())
        }
        Ok((server, id, scopes, duplicates)) => {
            let program = server.program().unwrap_or_else(|| "unknown program".to_owned());
            let mut message = message!["server: ", name, " answers: ", quote_in_full(&program)];
            if id != selected.name() {
                message.push(message![", ", quote_in_full(&id)]);
            }
            let token = match &selected.selection.target {
                ServerTarget::Url { credential, .. } => credential.as_ref(),
                ServerTarget::Local { .. } | ServerTarget::Program { .. } => None,
            };
            if let Some(token) = token {
                message.push(message!["; token from ", quote_display(&token.source)]);
            }
            if let Some(scopes) = scopes {
                let names: Vec<_> = scopes.iter().map(|scope| scope.name()).collect();
                let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                message.push(message!["; scopes: ", quote_in_full(&names)]);
                if !scopes.contains(&Scope::SkillWrite) {
                    let scope = Scope::SkillWrite.name();
                    message.push(message![" (without `", scope, "`, nothing can be published)"]);
                }
            }
            let duplicates = duplicates.into_iter().map(|(message, help)| {
                ItemV2::warning("server", message!["server: ", message], help, ui)
            });
            (ItemV2::ok("server", message, ui), duplicates.collect())
        }
    }
}

/// Returns what the server allows; none if it does not say.
async fn scopes(client: &Client) -> Option<Vec<Scope>> {
    let whoami = if_supported::<Whoami>(client.ask("mcp_whoami").await).ok()??;
    Some(whoami.scopes)
}

/// Checks what is recorded as published from this project.
fn lock(matches: &ArgMatches, ui: &Ui) -> Vec<ItemV2> {
    let key = LockKey::below_current_directory();
    let file = from_current_directory(key.lock_file().to_owned());
    let lock = match read_lock(&file) {
        Ok(lock) => lock,
        Err(error) => return vec![ItemV2::error("lock", &error.into(), ui)],
    };
    if lock.entries().next().is_none() {
        return vec![ItemV2::ok("lock", "dibber.lock: nothing is published from here", ui)];
    }
    let root = key.lock_file().parent().unwrap_or(Path::new("."));
    let mut paths: Vec<&str> = lock.entries().map(|(path, _)| path).collect();
    paths.dedup();
    let missing: Vec<_> = paths.iter().filter(|path| !root.join(path).is_dir()).collect();
    let count = quantity(paths.len(), "published skill", "published skills");
    let mut items = Vec::new();
    if missing.is_empty() {
        let message = message![quote_path(&file), ": ", quote_in_full(&count)];
        items.push(ItemV2::ok("lock", message, ui));
    }
    let selected = server_options::select(matches).ok();
    let selected = selected.as_ref().map(SelectedServer::name);
    items.extend(missing.iter().take(MISSING_SHOWN_MAX).map(|path| {
        let server = other_server(&lock, path, selected).map(server_option).unwrap_or_default();
        let server = quote_in_full(&server);
        let is_used = is_used_elsewhere(&lock, path, root);
        let path = shown_path(&from_current_directory(root.join(path)));
        let (argument, path) = (quote_argument(&path), quote_in_full(&path));
        let message = message![quote_path(&file), ": the directory ", path, " does not exist"];
        let unlink = message!["`dibber skill unlink ", argument, server, "` removes its record"];
        if is_used {
            let help = message![unlink, "; another folder that exists is the same skill"];
            return ItemV2::warning("lock", message, help, ui);
        }
        let help: Message = message![
            "`dibber push",
            server,
            "` finds it if it was moved; `dibber push --prune ",
            argument,
            server,
            "` archives its skill, and ",
            unlink
        ];
        ItemV2::warning("lock", message, help, ui)
    }));
    if let Some(more @ 1..) = missing.len().checked_sub(MISSING_SHOWN_MAX) {
        let more = quantity(more, "directory does", "directories do");
        let message = message![quote_path(&file), ": ", quote_in_full(&more), " not exist, too"];
        let help = "`dibber push --dry-run` lists all of them";
        items.push(ItemV2::warning("lock", message, help, ui));
    }
    items
}

/// Returns `true` if a directory that exists is recorded as the same skill as the one at a path, on
/// every server.
fn is_used_elsewhere(lock: &Lock, path: &str, root: &Path) -> bool {
    let exists = |other: &str| root.join(other).is_dir();
    lock.servers_of(path)
        .all(|(server, _, published)| lock.paths_of(server, &published.skill_id).any(exists))
}

/// Returns the address of the server to which the directory at a path was published, if it is not
/// the selected one.
fn other_server<'a>(lock: &'a Lock, path: &'a str, selected: Option<&str>) -> Option<&'a str> {
    let addresses: Vec<_> = lock.servers_of(path).filter_map(|(_, address, _)| address).collect();
    let is_selected = addresses.iter().any(|&address| selected == Some(address));
    addresses.first().copied().filter(|_| !is_selected)
}

/// Checks the completions of the shell of this user, if it is one for which there are some.
fn completions(ui: &Ui) -> Option<ItemV2> {
    let shell = Shell::from_env()?;
    let Ok(Installation::File(file)) = install::plan(shell) else { return None };
    let path = quote_path(&file.path);
    let shell = shell.to_string();
    let of = message!["completions of ", quote_in_full(&shell), ": "];
    let install = "`dibber completions --install` writes it";
    let remove = "remove it; then `dibber completions --install` writes it";
    let (state, help) = match file.state {
        FileState::Current => {
            return Some(ItemV2::ok("completions", message![of, path], ui));
        }
        // Who does not want them misses nothing.
        FileState::Absent => {
            let message = message![of, "none; ", install];
            return Some(ItemV2::ok("completions", message, ui));
        }
        FileState::Outdated => (" is of another version", install),
        FileState::Foreign => (" was not written by dibber", remove),
        FileState::NotRegular => (" is not a regular file", remove),
    };
    Some(ItemV2::warning("completions", message![of, path, state], help, ui))
}
