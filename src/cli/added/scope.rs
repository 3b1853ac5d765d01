//! Where skills are installed: in the project or for the user, and for which clients.

use std::path::Path;

use clap::Args;

use crate::cli::error::CommandError;
use dibber_catalog::added::{AddedLock, InstallRoot, LockFileError, read_added};
use dibber_catalog::{SHARED_CLIENT, SKILL_CLIENTS, SkillClient};
use dibber_text::{Message, closest_match, message, quote, quote_in_full};

/// `--user`.
#[derive(Args, Clone, Copy)]
pub(super) struct Scope {
    /// Your own skills, below your home folder, instead of those of this project
    #[arg(long)]
    user: bool,
}

impl Scope {
    /// Returns the directory below which skills are installed.
    pub(super) fn root(self) -> Result<InstallRoot, CommandError> {
        let root = if self.user {
            let home = etcetera::home_dir()
                .map_err(|_| CommandError::new("cannot determine your home directory"))?;
            InstallRoot::user(&home)
        } else {
            InstallRoot::project(Path::new("."))
        };
        root.map_err(|error| CommandError::io("cannot open the directory", error))
    }

    /// Returns the directories of clients, each once; of the shared one without any.
    pub(super) fn directories(self, clients: &[String]) -> Result<Vec<&'static str>, CommandError> {
        let shared = [SHARED_CLIENT.to_owned()];
        let clients = if clients.is_empty() { &shared[..] } else { clients };
        let mut directories = Vec::new();
        for name in clients {
            let client = SkillClient::from_name(name).ok_or_else(|| unknown_client(name))?;
            let directory = self.directory(&client);
            if !directories.contains(&directory) {
                directories.push(directory);
            }
        }
        Ok(directories)
    }

    /// Returns the directories of every client, each once.
    pub(super) fn all_directories(self) -> Vec<&'static str> {
        let directories = SKILL_CLIENTS.iter().map(|client| self.directory(client));
        let mut directories: Vec<_> = directories.collect();
        directories.sort_unstable();
        directories.dedup();
        directories
    }

    const fn directory(self, client: &SkillClient) -> &'static str {
        if self.user { client.user } else { client.project }
    }

    /// Returns the option as it is typed.
    pub(super) const fn option(self) -> &'static str {
        if self.user { " --user" } else { "" }
    }
}

fn unknown_client(name: &str) -> CommandError {
    let error = CommandError::new(message!["unknown client `", quote(name), "`"]);
    let names = SKILL_CLIENTS.iter().map(|client| client.name);
    if let Some(client) = closest_match(name, names.clone()) {
        return error.help(message!["did you mean `", client, "`?"]);
    }
    let names = names.collect::<Vec<_>>().join(", ");
    error.help(message!["the clients are ", quote_in_full(&names)])
}

/// Reads what was added.
pub(super) fn read_lock(root: &InstallRoot) -> Result<AddedLock, CommandError> {
    read_added(root).map_err(|error| lock_error(&error))
}

/// Returns the error of a lock file.
pub(super) fn lock_error(error: &LockFileError) -> CommandError {
    let help = "restore the file from version control; nothing was changed";
    CommandError::new(error.message()).help(help)
}

/// Returns the error of a name that is not recorded.
pub(super) fn not_added(name: &str, lock: &AddedLock) -> CommandError {
    let message = message!["no skill named `", quote(name), "` was added here"];
    let error = CommandError::new(message).exit(crate::cli::exit::Exit::NotFound);
    let names = lock.skills().map(|skill| skill.name.as_str());
    let help: Message = match closest_match(name, names) {
        Some(other) => message!["did you mean `", quote(other), "`?"],
        None => "`dibber list` lists them".into(),
    };
    error.help(help)
}
