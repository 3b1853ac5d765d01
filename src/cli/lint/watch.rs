//! Linting again whenever a file changes.
//!
//! Modification times are compared at most five times a second, with the same walk that finds the skills: it
//! works on every file system, network and container mounts included, and needs no limits of the
//! system to be raised.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::arguments::LintOptions;
use super::configuration::current_dir;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use dibber_lint::workspace::ConfigChoice;
use dibber_skill::discover::{FoundSkill, find_with, nearest_config};
use dibber_text::FileStamp;

/// The shortest pause between two walks.
const PAUSE_MIN: Duration = Duration::from_millis(200);
/// How many times longer than a walk the pause after it is, so that watching a large directory
/// leaves the computer idle.
const PAUSE_PER_WALK: u32 = 10;
/// Clears the screen and what was scrolled out of it, and puts the cursor at the top.
const CLEAR: &[u8] = b"\x1B[H\x1B[2J\x1B[3J";

/// A file and its stamp; none if it cannot be read.
type FileState = (PathBuf, Option<FileStamp>);

/// Runs `lint`, and again after every change, until the program is interrupted or its output is
/// closed. What is wrong with a configuration is shown, and may be corrected meanwhile.
pub(super) fn watch(
    options: &LintOptions,
    ui: &mut Ui,
    mut lint: impl FnMut(&mut Ui) -> Result<Exit, CommandError>,
) -> Result<Exit, CommandError> {
    loop {
        let state = files(options);
        if ui.has_live_stdout() {
            ui.print(CLEAR)?;
        }
        match lint(ui) {
            Err(error) if error.is_closed_pipe() || error.is_interrupted() => return Err(error),
            Err(error) => ui.error(&error),
            Ok(_) => {}
        }
        ui.eprintln("Watching for changes; press Ctrl-C to stop");
        loop {
            let started = Instant::now();
            if files(options) != state {
                break;
            }
            thread::sleep(pause_after(started.elapsed()));
        }
    }
}

/// Returns the pause after a walk of that duration.
fn pause_after(walk: Duration) -> Duration {
    PAUSE_MIN.max(walk.saturating_mul(PAUSE_PER_WALK))
}

/// Returns the state of every file that a run reads.
fn files(options: &LintOptions) -> Vec<FileState> {
    let paths = options.input.paths();
    let (skills, _) = find_with(paths, options.ignore_files);
    let config = match &options.config {
        ConfigChoice::Nearest => {
            let first = paths.first().map_or(Path::new("."), PathBuf::as_path);
            nearest_config(first, &current_dir())
        }
        ConfigChoice::File(file) => Some(file.clone()),
        ConfigChoice::Nothing => None,
    };
    let in_skills = skills.iter().flat_map(FoundSkill::files);
    let files = in_skills.chain(config).chain(options.baseline.clone());
    files
        .map(|path| {
            let stamp = FileStamp::of(&path);
            (path, stamp)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_walk_is_followed_by_a_longer_pause() {
        for (walk, pause) in [(0, 200), (20, 200), (21, 210), (3_000, 30_000)] {
            assert_eq!(pause_after(Duration::from_millis(walk)), Duration::from_millis(pause));
        }
        assert_eq!(pause_after(Duration::MAX), Duration::MAX);
    }
}
