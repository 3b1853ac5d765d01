//! `dibber watch`: what changes on the server, as it happens.

mod json;
mod lines;

use std::time::{Duration, Instant};

use clap::{ArgMatches, Args, Command as ClapCommand};

use super::session::{self, Session};
use super::watched_changes::next_changes;
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use dibber_client::{ClientError, ResourceChange, Watcher};
use dibber_skill::contract::{ACTIVITY_URI, INBOX_URI, RESOURCE_WAIT, WAIT_RESOURCES_MAX};
use dibber_text::message;
use json::ChangeV1;

pub(super) const COMMAND: Command = Command { name: "watch", define, run };

/// Print what changes on the server, as it happens
///
/// Without a URI, the family's activity and inbox are watched. Others are
/// `sprout://skill/ID`, `sprout://heartbeat/ID` and `sprout://child/ID/today`.
/// After an interruption of the connection, what has changed meanwhile is printed.
#[derive(Args)]
struct WatchArgs {
    /// What to watch, as `dibber resources` lists it
    #[arg(value_name = "URI")]
    uris: Vec<String>,

    /// End after the first change
    #[arg(long)]
    once: bool,

    /// End after this time; with `--once`, the exit code is then 1
    #[arg(long = "for", value_name = "SECONDS",
        value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    seconds: Option<u64>,

    /// Print JSON, a line for each change
    #[arg(long)]
    json: bool,
}

fn define(command: ClapCommand) -> ClapCommand {
    session::define(WatchArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let mut arguments: WatchArgs = parse_args(matches);
    if arguments.uris.is_empty() {
        arguments.uris = [ACTIVITY_URI, INBOX_URI].map(str::to_owned).to_vec();
    }
    if arguments.uris.len() > WAIT_RESOURCES_MAX {
        let message = message!["at most ", WAIT_RESOURCES_MAX, " resources can be watched"];
        return Err(CommandError::new(message).help("run the command several times"));
    }
    let session = Session::open(matches, ui)?;
    let watcher = session.block_on(Watcher::of_resources(&session.client, &arguments.uris));
    let watcher = watcher.map_err(|error| begin_error(&error, &session))?;
    ui.eprintln("waiting for changes; Ctrl-C ends");
    follow(watcher, &arguments, &session, ui)
}

/// Converts the error of a server that cannot be watched.
fn begin_error(error: &ClientError, session: &Session) -> CommandError {
    let shown = session.command_error(error);
    match error {
        ClientError::NoTool(tool) if tool == RESOURCE_WAIT => shown.help(
            "it reports no changes of single resources; without a URI, `dibber watch` asks for what \
             is new in the activity and the inbox again and again",
        ),
        _ => shown,
    }
}

/// Prints changes until the program ends.
fn follow(
    mut watcher: Watcher<'_>,
    arguments: &WatchArgs,
    session: &Session,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let end = arguments.seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    while let Some(changes) = next_changes(&mut watcher, end, session, ui)? {
        print(&changes, arguments.json, session, ui)?;
        if arguments.once {
            return Ok(Exit::Done);
        }
    }
    Ok(if arguments.once { Exit::Findings } else { Exit::Done })
}

fn print(
    changes: &[ResourceChange],
    is_json: bool,
    session: &Session,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let roster = ui.names()?;
    if is_json {
        let server = ui.masked(session.server.name()).into_owned();
        let lines = changes.iter().map(|change| ChangeV1::new(change, &server, &roster));
        return lines.into_iter().try_for_each(|line| ui.print_json_line(&line));
    }
    let names = super::inbox::cards::skill_names(session);
    let lines = changes.iter().map(|change| lines::text(change, &names, &roster));
    ui.print(lines.collect::<String>().as_bytes())
}
