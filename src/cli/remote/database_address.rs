//! The address of the database of the server in this program.

use std::path::Path;

use crate::cli::error::CommandError;
use dibber_server::store::{DatabaseAddress, database_path};
use dibber_text::{message, quote_display};

/// The environment variable with the address.
pub(super) const DATABASE_VARIABLE: &str = "DIBBER_DATABASE";

/// The environment variable with the password for a URL that has none, as for the programs of
/// PostgreSQL.
const PASSWORD_VARIABLE: &str = "PGPASSWORD";

/// Returns the address that was typed, or that of `DIBBER_DATABASE`; otherwise the database is in the
/// data directory.
pub(super) fn database(typed: Option<&str>, data: &Path) -> Result<DatabaseAddress, CommandError> {
    if let Some(typed) = typed {
        return parse(typed, "--database");
    }
    match variable(DATABASE_VARIABLE) {
        Some(address) => parse(&address, DATABASE_VARIABLE),
        None => Ok(DatabaseAddress::Directory(data.to_owned())),
    }
}

/// Parses an address; `name` is what contains it. The address is not shown: it may have a password.
pub(super) fn parse(text: &str, name: &'static str) -> Result<DatabaseAddress, CommandError> {
    let mut address = DatabaseAddress::parse(text).map_err(|error| {
        CommandError::new(message!["invalid address in `", name, "`: ", quote_display(&error)])
            .help(error.help())
    })?;
    if let DatabaseAddress::Postgres(address) = &mut address
        && let Some(password) = variable(PASSWORD_VARIABLE)
    {
        address.set_default_password(&password);
    }
    Ok(address)
}

/// Returns `true` if the database is a file that does not exist. The first command that needs it
/// creates it; asking for the state of something must not.
pub(super) fn is_new(address: &DatabaseAddress) -> bool {
    match address {
        DatabaseAddress::Directory(directory) => !database_path(directory).exists(),
        DatabaseAddress::Postgres(_) => false,
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
