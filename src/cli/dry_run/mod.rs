//! `dibber dry-run`.

mod arguments;
mod json;
pub(super) mod mask;
pub(super) mod render;
pub(super) mod review;
mod run;
mod saved;
mod skill;

use std::time::Instant;

use clap::{ArgMatches, Args};

use super::command::Command;
use super::error::CommandError;
use super::exit::Exit;
use super::skill_paths;
use super::term::ui::Ui;
use crate::cli::output::Output;
use crate::cli::term::style::Style;
use arguments::{DryRunArgs, Options};
use dibber_lint::Settings;
use dibber_text::message;
use render::{RenderContext, Wording};
use run::Run;
use saved::Saved;
use skill::RunContext;

pub(super) const COMMAND: Command =
    Command { name: "dry-run", define: DryRunArgs::augment_args, run };

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let started = Instant::now();
    let options = Options::new(matches)?;
    let roster = ui.names()?;
    let saved =
        options.save.as_ref().and_then(Output::file).map(Saved::read).transpose()?.flatten();
    let (found, problems) = skill_paths::find(options.paths.clone())?;
    if let Some(option) = options.for_one_skill().filter(|_| found.len() > 1) {
        let message = message!["`", option, "` takes one skill, but ", found.len(), " were found"];
        return Err(CommandError::new(message).help("name the folder of one of them"));
    }
    let settings = Settings::default().with_roster(roster.clone());
    let style = Style { color: ui.stdout_color(), width: ui.width() };
    let wording = Wording::Technical;
    let render = RenderContext { wording, style, settings: &settings, roster: &roster };
    let context = RunContext { options: &options, render, saved };
    Run::new(&context, ui, started, found.len()).run(&found, &problems)
}
