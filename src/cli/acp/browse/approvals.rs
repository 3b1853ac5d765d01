//! Which tools of which skills the user has approved.

use std::fs;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::cli::error::CommandError;
use crate::cli::state_directory::state_directory;
use crate::cli::write;
use dibber_catalog::Digest;
use dibber_catalog::acp::OfferedSkill;
use dibber_text::private::create_private_directory;
use dibber_text::{message, quote_display, quote_path};

/// The file in the state directory.
const FILE_NAME: &str = "acp-approvals.json";

/// The version of the file.
const VERSION: u32 = 1;

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
    agent: String,
    name: String,
    digest: Digest,
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
        let file = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                ApprovalsV1 { version: VERSION, items: Vec::new() }
            }
            Err(error) => {
                return Err(CommandError::io(message!["cannot read ", quote_path(&path)], error));
            }
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                let message = message![quote_path(&path), " is damaged: ", quote_display(error)];
                CommandError::new(message).help("remove the file; all approvals are lost")
            })?,
        };
        Ok(Self { path, file })
    }

    /// Returns whether the tools of a skill are approved.
    pub(super) fn of(&self, agent: &str, offered: &OfferedSkill) -> Approval {
        match self.file.items.iter().find(|item| item.is_of(agent, offered)) {
            Some(item) if item.digest == offered.digest => Approval::Approved,
            Some(_) => Approval::Lost,
            None => Approval::None,
        }
    }

    /// Approves the tools of a skill as it is.
    pub(super) fn approve(&mut self, agent: &str, offered: &OfferedSkill) {
        self.file.items.retain(|item| !item.is_of(agent, offered));
        self.file.items.push(ApprovalV1 {
            agent: agent.to_owned(),
            name: offered.skill.name.clone(),
            digest: offered.digest,
        });
    }

    /// Writes the file.
    pub(super) fn save(&self) -> Result<(), CommandError> {
        let directory = self.path.parent().unwrap_or(&self.path);
        create_private_directory(directory).map_err(|error| {
            CommandError::io(message!["cannot create ", quote_path(directory)], error)
        })?;
        let text = serde_json::to_string_pretty(&self.file).expect("strings are JSON") + "\n";
        write::replace_private(&self.path, text.as_bytes())
    }
}

impl ApprovalV1 {
    fn is_of(&self, agent: &str, offered: &OfferedSkill) -> bool {
        self.agent == agent && self.name == offered.skill.name
    }
}
