//! `dibber protocol get-blob`.

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;

use super::data_output::{DataOutput, content_json};
use super::rpc_session::{self, Purpose, RpcSession};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::term::ui::Ui;
use dibber_client::skills_protocol::RemoteBlob;
use dibber_skill::contract::skills_protocol::{BlobMode, ReadBlob};
use dibber_text::{Message, message, quote_in_full};

pub(super) const ACTION: Command = Command { name: "get-blob", define, run };

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// What the ids of blobs begin with, which some servers leave out.
const ID_PREFIX: &str = "blob:";

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
    let blob = if mode == BlobMode::Full {
        session.wait(Purpose::Read, session.client.read_whole_blob(&call.blob_id))?
    } else {
        session.wait(Purpose::Read, session.client.read_blob(&call))?
    };
    if !blob.is_part(mode) {
        return Err(CommandError::new("the server has read another part of the blob")
            .help("ask for its beginning with `--head BYTES`")
            .exit(Exit::Failed));
    }
    let other = other_blob(&blob, &call.blob_id);
    if mode == BlobMode::Full {
        check_whole(&blob)?;
        if let Some(message) = other {
            return Err(CommandError::new(message).exit(Exit::Failed));
        }
    } else if let Some(message) = other {
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

/// Returns an error unless it is certain that a blob is whole: nothing else is saved under its name.
fn check_whole(blob: &RemoteBlob) -> Result<(), CommandError> {
    let sent = blob.bytes.len();
    let message = match blob.size_bytes {
        _ if blob.is_truncated => return Err(incomplete(blob)),
        Some(size) if size != sent as u64 => {
            message!["the server sends ", sent, " bytes of a blob of ", size, " bytes"]
        }
        None if blob.is_preview => {
            "the server sends a preview of the blob, and does not say whether it is all of it"
                .into()
        }
        _ => return Ok(()),
    };
    let help = if blob.is_preview {
        "it sends only a preview, in which bytes that are not text may be replaced; `--head BYTES` \
         prints it"
    } else {
        "`--head BYTES` prints what it sends"
    };
    Err(CommandError::new(message).help(help).exit(Exit::Failed))
}

/// Returns what is wrong if the server has sent another blob.
fn other_blob(blob: &RemoteBlob, requested: &str) -> Option<Message> {
    let name = |id: &str| id.strip_prefix(ID_PREFIX).unwrap_or(id).to_owned();
    let is_other = name(&blob.blob_id) != name(requested);
    is_other
        .then(|| message!["the server has sent another blob, `", quote_in_full(&blob.blob_id), "`"])
}

/// Returns the error of a blob of which a server does not send all: nothing is saved under its name.
fn incomplete(blob: &RemoteBlob) -> CommandError {
    let message = match blob.size_bytes {
        Some(size) => message![
            "the server sends only ",
            blob.bytes.len(),
            " of the ",
            size,
            " bytes of the blob"
        ],
        None => message!["the server sends only ", blob.bytes.len(), " bytes of the blob"],
    };
    CommandError::new(message)
        .help("`--head BYTES` and `--tail BYTES` read a part of it")
        .exit(Exit::Failed)
}

/// Notes how much more there is.
fn note_rest(blob: &RemoteBlob, ui: &mut Ui) {
    if !blob.is_truncated {
        return;
    }
    let shown = blob.bytes.len();
    ui.eprintln(match blob.size_bytes {
        Some(size) => message![shown, " of ", size, " bytes; `--full` prints all of them"],
        None => message![shown, " bytes; there are more, which `--full` prints"],
    });
}
