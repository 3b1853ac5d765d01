//! `dibber acp emit`.

use std::path::PathBuf;

use clap::{ArgMatches, Args, ValueEnum};

use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use dibber_catalog::acp::{Form, UpdateNotification, Version, is_announced, update_of};
use dibber_catalog::{Catalog, CatalogProblem};
use dibber_lint::report::write_json;
use dibber_skill::discover;
use dibber_text::{Message, message, quote_display, quote_in_full};

pub(super) const ACTION: Command = Command { name: "emit", define: EmitArgs::augment_args, run };

/// Print skills as an agent announces them to an editor
///
/// It is one line of JSON, the notification `session/update`. Skills in the directory of another skill
/// are part of that one, and not listed.
#[derive(Args)]
struct EmitArgs {
    /// Directories, or files in skills
    #[arg(default_value = ".", hide_default_value = true)]
    paths: Vec<PathBuf>,

    /// The session that the notification is for
    #[arg(long, value_name = "ID", default_value = "session")]
    session: String,

    /// The form of the update
    #[arg(long = "as", value_name = "FORM", default_value = "commands")]
    form: FormName,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormName {
    /// `available_commands_update` of version 1, which every editor knows
    Commands,
    /// `available_commands_update` of version 2, whose commands have types
    CommandsV2,
    /// `available_skills_update`, a proposal for version 1
    Skills,
    /// `_dibber/available_skills_update`, as version 2 names what it does not define
    V2,
}

impl From<FormName> for Form {
    fn from(form: FormName) -> Self {
        match form {
            FormName::Commands => Self::Commands(Version::V1),
            FormName::CommandsV2 => Self::Commands(Version::V2),
            FormName::Skills => Self::Skills,
            FormName::V2 => Self::CustomSkills,
        }
    }
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: EmitArgs = parse_args(matches);
    let paths: Vec<PathBuf> =
        arguments.paths.into_iter().map(discover::from_current_directory).collect();
    let catalog = Catalog::read(&paths);
    let mut exit = Exit::Done;
    for problem in &catalog.problems {
        let message = message_of(problem);
        if problem.is_left_out {
            ui.error(&CommandError::new(message));
            exit = Exit::Usage;
        } else {
            ui.warning(message);
        }
    }
    for skill in catalog.skills.iter().filter(|skill| !skill.is_nested) {
        if !is_announced(&skill.description) {
            let message =
                message![quote_in_full(&skill.shown), " is left out: clients refuse its name"];
            ui.error(&CommandError::new(message));
            exit = Exit::Usage;
        }
    }
    // An empty list would withdraw the skills that a client has.
    if exit != Exit::Done && catalog.skills.is_empty() {
        return Ok(exit);
    }
    let update =
        UpdateNotification::new(arguments.session, update_of(&catalog, arguments.form.into()));
    let mut line = Vec::new();
    write_json(&update, &mut line);
    let line = ui.masked(&String::from_utf8_lossy(&line)).into_owned() + "\n";
    ui.print(line.as_bytes())?;
    Ok(exit)
}

/// Returns a problem with its place before it.
fn message_of(problem: &CatalogProblem) -> Message {
    let path = quote_in_full(&problem.path);
    match problem.position {
        Some((line, column)) => message![
            path,
            ":",
            quote_display(line),
            ":",
            quote_display(column),
            ": ",
            problem.message.clone()
        ],
        None => message![path, ": ", problem.message.clone()],
    }
}
