//! `dibber verify`.

use clap::{ArgMatches, Args};

use super::list::{CURRENT, InstalledV1, print_json, recorded, unrecorded};
use super::scope::{Scope, read_lock};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_text::{message, quote_in_full};

pub(in crate::cli) const COMMAND: Command =
    Command { name: "verify", define: VerifyArgs::augment_args, run };

/// Check the skills that were added against dibber.lock
///
/// Every file is compared with its digest. Nothing is fetched. The exit code is 1 if a file was changed, is
/// missing, was not there, or can be executed and could not before.
#[derive(Args)]
struct VerifyArgs {
    /// Fail, too, if clients find skills here that dibber.lock does not record
    #[arg(long)]
    frozen: bool,

    #[command(flatten)]
    scope: Scope,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: VerifyArgs = parse_args(matches);
    let root = arguments.scope.root()?;
    let lock = read_lock(&root)?;
    let mut items = recorded(&root, &lock);
    let count = items.len();
    if arguments.frozen {
        items.extend(unrecorded(&root, &lock, arguments.scope, ui));
    }
    items.retain(|item| item.state != CURRENT);
    let differing = items.len();
    if arguments.json {
        print_json(items, ui)?;
    } else {
        for item in &items {
            print(item, ui)?;
        }
    }
    if differing > 0 {
        return Ok(Exit::Findings);
    }
    let places = quantity(count, "place", "places");
    let option = arguments.scope.option();
    ui.eprintln(match count {
        0 => message!["no skills were added here; `dibber list", option, "` lists all"],
        _ => message!["all files are as they were added, in ", quote_in_full(&places)],
    });
    Ok(Exit::Done)
}

fn print(item: &InstalledV1, ui: &mut Ui) -> Result<(), CommandError> {
    let mut lines = vec![format!("{}  {}", item.path, item.state)];
    let differences = item.differences.iter();
    lines.extend(differences.map(|it| format!("{}/{}  {}", item.path, it.path, it.kind)));
    for line in lines {
        let line = ui.shown(&line).in_full().to_string();
        ui.print(format!("{line}\n").as_bytes())?;
    }
    Ok(())
}
