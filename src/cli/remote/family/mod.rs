//! `dibber family`: the families of the server in this program.

mod add;
mod archive;
mod arguments;
mod show;
mod token;

use clap::{ArgMatches, Args};

use super::server_options;
use super::session::open_server;
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use arguments::{Action, FamilyArgs};
use dibber_client::ClientError;
use dibber_server::store::{Child, Family};
use dibber_server::{Failure, Server};
use dibber_skill::contract::TIME_ZONE_DEFAULT;
use dibber_skill::names::{Name, Roster};
use dibber_text::{closest_match, ellipsize};

pub(super) const COMMAND: Command =
    Command { name: "family", define: FamilyArgs::augment_args, run };

/// The version of the JSON shapes.
const JSON_VERSION: u32 = 1;

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: FamilyArgs = parse_args(matches);
    let (_, matches) = matches.subcommand().expect("clap requires an action");
    let data = server_options::data(matches)?;
    let name = arguments.family.as_str();
    let open = || open_server(&data).map(OpenServer);
    match arguments.action {
        Action::Show { json } => show::run(&open()?, name, &data, json, ui),
        Action::AddChild(typed) => add::child(typed, open, name, ui),
        Action::AddMember(typed) => add::member(&typed, &open()?, name, ui),
        Action::AddCanvas(typed) => add::canvas(&typed, &open()?, name, ui),
        Action::ArchiveSkill(typed) => archive::run(&typed, &open()?, name, ui),
        Action::Token(typed) => token::run(typed, &open()?, name, ui),
    }
}

/// The server over the database, which is closed at the end.
struct OpenServer(Server);

impl Drop for OpenServer {
    fn drop(&mut self) {
        self.0.store().close();
    }
}

impl OpenServer {
    /// Returns the family with this name. Only `home` is created here: a typing error in a name must
    /// not create a family.
    fn family(&self, name: &str) -> Result<Family, CommandError> {
        let home = self.0.home().map_err(failed)?;
        if home.name == name {
            return Ok(home);
        }
        let families = self.0.families().map_err(failed)?;
        if let Some(family) = families.iter().find(|family| family.name == name) {
            return Ok(family.clone());
        }
        let error = CommandError::new(format!("there is no family `{}`", ellipsize(name)));
        let error = error.exit(Exit::NotFound);
        Err(match closest_match(name, families.iter().map(|family| family.name.as_str())) {
            Some(known) => error.help(format!("there is a family `{known}`")),
            None => error.help("a family is made when somebody is added to it: `add-member`"),
        })
    }

    /// Returns the family with this name, which is created if it does not exist.
    fn family_or_new(&self, name: &str, ui: &mut Ui) -> Result<Family, CommandError> {
        let known = self.0.families().map_err(failed)?;
        let family = self.0.open_or_create_family(name, TIME_ZONE_DEFAULT).map_err(failed)?;
        if known.iter().all(|known| known.id != family.id) {
            let name = ui.masked(&family.name).into_owned();
            ui.say(&format!("made the family `{name}`"));
        }
        Ok(family)
    }
}

/// Converts a failure of the server.
fn failed(failure: Failure) -> CommandError {
    crate::cli::remote::refusal::shown(&ClientError::Refused(Box::new(failure.into_tool_error())))
}

/// Returns the roster of a family's children, whose names must not be shown.
fn roster_of(children: &[Child]) -> Roster {
    let names: Vec<Name> =
        children.iter().filter_map(|child| Name::parse(&child.name).ok()).collect();
    Roster::new(&names)
}
