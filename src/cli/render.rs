//! `dibber render`.

use std::borrow::Cow;
use std::path::PathBuf;

use clap::{ArgMatches, Args};

use super::command::{Command, parse_args};
use super::dry_run::review::Review;
use super::error::CommandError;
use super::exit::Exit;
use super::flags::OutputFile;
use super::inputs::{inputs, ways_to_give};
use super::output::Output;
use super::term::ui::Ui;
use dibber_lint::Settings;
use dibber_skill::discover;
use dibber_text::{escape, message, quote_in_full};

pub(super) const COMMAND: Command =
    Command { name: "render", define: RenderArgs::augment_args, run };

/// Fill in the prompt of a skill, without a server
///
/// Prints the prompt of a skill in a folder as a run with these inputs would read it. This is how
/// a home agent runs a skill of its own: a server does not render a skill of the category
/// `home_agent`.
#[derive(Args)]
struct RenderArgs {
    /// The folder of a skill, or a file in it
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
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: RenderArgs = parse_args(matches);
    let inputs = inputs(arguments.input_file.as_deref(), &arguments.input)?.unwrap_or_default();
    let roster = ui.names()?;
    let settings = Settings::default().with_roster(roster.clone());
    let (found, problems) = discover::find(&[discover::from_current_directory(arguments.path)]);
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

/// Prints a prompt alone, masked already, with a line break at its end. At a terminal it cannot do
/// anything but be read; anywhere else it is data, and comes as it is.
pub(super) fn print(prompt: &str, ui: &mut Ui) -> Result<(), CommandError> {
    let prompt = whole_lines(prompt);
    let prompt = if ui.has_live_stdout() { escape(&prompt) } else { prompt };
    ui.print(prompt.as_bytes())
}

/// Returns a prompt with a line break at its end.
fn whole_lines(prompt: &str) -> Cow<'_, str> {
    if prompt.ends_with('\n') { prompt.into() } else { format!("{prompt}\n").into() }
}
