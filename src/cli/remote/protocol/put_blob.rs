//! `dibber protocol put-blob`.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;

use super::blobs::BlobFile;
use super::rpc_session::{self, RpcSession};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::term::ui::Ui;
use dibber_skill::contract::skills_protocol::Mime;
use dibber_text::{escape_line, message, quote, quote_in_full};

pub(super) const ACTION: Command = Command { name: "put-blob", define, run };

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Store a file as a blob, which runs can read, and print its id
///
/// It is sent once: if no answer arrives, it may have been stored. A blob expires by itself, on a server
/// of dibber 24 hours after its last use.
#[derive(Args)]
struct PutArgs {
    /// The file; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Its MIME type, such as `text/csv`; by default that of its extension
    #[arg(long, value_name = "TYPE")]
    mime: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `schemas/protocol-put-blob.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PutV1 {
    version: u32,
    server: String,
    blob_id: String,
    mime: String,
    size_bytes: u64,
    warnings: Vec<String>,
}

fn define(command: ClapCommand) -> ClapCommand {
    rpc_session::define(PutArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: PutArgs = parse_args(matches);
    if let Some(mime) = arguments.mime.as_deref().filter(|mime| mime.parse::<Mime>().is_err()) {
        return Err(CommandError::new(message!["invalid MIME type `", quote(mime), "`"])
            .help("write it as in `text/csv` or `application/json`"));
    }
    let file = BlobFile::read(&arguments.file, arguments.mime)?;
    let session = RpcSession::open_to_store(matches, file.size())?;
    let roster = ui.names()?;
    let (mime, size) = (file.mime.clone(), file.size() as u64);
    let created = file.store(&session)?;
    let size_bytes = created.size_bytes.unwrap_or(size);
    let server = session.shown_server(ui);
    if arguments.json {
        ui.print_json(&PutV1 {
            version: VERSION,
            server,
            blob_id: mask(&created.blob_id, &roster),
            mime: mask(&mime, &roster),
            size_bytes,
            warnings: created.warnings.iter().map(|warning| mask(warning, &roster)).collect(),
        })?;
        return Ok(Exit::Done);
    }
    session.warn(&created.warnings, ui);
    if size_bytes != size {
        ui.warning(message![
            "the file has ",
            size,
            " bytes, but the server has stored ",
            size_bytes
        ]);
    }
    let line = format!("{}\n", escape_line(&mask(&created.blob_id, &roster)));
    ui.print(line.as_bytes())?;
    ui.eprintln(message![
        quote_in_full(&mime),
        ", ",
        size_bytes,
        " bytes, on ",
        quote_in_full(&server)
    ]);
    Ok(Exit::Done)
}
