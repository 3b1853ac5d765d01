//! `dibber call`.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command as ClapCommand, FromArgMatches};
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::inputs::{ObjectFile, pair};
use super::session::{self, Session};
use super::{Command, CommandError, Exit, Ui, refusal, tools};
use crate::client::{Intent, Key, Operation};
use crate::report::write_json_pretty;
use crate::text::shorten;

pub(super) const COMMAND: Command = Command { name: "call", define, run };

/// The file of `--args-json`.
const ARGUMENTS_FILE: ObjectFile =
    ObjectFile { noun: "arguments", example: r#"{"skillId": "sk_1"}"#, mebibytes_max: 16 };

/// Call a tool of the server, and print what it answers
///
/// A tool that changes something is called with an idempotency key, which is noted before
/// anything is sent: if the answer does not come, the same command goes on with the same key, and
/// the server does it once.
#[derive(Args)]
struct CallArgs {
    /// The tool
    tool: String,
    /// Its arguments: `name=Jay` for a text, `minutes:=15` for a number or any other JSON
    #[arg(value_name = "ARGUMENT")]
    arguments: Vec<String>,
    /// The file with all arguments, a JSON object; `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "arguments")]
    args_json: Option<PathBuf>,
    /// The key, in place of a new one
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
    /// Do it anew, even if the same call was begun before and never ended
    #[arg(long)]
    new: bool,
}

fn define(command: ClapCommand) -> ClapCommand {
    session::define(CallArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed = CallArgs::from_arg_matches(matches).expect("clap has checked them");
    let arguments = match &typed.args_json {
        Some(path) => ARGUMENTS_FILE.read(path)?,
        None => parse(&typed.arguments)?,
    };
    let key = typed.idempotency_key.as_deref().map(own_key).transpose()?;
    ui.names()?;
    let session = Session::open(matches)?;
    let listed = session.wait(session.client.tools())?;
    let tool = tools::find(&listed, &typed.tool)?;
    if tool.is_read_only && key.is_none() {
        let answer = session.wait(session.client.call(&tool.name, arguments, None))?;
        return print(&answer, ui);
    }
    let operation = begin(&session, &tool.name, &arguments, key, typed.new)?;
    if operation.is_resumed() {
        ui.warning("the same call was begun before and never ended; this goes on with it");
    }
    let call = session.client.call(&tool.name, arguments, Some(operation.key()));
    match session.block_on(call) {
        Ok(answer) => {
            let exit = print(&answer, ui)?;
            operation.finish().map_err(|error| session::journal_error(&error))?;
            Ok(exit)
        }
        Err(error) => {
            operation.fail(&error).map_err(|error| session::journal_error(&error))?;
            Err(refusal::shown(&error))
        }
    }
}

fn begin(
    session: &Session,
    tool: &str,
    arguments: &Map<String, Value>,
    key: Option<Key>,
    is_new: bool,
) -> Result<Operation, CommandError> {
    let arguments = Value::Object(arguments.clone());
    let (journal, intent) =
        (session.journal(), Intent::new(session.choice.name(), tool, &arguments));
    if is_new {
        let discarded = journal.discard_intent(&intent);
        discarded.map_err(|error| session::journal_error(&error))?;
    }
    let Some(key) = key else { return session.begin(&intent) };
    let begun = journal.begin_with(&intent, key.clone(), Timestamp::now());
    let operation = begun.map_err(|error| session::journal_error(&error))?;
    if key != *operation.key() {
        let message = "the same call was begun with another key, and never ended";
        return Err(CommandError::new(message).hint(
            "without `--idempotency-key` this command goes on with it; with `--new` it is \
             forgotten",
        ));
    }
    Ok(operation)
}

fn own_key(text: &str) -> Result<Key, CommandError> {
    Key::parse(text).ok_or_else(|| {
        CommandError::new("`--idempotency-key` does not have a key").hint(
            "a key is 1 to 255 letters, digits and signs, without spaces; a UUID is a good one",
        )
    })
}

fn print(answer: &Value, ui: &mut Ui) -> Result<Exit, CommandError> {
    let mut json = Vec::new();
    write_json_pretty(answer, &mut json);
    let json = String::from_utf8_lossy(&json);
    let shown = ui.masked(&json).into_owned();
    ui.print(shown.as_bytes())?;
    Ok(Exit::Done)
}

/// The arguments that were typed, each once.
fn parse(typed: &[String]) -> Result<Map<String, Value>, CommandError> {
    let mut arguments = Map::new();
    for typed in typed {
        let (name, value) = pair(typed).map_err(|cause| {
            CommandError::new(format!("`{}` cannot be read: {cause}", shorten(typed))).hint(
                "write `name=Jay` for a text, and `minutes:=15` for a number or any other JSON",
            )
        })?;
        if arguments.insert(name.clone(), value).is_some() {
            return Err(CommandError::new(format!("`{}` is given twice", shorten(&name)))
                .hint("leave one out; a list is written as `name:=[\"a\", \"b\"]`"));
        }
    }
    Ok(arguments)
}
