//! The arguments of a run of a skill or of code, as they are typed.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Map, Value};

use super::error::CommandError;
use super::inputs::{ObjectFile, pair};
use dibber_text::{message, quote, quote_in_full};

/// The file of `--args-json`.
const ARGUMENTS_FILE: ObjectFile = ObjectFile {
    noun: "arguments",
    example: r#"{"date": "2026-12-24", "days": 3}"#,
    mebibytes_max: 16,
};

/// What the function is called with.
#[derive(Args, Clone, Debug)]
pub(super) struct RunArguments {
    /// Pass this argument; `NAME:=JSON` for a value that is not a string (can be repeated)
    #[arg(long, value_name = "NAME=VALUE")]
    args: Vec<String>,

    /// Pass the arguments of a JSON object in a file, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    args_json: Option<PathBuf>,
}

impl RunArguments {
    /// Returns the path of the file, if there is one.
    pub(super) fn file(&self) -> Option<&Path> {
        self.args_json.as_deref()
    }

    /// Joins the arguments of the file with those of the command line, which override them. None if none is
    /// typed.
    pub(super) fn to_object(&self) -> Result<Option<Map<String, Value>>, CommandError> {
        if self.args_json.is_none() && self.args.is_empty() {
            return Ok(None);
        }
        let file = self.file().map(|file| ARGUMENTS_FILE.read(file)).transpose()?;
        let mut object = file.unwrap_or_default();
        let mut typed_names = HashSet::new();
        for typed in &self.args {
            let (name, value) = pair(typed).map_err(|cause| cannot_read(typed, &cause))?;
            if !typed_names.insert(name.clone()) {
                return Err(CommandError::new(message![
                    "`--args ",
                    quote(&name),
                    "` is typed twice"
                ])
                .help("leave one of them out; a list is written as `--args names:='[1, 2]'`"));
            }
            object.insert(name, value);
        }
        Ok(Some(object))
    }
}

fn cannot_read(typed: &str, cause: &str) -> CommandError {
    let (typed, cause) = (quote_in_full(typed), quote_in_full(cause));
    CommandError::new(message!["`--args ", typed, "` cannot be read: ", cause]).help(
        "write `--args city=Berlin` for a string, and `--args days:=3` for a number or any other JSON",
    )
}
