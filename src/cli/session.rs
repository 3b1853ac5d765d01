//! A client of the chosen server, for a command that is not asynchronous itself.

use std::future::Future;
use std::sync::Arc;

use clap::{ArgMatches, Command as ClapCommand};
use jiff::Timestamp;
use serde::Serialize;
use tokio::runtime::Runtime;

use super::CommandError;
use super::Exit;
use super::choice::{self, Choice, Place};
use super::interrupt::Interrupt;
use super::refusal::shown;
use crate::client::{Client, ClientError, Endpoint, Journal, JournalError, Operation, Options};
use crate::server::Server;
use crate::server::store::sqlite::{DATABASE_FILE_NAME, SqliteStore};

/// The most bytes that wait in the pipe between the client and the embedded server.
const PIPE_BYTES: usize = 1 << 20;
/// The folder of the journal, in the folder of the database.
const JOURNAL_FOLDER: &str = "journal";

/// What is said when Ctrl-C ends a change before its answer.
const INTERRUPTED: &str = "\
error: interrupted before the server answered, so it is not known whether it did it
hint: run the same command again: it goes on where this one stopped, and does nothing twice";

/// A client and what it needs to live.
pub(super) struct Session {
    pub(super) client: Client,
    /// Which server it is, and why.
    pub(super) choice: Choice,
    journal: Journal,
    runtime: Runtime,
    embedded: Option<Server>,
}

/// Adds the options that say which server is meant.
pub(super) fn define(command: ClapCommand) -> ClapCommand {
    choice::define(command)
}

impl Session {
    /// Gets ready; nothing is sent before the first call.
    pub(super) fn open(matches: &ArgMatches) -> Result<Self, CommandError> {
        let choice = choice::choose(matches)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|error| CommandError::io("cannot start", error))?;
        let (endpoint, embedded) = match &choice.place {
            Place::Url { url, credential } => {
                let token = credential.as_ref().map(|credential| credential.token.clone());
                (Endpoint::Http { url: url.clone(), token }, None)
            }
            Place::Local { data } => {
                let server = open_server(data)?;
                (embedded(&server, &runtime)?, Some(server))
            }
        };
        let journal = Journal::new(choice.state.join(JOURNAL_FOLDER));
        let watched = journal.clone();
        let interrupt = Interrupt::watch()?;
        interrupt.say_at_end(move || watched.is_at_work().then_some(INTERRUPTED));
        let options = Options { timeout: choice.timeout, ..Options::new(Timestamp::now) };
        Ok(Self { client: Client::new(endpoint, options), choice, journal, runtime, embedded })
    }

    /// Waits for something that the client does.
    pub(super) fn wait<T>(
        &self,
        work: impl Future<Output = Result<T, ClientError>>,
    ) -> Result<T, CommandError> {
        self.runtime.block_on(work).map_err(|error| shown(&error))
    }

    /// Waits for something that is done with several calls, and may fail in its own words.
    pub(super) fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }
}

impl Session {
    /// What was begun with this server, and may not be finished.
    pub(super) const fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Begins something that is to be done once, or goes on with it. `arguments` are all that
    /// makes it what it is.
    pub(super) fn begin(
        &self,
        tool: &str,
        arguments: &impl Serialize,
    ) -> Result<Operation, CommandError> {
        let begun = self.journal().begin(self.choice.name(), tool, arguments, Timestamp::now());
        begun.map_err(|error| not_begun(&error))
    }
}

/// Ends something that was begun, with what came of it.
pub(super) fn ended<T>(
    operation: Operation,
    answer: Result<T, ClientError>,
) -> Result<T, CommandError> {
    let is_over = match &answer {
        Ok(_) => operation.finish(),
        Err(error) => operation.failed(error),
    };
    is_over.map_err(|error| not_begun(&error))?;
    answer.map_err(|error| shown(&error))
}

/// What a person is told who cannot go on.
pub(super) fn not_begun(error: &JournalError) -> CommandError {
    let shown = CommandError::new(error.to_string());
    match error {
        JournalError::TooOld { .. } => shown.exit(Exit::OutcomeUnknown).hint(
            "look whether it was done, with `dibber skill list` for a skill; if it was not, run \
             the same command with `--new`",
        ),
        JournalError::Unreadable { .. } => shown.exit(Exit::OutcomeUnknown).hint(
            "look whether it was done, with `dibber skill list` for a skill; if it was not, run \
             the same command again",
        ),
        JournalError::Io { .. } => {
            shown.hint("nothing was sent; `--data DIR` names another folder to note it in")
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.runtime.block_on(self.client.close());
        if let Some(server) = &self.embedded {
            server.store().close();
        }
    }
}

/// The server over the database in that folder.
pub(super) fn open_server(data: &std::path::Path) -> Result<Server, CommandError> {
    let path = data.join(DATABASE_FILE_NAME);
    let store = SqliteStore::open(&path).map_err(|error| {
        CommandError::new(error.to_string()).hint(error.hint()).exit(Exit::Failed)
    })?;
    Ok(Server::new(Arc::new(store), Arc::new(Timestamp::now)))
}

fn embedded(server: &Server, runtime: &Runtime) -> Result<Endpoint, CommandError> {
    let family = server
        .home()
        .map_err(|failure| shown(&ClientError::Refused(Box::new(failure.into_tool_error()))))?;
    let owner = server
        .owner_of(&family.id)
        .map_err(|failure| shown(&ClientError::Refused(Box::new(failure.into_tool_error()))))?;
    let (server, handle) = (server.clone(), runtime.handle().clone());
    Ok(Endpoint::Embedded(Arc::new(move || {
        let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
        let (server, owner) = (server.clone(), owner.clone());
        let (input, output) = tokio::io::split(theirs);
        handle.spawn(async move { server.serve(owner, input, output).await });
        ours
    })))
}
