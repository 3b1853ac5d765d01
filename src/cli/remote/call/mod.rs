//! `dibber call`.

mod acceptance;
mod arguments;
mod branches;
mod check;
mod json_type;
mod mismatch;
mod output;

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command as ClapCommand};
use jiff::Timestamp;
use serde_json::{Map, Value};

use self::arguments::SchemaCheck;
use self::output::Output;
use super::session::{self, Session};
use super::{call_errors, tools};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::inputs::ObjectFile;
use crate::cli::term::ui::Ui;
use dibber_client::{
    ClientError, IdempotencyKey, Intent, KeySupport, Operation, RetrySafety, ToolInfo, ToolResult,
};
use dibber_skill::contract::PublicTool;
use dibber_text::{message, quote_in_full};

pub(super) const COMMAND: Command = Command { name: "call", define, run };

/// The file of `--args-json`.
const ARGUMENTS_FILE: ObjectFile =
    ObjectFile { noun: "arguments", example: r#"{"skillId": "sk_1"}"#, mebibytes_max: 16 };

/// What is printed when Ctrl-C ends a call that is sent once, before its answer.
const INTERRUPTED: &str = "\
error: interrupted before the server answered, so the outcome of the call is unknown
help: the tool may have run; check before you send the call again, with `--new`";

/// Call a tool of the server, and print its result
///
/// Text is printed with its control characters escaped, and on a terminal also the invisible ones;
/// structured content as JSON. An image, audio, a file and a link are a line each, and `--output`
/// saves the bytes. `--json` prints the whole result.
///
/// If no answer arrives, the tool may still have run. The call is sent again only where that is
/// safe: the server lists the tool as read-only or idempotent, declares that the tool honours
/// idempotency keys (the experimental capability `com.sproutgoodhabits/idempotencyKey`), or you give
/// a key. The key is recorded before anything is sent, and the same command again resumes with it.
///
/// Every other call is sent once. If its outcome is unknown, the command exits with 7, and refuses
/// to repeat the call until you add `--new`.
#[derive(Args)]
struct CallArgs {
    /// The tool
    tool: String,
    /// Its arguments: `name=Jay`, `limit=5`, each of the type that the tool's schema names;
    /// `name:=JSON` for any JSON
    #[arg(value_name = "ARGUMENT")]
    arguments: Vec<String>,
    /// The file with all arguments, a JSON object; `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "arguments")]
    args_json: Option<PathBuf>,
    /// The idempotency key, in place of a new one; it asserts that the server honours keys
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
    /// Save images, audio and other bytes of the answer as new files in this directory
    #[arg(long, short, value_name = "DIR", conflicts_with = "json")]
    output: Option<PathBuf>,
    /// Print the result as the server sent it, as JSON
    #[arg(long)]
    json: bool,
    /// Send the arguments even if they do not match the schema of the tool, which may be wrong
    #[arg(long)]
    no_check: bool,
    /// Send the call even if the outcome of an earlier identical call is unknown
    #[arg(long)]
    new: bool,
}

fn define(command: ClapCommand) -> ClapCommand {
    session::define(CallArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed: CallArgs = parse_args(matches);
    let from_file = typed.args_json.as_deref().map(|path| ARGUMENTS_FILE.read(path)).transpose()?;
    let arguments = arguments::parse(&typed.arguments)?;
    let own_key = typed.idempotency_key.as_deref().map(own_key).transpose()?;
    let session = Session::open_interactive(matches, ui)?;
    let roster = ui.names()?;
    let output = Output::new(typed.json, typed.output.as_deref(), ui)?;
    let listed = session.wait(session.client.tools())?;
    let tool = match tools::find(&listed, &typed.tool) {
        Ok(tool) => tool,
        Err(error) => return Err(scope_error(&session, &typed.tool).unwrap_or(error)),
    };
    let checked = if typed.no_check { SchemaCheck::Skipped } else { SchemaCheck::Applied };
    let arguments = match from_file {
        Some(arguments) => arguments,
        None => arguments::with_types(arguments, tool, checked, &roster)?,
    };
    if checked == SchemaCheck::Applied {
        check::check(&arguments, tool, &roster)?;
    }
    let is_safe = tool.is_read_only || tool.is_idempotent;
    if own_key.is_some() && !is_safe && tool.key_support == KeySupport::Ignored {
        return Err(key_ignored(&tool.name));
    }
    let has_own_key = own_key.is_some();
    let key = own_key.or_else(|| tool.honours_keys().then(IdempotencyKey::new));
    let call = Call { session: &session, tool, arguments, is_new: typed.new };
    let answer = match tool.retry_safety(key.as_ref()) {
        RetrySafety::ReadOnly => session.wait(call.send(None))?,
        RetrySafety::Idempotent => call.send_idempotent()?,
        RetrySafety::Keyed(key) => return call.send_keyed(key, has_own_key, output, ui),
        RetrySafety::Once => call.send_once()?,
    };
    output.print(&answer, ui)
}

/// Returns the refusal of a tool of the contract that is not listed because the token may not use it.
/// The call has no arguments, so that it does nothing if it may be used after all.
fn scope_error(session: &Session, tool: &str) -> Option<CommandError> {
    PublicTool::named(tool)?;
    match session.block_on(session.client.call_tool(tool, Map::new(), None)) {
        Err(error @ ClientError::Refused(_)) if call_errors::is_scope_missing(&error) => {
            Some(call_errors::call_error(&error))
        }
        _ => None,
    }
}

/// A call that is to be sent.
struct Call<'a> {
    session: &'a Session,
    tool: &'a ToolInfo,
    arguments: Map<String, Value>,
    /// Whether an earlier call whose outcome is unknown is forgotten.
    is_new: bool,
}

impl Call<'_> {
    async fn send(&self, key: Option<&IdempotencyKey>) -> Result<ToolResult, ClientError> {
        self.session.client.call_tool(&self.tool.name, self.arguments.clone(), key).await
    }

    fn send_idempotent(&self) -> Result<ToolResult, CommandError> {
        self.session.block_on(self.send(None)).map_err(|error| match error {
            ClientError::OutcomeUnknown(_) => call_errors::call_error(&error)
                .help("run the same command again; the server lists the tool as idempotent"),
            _ => call_errors::call_error(&error),
        })
    }

    /// Sends the call with a key, or resumes the one that was begun before.
    fn send_keyed(
        &self,
        key: &IdempotencyKey,
        is_own_key: bool,
        output: Output,
        ui: &mut Ui,
    ) -> Result<Exit, CommandError> {
        let operation = self.begin(key)?;
        if is_own_key && key != operation.key() {
            let message = "the same call was started with another key, and its outcome is unknown";
            return Err(CommandError::new(message)
                .exit(Exit::OutcomeUnknown)
                .help("check whether it took effect; add `--new` to send it with this key"));
        }
        if operation.is_resumed() {
            ui.warning("resuming the same call, which was interrupted");
        }
        let send = async |operation: &Operation| self.send(Some(operation.key())).await;
        let carried_out = self.session.block_on(operation.carry_out(send, async |_| Ok(true)));
        let (answer, operation) = carried_out.map_err(|error| self.keyed_error(&error))?;
        // An answer that cannot be printed is an outcome all the same: the next such call is a new
        // one.
        operation.finish().map_err(|error| call_errors::journal_error(&error))?;
        output.print(&answer, ui)
    }

    /// Converts the error of a call with a key. That it takes effect once is known only of a server
    /// that declares it.
    fn keyed_error(&self, error: &ClientError) -> CommandError {
        let shown = call_errors::call_error(error);
        match error {
            ClientError::OutcomeUnknown(_) if self.tool.honours_keys() => shown.help(
                "run the same command again; it resumes with the same idempotency key, so it takes \
                 effect once",
            ),
            ClientError::OutcomeUnknown(_) => shown.help(
                "if the server honours keys, run the same command again, which resumes with the same \
                 key; otherwise check whether it took effect",
            ),
            _ => shown,
        }
    }

    /// Sends a call that must not be repeated silently. Its journal entry remains when the outcome
    /// is unknown, and stops the same call until a person has checked.
    fn send_once(&self) -> Result<ToolResult, CommandError> {
        let operation = self.begin(&IdempotencyKey::new())?;
        if operation.is_resumed() {
            let message = "the same call was sent before, and its outcome is unknown";
            return Err(CommandError::new(message)
                .exit(Exit::OutcomeUnknown)
                .help("check whether it took effect; add `--new` to send it again"));
        }
        self.session.set_interrupt_message(|_| INTERRUPTED.into())?;
        let answer = self.session.block_on(self.send(None));
        match &answer {
            // An error of the tool is an outcome, too: what it has done is known from its message.
            Ok(_) | Err(ClientError::Failed { .. }) => {
                operation.finish().map_err(|error| call_errors::journal_error(&error))?;
            }
            Err(error) => drop(operation.fail(error)),
        }
        answer.map_err(|error| match error {
            ClientError::OutcomeUnknown(_) => call_errors::call_error(&error)
                .help("the tool may have run; check before you send the call again, with `--new`"),
            _ => call_errors::call_error(&error),
        })
    }

    /// Writes the call to the journal before anything of it is sent.
    fn begin(&self, key: &IdempotencyKey) -> Result<Operation, CommandError> {
        let arguments = Value::Object(self.arguments.clone());
        let intent = Intent::new(self.session.recorded()?, &self.tool.name, &arguments);
        let journal = self.session.journal();
        let begin = || {
            if self.is_new {
                journal.discard_intent(&intent)?;
            }
            journal.begin_with(&intent, key.clone(), Timestamp::now())
        };
        begin().map_err(|error| call_errors::journal_error(&error))
    }
}

/// Returns the refusal of a key that would promise what the server does not.
fn key_ignored(tool: &str) -> CommandError {
    CommandError::new(message![
        "the server does not honour idempotency keys in calls of `",
        quote_in_full(tool),
        "`"
    ])
    .help("leave out `--idempotency-key`; the call is then sent once")
}

fn own_key(text: &str) -> Result<IdempotencyKey, CommandError> {
    IdempotencyKey::parse(text).ok_or_else(|| {
        CommandError::new("invalid `--idempotency-key`")
            .help("a key has 1 to 255 letters, digits and signs, and no spaces, such as a UUID")
    })
}
