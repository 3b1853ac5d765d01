//! `dibber render`.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args};
use serde::Serialize;

use super::command::{Command, parse_args};
use super::dry_run::review::Review;
use super::error::CommandError;
use super::exit::Exit;
use super::flags::OutputFile;
use super::inputs::{inputs, ways_to_give};
use super::mask::mask;
use super::output::{Output, STANDARD_STREAM};
use super::skill_paths;
use super::term::ui::Ui;
use dibber_lint::Settings;
use dibber_text::{escape, escape_controls, message, quote_in_full};

pub(super) const COMMAND: Command =
    Command { name: "render", define: RenderArgs::augment_args, run };

/// Fill in the prompt of a skill, without a server
///
/// Prints the prompt of a skill in a folder as a run with these inputs would read it. This is how
/// a home agent runs a skill of its own: a server does not render a skill of the category
/// `home_agent`.
#[derive(Args)]
struct RenderArgs {
    /// The folder of a skill, or a file in it; `-` for a SKILL.md on standard input
    #[arg(default_value = ".", hide_default_value = true)]
    path: PathBuf,

    /// Fill in this input; `NAME:=JSON` for a value that is not a string (can be repeated)
    #[arg(long, value_name = "NAME=VALUE")]
    input: Vec<String>,

    /// Take inputs from a JSON object in a file, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    input_file: Option<PathBuf>,

    #[command(flatten)]
    output: OutputFile,

    /// Print JSON
    #[arg(long, conflicts_with = "output")]
    json: bool,
}

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Described by `schemas/render.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RenderV1 {
    version: u32,
    path: String,
    rendered_prompt: String,
    ignored_inputs: Vec<String>,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: RenderArgs = parse_args(matches);
    let is_standard_input = |path: &Path| path.as_os_str() == STANDARD_STREAM;
    if is_standard_input(&arguments.path)
        && arguments.input_file.as_deref().is_some_and(is_standard_input)
    {
        return Err(CommandError::new("standard input cannot be both the skill and its inputs")
            .help("name a file for one of them, or give the inputs with `--input NAME=VALUE`"));
    }
    let inputs = inputs(arguments.input_file.as_deref(), &arguments.input)?.unwrap_or_default();
    let roster = ui.names()?;
    let settings = Settings::default().with_roster(roster.clone());
    let (found, problems) = skill_paths::find(vec![arguments.path])?;
    if let Some(problem) = problems.first() {
        return Err(CommandError::from(problem));
    }
    let [found] = &found[..] else {
        let message = message!["only one skill can be rendered, but ", found.len(), " were found"];
        return Err(CommandError::new(message).help("name the folder of one of them"));
    };
    let review =
        Review::load(found, &roster, &settings).map_err(|problem| CommandError::from(&problem))?;
    if let Err(faults) = &review.drafted().hash {
        return Err(review.drafted().no_hash(faults, &settings).exit(Exit::BadInput));
    }
    let rendered = review.render(&inputs, &roster).map_err(|missing| {
        let names: Vec<_> = missing.0.iter().map(|name| format!("`{name}`")).collect();
        CommandError::new(message!["BAD_INPUT: missing ", quote_in_full(&names.join(", "))])
            .help(quote_in_full(&ways_to_give(missing.0.iter().map(String::as_str))))
            .exit(Exit::BadInput)
    })?;
    if arguments.json {
        let masked = |text: &str| mask(text, &roster);
        ui.print_json(&RenderV1 {
            version: VERSION,
            path: masked(&review.path),
            rendered_prompt: rendered.prompt,
            ignored_inputs: rendered.ignored.iter().map(|name| masked(name)).collect(),
        })?;
        return Ok(Exit::Done);
    }
    warn_ignored(&rendered.ignored, ui);
    match arguments.output.output() {
        Output::StandardOutput => print(&rendered.prompt, ui)?,
        file @ Output::File(_) => file.write(whole_lines(&rendered.prompt).as_bytes(), ui)?,
    }
    Ok(Exit::Done)
}

/// Warns of inputs that the skill does not have.
pub(super) fn warn_ignored(names: &[String], ui: &mut Ui) {
    if !names.is_empty() {
        let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
        let word = if names.len() == 1 { "input" } else { "inputs" };
        ui.warning(message!["the skill has no ", word, " ", quote_in_full(&names.join(", "))]);
    }
}

/// Prints a prompt alone, masked already, with a line break at its end. Nothing of it acts on a
/// terminal, also if another program shows it.
pub(super) fn print(prompt: &str, ui: &mut Ui) -> Result<(), CommandError> {
    let prompt = whole_lines(prompt);
    let prompt = if ui.has_live_stdout() { escape(&prompt) } else { escape_controls(&prompt) };
    ui.print(prompt.as_bytes())
}

/// Returns a prompt with a line break at its end.
fn whole_lines(prompt: &str) -> Cow<'_, str> {
    if prompt.ends_with('\n') { prompt.into() } else { format!("{prompt}\n").into() }
}
