//! Which tools of which skills the user has approved.

use std::fmt::Display;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::cli::error::CommandError;
use crate::cli::state_directory::state_directory;
use crate::cli::write;
use dibber_catalog::Digest;
use dibber_catalog::acp::OfferedSkill;
use dibber_text::file::{ReadError, read_regular};
use dibber_text::file_lock::lock_within;
use dibber_text::private::{create_private_directory, open_private};
use dibber_text::{message, quote_display, quote_path};

/// The file in the state directory.
const FILE_NAME: &str = "acp-approvals.json";

/// The version of the file.
const VERSION: u32 = 1;

/// The file whose lock is held while the approvals are changed.
const LOCK_NAME: &str = "acp-approvals.lock";

/// How long another program may hold that lock.
const LOCK_WAIT_MAX: Duration = Duration::from_secs(30);

/// The largest file, in bytes.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// The approvals of the user.
pub(super) struct Approvals {
    path: PathBuf,
    file: ApprovalsV1,
}

#[derive(Deserialize, Serialize)]
struct ApprovalsV1 {
    version: u32,
    items: Vec<ApprovalV1>,
}

#[derive(Deserialize, Serialize)]
struct ApprovalV1 {
    /// The words of its command.
    agent: Vec<String>,
    name: String,
    digest: Digest,
}

/// The version alone, of a file that may be newer than this program.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

/// Whether the tools of a skill are approved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Approval {
    /// They are, for the skill as it is.
    Approved,
    /// They were, before the skill changed.
    Lost,
    /// They are not.
    None,
}

impl Approvals {
    /// Reads the file; without one, nothing is approved.
    pub(super) fn load() -> Result<Self, CommandError> {
        let path = state_directory()?.join(FILE_NAME);
        let file = match read_regular(&path, FILE_BYTES_MAX) {
            Err(error) if error.is_not_found() => {
                ApprovalsV1 { version: VERSION, items: Vec::new() }
            }
            Err(ReadError::Io(error)) => {
                return Err(CommandError::io(message!["cannot read ", quote_path(&path)], error));
            }
            Err(error) => {
                return Err(unusable(&path, error).help("remove the file; all approvals are lost"));
            }
            Ok(bytes) => parse(&path, &bytes)?,
        };
        Ok(Self { path, file })
    }

    /// Reads the file, changes the approvals and writes them, while no other program does.
    pub(super) fn update<T>(change: impl FnOnce(&mut Self) -> T) -> Result<T, CommandError> {
        let _lock = lock()?;
        let mut approvals = Self::load()?;
        let changed = change(&mut approvals);
        approvals.save()?;
        Ok(changed)
    }

    /// Returns whether the tools of a skill are approved.
    pub(super) fn of(&self, agent: &[String], offered: &OfferedSkill) -> Approval {
        match self.file.items.iter().find(|item| item.is_of(agent, offered)) {
            Some(item) if item.digest == offered.digest => Approval::Approved,
            Some(_) => Approval::Lost,
            None => Approval::None,
        }
    }

    /// Approves the tools of a skill as it is.
    pub(super) fn approve(&mut self, agent: &[String], offered: &OfferedSkill) {
        self.file.items.retain(|item| !item.is_of(agent, offered));
        self.file.items.push(ApprovalV1 {
            agent: agent.to_owned(),
            name: offered.skill.name.clone(),
            digest: offered.digest,
        });
    }

    fn save(&self) -> Result<(), CommandError> {
        let text = serde_json::to_string_pretty(&self.file).expect("strings are JSON") + "\n";
        write::replace_private(&self.path, text.as_bytes())
    }
}

fn lock() -> Result<File, CommandError> {
    let directory = state_directory()?;
    create_private_directory(&directory).map_err(|error| {
        CommandError::io(message!["cannot create ", quote_path(&directory)], error)
    })?;
    let path = directory.join(LOCK_NAME);
    let locked = open_private(&path).and_then(|file| {
        lock_within(&file, LOCK_WAIT_MAX, || {})?;
        Ok(file)
    });
    locked.map_err(|error| CommandError::io(message!["cannot lock ", quote_path(&path)], error))
}

fn parse(path: &Path, bytes: &[u8]) -> Result<ApprovalsV1, CommandError> {
    if let Ok(Versioned { version }) = serde_json::from_slice(bytes)
        && version != VERSION
    {
        let reason = format!(
            "cannot be used: its version is {version}, and this dibber supports version {VERSION}"
        );
        return Err(unusable(path, reason).help("use the version of dibber that has written it"));
    }
    serde_json::from_slice(bytes).map_err(|error| {
        let reason = format!("is damaged: {error}");
        unusable(path, reason).help("remove the file; all approvals are lost")
    })
}

fn unusable(path: &Path, reason: impl Display) -> CommandError {
    CommandError::new(message![quote_path(path), " ", quote_display(reason)])
}

impl ApprovalV1 {
    fn is_of(&self, agent: &[String], offered: &OfferedSkill) -> bool {
        self.agent == agent && self.name == offered.skill.name
    }
}
