//! The command that starts a launcher.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

/// The command that starts the launcher: a program that calls [`crate::enter`] first.
#[derive(Clone, Debug)]
pub struct Launcher {
    /// The executable.
    pub program: PathBuf,
    /// Arguments before the one that makes it the launcher, for a program that executes another one.
    pub arguments: Vec<OsString>,
}

impl Launcher {
    /// Returns the executable of this process.
    pub fn current() -> io::Result<Self> {
        Ok(Self { program: std::env::current_exe()?, arguments: Vec::new() })
    }
}
