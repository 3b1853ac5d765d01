//! Where the shells look for completions.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use clap_complete::Shell;
use etcetera::BaseStrategy;

use super::scripts::{is_own_script, script};
use crate::cli::error::CommandError;
use crate::cli::write;
use dibber_text::file::read_regular;
use dibber_text::{message, quote_path};

/// The directory for functions of the user in zsh, in the one of its configuration.
const ZSH_FUNCTIONS: &str = ".zfunc";

/// The most bytes of a script that is read.
const SCRIPT_BYTES_MAX: u64 = 1 << 20;

/// The most bytes of a configuration of zsh that is searched.
const CONFIGURATION_BYTES_MAX: u64 = 1 << 20;

/// How the completions for a shell are installed.
pub(in crate::cli) enum Installation {
    /// With a file of their own.
    File(CompletionFile),
    /// With a line in a file of the user, which is not changed by a program.
    Line { file: &'static str, line: &'static str },
}

/// The file with the completions for a shell.
pub(in crate::cli) struct CompletionFile {
    pub(in crate::cli) path: PathBuf,
    pub(in crate::cli) state: FileState,
    /// What to do once it exists.
    pub(super) next: String,
    script: Vec<u8>,
}

/// What is at the path of the completions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum FileState {
    Absent,
    /// The script of this version.
    Current,
    /// A script of another version.
    Outdated,
    /// A file that this program has not written, which is not replaced.
    Foreign,
    /// A symbolic link, a pipe or a directory, which is not replaced.
    NotRegular,
}

/// Returns how the completions for a shell are installed, and whether they are.
pub(in crate::cli) fn plan(shell: Shell) -> Result<Installation, CommandError> {
    let strategy = etcetera::choose_base_strategy().map_err(|_| {
        CommandError::new("cannot determine the home directory")
            .help("print them into a file: `dibber completions bash > FILE`")
    })?;
    let new_terminal = "open a new terminal";
    let (path, next) = match shell {
        Shell::Fish => {
            (strategy.config_dir().join("fish/completions/dibber.fish"), new_terminal.to_owned())
        }
        Shell::Zsh => {
            let home = env::var_os("ZDOTDIR").filter(|directory| !directory.is_empty());
            let home = home.map_or_else(|| strategy.home_dir().to_owned(), PathBuf::from);
            let next = zsh_step(&home.join(".zshrc"), new_terminal);
            (home.join(ZSH_FUNCTIONS).join("_dibber"), next)
        }
        Shell::PowerShell => {
            let line = "dibber completions powershell | Out-String | Invoke-Expression";
            return Ok(Installation::Line { file: "the file that `$PROFILE` names", line });
        }
        Shell::Elvish => {
            let line = "eval (dibber completions elvish | slurp)";
            return Ok(Installation::Line { file: "`rc.elv` of elvish", line });
        }
        _ => (
            strategy.data_dir().join("bash-completion/completions/dibber"),
            format!("{new_terminal}; bash also needs the package bash-completion"),
        ),
    };
    let script = script(shell);
    let state = FileState::of(&path, &script);
    Ok(Installation::File(CompletionFile { path, state, next, script }))
}

impl FileState {
    fn of(path: &Path, script: &[u8]) -> Self {
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::Absent,
            Ok(found) if !found.is_file() => Self::NotRegular,
            _ => match read_regular(path, SCRIPT_BYTES_MAX) {
                Ok(found) if found == script => Self::Current,
                Ok(found) if is_own_script(&found) => Self::Outdated,
                _ => Self::Foreign,
            },
        }
    }
}

/// Returns what makes zsh look into the directory, unless its configuration names it already.
fn zsh_step(configuration: &Path, new_terminal: &str) -> String {
    let text = read_regular(configuration, CONFIGURATION_BYTES_MAX).unwrap_or_default();
    if String::from_utf8_lossy(&text).contains(ZSH_FUNCTIONS) {
        return new_terminal.to_owned();
    }
    format!(
        "add `fpath=(${{ZDOTDIR:-$HOME}}/{ZSH_FUNCTIONS} $fpath); autoload -Uz compinit; compinit` \
         to {}, and {new_terminal}",
        configuration.to_string_lossy()
    )
}

/// Refuses to write over a file that another program or a person has written. What is no regular file
/// may be a link to one.
pub(super) fn check(file: &CompletionFile) -> Result<(), CommandError> {
    let what = match file.state {
        FileState::Absent | FileState::Current | FileState::Outdated => return Ok(()),
        FileState::Foreign => " was not written by dibber, and is not replaced",
        FileState::NotRegular => " is not a regular file, and is not replaced",
    };
    Err(CommandError::new(message![quote_path(&file.path), what])
        .help("remove it, or print the completions into another file: `dibber completions > FILE`"))
}

/// Writes the file.
pub(super) fn write(file: &CompletionFile) -> Result<(), CommandError> {
    check(file)?;
    let directory = file.path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(directory).map_err(|error| {
        CommandError::io(message!["cannot create ", quote_path(directory)], error)
    })?;
    write::replace(&file.path, &file.script)
}
