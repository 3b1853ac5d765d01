//! `dibber journal`: the writes whose end is not known.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command as ClapCommand, Subcommand};
use serde::Serialize;

use super::call_errors::journal_error;
use super::client_state::ClientState;
use super::database_address::database;
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::flags::DryRun;
use crate::cli::state_directory::data_directory;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_client::Unfinished;
use dibber_server::store::child_names;
use dibber_text::{Message, escape_line, message, quote, quote_in_full};

pub(super) const COMMAND: Command = Command { name: "journal", define, run };

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// List and discard writes that were interrupted
///
/// Every write is in a journal before it is sent to a server, until its outcome is known. After a
/// crash or a lost answer, the same command resumes the write. An entry that is not resumed can be
/// discarded here; its write may or may not have taken effect.
#[derive(Args)]
struct JournalArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// List the writes that were interrupted, the oldest first
    List(ListArgs),
    /// Discard entries; the same command then starts a new write
    Discard(DiscardArgs),
}

#[derive(Args)]
struct ListArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    directory: DataDirectory,
}

#[derive(Args)]
struct DiscardArgs {
    /// The ids that `dibber journal list` shows, or the beginnings of them
    #[arg(value_name = "ID", required_unless_present = "all")]
    ids: Vec<String>,

    /// Discard every entry
    #[arg(long, conflicts_with = "ids")]
    all: bool,

    #[command(flatten)]
    dry_run: DryRun,

    /// Print JSON, with the entries that were discarded
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    directory: DataDirectory,
}

#[derive(Args)]
struct DataDirectory {
    /// A directory of the embedded server's database in which an earlier version kept a journal
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Described by `schemas/journal.schema.json`.
#[derive(Serialize)]
struct JournalV1 {
    version: u32,
    items: Vec<ItemV1>,
}

#[derive(Serialize)]
struct ItemV1 {
    id: String,
    /// `false` if the entry is corrupt; nothing else is known then.
    readable: bool,
    /// When it was begun, in UTC (RFC 3339).
    begun: Option<String>,
    server: Option<String>,
    tool: Option<String>,
    /// What it writes; none for a call of any tool.
    subject: Option<String>,
}

fn define(command: ClapCommand) -> ClapCommand {
    JournalArgs::augment_args(command)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed: JournalArgs = parse_args(matches);
    ui.names()?;
    let (Action::List(ListArgs { directory, .. }) | Action::Discard(DiscardArgs { directory, .. })) =
        &typed.action;
    let children = data_directory(directory.data.as_deref())
        .and_then(|data| database(None, &data))
        .map(|database| child_names(&database));
    // Without a database there are none.
    if let Ok(Ok(children)) = children {
        ui.mask_children(&children);
    }
    match typed.action {
        Action::List(typed) => list(&typed, ui),
        Action::Discard(typed) => discard(&typed, ui),
    }
}

fn list(typed: &ListArgs, ui: &mut Ui) -> Result<Exit, CommandError> {
    let journal = ClientState::locate(typed.directory.data.as_deref())?.journal();
    let unfinished = journal.unfinished().map_err(|error| journal_error(&error))?;
    if typed.json {
        let items = unfinished.iter().map(|unfinished| item(unfinished, ui)).collect();
        ui.print_json(&JournalV1 { version: VERSION, items })?;
        return Ok(Exit::Done);
    }
    let lines: String = unfinished.iter().map(|unfinished| line(unfinished, ui)).collect();
    ui.print(lines.as_bytes())?;
    if unfinished.is_empty() {
        ui.eprintln("no interrupted writes");
    } else {
        ui.eprintln(
            "each may or may not have taken effect: repeat the command, or check and then discard \
             the entry with `dibber journal discard ID`",
        );
    }
    Ok(Exit::Done)
}

fn line(unfinished: &Unfinished, ui: &Ui) -> String {
    let id = &unfinished.id;
    let Some(details) = &unfinished.details else { return format!("{id}  corrupt entry\n") };
    let subject = details.subject.as_deref().map(|it| format!(" of {it}")).unwrap_or_default();
    let what = format!("{}{subject}, on {}", details.tool, details.address);
    // A name is hidden before anything is cut or escaped: a part of it would not be recognised.
    format!("{id}  {:.0}  {}\n", details.begun, escape_line(&ui.masked(&what)))
}

fn item(unfinished: &Unfinished, ui: &Ui) -> ItemV1 {
    let details = unfinished.details.as_ref();
    let shown = |text: &String| ui.masked(text).into_owned();
    ItemV1 {
        id: unfinished.id.clone(),
        readable: details.is_some(),
        begun: details.map(|details| format!("{:.0}", details.begun)),
        server: details.map(|details| shown(&details.address)),
        tool: details.map(|details| shown(&details.tool)),
        subject: details.and_then(|details| details.subject.as_ref().map(shown)),
    }
}

fn discard(typed: &DiscardArgs, ui: &mut Ui) -> Result<Exit, CommandError> {
    let journal = ClientState::locate(typed.directory.data.as_deref())?.journal();
    let unfinished = journal.unfinished().map_err(|error| journal_error(&error))?;
    let mut selected: Vec<&Unfinished> = Vec::new();
    if typed.all {
        selected.extend(&unfinished);
    }
    for id in &typed.ids {
        let found = find(id, &unfinished)?;
        if selected.iter().all(|other| other.id != found.id) {
            selected.push(found);
        }
    }
    if !typed.dry_run.is_set() {
        for unfinished in &selected {
            journal.discard(unfinished).map_err(|error| journal_error(&error))?;
        }
    }
    if typed.json {
        let items = selected.iter().map(|unfinished| item(unfinished, ui)).collect();
        ui.print_json(&JournalV1 { version: VERSION, items })?;
        return Ok(Exit::Done);
    }
    let done = if typed.dry_run.is_set() { "would discard " } else { "discarded " };
    let count = quantity(selected.len(), "entry", "entries");
    ui.eprintln(message![done, quote_in_full(&count)]);
    Ok(Exit::Done)
}

/// Returns the entry with an id, or the only one whose id begins so.
fn find<'a>(typed: &str, unfinished: &'a [Unfinished]) -> Result<&'a Unfinished, CommandError> {
    if let Some(found) = unfinished.iter().find(|entry| entry.id == typed) {
        return Ok(found);
    }
    let begins = |entry: &&Unfinished| !typed.is_empty() && entry.id.starts_with(typed);
    let found: Vec<_> = unfinished.iter().filter(begins).collect();
    let help = "`dibber journal list` shows the ids";
    match &found[..] {
        [only] => Ok(only),
        [] => {
            let message = message!["unknown journal entry `", quote(typed), "`"];
            Err(CommandError::new(message).help(help).exit(Exit::NotFound))
        }
        several => {
            let ids = several.iter().map(|entry| message!["  ", quote_in_full(&entry.id)]);
            let message =
                message!["`", quote(typed), "` is ambiguous: ", several.len(), " entries match"];
            Err(CommandError::new(message).excerpt(Message::join(ids, "\n")).help(help))
        }
    }
}
