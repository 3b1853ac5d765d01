//! A client of the chosen server, for a command that is not asynchronous itself.

use std::future::Future;
use std::sync::Arc;

use clap::{ArgMatches, Command as ClapCommand};
use jiff::Timestamp;
use tokio::runtime::Runtime;

use super::choice::{self, Choice, Place};
use super::{CommandError, Exit};
use crate::client::{Client, ClientError, Endpoint, Options};
use crate::contract::ErrorCode;
use crate::server::Server;
use crate::server::store::sqlite::{DATABASE_FILE_NAME, SqliteStore};

/// The most bytes that wait in the pipe between the client and the embedded server.
const PIPE_BYTES: usize = 1 << 20;

/// A client and what it needs to live.
pub(super) struct Session {
    pub(super) client: Client,
    /// Which server it is, and why.
    pub(super) choice: Choice,
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
            Place::Url { url, token } => {
                (Endpoint::Http { url: url.clone(), token: token.clone() }, None)
            }
            Place::Local { data } => {
                let server = open_server(data)?;
                (embedded(&server, &runtime)?, Some(server))
            }
        };
        let options = Options { timeout: choice.timeout };
        Ok(Self { client: Client::new(endpoint, options), choice, runtime, embedded })
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

impl Drop for Session {
    fn drop(&mut self) {
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

/// What a person is told of a call that failed.
pub(super) fn shown(error: &ClientError) -> CommandError {
    let hint = match error {
        ClientError::Refused(error) => error.fix.clone(),
        ClientError::Unauthorized => {
            "set DIBBER_TOKEN, or name a file with `--token-file`".to_owned()
        }
        ClientError::NoTool(_) => "`dibber tools` lists what there is".to_owned(),
        ClientError::Unreachable(_) => {
            "`dibber status` tells which server is meant; nothing was changed".to_owned()
        }
        ClientError::OutcomeUnknown(_) => {
            "run the same command again: it goes on where this one stopped, and does nothing twice"
                .to_owned()
        }
        ClientError::Protocol(_) => "`dibber status` tells which server is meant".to_owned(),
    };
    let shown = CommandError::new(error.to_string()).exit(exit_of(error));
    if hint.is_empty() { shown } else { shown.hint(hint) }
}

/// The exit code of a call that failed.
pub(super) fn exit_of(error: &ClientError) -> Exit {
    match error {
        ClientError::Refused(error) => match error.code {
            ErrorCode::BadInput => Exit::BadInput,
            ErrorCode::PermissionDenied => Exit::PermissionDenied,
            ErrorCode::DomainNotFound => Exit::NotFound,
            ErrorCode::InternalError => Exit::Failed,
        },
        ClientError::Unauthorized => Exit::PermissionDenied,
        ClientError::NoTool(_) => Exit::Usage,
        ClientError::Unreachable(_) | ClientError::Protocol(_) => Exit::Failed,
        ClientError::OutcomeUnknown(_) => Exit::OutcomeUnknown,
    }
}
