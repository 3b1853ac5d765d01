//! The options of a run, of a skill or of code.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Map, Value};

use super::blobs::BlobFile;
use super::rpc_session::RpcSession;
use crate::cli::error::CommandError;
use crate::cli::output::STANDARD_STREAM;
use crate::cli::run_arguments::RunArguments;
use crate::cli::term::ui::Ui;
use dibber_text::{Message, message, quote_argument, quote_in_full};

/// What a run is given.
#[derive(Args)]
pub(super) struct RunOptions {
    #[command(flatten)]
    arguments: RunArguments,

    /// Let the run read this blob (can be repeated)
    #[arg(long = "blob", value_name = "BLOB")]
    blobs: Vec<String>,

    /// Store this file as a blob first, and let the run read it (can be repeated)
    #[arg(long = "blob-file", value_name = "FILE")]
    blob_files: Vec<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// What a run is given, read from files and not sent yet.
pub(super) struct RunInput {
    pub(super) arguments: Option<Map<String, Value>>,
    blobs: Vec<String>,
    files: Vec<BlobFile>,
    /// The ids of the files that are stored.
    stored: Vec<String>,
}

impl RunOptions {
    /// Reads the files, before anything is sent. `code` is the file with the code, if there is one.
    pub(super) fn read(self, code: Option<&Path>) -> Result<RunInput, CommandError> {
        let blob_files = self.blob_files.iter().map(PathBuf::as_path);
        let files = blob_files.chain(self.arguments.file()).chain(code);
        if files.filter(|file| file.as_os_str() == STANDARD_STREAM).count() > 1 {
            return Err(CommandError::new("standard input can be only one of the files")
                .help("name the others by their paths"));
        }
        let files = self.blob_files.iter().map(|file| BlobFile::read(file, None));
        Ok(RunInput {
            arguments: self.arguments.to_object()?,
            files: files.collect::<Result<_, _>>()?,
            blobs: self.blobs,
            stored: Vec::new(),
        })
    }
}

impl RunInput {
    /// Stores the files as blobs. Returns the ids of all blobs; none if there are none.
    pub(super) fn store_blobs(
        &mut self,
        session: &RpcSession,
        ui: &mut Ui,
    ) -> Result<Option<Vec<String>>, CommandError> {
        for file in std::mem::take(&mut self.files) {
            let created = file.store(session).map_err(|error| self.with_stored(error))?;
            session.warn(&created.warnings, ui);
            // Even if the run is refused, the blob can be used again.
            ui.eprintln(message!["stored ", quote_in_full(&created.blob_id)]);
            self.stored.push(created.blob_id);
        }
        let all = [&*self.blobs, &self.stored].concat();
        Ok((!all.is_empty()).then_some(all))
    }

    /// Adds to an error how the files that are stored can be used again.
    pub(super) fn with_stored(&self, error: CommandError) -> CommandError {
        if self.stored.is_empty() {
            return error;
        }
        let options = self.stored.iter().map(|id| message!["--blob ", quote_argument(id)]);
        let options = Message::join(options, " ");
        error.more_help(message!["the files are stored: `", options, "` uses them again"])
    }
}
