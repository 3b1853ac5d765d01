//! A client of the chosen server, for a command that is not asynchronous itself.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::future::Future;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use clap::{ArgMatches, Command as ClapCommand};
use jiff::Timestamp;
use tokio::runtime::Runtime;

use super::call_errors::{command_error, open_error};
use super::client_state::show_lock_wait;
use super::earlier_versions::earlier_versions;
use super::host::TerminalHost;
use super::safety::{self, SafetyLog};
use super::server_options::{self, SelectedServer};
use super::sign_in::{not_signed_in, signed_in};
use crate::cli::default_zone::DefaultZone;
use crate::cli::error::CommandError;
use crate::cli::names_file;
use crate::cli::term::color_choice::ColorChoice;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{BaseContentsError, LockFiles, Publisher};
use dibber_client::sign_in::SignedIn;
use dibber_client::{
    Client, ClientError, Endpoint, Intent, Journal, OnLine, Operation, Options, RecordedServer,
    ServerTarget,
};
use dibber_server::Server;
use dibber_server::store::{self, DatabaseAddress};
use dibber_skill::contract::DATABASE_DAMAGED;
use dibber_skill::discover::shown_path;
use dibber_text::{message, quote_argument, quote_display, quote_in_full, quote_path};

/// The most bytes that wait in the pipe between the client and the embedded server.
const PIPE_BYTES: usize = 1 << 20;

/// What is printed when Ctrl-C ends a change before its answer.
const INTERRUPTED: &str = "\
error: interrupted before the server answered, so it is not known whether the change was made
help: run the same command again: it makes the change if it is not in effect, and nothing is created \
twice";

/// Returns what is printed when Ctrl-C ends so many changes before their answers.
fn interrupted(changes: usize) -> Cow<'static, str> {
    match changes {
        0 | 1 => INTERRUPTED.into(),
        changes => format!(
            "error: interrupted before the server answered, so it is not known whether {changes} \
             changes were made\n\
             help: run the same command again: it makes those that are not in effect, and nothing is \
             created twice"
        )
        .into(),
    }
}

/// What is printed when Ctrl-C ends a command before its first change.
const NOTHING_SENT: &str = "error: interrupted; nothing was sent";
/// What is printed when Ctrl-C ends a command between two changes.
const INTERRUPTED_BETWEEN: &str = "\
error: interrupted; what was sent is done and recorded
help: run the same command again: it does the rest";
/// The same for a command that publishes once more what is published already.
const INTERRUPTED_BETWEEN_COPIES: &str = "\
error: interrupted; what was sent is done and recorded
help: run the same command again without `--new`: it publishes what was not published yet";

/// A client and its runtime.
pub(super) struct Session {
    pub(super) client: Client,
    /// The selected server, and what selected it.
    pub(super) server: SelectedServer,
    /// The sign-in to it, if its token is sent.
    signed_in: Option<Arc<SignedIn>>,
    /// The server as it is recorded, once it was asked for its id.
    recorded: OnceCell<RecordedServer>,
    journal: Journal,
    runtime: Runtime,
    embedded: Option<Server>,
    host: Option<Arc<TerminalHost>>,
}

/// Adds the options that select the server.
pub(super) fn define(command: ClapCommand) -> ClapCommand {
    server_options::define(command)
}

impl Session {
    /// Gets ready; nothing is sent before the first call. The children of the families of the server
    /// in this program are masked from here on: what is taken from [`Ui::names`] before lacks them.
    pub(super) fn open(matches: &ArgMatches, ui: &mut Ui) -> Result<Self, CommandError> {
        Self::open_with(matches, ui, |_| None)
    }

    /// Gets ready for calls during which a server may report progress and ask questions.
    pub(super) fn open_interactive(
        matches: &ArgMatches,
        ui: &mut Ui,
    ) -> Result<Self, CommandError> {
        Self::open_with(matches, ui, |ui| Some(Arc::new(TerminalHost::new(ui))))
    }

