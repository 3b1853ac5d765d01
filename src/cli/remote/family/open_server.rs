//! The open server, and what every action on its families needs.

use crate::cli::default_zone::DefaultZone;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::call_errors;
use crate::cli::term::ui::Ui;
use dibber_client::ClientError;
use dibber_server::families::Household;
use dibber_server::store::Family;
use dibber_server::{Failure, Server};
use dibber_skill::names::Roster;
use dibber_text::{closest_match, message, quote};

/// The version of the JSON shapes.
pub(in crate::cli::remote) const JSON_VERSION: u32 = 1;

/// The server over the database, which is closed at the end.
pub(in crate::cli::remote) struct OpenServer(pub(in crate::cli::remote) Server);

impl Drop for OpenServer {
    fn drop(&mut self) {
        self.0.store().close();
    }
}

impl OpenServer {
    /// Returns the families that can be read.
    pub(in crate::cli::remote) fn families(&self) -> Result<Vec<Family>, CommandError> {
        Ok(self.0.families().map_err(failed)?.rows)
    }

    /// Returns the family with this name. Only `home` is created here: a typing error in a name must
    /// not create a family.
    pub(in crate::cli::remote) fn family(&self, name: &str) -> Result<Family, CommandError> {
        let home = self.0.home(&DefaultZone::of_typed().name).map_err(failed)?;
        if home.name == name {
            return Ok(home);
        }
        let families = self.0.families().map_err(failed)?;
        let damaged = families.damaged.len();
        let families = families.rows;
        if let Some(family) = families.iter().find(|family| family.name == name) {
            return Ok(family.clone());
        }
        let error = CommandError::new(message!["unknown family `", quote(name), "`"]);
        let error = error.exit(Exit::NotFound);
        if damaged > 0 {
            return Err(error.help(
                "a family is damaged in the database, and may be this one; `dibber doctor \
                 --database` lists what is damaged",
            ));
        }
        Err(match closest_match(name, families.iter().map(|family| family.name.as_str())) {
            Some(known) => error.help(message!["did you mean `", quote(known), "`?"]),
            None => error.help("`dibber family add-member --family NAME` creates a family"),
        })
    }

    /// Returns the family with this name, which is created if it does not exist.
    pub(super) fn family_or_new(&self, name: &str, ui: &mut Ui) -> Result<Family, CommandError> {
        let known = self.0.families().map_err(failed)?.rows;
        let zone = DefaultZone::of_typed().name;
        let family = self.0.open_or_create_family(name, &zone).map_err(failed)?;
        if known.iter().all(|known| known.id != family.id) {
            ui.eprintln(message!["created the family `", quote(&family.name), "`"]);
        }
        Ok(family)
    }
}

/// Converts a failure of the server.
pub(in crate::cli::remote) fn failed(failure: Failure) -> CommandError {
    call_errors::command_error(&ClientError::Refused(Box::new(failure.into_tool_error())))
}

/// Returns the roster of a family's children, whose names must not be shown.
pub(in crate::cli::remote) fn roster_of(household: &Household) -> Roster {
    Roster::new(&household.child_names)
}
