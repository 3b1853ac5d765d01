//! The answers of an interview that is not finished, kept for `dibber new --resume`.

use std::fs;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::interview::Replies;
use crate::cli::error::CommandError;
use crate::cli::state_directory::data_directory;
use crate::cli::write;
use dibber_text::file;
use dibber_text::private::create_private_directory;
use dibber_text::{message, quote_path};

/// The version of the file.
const VERSION: u32 = 1;
/// The name of the file, which is beside the database.
const FILE: &str = "new-answers.json";
/// The most bytes of it.
const BYTES_MAX: u64 = 64 * 1024;

#[derive(Serialize, Deserialize)]
struct KeptV1 {
    version: u32,
    replies: Replies,
}

/// The file, which may not exist. Its owner alone can read it.
pub(super) struct KeptAnswers {
    path: PathBuf,
}

impl KeptAnswers {
    pub(super) fn locate() -> Result<Self, CommandError> {
        Ok(Self { path: data_directory(None)?.join(FILE) })
    }

    pub(super) fn exist(&self) -> bool {
        self.path.is_file()
    }

    pub(super) fn read(&self) -> Result<Replies, CommandError> {
        if !self.exist() {
            return Err(CommandError::new("there are no answers to go on with")
                .help("leave `--resume` out, and answer the questions from the beginning"));
        }
        let error = |problem: &'static str| {
            CommandError::new(message![quote_path(&self.path), " ", problem])
                .help("leave `--resume` out, and answer the questions from the beginning")
        };
        let text = file::read_regular(&self.path, BYTES_MAX)
            .map_err(|error| CommandError::read(&self.path, error))?;
        let kept: KeptV1 = serde_json::from_slice(&text)
            .map_err(|_| error("does not have the answers of `dibber new`"))?;
        match kept.version {
            VERSION => Ok(kept.replies),
            _ => Err(error("is from another version of dibber")),
        }
    }

    pub(super) fn write(&self, replies: &Replies) -> Result<(), CommandError> {
        if let Some(parent) = self.path.parent() {
            create_private_directory(parent).map_err(|error| {
                CommandError::io(message!["cannot create ", quote_path(parent)], error)
            })?;
        }
        let kept = KeptV1 { version: VERSION, replies: replies.clone() };
        let json = serde_json::to_vec(&kept).expect("strings are valid JSON");
        write::replace_private(&self.path, &json)
    }

    pub(super) fn remove(&self) -> Result<(), CommandError> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(CommandError::io(message!["cannot remove ", quote_path(&self.path)], error))
            }
            _ => Ok(()),
        }
    }
}