    fn open_with(
        matches: &ArgMatches,
        ui: &mut Ui,
        host: impl FnOnce(&Ui) -> Option<Arc<TerminalHost>>,
    ) -> Result<Self, CommandError> {
        let server = server_options::select(matches)?;
        let signed_in = signed_in(&server)?.map(Arc::new);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|error| CommandError::io("cannot start", error))?;
        let (endpoint, embedded) = match &server.selection.target {
            ServerTarget::Url { url, credential, headers, authority } => {
                let token = credential.as_ref().map(|credential| credential.token.clone());
                let (url, headers, authority) = (url.clone(), headers.clone(), authority.clone());
                let sign_in = signed_in.clone();
                (Endpoint::Http { url, token, sign_in, headers, authority }, None)
            }
            ServerTarget::Program { command, named_in, .. } => {
                if let Some(file) = named_in {
                    show_program(&command.program, file);
                }
                let on_line = matches.get_flag(server_options::VERBOSE).then(show_line);
                (Endpoint::Program { command: command.clone(), on_line }, None)
            }
            ServerTarget::Local { data } => {
                let open = open_server(&server.database)?;
                // What is damaged in the database is reported by the calls that need it.
                ui.mask_children(&open.child_names().unwrap_or_default());
                let open = safety::add_safety_check(open, data, SafetyLog::Warnings, ui)?;
                (embedded(&open, &server.database, &runtime)?, Some(open))
            }
        };
        let journal = server.state.journal();
        let options = Options { timeout: server.timeout, ..Options::new(Timestamp::now) };
        let mut client = Client::new(endpoint, options);
        let host = host(ui);
        if let Some(host) = &host {
            client = client.with_host(Arc::<TerminalHost>::clone(host));
        }
        let recorded = OnceCell::new();
        let session =
            Self { client, server, signed_in, recorded, journal, runtime, embedded, host };
        session.set_interrupt_message(interrupted)?;
        Ok(session)
    }

    /// Returns the server as what was published to it, and what was begun there, is recorded. The
    /// server is asked for its id once.
    pub(super) fn recorded(&self) -> Result<&RecordedServer, CommandError> {
        if let Some(recorded) = self.recorded.get() {
            return Ok(recorded);
        }
        let server = self.wait(RecordedServer::identify(&self.client, self.server.name()))?;
        Ok(self.recorded.get_or_init(|| server))
    }

    /// Asks the server for its id, and returns what was published to it, as recorded.
    pub(super) fn locks(&self) -> Result<LockFiles, CommandError> {
        Ok(self.locks_of(self.recorded()?.clone()))
    }

    /// Returns what was published to a server, as recorded.
    pub(super) fn locks_of(&self, server: RecordedServer) -> LockFiles {
        let locks = LockFiles::new(server)
            .with_bases(self.server.state.bases().with_earlier_versions(earlier_versions));
        let locks = locks.with_wait_notice(show_lock_wait);
        match &self.server.selection.target {
            ServerTarget::Local { data } => locks.with_former_records(data),
            ServerTarget::Url { .. } | ServerTarget::Program { .. } => locks,
        }
    }

    /// Returns the server as something to publish to.
    pub(super) fn publisher(&self) -> Result<Publisher<'_>, CommandError> {
        Ok(Publisher {
            client: &self.client,
            journal: &self.journal,
            server: self.recorded()?,
            clock: Timestamp::now,
        })
    }

    /// Waits for something that the client does.
    pub(super) fn wait<T>(
        &self,
        work: impl Future<Output = Result<T, ClientError>>,
    ) -> Result<T, CommandError> {
        self.block_on(work).map_err(|error| self.command_error(&error))
    }

    /// Waits for something that is done with several calls, and may fail in its own words.
    pub(super) fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        let done = self.runtime.block_on(work);
        if let Some(host) = &self.host {
            host.hide_progress();
        }
        done
    }

    /// At Ctrl-C, cancels the open calls, and shows what `message` returns for the number of open
    /// operations, if there are any.
    pub(super) fn set_interrupt_message(
        &self,
        message: fn(usize) -> Cow<'static, str>,
    ) -> Result<(), CommandError> {
        self.set_interrupt_messages(message, None)
    }

    /// At Ctrl-C, also shows whether anything was sent: everything that this command changes on the
    /// server is in the journal first.
    pub(super) fn announce_interrupted_plan(&self) -> Result<(), CommandError> {
        self.set_interrupt_messages(interrupted, Some((NOTHING_SENT, INTERRUPTED_BETWEEN)))
    }

    /// The same for a command that publishes once more what is published already.
    pub(super) fn announce_interrupted_copies(&self) -> Result<(), CommandError> {
        self.set_interrupt_messages(interrupted, Some((NOTHING_SENT, INTERRUPTED_BETWEEN_COPIES)))
    }

    /// Sets what is shown at Ctrl-C: while an operation is open, and before the first and after it.
    fn set_interrupt_messages(
        &self,
        open: fn(usize) -> Cow<'static, str>,
        others: Option<(&'static str, &'static str)>,
    ) -> Result<(), CommandError> {
        let interrupt = Interrupt::watch()?;
        let (journal, cancellation) = (self.journal.clone(), self.client.cancellation());
        let message = move || {
            cancellation.cancel();
            match journal.open_operations() {
                0 => {}
                changes => return Some(open(changes)),
            }
            let (before, after) = others?;
            Some(if journal.has_begun_operations() { after } else { before }.into())
        };
        interrupt.set_last_message(message);
        Ok(())
    }
}

