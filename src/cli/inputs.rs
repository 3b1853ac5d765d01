//! What a prompt is to be filled in with: typed, or in a file.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::{Map, Value};

use super::CommandError;
use crate::spec_hash;
use crate::text::{BYTE_ORDER_MARK, escape_line};

/// The path that stands for standard input.
const STANDARD_INPUT: &str = "-";
/// The most bytes of a file with inputs (1 MiB).
const INPUT_FILE_BYTES_MAX: u64 = 1 << 20;

/// Joins the inputs of a file with those that were typed, which count more. Of two that were
/// typed, the last one counts.
pub(super) fn inputs(
    file: Option<&Path>,
    typed: &[String],
) -> Result<Option<Map<String, Value>>, CommandError> {
    if file.is_none() && typed.is_empty() {
        return Ok(None);
    }
    let mut inputs = file.map(read_object).transpose()?.unwrap_or_default();
    for typed in typed {
        let (name, value) = input(typed)?;
        inputs.insert(name, value);
    }
    Ok(Some(inputs))
}

/// How inputs are given that are missing.
pub(super) fn ways_to_give<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let options: Vec<_> = names.into_iter().map(|name| format!("--input {name}=…")).collect();
    format!("add {}", options.join(" "))
}

fn input(typed: &str) -> Result<(String, Value), CommandError> {
    let ways = "write `--input child_name=Jay` for a text, and `--input minutes:=15` for a number \
                or any other JSON";
    let bad = |cause: String| {
        CommandError::new(format!("`--input {typed}` cannot be read: {cause}")).hint(ways)
    };
    let (name, value) =
        typed.split_once('=').ok_or_else(|| bad("there is no `=` in it".to_owned()))?;
    let (name, value) = match name.strip_suffix(':') {
        None => (name, Value::from(value)),
        Some(name) => {
            let value = spec_hash::parse_json(value);
            (name, value.map_err(|error| bad(format!("not JSON: {error}")))?)
        }
    };
    if name.is_empty() {
        return Err(bad("no name stands in front of the `=`".to_owned()));
    }
    Ok((name.to_owned(), value))
}

/// Reads a JSON object from a file, or from standard input for `-`.
pub(super) fn read_object(path: &Path) -> Result<Map<String, Value>, CommandError> {
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
            .hint("write a JSON object: `{\"child_name\": \"Jay\", \"minutes\": 15}`")
    };
    if bytes.len() as u64 > INPUT_FILE_BYTES_MAX {
        return Err(bad("the inputs are larger than 1 MiB".to_owned()));
    }
    let text = String::from_utf8(bytes).map_err(|_| bad("the inputs are not UTF-8".to_owned()))?;
    match spec_hash::parse_json(text.trim_start_matches(BYTE_ORDER_MARK)) {
        Ok(Value::Object(inputs)) => Ok(inputs),
        Ok(_) => Err(bad("the inputs are JSON, but not an object".to_owned())),
        Err(error) => Err(bad(format!("the inputs are not JSON: {error}"))),
    }
}

/// Reads one byte more than the limit, which shows that there is more.
fn limited(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(INPUT_FILE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
