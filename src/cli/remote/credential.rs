//! The token for a server, and where it comes from.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::choice::Source;
use crate::cli::error::CommandError;
use crate::cli::lint::configuration;
use dibber_client::Token;
use dibber_skill::config::{Config, ConfigError};
use dibber_text::escape_line;
use dibber_text::file::{self, ReadError};

/// The environment variable with the token.
const VARIABLE: &str = "DIBBER_TOKEN";
/// The most bytes of a file with a token.
const FILE_BYTES_MAX: u64 = 16 << 10;
/// The bits of a file's mode that let others than its owner in.
#[cfg(unix)]
const OTHERS: u32 = 0o077;

/// A token, and where it comes from.
#[derive(Clone, Debug)]
pub(super) struct Credential {
    pub(super) token: Token,
    /// The file or the variable, for people.
    pub(super) from: String,
}

/// The token of the command line or of the environment.
pub(super) fn given(file: Option<&Path>) -> Result<Option<Credential>, CommandError> {
    if let Some(path) = file {
        return read(path).map(Some);
    }
    let Some(text) = std::env::var_os(VARIABLE).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let token = text.to_str().and_then(Token::parse).ok_or_else(|| {
        CommandError::new(format!("{VARIABLE} does not hold a token"))
            .help("a token is one line of letters, digits and signs, without spaces")
    })?;
    Ok(Some(Credential { token, from: VARIABLE.to_owned() }))
}

/// The token of the file that a configuration names. One that comes with a project can only
/// name a file of the project: it must not choose which secret of the user is sent.
pub(super) fn configured(
    config: &Config,
    source: &Source,
) -> Result<Option<Credential>, CommandError> {
    let Some((file, span)) = &config.server.token_file else { return Ok(None) };
    let (Source::Project(config_path) | Source::User(config_path)) = source else {
        return Ok(None);
    };
    let folder = config_path.parent().map_or_else(PathBuf::new, Path::to_owned);
    let path = folder.join(file);
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
    if matches!(source, Source::Project(_)) {
        let is_inside = fs::canonicalize(folder)
            .and_then(|folder| Ok(fs::canonicalize(&path)?.starts_with(folder)));
        // What is not there is said below.
        if !is_inside.unwrap_or(true) {
            let error = ConfigError::new(
                &config.source,
                *span,
                "the token's file lies outside the folder of this `dibber.toml`",
            );
            let error = error.help(
                "name it with `--token-file`, or put `[server]` in your own configuration: a \
                 project does not choose which of your files is sent",
            );
            return Err(configuration::shown(&error, str::to_owned));
        }
    }
    read(&path).map(Some)
}

fn read(path: &Path) -> Result<Credential, CommandError> {
    let shown = escape_line(&path.to_string_lossy()).into_owned();
    let cannot_read = |error| CommandError::io(format_args!("cannot read {shown}"), error);
    let file = file::open_regular(path).map_err(|error| match error {
        ReadError::Io(error) => cannot_read(error),
        _ => CommandError::new(format!(
            "{shown} is not an ordinary file; the token has to be in one"
        )),
    })?;
    check_alone(&file.metadata().map_err(cannot_read)?, &shown)?;
    let mut bytes = Vec::new();
    file.take(FILE_BYTES_MAX).read_to_end(&mut bytes).map_err(cannot_read)?;
    let token = std::str::from_utf8(&bytes).ok().and_then(Token::parse).ok_or_else(|| {
        CommandError::new(format!("{shown} does not hold a token"))
            .help("a token is one line of letters, digits and signs, without spaces")
    })?;
    Ok(Credential { token, from: shown })
}

/// Refuses a file that others can read: whoever has the token can do all that its owner can.
#[cfg(unix)]
fn check_alone(metadata: &fs::Metadata, shown: &str) -> Result<(), CommandError> {
    use std::os::unix::fs::PermissionsExt;
    if metadata.permissions().mode() & OTHERS == 0 {
        return Ok(());
    }
    let message = format!("{shown} can be read or changed by other users of this computer");
    Err(CommandError::new(message).help(format!("make it yours alone: `chmod 600 {shown}`")))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "modes exist on Unix only")]
fn check_alone(_metadata: &fs::Metadata, _shown: &str) -> Result<(), CommandError> {
    Ok(())
}
