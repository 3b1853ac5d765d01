//! `dibber call`.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, Command as ClapCommand, FromArgMatches};
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::session::{self, Session};
use super::{Command, CommandError, Exit, Ui, refusal, tools};
use crate::client::{Key, Operation};
use crate::report::write_json_pretty;
use crate::spec_hash::parse_json;
use crate::text::{BYTE_ORDER_MARK, escape_line, shorten};

pub(super) const COMMAND: Command = Command { name: "call", define, run };

/// The path that stands for standard input.
const STANDARD_INPUT: &str = "-";
/// The most bytes of a file with arguments (16 MiB).
const FILE_BYTES_MAX: u64 = 16 << 20;

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
        Some(path) => read(path)?,
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
            operation.finish().map_err(|error| session::not_begun(&error))?;
            Ok(exit)
        }
        Err(error) => {
            operation.failed(&error).map_err(|error| session::not_begun(&error))?;
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
    let (journal, server) = (session.journal(), session.choice.name());
    if is_new {
        let forgotten = journal.forget(server, tool, arguments);
        forgotten.map_err(|error| session::not_begun(&error))?;
    }
    let Some(key) = key else { return session.begin(tool, arguments) };
    let begun = journal.begin_with(server, tool, arguments, key.clone(), Timestamp::now());
    let operation = begun.map_err(|error| session::not_begun(&error))?;
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
        let bad = |cause: String| {
            CommandError::new(format!("`{}` cannot be read: {cause}", shorten(typed))).hint(
                "write `name=Jay` for a text, and `minutes:=15` for a number or any other JSON",
            )
        };
        let (name, value) =
            typed.split_once('=').ok_or_else(|| bad("there is no `=` in it".to_owned()))?;
        let (name, value) = match name.strip_suffix(':') {
            None => (name, Value::from(value)),
            Some(_) if value.trim().is_empty() => {
                return Err(bad("no value stands behind the `:=`".to_owned()));
            }
            Some(name) => {
                let value = parse_json(value);
                (name, value.map_err(|error| bad(format!("not JSON: {error}")))?)
            }
        };
        if name.is_empty() {
            return Err(bad("no name stands in front of the `=`".to_owned()));
        }
        if arguments.insert(name.to_owned(), value).is_some() {
            return Err(CommandError::new(format!("`{}` is given twice", shorten(name)))
                .hint("leave one out; a list is written as `name:=[\"a\", \"b\"]`"));
        }
    }
    Ok(arguments)
}

/// The arguments of a file.
fn read(path: &Path) -> Result<Map<String, Value>, CommandError> {
    let (shown, bytes) = if path.as_os_str() == STANDARD_INPUT {
        ("standard input".to_owned(), limited(io::stdin().lock()))
    } else {
        let shown = escape_line(&path.to_string_lossy()).into_owned();
        (shown, File::open(path).and_then(limited))
    };
    let bytes =
        bytes.map_err(|error| CommandError::io(format_args!("cannot read {shown}"), error))?;
    let bad = |cause: String| {
        CommandError::new(format!("{shown}: {cause}"))
            .hint("write the arguments as a JSON object: `{\"skillId\": \"sk_1\"}`")
    };
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(bad("the arguments are larger than 16 MiB".to_owned()));
    }
    let text =
        String::from_utf8(bytes).map_err(|_| bad("the arguments are not UTF-8".to_owned()))?;
    match parse_json(text.trim_start_matches(BYTE_ORDER_MARK)) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(_) => Err(bad("the arguments are JSON, but not an object".to_owned())),
        Err(error) => Err(bad(format!("the arguments are not JSON: {error}"))),
    }
}

/// Reads one byte more than the limit, which shows that there is more.
fn limited(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
