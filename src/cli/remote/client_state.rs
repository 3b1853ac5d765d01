//! What the client keeps between its runs: the journal, and the contents that were published.
//!
//! It belongs to the user, whatever server a command selects: a write to a server at an address is
//! resumed by the same command over the server's own database.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::cli::error::CommandError;
use crate::cli::state_directory::{data_directory, state_directory};
use dibber_client::Journal;
use dibber_client::publish::BaseContents;
use dibber_client::sign_in::SignInStore;

/// The environment variable of the directory where the user's programs keep their state.
pub(super) const STATE_VARIABLE: &str = if cfg!(windows) { "APPDATA" } else { "XDG_STATE_HOME" };
/// The folder of the journal.
const JOURNAL_FOLDER: &str = "journal";
/// The folder of the contents that were published.
const BASES_FOLDER: &str = "published";

/// The folder of the sign-ins to servers.
const SIGN_INS_FOLDER: &str = "sign-ins";

/// The directory of the client's state.
#[derive(Clone, Debug)]
pub(super) struct ClientState {
    directory: PathBuf,
    /// The directory of the database, beside which earlier versions have kept the state, if it is
    /// another one.
    former: Option<PathBuf>,
}

impl ClientState {
    /// Returns the state of this user. `data` is the directory of the database that was typed.
    pub(super) fn locate(data: Option<&Path>) -> Result<Self, CommandError> {
        data_directory(data).map(|data| Self::beside(&data))
    }

    /// Returns the state of this user; it is beside the database of a user without a home directory.
    pub(super) fn beside(data: &Path) -> Self {
        let directory = state_directory().unwrap_or_else(|_| data.to_owned());
        let former = (directory != data).then(|| data.to_owned());
        Self { directory, former }
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the writes that have not ended.
    pub(super) fn journal(&self) -> Journal {
        let journal = Journal::new(self.directory.join(JOURNAL_FOLDER));
        let journal = journal.with_wait_notice(show_journal_wait);
        match &self.former {
            Some(former) => journal.with_former_directory(former.join(JOURNAL_FOLDER)),
            None => journal,
        }
    }

    /// Returns the sign-ins to servers.
    pub(super) fn sign_ins(&self) -> SignInStore {
        SignInStore::new(self.directory.join(SIGN_INS_FOLDER))
    }

    /// Returns the contents that were published.
    pub(super) fn bases(&self) -> BaseContents {
        let bases = BaseContents::new(self.directory.join(BASES_FOLDER));
        match &self.former {
            Some(former) => bases.with_former_directory(former.join(BASES_FOLDER)),
            None => bases,
        }
    }
}

/// Reports that another process has locked the journal, for which this one waits.
fn show_journal_wait(_journal: &Path) {
    // A closed stream changes nothing.
    let line = "waiting for another dibber process that has locked the journal";
    let _ = writeln!(io::stderr(), "{line}");
}

/// Reports that another process changes the records of a project, for which this one waits.
pub(super) fn show_lock_wait(_directory: &Path) {
    // A closed stream changes nothing.
    let line = "waiting for another dibber process that has locked dibber.lock";
    let _ = writeln!(io::stderr(), "{line}");
}
