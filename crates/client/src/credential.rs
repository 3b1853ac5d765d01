//! The token for a server, and where it comes from.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use super::token::Token;
use dibber_text::escape_line;
use dibber_text::file::{self, ReadError};

/// The environment variable with the token for a server.
pub const TOKEN_VARIABLE: &str = "DIBBER_TOKEN";
/// The most bytes of a token file that are read.
const FILE_BYTES_MAX: u64 = 16 << 10;
/// The mode bits of a file that give others than its owner access.
#[cfg(unix)]
const OTHERS: u32 = 0o077;

/// A token, and where it comes from.
#[derive(Clone, Debug)]
pub struct Credential {
    /// The token.
    pub token: Token,
    /// Where it comes from.
    pub source: TokenSource,
}

/// Where a token comes from. It is displayed as a path, escaped, or as the name of the variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenSource {
    /// The environment variable [`TOKEN_VARIABLE`].
    Variable,
    /// A file.
    File(PathBuf),
}

/// Why a token cannot be used.
#[derive(Debug)]
pub enum CredentialError {
    /// Its file cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// Why it cannot be read.
        cause: io::Error,
    },
    /// Its file is a directory, a pipe, a socket or a device.
    NotRegular(PathBuf),
    /// Other users of this computer can read or change its file.
    NotPrivate(PathBuf),
    /// The file or the variable does not contain a token.
    Invalid(TokenSource),
}

impl Credential {
    /// Parses the value of [`TOKEN_VARIABLE`].
    pub(super) fn from_variable(value: &OsStr) -> Result<Self, CredentialError> {
        let token = value.to_str().and_then(Token::parse);
        let token = token.ok_or(CredentialError::Invalid(TokenSource::Variable))?;
        Ok(Self { token, source: TokenSource::Variable })
    }

    /// Reads a token file.
    pub(super) fn read(path: &Path) -> Result<Self, CredentialError> {
        let cannot_read = |cause| CredentialError::Read { path: path.to_owned(), cause };
        let file = file::open_regular(path).map_err(|error| match error {
            ReadError::Io(cause) => cannot_read(cause),
            _ => CredentialError::NotRegular(path.to_owned()),
        })?;
        // The file is open: it cannot be replaced between this check and the reading.
        if !is_private(&file.metadata().map_err(cannot_read)?) {
            return Err(CredentialError::NotPrivate(path.to_owned()));
        }
        let mut bytes = Vec::new();
        file.take(FILE_BYTES_MAX).read_to_end(&mut bytes).map_err(cannot_read)?;
        let source = TokenSource::File(path.to_owned());
        match std::str::from_utf8(&bytes).ok().and_then(Token::parse) {
            Some(token) => Ok(Self { token, source }),
            None => Err(CredentialError::Invalid(source)),
        }
    }
}

/// Returns `true` if only the owner of a file has access: the token can do all that its owner can.
#[cfg(unix)]
fn is_private(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & OTHERS == 0
}

#[cfg(not(unix))]
const fn is_private(_metadata: &fs::Metadata) -> bool {
    true
}

impl fmt::Display for TokenSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable => f.write_str(TOKEN_VARIABLE),
            Self::File(path) => f.write_str(&escape_line(&path.to_string_lossy())),
        }
    }
}

impl fmt::Display for CredentialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |path: &Path| escape_line(&path.to_string_lossy()).into_owned();
        match self {
            Self::Read { path, cause } => write!(f, "cannot read {}: {cause}", shown(path)),
            Self::NotRegular(path) => {
                write!(f, "{} is not a regular file", shown(path))
            }
            Self::NotPrivate(path) => {
                write!(f, "{} can be read or changed by other users of this computer", shown(path))
            }
            Self::Invalid(source) => write!(f, "{source} does not contain a valid token"),
        }
    }
}

impl std::error::Error for CredentialError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { cause, .. } => Some(cause),
            Self::NotRegular(_) | Self::NotPrivate(_) | Self::Invalid(_) => None,
        }
    }
}
