//! The arguments of `dibber dry-run`, and the options that they mean.

use std::path::PathBuf;

use clap::{ArgMatches, Args};
use serde_json::{Map, Value};

use crate::cli::command::parse_args;
use crate::cli::definition::QUIET;
use crate::cli::error::CommandError;
use crate::cli::inputs::inputs;
use crate::cli::output::Output;
use crate::cli::term::progress::SummaryLine;
use dibber_skill::spec_hash::SpecHash;
use dibber_text::{message, quote_display};

/// Show what would be published, without a server
///
/// Shows each skill at and below the given paths as it would be published, the results of the
/// safety checks, and the spec-hash that binds what was shown to what is sent. Nothing is sent.
/// Exits with 3 when a skill would be refused.
#[derive(Args)]
pub(super) struct DryRunArgs {
    /// Directories, or files in skills; `-` for a SKILL.md on standard input
    #[arg(default_value = ".", hide_default_value = true)]
    paths: Vec<PathBuf>,

    /// Print JSON, as the server would answer for each skill
    #[arg(long)]
    json: bool,

    /// Print only the arguments of `skill_write`, for one skill
    #[arg(long, conflicts_with_all = ["json", "input", "input_file"])]
    arguments: bool,

    /// Show the prompt with this input filled in, too; `NAME:=JSON` for a value that is
    /// not a string (can be repeated)
    #[arg(long, value_name = "NAME=VALUE")]
    input: Vec<String>,

    /// Take inputs from a JSON object in a file, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    input_file: Option<PathBuf>,

    /// Exit with 3 unless the skill has this spec-hash
    #[arg(long, value_name = "HASH")]
    expect: Option<String>,

    /// Save the preview; with `--expect`, show what has changed since it was saved; `-` prints the
    /// preview alone
    #[arg(long, value_name = "FILE")]
    save: Option<Output>,
}

/// What a run of `dibber dry-run` does.
pub(super) struct Options {
    pub(super) paths: Vec<PathBuf>,
    pub(super) show: Show,
    /// The inputs of the prompt; none if it is not to be rendered.
    pub(super) inputs: Option<Map<String, Value>>,
    pub(super) expect: Option<SpecHash>,
    pub(super) save: Option<Output>,
    pub(super) summary_line: SummaryLine,
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
    /// Nothing but the preview that is saved.
    Saved,
}

impl Options {
    /// Converts the arguments, and reads the file with inputs.
    pub(super) fn new(matches: &ArgMatches) -> Result<Self, CommandError> {
        let typed: DryRunArgs = parse_args(matches);
        let inputs = inputs(typed.input_file.as_deref(), &typed.input)?;
        let expect = typed.expect.map(|hash| hash.trim().parse()).transpose();
        let expect = expect.map_err(|error| {
            CommandError::new(message!["invalid value of `--expect`: ", quote_display(error)])
                .help("`dibber hash PATH` prints the one of a skill")
        })?;
        let is_preview_printed = typed.save == Some(Output::StandardOutput);
        if is_preview_printed && (typed.json || typed.arguments) {
            let option = if typed.json { "--json" } else { "--arguments" };
            let message = message!["`", option, "` and `--save -` both print"];
            return Err(CommandError::new(message).help("save the preview to a file"));
        }
        Ok(Self {
            paths: typed.paths,
            show: match (typed.json, typed.arguments) {
                (true, _) => Show::Json,
                (false, true) => Show::Arguments,
                (false, false) if is_preview_printed => Show::Saved,
                (false, false) => Show::Page,
            },
            inputs,
            expect,
            save: typed.save,
            summary_line: SummaryLine::unless(matches.get_flag(QUIET)),
        })
    }

    /// Returns an option that requires a single skill, if one is set.
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
