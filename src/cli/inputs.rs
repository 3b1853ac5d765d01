//! The inputs of a prompt: on the command line, or in a file.

use std::path::Path;

use serde_json::{Map, Value};

use super::bounded_input::{read_bounded, shown_input};
use super::error::CommandError;
use super::typed_json;
use dibber_text::{BYTE_ORDER_MARK, message, quote_in_full};

/// The file of `--input-file`.
const INPUT_FILE: ObjectFile = ObjectFile {
    noun: "inputs",
    example: r#"{"child_name": "Jay", "minutes": 15}"#,
    mebibytes_max: 1,
};

/// Joins the inputs of a file with those of the command line, which override them. Of two on the
/// command line, the last one counts.
pub(super) fn inputs(
    file: Option<&Path>,
    typed: &[String],
) -> Result<Option<Map<String, Value>>, CommandError> {
    if file.is_none() && typed.is_empty() {
        return Ok(None);
    }
    let mut inputs = file.map(|file| INPUT_FILE.read(file)).transpose()?.unwrap_or_default();
    for typed in typed {
        let (name, value) = input(typed)?;
        inputs.insert(name, value);
    }
    Ok(Some(inputs))
}

/// Returns the help for missing inputs.
pub(super) fn ways_to_give<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let options: Vec<_> = names.into_iter().map(|name| format!("--input {name}=…")).collect();
    format!("add {}", options.join(" "))
}

fn input(typed: &str) -> Result<(String, Value), CommandError> {
    pair(typed).map_err(|cause| {
        let message = message![
            "`--input ",
            quote_in_full(typed),
            "` cannot be read: ",
            quote_in_full(&cause)
        ];
        CommandError::new(message).help(
            "write `--input child_name=Jay` for a string, and `--input minutes:=15` for a number \
             or any other JSON",
        )
    })
}

/// Parses `name=string` or `name:=json`; the error is the reason.
pub(super) fn pair(typed: &str) -> Result<(String, Value), String> {
    let (name, value) = typed.split_once('=').ok_or("it has no `=`")?;
    let (name, value) = match name.strip_suffix(':') {
        None => (name, Value::from(value)),
        Some(_) if value.is_empty() => return Err("there is no value after `:=`".to_owned()),
        Some(name) => (name, typed_json::parse(value)?),
    };
    if name.is_empty() {
        return Err("there is no name before `=`".to_owned());
    }
    Ok((name.to_owned(), value))
}

/// A JSON object that is read from a file, or from standard input for `-`.
pub(super) struct ObjectFile {
    /// What it contains, in the plural.
    pub(super) noun: &'static str,
    /// An example of the contents.
    pub(super) example: &'static str,
    /// The largest size, in MiB.
    pub(super) mebibytes_max: u64,
}

impl ObjectFile {
    /// Reads it.
    pub(super) fn read(&self, path: &Path) -> Result<Map<String, Value>, CommandError> {
        let bytes = read_bounded(path, self.mebibytes_max, "pass less of them")?;
        parse(bytes).map_err(|cause| {
            CommandError::new(message!["the ", self.noun, " are ", quote_in_full(&cause)])
                .with_context(shown_input(path))
                .help(message!["write a JSON object: `", self.example, "`"])
        })
    }
}

fn parse(bytes: Vec<u8>) -> Result<Map<String, Value>, String> {
    let text = String::from_utf8(bytes).map_err(|_| "not UTF-8")?;
    match typed_json::parse(text.trim_start_matches(BYTE_ORDER_MARK))? {
        Value::Object(object) => Ok(object),
        _ => Err("JSON, but not an object".to_owned()),
    }
}
