//! `dibber config`: the settings that count here, and where each comes from.

mod lint;
mod programs;
mod setting;
mod settings;

use clap::{ArgMatches, Args, Command as ClapCommand, Subcommand};
use serde::Serialize;

use self::setting::Setting;
use super::session;
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::term::ui::Ui;
use dibber_skill::discover::shown_path;
use dibber_skill::names::Roster;
use dibber_text::escape_line;

pub(super) const COMMAND: Command = Command { name: "config", define, run };

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Show the settings that count here
#[derive(Args)]
struct ConfigArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Show the settings with their values, and where each value comes from
    ///
    /// A setting comes from an option of this command line, from an environment variable, from a file,
    /// such as a line of a `dibber.toml`, from this computer, or is the default. A token is never shown,
    /// and nothing is sent. `dibber servers` lists the servers that have a name.
    Show(ShowArgs),
}

#[derive(Args)]
struct ShowArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `schemas/config.schema.json`.
#[derive(Serialize)]
struct ConfigV1 {
    version: u32,
    items: Vec<SettingV1>,
}

#[derive(Serialize)]
struct SettingV1 {
    name: String,
    value: Option<String>,
    origin: &'static str,
    /// The option or the environment variable.
    by: Option<&'static str>,
    file: Option<String>,
    line: Option<usize>,
    note: Option<&'static str>,
}

fn define(command: ClapCommand) -> ClapCommand {
    ConfigArgs::augment_args(command).mut_subcommands(session::define)
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let ConfigArgs { action: Action::Show(arguments) } = parse_args(matches);
    let roster = ui.names()?;
    let (_, matches) = matches.subcommand().expect("clap requires an action");
    let (settings, error) = settings::collect(matches, ui);
    if arguments.json {
        let items = settings.iter().map(|setting| shape(setting, &roster)).collect();
        ui.print_json(&ConfigV1 { version: VERSION, items })?;
    } else {
        let lines: String = settings.iter().map(|setting| line(setting, &roster)).collect();
        ui.print(lines.as_bytes())?;
    }
    error.map_or(Ok(Exit::Done), Err)
}

fn shape(setting: &Setting, roster: &Roster) -> SettingV1 {
    let origin = &setting.origin;
    SettingV1 {
        name: mask(&setting.name, roster),
        value: setting.value.as_ref().map(|value| mask(value, roster)),
        origin: origin.kind(),
        by: origin.by(),
        file: origin.file().map(|path| mask(&shown_path(path), roster)),
        line: origin.line(),
        note: setting.note,
    }
}

fn line(setting: &Setting, roster: &Roster) -> String {
    let value = setting.value.as_deref().unwrap_or("none");
    let mut line = format!("{} = {value}  # {}", setting.name, setting.origin);
    if let Some(note) = setting.note {
        line += "; ";
        line += note;
    }
    format!("{}\n", escape_line(&mask(&line, roster)))
}
