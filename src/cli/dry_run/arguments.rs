//! What can be typed behind `dibber dry-run`, and what it means.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, FromArgMatches};
use serde_json::{Map, Value};

use crate::cli::CommandError;
use crate::cli::progress::ClosingLine;
use crate::discover;
use crate::spec_hash::{self, SpecHash};
use crate::text::{BYTE_ORDER_MARK, escape_line};

/// The path that stands for standard input.
const STANDARD_INPUT: &str = "-";
/// The most bytes of a file with inputs (1 MiB).
const INPUT_FILE_BYTES_MAX: u64 = 1 << 20;

/// Show what would be published, and ask nobody
///
/// Shows each skill at and below the given paths as it would be, what the safety checks say of it,
/// and the spec-hash that binds what was shown to what is sent. Nothing leaves this machine. Exits
/// with 3 when a skill would be refused.
#[derive(Args)]
pub(super) struct DryRunArgs {
    /// Folders, or files in skills
    #[arg(default_value = ".", hide_default_value = true)]
    paths: Vec<PathBuf>,

    /// Print JSON, as the server would answer for each skill
    #[arg(long)]
    json: bool,

    /// Print nothing but the arguments of `skill_write`, for one skill
    #[arg(long, conflicts_with_all = ["json", "input", "input_file"])]
    arguments: bool,

    /// Show the prompt with this input filled in, too; `NAME:=JSON` for what is no text (can be
    /// repeated)
    #[arg(long, value_name = "NAME=VALUE")]
    input: Vec<String>,

    /// Take inputs from a JSON object in a file, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    input_file: Option<PathBuf>,

    /// Exit with 3 unless the skill has this spec-hash
    #[arg(long, value_name = "HASH")]
    expect: Option<String>,

    /// Save the preview; with `--expect`, show what has changed since it was saved
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Print no closing line
    #[arg(long, short)]
    quiet: bool,
}

/// What a run of `dibber dry-run` is to do.
pub(super) struct Options {
    pub(super) paths: Vec<PathBuf>,
    pub(super) show: Show,
    /// What the prompt is to be filled in with; none when that was not asked for.
    pub(super) inputs: Option<Map<String, Value>>,
    pub(super) expect: Option<SpecHash>,
    pub(super) save: Option<PathBuf>,
    pub(super) closing_line: ClosingLine,
}

/// What is printed of a skill.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Show {
    /// A page for people.
    Page,
    /// What a server would answer.
    Json,
    /// The arguments alone.
    Arguments,
}

impl Options {
    /// Makes sense of what was typed, and reads the file with inputs.
    pub(super) fn new(matches: &ArgMatches) -> Result<Self, CommandError> {
        let typed = DryRunArgs::from_arg_matches(matches).expect("clap has checked the arguments");
        let inputs = inputs(typed.input_file.as_deref(), &typed.input)?;
        let expect = typed.expect.map(|hash| hash.trim().parse()).transpose();
        let expect = expect.map_err(|error| {
            CommandError::new(format!("`--expect` does not have a spec-hash: {error}"))
                .hint("`dibber hash PATH` prints the one of a skill")
        })?;
        Ok(Self {
            paths: typed.paths.into_iter().map(discover::from_current_folder).collect(),
            show: match (typed.json, typed.arguments) {
                (true, _) => Show::Json,
                (false, true) => Show::Arguments,
                (false, false) => Show::Page,
            },
            inputs,
            expect,
            save: typed.save,
            closing_line: ClosingLine::unless(typed.quiet),
        })
    }

    /// The option that makes sense for one skill alone, when one was given.
    pub(super) fn for_one_skill(&self) -> Option<&'static str> {
        match self {
            Self { show: Show::Arguments, .. } => Some("--arguments"),
            Self { inputs: Some(_), .. } => Some("--input"),
            Self { expect: Some(_), .. } => Some("--expect"),
            Self { save: Some(_), .. } => Some("--save"),
            _ => None,
        }
    }
}

/// Joins the inputs of a file with those that were typed, which count more. Of two that were
/// typed, the last one counts.
fn inputs(
    file: Option<&Path>,
    typed: &[String],
) -> Result<Option<Map<String, Value>>, CommandError> {
    if file.is_none() && typed.is_empty() {
        return Ok(None);
    }
    let mut inputs = file.map(read_inputs).transpose()?.unwrap_or_default();
    for typed in typed {
        let (name, value) = input(typed)?;
        inputs.insert(name, value);
    }
    Ok(Some(inputs))
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

fn read_inputs(path: &Path) -> Result<Map<String, Value>, CommandError> {
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
            .hint("write the inputs as a JSON object: `{\"child_name\": \"Jay\", \"minutes\": 15}`")
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
