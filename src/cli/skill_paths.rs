//! The skills that a command reads: at and below its paths, or one on standard input.

use std::io::{self, Read};
use std::path::PathBuf;

use super::error::CommandError;
use super::output::STANDARD_STREAM;
use dibber_skill::discover::{self, DiscoverError, FoundSkill};
use dibber_skill::skill::SKILL_BYTES_MAX;
use dibber_text::message;

/// Finds the skills at and below paths. The path `-` is the `SKILL.md` on standard input.
pub(super) fn find(
    paths: Vec<PathBuf>,
) -> Result<(Vec<FoundSkill>, Vec<DiscoverError>), CommandError> {
    if !paths.iter().any(|path| path.as_os_str() == STANDARD_STREAM) {
        let paths: Vec<_> = paths.into_iter().map(discover::from_current_directory).collect();
        return Ok(discover::find(&paths));
    }
    if paths.len() > 1 {
        return Err(CommandError::new("`-` cannot be given with other paths"));
    }
    Ok((vec![FoundSkill::of_text(read_standard_input()?)], Vec::new()))
}

fn read_standard_input() -> Result<Vec<u8>, CommandError> {
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .take(SKILL_BYTES_MAX as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| CommandError::io("cannot read standard input", error))?;
    if bytes.len() > SKILL_BYTES_MAX {
        let message = message!["standard input is larger than ", SKILL_BYTES_MAX, " bytes"];
        return Err(CommandError::new(message));
    }
    if bytes.is_empty() {
        return Err(CommandError::new("standard input is empty")
            .help("pipe a SKILL.md in, or write the path of a skill instead of `-`"));
    }
    Ok(bytes)
}
