//! `dibber family`: the families of the server in this program.

mod add;
mod archive;
pub(super) mod arguments;
mod grants;
mod invite;
pub(super) mod open_server;
mod show;
mod token;
mod token_list;

use clap::{ArgMatches, Args};

use super::{database_address, server_options, session};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use arguments::{Action, FamilyArgs};
use open_server::OpenServer;

pub(super) const COMMAND: Command =
    Command { name: "family", define: FamilyArgs::augment_args, run };

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: FamilyArgs = parse_args(matches);
    let (_, matches) = matches.subcommand().expect("clap requires an action");
    let data = server_options::data(matches)?;
    let name = arguments.family.as_str();
    let database = database_address::database(None, &data)?;
    let open = || session::open_server(&database).map(OpenServer);
    match arguments.action {
        Action::Show { json } => show::run(&open()?, name, &database, json, ui),
        Action::AddChild(typed) => add::child(typed, open, name, ui),
        Action::AddMember(typed) => add::member(&typed, &open()?, name, ui),
        Action::AddCanvas(typed) => add::canvas(&typed, &open()?, name, ui),
        Action::ArchiveSkill(typed) => archive::run(&typed, &open()?, name, ui),
        Action::Token(typed) => token::run(&typed, &open()?, name, ui),
        Action::Invite(typed) => invite::run(&typed, &open()?, name, ui),
        Action::Grants(typed) => grants::run(&typed, &open()?, name, ui),
    }
}
