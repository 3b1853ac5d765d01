//! `dibber hash`.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches};

use super::drafted::Drafted;
use super::ordered::for_each_ordered;
use super::{Command, CommandError, Exit, Ui};
use crate::discover;
use crate::lint::Settings;
use crate::text::escape_line;

pub(super) const COMMAND: Command = Command { name: "hash", define: HashArgs::augment_args, run };

/// Print the spec-hash of a skill
///
/// The hash binds what a parent was shown to what is published: it changes with every argument of
/// the call and with nothing else. For several skills, the path of each stands behind its hash.
#[derive(Args)]
struct HashArgs {
    /// Folders, or files in skills
    #[arg(default_value = ".", hide_default_value = true)]
    paths: Vec<PathBuf>,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments = HashArgs::from_arg_matches(matches).expect("clap has checked them");
    let roster = ui.names()?;
    let settings = Settings::default().with_roster(roster.clone());
    let paths: Vec<_> = arguments.paths.into_iter().map(discover::from_current_folder).collect();
    let (found, problems) = discover::find(&paths);
    let mut exit = Exit::Done;
    for problem in &problems {
        ui.error(&CommandError::new(problem.to_string()));
        exit = Exit::Usage;
    }
    let is_alone = found.len() == 1 && problems.is_empty();
    let ended = for_each_ordered(&found, Drafted::load, |drafted| {
        let printed = match drafted {
            Ok(Drafted { hash: Ok(hash), .. }) if is_alone => {
                ui.print(format!("{hash}\n").as_bytes())
            }
            Ok(drafted) => match &drafted.hash {
                Ok(hash) => {
                    let path = roster.mask(drafted.path());
                    ui.print(format!("{hash}  {}\n", escape_line(&path)).as_bytes())
                }
                Err(faults) => {
                    ui.error(&drafted.no_hash(faults, &settings));
                    exit = if exit == Exit::Usage { exit } else { Exit::BadInput };
                    Ok(())
                }
            },
            Err(problem) => {
                ui.error(&CommandError::new(problem.to_string()));
                exit = Exit::Usage;
                Ok(())
            }
        };
        printed.map_or_else(ControlFlow::Break, ControlFlow::Continue)
    });
    match ended {
        ControlFlow::Break(error) => Err(error),
        ControlFlow::Continue(()) => Ok(exit),
    }
}
