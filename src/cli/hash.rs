//! `dibber hash`.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{ArgMatches, Args};
use serde::Serialize;

use super::command::{Command, parse_args};
use super::drafted::Drafted;
use super::error::CommandError;
use super::error_json::ErrorV1;
use super::exit::Exit;
use super::skill_paths;
use super::term::ui::Ui;
use dibber_lint::ordered::for_each_ordered;
use dibber_lint::{Privacy, Settings};
use dibber_skill::discover::{self, FoundSkill};
use dibber_skill::spec_hash::SpecHash;
use dibber_text::{Mask, Shown};

pub(super) const COMMAND: Command = Command { name: "hash", define: HashArgs::augment_args, run };

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Print the spec-hash of a skill
///
/// The hash binds what a parent was shown to what is published: it changes with every argument of
/// the call and with nothing else. For several skills, the path of each follows its hash.
#[derive(Args)]
struct HashArgs {
    /// Directories, or files in skills; `-` for a SKILL.md on standard input
    #[arg(default_value = ".", hide_default_value = true)]
    paths: Vec<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `schemas/hash.schema.json`.
#[derive(Serialize)]
struct HashV1 {
    version: u32,
    items: Vec<ItemV1>,
    errors: Vec<ErrorV1>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ItemV1 {
    path: String,
    spec_hash: String,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: HashArgs = parse_args(matches);
    let roster = ui.names()?;
    let privacy = Privacy { roster: &roster };
    let settings = Settings::default().with_roster(roster.clone());
    let (found, problems) = skill_paths::find(arguments.paths)?;
    let (mut exit, mut items) = (Exit::Done, Vec::new());
    for problem in &problems {
        ui.error(&CommandError::from(problem));
        exit = Exit::Usage;
    }
    let is_alone = found.len() == 1 && problems.is_empty();
    let ended = for_each_ordered(
        &found,
        |found| hash(found, &settings),
        |hashed| {
            let printed = match hashed {
                Ok((hash, path)) if arguments.json => {
                    let path = privacy.mask(&path).into_owned();
                    items.push(ItemV1 { path, spec_hash: hash.to_string() });
                    Ok(())
                }
                Ok((hash, _)) if is_alone => ui.print(format!("{hash}\n").as_bytes()),
                Ok((hash, path)) => {
                    let path = Shown::new(&path, &privacy).in_full();
                    ui.print(format!("{hash}  {path}\n").as_bytes())
                }
                Err(error) => {
                    ui.error(&error);
                    exit = exit.worst(error.exit_code());
                    Ok(())
                }
            };
            printed.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        },
    );
    if let ControlFlow::Break(error) = ended {
        return Err(error);
    }
    if arguments.json {
        let errors = ui.errors_json();
        ui.print_json(&HashV1 { version: VERSION, items, errors })?;
    }
    Ok(exit)
}

/// Returns the hash of a skill with its path, or why it has none.
fn hash(found: &FoundSkill, settings: &Settings) -> Result<(SpecHash, String), CommandError> {
    let hashed = discover::isolated(&found.shown_skill_file(), || {
        let drafted = Drafted::load(found)?;
        Ok(match &drafted.hash {
            Ok(hash) => Ok((*hash, drafted.path().to_owned())),
            Err(faults) => Err(drafted.no_hash(faults, settings).exit(Exit::BadInput)),
        })
    });
    hashed.unwrap_or_else(|problem| Err(CommandError::from(&problem)))
}