impl Session {
    /// Converts a failed call. A web server that is not found at an address without a path may be
    /// found with one.
    pub(super) fn command_error(&self, error: &ClientError) -> CommandError {
        match (&self.server.selection.target, error) {
            (ServerTarget::Url { credential: None, .. }, ClientError::Unauthorized) => {
                not_signed_in(command_error(error), self.signed_in.is_some())
            }
            (ServerTarget::Local { .. }, _) if is_database_damaged(error) => {
                damaged_database(&self.server.database, command_error(error))
            }
            (ServerTarget::Url { url, .. }, ClientError::Protocol(_)) if url.has_no_path() => {
                command_error(error).help(message![
                    "did you mean `",
                    quote_display(url.with_mcp_path()),
                    "`?"
                ])
            }
            _ => command_error(error),
        }
    }

    /// The unfinished writes of this server.
    pub(super) const fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Sends a write that takes effect once. For `send` and `has_effect`, see
    /// [`dibber_client::Operation::carry_out`].
    pub(super) fn write<T>(
        &self,
        intent: &Intent,
        send: impl AsyncFn(&Operation) -> Result<T, ClientError>,
        has_effect: impl AsyncFn(&T) -> Result<bool, ClientError>,
    ) -> Result<T, CommandError> {
        let written = self.block_on(self.publisher()?.write(intent, send, has_effect))?;
        Ok(written.finish()?)
    }
}

fn is_database_damaged(error: &ClientError) -> bool {
    matches!(error, ClientError::Refused(refusal)
        if refusal.reason.as_deref() == Some(DATABASE_DAMAGED))
}

/// Returns the error of a call that the server of this program cannot answer.
fn damaged_database(database: &DatabaseAddress, error: CommandError) -> CommandError {
    let command = match database {
        DatabaseAddress::Directory(data) => {
            let argument = data.to_string_lossy();
            message!["`dibber doctor --database --data ", quote_argument(&argument), "`"]
        }
        DatabaseAddress::Postgres(_) => message!["`dibber doctor --database`"],
    };
    error
        .with_message(message!["the database ", quote_display(database), " is damaged"])
        .help(message![command, " lists what is damaged"])
}

/// Shows that a program runs because the file of a project names it.
fn show_program(program: &str, file: &Path) {
    let mut ui = Ui::new(ColorChoice::Auto, names_file::load());
    let (program, file) = (ui.shown(program).to_string(), shown_path(file));
    let line = message![
        "starting `",
        quote_in_full(&program),
        "`, as ",
        quote_in_full(&file),
        " of this project says"
    ];
    ui.eprintln(line);
}

/// Returns what shows a line that a program writes to standard error.
fn show_line() -> OnLine {
    let ui = Mutex::new(Ui::new(ColorChoice::Auto, names_file::load()));
    Arc::new(move |line: &str| {
        let mut ui = ui.lock().unwrap_or_else(PoisonError::into_inner);
        let line = message!["  ", quote_in_full(line)];
        ui.eprintln(line);
    })
}

impl Drop for Session {
    fn drop(&mut self) {
        self.runtime.block_on(self.client.close());
        if let Some(server) = &self.embedded {
            server.store().close();
        }
    }
}

/// The server over a database.
pub(super) fn open_server(database: &DatabaseAddress) -> Result<Server, CommandError> {
    let store = store::open(database).map_err(|error| open_error(&error))?;
    Ok(Server::new(store, Arc::new(Timestamp::now)))
}

fn embedded(
    server: &Server,
    database: &DatabaseAddress,
    runtime: &Runtime,
) -> Result<Endpoint, CommandError> {
    let family = server.home(&DefaultZone::of_typed().name);
    let owner = family.and_then(|family| server.owner_of(&family.id)).map_err(|failure| {
        let error = ClientError::Refused(Box::new(failure.into_tool_error()));
        let shown = command_error(&error);
        if is_database_damaged(&error) { damaged_database(database, shown) } else { shown }
    })?;
    let (server, handle) = (server.clone(), runtime.handle().clone());
    Ok(Endpoint::Embedded(Arc::new(move || {
        let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
        let (server, owner) = (server.clone(), owner.clone());
        let (input, output) = tokio::io::split(theirs);
        handle.spawn(async move { server.serve(owner, input, output).await });
        ours
    })))
}

/// Warns that what was published or pulled cannot be kept for a merge.
pub(super) fn warn_of_bases(locks: &mut LockFiles, ui: &mut Ui) {
    if let Some(BaseContentsError { path, cause }) = locks.take_bases_error() {
        ui.warning(message![
            "cannot keep what was published in ",
            quote_path(&path),
            ": ",
            quote_display(cause),
            "; the next merge knows less"
        ]);
    }
}

/// Reports that another process has locked a directory, for which this one waits.
pub(super) fn show_wait(ui: &mut Ui, directory: &Path) {
    let path = shown_path(directory);
    let path = if path.is_empty() { "." } else { path.as_str() };
    let path = quote_in_full(path);
    ui.eprintln(message!["waiting for another dibber process that has locked ", path]);
}
