//! `dibber protocol get-blob`.

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;

use super::blob_checks;
use super::data_output::{DataOutput, content_json};
use super::rpc_session::{self, Purpose, RpcSession};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::term::ui::Ui;
use dibber_client::skills_protocol::RemoteBlob;
use dibber_skill::contract::skills_protocol::{BlobMode, ReadBlob};
use dibber_text::{message, quote_in_full};

pub(super) const ACTION: Command = Command { name: "get-blob", define, run };

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Print a blob, or save it
///
/// Prints the beginning of the blob, 2000 bytes on most servers, or saves all of it with `--output`. A
/// file or another program gets the bytes as they are. On a terminal, text is printed with its control
/// characters escaped and the children's names of your private list masked.
#[derive(Args)]
struct GetArgs {
    /// The id of the blob
    #[arg(value_name = "BLOB")]
    id: String,

    /// At most so many bytes of its beginning
    #[arg(long, value_name = "BYTES", group = "part", value_parser = clap::value_parser!(u64).range(1..))]
    head: Option<u64>,

    /// At most so many bytes of its end
    #[arg(long, value_name = "BYTES", group = "part", value_parser = clap::value_parser!(u64).range(1..))]
    tail: Option<u64>,

    /// All of it; the default with `--output`
    #[arg(long, group = "part")]
    full: bool,

    #[command(flatten)]
    output: DataOutput,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `schemas/protocol-get-blob.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GetV1 {
    version: u32,
    server: String,
    blob_id: String,
    mime: Option<String>,
    /// The size of the whole blob, if the server says it.
    size_bytes: Option<u64>,
    /// Whether there is more than the content.
    truncated: bool,
    encoding: &'static str,
    content: String,
    warnings: Vec<String>,
}

fn define(command: ClapCommand) -> ClapCommand {
    rpc_session::define(GetArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: GetArgs = parse_args(matches);
    arguments.output.check()?;
    let session = RpcSession::open(matches, Purpose::Read)?;
    let roster = ui.names()?;
    let call = arguments.call();
    let mode = call.mode.unwrap_or_default();
    let (client, id) = (&session.client, &call.blob_id);
    let blob = match (mode, call.max_bytes) {
        (BlobMode::Full, _) => session.wait(Purpose::Read, client.read_whole_blob(id)),
        (BlobMode::SampleHead, Some(bytes)) => {
            session.wait(Purpose::Read, client.read_blob_head(id, bytes))
        }
        _ => session.wait(Purpose::Read, client.read_blob(&call)),
    }?;
    if !blob.is_part(mode) {
        return Err(CommandError::new("the server has read another part of the blob")
            .help("ask for its beginning with `--head BYTES`")
            .exit(Exit::Failed));
    }
    let other = blob_checks::other_blob(&blob, id);
    let is_saved = arguments.output.file().is_some();
    if mode == BlobMode::Full {
        blob_checks::check_whole(&blob)?;
    } else if let Some(bytes) = call.max_bytes.filter(|_| is_saved) {
        blob_checks::check_part(&blob, bytes)?;
    }
    if let Some(message) = other {
        if mode == BlobMode::Full || is_saved {
            return Err(CommandError::new(message).exit(Exit::Failed));
        }
        ui.warning(message);
    }
    if arguments.json {
        let masked = |text: &str| mask(text, &roster);
        let (content, encoding) = content_json(blob.bytes, &roster);
        ui.print_json(&GetV1 {
            version: VERSION,
            server: session.shown_server(ui),
            blob_id: masked(&blob.blob_id),
            mime: blob.mime.as_deref().map(masked),
            size_bytes: blob.size_bytes,
            truncated: blob.is_truncated,
            encoding,
            content,
            warnings: blob.warnings.iter().map(|warning| masked(warning)).collect(),
        })?;
        return Ok(Exit::Done);
    }
    session.warn(&blob.warnings, ui);
    arguments.output.write(&blob.bytes, ui, &roster)?;
    note_rest(&blob, ui);
    Ok(Exit::Done)
}

impl GetArgs {
    fn call(&self) -> ReadBlob {
        let (mode, max_bytes) = match (self.head, self.tail) {
            (Some(bytes), _) => (BlobMode::SampleHead, Some(bytes)),
            (None, Some(bytes)) => (BlobMode::SampleTail, Some(bytes)),
            (None, None) if self.full || self.output.file().is_some() => (BlobMode::Full, None),
            (None, None) => (BlobMode::SampleHead, None),
        };
        ReadBlob { blob_id: self.id.clone(), mode: Some(mode), max_bytes, offset: None }
    }
}

/// Notes how much more there is.
fn note_rest(blob: &RemoteBlob, ui: &mut Ui) {
    let shown = blob.bytes.len();
    if !blob.is_truncated && blob.size_bytes.is_none_or(|size| size <= shown as u64) {
        return;
    }
    if let Some(problem) = &blob.problem {
        ui.warning(message!["the server does not send more: ", quote_in_full(problem)]);
    }
    ui.eprintln(match blob.size_bytes {
        Some(size) => message![shown, " of ", size, " bytes; `--full` asks for all of them"],
        None => message![shown, " bytes; there are more, for which `--full` asks"],
    });
}
