//! Where sign-ins are kept: a file for each server, which only its owner can read.
//!
//! The key store of the system is not used: on computers without a screen it is missing or waits for a
//! person, and a token in the one place that is read from the other is one that does not work.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::super::address::Address;
use super::error::SignInError;
use super::registration::RegisteredClient;
use super::stored::StoredSignIn;
use dibber_text::atomic_file::{self, Access};
use dibber_text::file::{ReadError, read_regular};
use dibber_text::file_lock::lock_within;
use dibber_text::hex;

/// The most bytes of a file (256 KiB).
const FILE_BYTES_MAX: u64 = 256 << 10;
/// The digits of the name of a file.
const NAME_DIGITS: usize = 32;
/// How long another process may take to renew a token.
const LOCK_LIMIT: Duration = Duration::from_mins(1);

/// The sign-ins of a user.
#[derive(Clone, Debug)]
pub struct SignInStore(PathBuf);

impl SignInStore {
    /// Returns the sign-ins in a directory, which need not exist.
    pub const fn new(directory: PathBuf) -> Self {
        Self(directory)
    }

    /// Returns the file of the sign-in to a server. Its name does not show the server.
    pub fn path(&self, server: &Address) -> PathBuf {
        self.0.join(format!("{}.json", name(server)))
    }

    /// Returns the sign-in to a server, if there is one.
    ///
    /// # Errors
    /// If its file cannot be read.
    pub fn get(&self, server: &Address) -> Result<Option<StoredSignIn>, SignInError> {
        let path = self.path(server);
        Ok(read(&path)?.filter(|stored| stored.server == server.as_str()))
    }

    /// Returns the client as which this program is registered with an issuer, if it is.
    pub fn client_of(&self, issuer: &str) -> Option<RegisteredClient> {
        let files = fs::read_dir(&self.0).ok()?;
        let mut paths: Vec<_> = files.filter_map(Result::ok).map(|file| file.path()).collect();
        paths.sort();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        let mut stored = paths.iter().filter_map(|path| read(path).ok()?);
        stored.find(|stored| stored.issuer == issuer).map(|stored| stored.client)
    }

    /// Stores a sign-in in place of the one that was there.
    ///
    /// # Errors
    /// If its file cannot be written.
    pub fn set(&self, server: &Address, sign_in: &StoredSignIn) -> Result<(), SignInError> {
        let _lock = self.lock(server)?;
        self.write(server, sign_in)
    }

    /// Removes the sign-in to a server.
    ///
    /// # Errors
    /// If its file cannot be removed.
    pub fn remove(&self, server: &Address) -> Result<(), SignInError> {
        let path = self.path(server);
        match fs::remove_file(&path) {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                Err(SignInError::File { path, cause })
            }
            _ => Ok(()),
        }
    }

    /// Locks the sign-in to a server against every other process until the file is dropped.
    pub(super) fn lock(&self, server: &Address) -> Result<File, SignInError> {
        // Beside the file, which is replaced when it is written.
        let path = self.0.join(format!("{}.lock", name(server)));
        let lock = fs::create_dir_all(&self.0).and_then(|()| {
            let file = File::options().create(true).truncate(false).write(true).open(&path)?;
            lock_within(&file, LOCK_LIMIT, || {})?;
            Ok(file)
        });
        lock.map_err(|cause| SignInError::File { path, cause })
    }

    /// Writes a sign-in. The caller holds the lock.
    pub(super) fn write(
        &self,
        server: &Address,
        sign_in: &StoredSignIn,
    ) -> Result<(), SignInError> {
        let path = self.path(server);
        let bytes = serde_json::to_vec_pretty(sign_in).expect("strings and numbers");
        atomic_file::replace(&path, &bytes, Access::Private)
            .map_err(|cause| SignInError::File { path, cause })
    }
}

fn name(server: &Address) -> String {
    let mut name = hex(Sha256::digest(server.as_str()));
    name.truncate(NAME_DIGITS);
    name
}

fn read(path: &Path) -> Result<Option<StoredSignIn>, SignInError> {
    let failed = |cause| SignInError::File { path: path.to_owned(), cause };
    let bytes = match read_regular(path, FILE_BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) if error.is_not_found() => return Ok(None),
        Err(ReadError::Io(cause)) => return Err(failed(cause)),
        Err(error) => return Err(failed(io::Error::other(error.to_string()))),
    };
    // The cause could quote a token.
    let damaged = |_| failed(io::Error::other("it is damaged"));
    serde_json::from_slice(&bytes).map(Some).map_err(damaged)
}
