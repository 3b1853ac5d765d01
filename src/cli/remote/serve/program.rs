//! Whether the program of runs can be started, checked before anything is fired: otherwise every run
//! would fail, and the heartbeats would be paused.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::remote::own_config::is_bare_name;
use dibber_server::firing::CommandOptions;
use dibber_text::{Message, message, quote_in_full, quote_path};

/// The variable with the directories in which programs are searched for.
const SEARCH_VARIABLE: &str = "PATH";
/// Where the C library searches if a program does not get the variable.
const SEARCH_DEFAULT: &str =
    if cfg!(target_env = "musl") { "/usr/local/bin:/bin:/usr/bin" } else { "/bin:/usr/bin" };

/// Checks that a program can be started; an error has its help.
pub(super) fn check(options: &CommandOptions) -> Result<(), (Message, Message)> {
    if is_bare_name(&options.program) { check_name(options) } else { check_path(&options.program) }
}

fn check_name(options: &CommandOptions) -> Result<(), (Message, Message)> {
    let has_variable = options.environment.iter().any(|name| name == SEARCH_VARIABLE);
    let searched = env::var_os(SEARCH_VARIABLE).filter(|_| has_variable);
    let searched = searched.unwrap_or_else(|| SEARCH_DEFAULT.into());
    // The program is started in its working directory: what is relative in PATH begins there.
    let mut directories = env::split_paths(&searched).map(|path| options.directory.join(path));
    if directories.any(|directory| is_in(&directory, &options.program)) {
        return Ok(());
    }
    let message = message!["the program `", quote_path(&options.program), "` is not in PATH"];
    let searched = searched.to_string_lossy();
    let help = if has_variable {
        message!["install it, or write its path; PATH is ", quote_in_full(&searched)]
    } else {
        message!["add PATH to `environment`, or write the path of the program"]
    };
    Err((message, help))
}

fn is_in(directory: &Path, program: &Path) -> bool {
    let path = directory.join(program);
    let mut with_suffix = path.clone().into_os_string();
    with_suffix.push(env::consts::EXE_SUFFIX);
    [path, PathBuf::from(with_suffix)].iter().any(|path| check_path(path).is_ok())
}

fn check_path(path: &Path) -> Result<(), (Message, Message)> {
    let shown = || quote_path(path);
    let help = "name a program that exists, with its path or as a name in PATH";
    let Ok(found) = fs::metadata(path) else {
        return Err((message!["the program ", shown(), " does not exist"], help.into()));
    };
    if !found.is_file() {
        return Err((message![shown(), " is not a program"], help.into()));
    }
    #[cfg(unix)]
    {
        use rustix::fs::{Access, access};
        // Whether this user may execute it, which its mode alone does not say.
        if access(path, Access::EXEC_OK).is_err() {
            let message = message!["the program ", shown(), " is not executable"];
            return Err((message, message!["run `chmod +x ", shown(), "`"]));
        }
    }
    Ok(())
}
