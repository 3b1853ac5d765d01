//! The file with the token for clients. Only the owner of the data may read it.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::failure::failed;
use crate::cli::default_zone::DefaultZone;
use crate::cli::error::CommandError;
use dibber_server::Server;
use dibber_server::families::{IssueError, TokenGrant};
use dibber_skill::contract::{Scope, WireEnum};
use dibber_text::atomic_file::{self, Access};
use dibber_text::file::{self, ReadError};
use dibber_text::private::create_private_directory;
use dibber_text::{Message, message, quote_path};

/// The name of the file, in the directory of the database.
const FILE_NAME: &str = "token";
/// The name of the token in the list of tokens.
const TOKEN_NAME: &str = "dibber serve";
/// The most bytes of the file.
const FILE_BYTES_MAX: u64 = 4096;
/// The bits of a file's mode that grant access to others than its owner.
#[cfg(unix)]
const OTHERS: u32 = 0o077;

pub(in crate::cli::remote) struct TokenFile {
    path: PathBuf,
}

impl TokenFile {
    pub(in crate::cli::remote) fn in_directory(data: &Path) -> Self {
        Self { path: data.join(FILE_NAME) }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Issues a token for the founder of the family `home`, unless there is one.
    pub(super) fn prepare(&self, server: &Server) -> Result<(), CommandError> {
        let home = server.home(&DefaultZone::of_typed().name).map_err(failed)?;
        if let Some(token) = self.read()?
            && Self::is_valid(server, &token)?
        {
            return Ok(());
        }
        // A token that is not valid may be one that another process has written and not committed:
        // to issue one waits for that process.
        let owner = server.owner_of(&home.id).map_err(failed)?;
        let grant = TokenGrant {
            user_id: owner.user_id,
            scopes: Scope::all(),
            name: Some(TOKEN_NAME.to_owned()),
            expires_at: None,
        };
        // With a SQLite database, the directory exists already.
        if let Some(directory) = self.path.parent() {
            create_private_directory(directory).map_err(|error| {
                CommandError::io(message!["cannot create ", quote_path(directory)], error)
            })?;
        }
        let path = self.path.clone();
        let issued = server.issue_token(&home.id, grant, move |token| {
            // Only one process at a time is here: one that was faster has written its token.
            if path.exists() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            atomic_file::replace(&path, format!("{token}\n").as_bytes(), Access::Private)
        });
        match issued {
            Ok(_) => Ok(()),
            Err(IssueError::Failed(failure)) => Err(failed(failure)),
            Err(IssueError::Undelivered(error)) => match self.read()? {
                Some(token) if error.kind() == io::ErrorKind::AlreadyExists => {
                    self.check(server, &token)
                }
                _ => Err(CommandError::io(message!["cannot write ", self.shown()], error)),
            },
        }
    }

    fn check(&self, server: &Server, token: &str) -> Result<(), CommandError> {
        if Self::is_valid(server, token)? {
            return Ok(());
        }
        Err(self.error("contains a token that is not valid for this database").help(
            "if it is the right database, delete the file; the next start issues a new token",
        ))
    }

    fn is_valid(server: &Server, token: &str) -> Result<bool, CommandError> {
        Ok(server.caller_of_token(token.trim()).map_err(failed)?.is_some())
    }

    /// Returns the content of the file; none if it does not exist.
    pub(in crate::cli::remote) fn read(&self) -> Result<Option<String>, CommandError> {
        let cannot_read = |error| CommandError::io(message!["cannot read ", self.shown()], error);
        let file = match file::open_regular(&self.path) {
            Ok(file) => file,
            Err(error) if error.is_not_found() => return Ok(None),
            Err(ReadError::Io(error)) => return Err(cannot_read(error)),
            Err(_) => {
                return Err(self.error("is not a regular file"));
            }
        };
        self.check_private(&file.metadata().map_err(cannot_read)?)?;
        let mut text = String::new();
        file.take(FILE_BYTES_MAX).read_to_string(&mut text).map_err(cannot_read)?;
        Ok(Some(text))
    }

    /// Refuses a file that others may read or change: the token grants everything that the owner may
    /// do.
    #[cfg(unix)]
    fn check_private(&self, metadata: &fs::Metadata) -> Result<(), CommandError> {
        use std::os::unix::fs::PermissionsExt;
        if metadata.permissions().mode() & OTHERS == 0 {
            return Ok(());
        }
        let error = self.error("can be read or changed by other users of this computer");
        Err(error.help(message!["run `chmod 600 ", self.shown(), "`"]))
    }

    #[cfg(not(unix))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "modes exist on Unix only")]
    fn check_private(&self, _metadata: &fs::Metadata) -> Result<(), CommandError> {
        Ok(())
    }

    fn error(&self, what: &'static str) -> CommandError {
        CommandError::new(message![self.shown(), " ", what])
    }

    fn shown(&self) -> Message {
        quote_path(&self.path)
    }
}
