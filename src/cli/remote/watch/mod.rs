//! `dibber watch`: what changes on the server, as it happens.

mod changes;
mod json;
mod lines;

use std::time::{Duration, Instant};

use clap::{ArgMatches, Args, Command as ClapCommand};

use super::session::{self, Session};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use changes::{Change, Watched};
use dibber_client::ClientError;
use dibber_skill::contract::{
    ACTIVITY_URI, ErrorCode, INBOX_URI, RESOURCE_WAIT, WAIT_MILLISECONDS_MAX, WAIT_RESOURCES_MAX,
};
use dibber_text::message;

pub(super) const COMMAND: Command = Command { name: "watch", define, run };

/// How long to wait before the server is asked again after it could not be reached. The client has
/// tried several times by then.
const RECONNECT_PAUSE: Duration = Duration::from_secs(1);

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
    if !session.wait(session.client.can_wait_for_changes())? {
        let message = message!["the server has no tool `", RESOURCE_WAIT, "`"];
        return Err(CommandError::new(message)
            .help("it does not report changes; `dibber inbox --follow` asks for new cards again and again"));
    }
    let watched = session.wait(Watched::begin(&session.client, &arguments.uris))?;
    ui.eprintln("waiting for changes; Ctrl-C ends");
    follow(watched, &arguments, &session, ui)
}

/// Prints changes until the program ends.
fn follow(
    mut watched: Watched,
    arguments: &WatchArgs,
    session: &Session,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let end = arguments.seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut is_lost = false;
    loop {
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            return Ok(if arguments.once { Exit::Findings } else { Exit::Done });
        }
        let time = wait_time(session, left);
        match session.block_on(watched.next(&session.client, time)) {
            Ok(changes) => {
                if is_lost {
                    ui.eprintln("connected again");
                    is_lost = false;
                }
                print(&changes, arguments.json, session, ui)?;
                if arguments.once && !changes.is_empty() {
                    return Ok(Exit::Done);
                }
            }
            Err(error) if is_temporary(&error) => {
                if !is_lost {
                    ui.eprintln("the server cannot be reached; trying again");
                    is_lost = true;
                }
                let pause = left.map_or(RECONNECT_PAUSE, |left| left.min(RECONNECT_PAUSE));
                session.block_on(async { tokio::time::sleep(pause).await });
            }
            Err(error) => return Err(session.command_error(&error)),
        }
    }
}

/// Returns how long one call may wait: it has to be answered before the timeout of the client.
fn wait_time(session: &Session, left: Option<Duration>) -> Duration {
    let most = Duration::from_millis(WAIT_MILLISECONDS_MAX).min(session.server.timeout / 2);
    left.map_or(most, |left| left.min(most))
}

/// Returns `true` if the server may answer later.
fn is_temporary(error: &ClientError) -> bool {
    match error {
        ClientError::Unreachable(_)
        | ClientError::NoAnswer(_)
        | ClientError::AnswerLost(_)
        | ClientError::TooManyRequests(_) => true,
        ClientError::Refused(error) => error.code == ErrorCode::InternalError,
        _ => false,
    }
}

fn print(
    changes: &[Change],
    is_json: bool,
    session: &Session,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    if changes.is_empty() {
        return Ok(());
    }
    let roster = ui.names()?;
    let printed: String = if is_json {
        let server = ui.masked(session.server.name()).into_owned();
        changes.iter().map(|change| json::line(change, &server, &roster)).collect()
    } else {
        let names = super::inbox::cards::skill_names(session);
        changes.iter().map(|change| lines::text(change, &names, &roster)).collect()
    };
    ui.print(printed.as_bytes())
}
