//! Asking git which lines have changed.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::arguments::LintInput;
use crate::cli::error::CommandError;
use crate::cli::git;
use dibber_lint::changed::ChangedLines;
use dibber_skill::discover;
use dibber_text::{message, quote, quote_in_full};

/// Returns the lines changed since a revision, with everything that is not committed or not yet
/// known to git.
pub(super) fn changed_lines(
    revision: &str,
    input: &LintInput,
) -> Result<ChangedLines, CommandError> {
    let mut changed = ChangedLines::default();
    for directory in directories(input) {
        let shown = discover::shown_path(&directory);
        changed.extend(changed_in(revision, &directory)?.in_directory(&shown));
    }
    Ok(changed)
}

/// Returns the directories that git runs in: the current one for everything below it, and
/// otherwise the directory of the path.
fn directories(input: &LintInput) -> BTreeSet<PathBuf> {
    let is_below = |path: &Path| {
        path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    };
    let directory = |path: &PathBuf| match path.parent() {
        _ if is_below(path) => PathBuf::from("."),
        Some(parent) if !path.is_dir() => parent.to_owned(),
        _ => path.clone(),
    };
    input.paths().iter().map(directory).collect()
}

fn changed_in(revision: &str, directory: &Path) -> Result<ChangedLines, CommandError> {
    // As a commit, a revision that begins with a dash cannot become an option.
    let commit = format!("{revision}^{{commit}}");
    run_git(directory, &["rev-parse", "--is-inside-work-tree"]).map_err(|error| {
        error.help("run it in a clone of the repository; `--baseline FILE` needs no git")
    })?;
    run_git(directory, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])
        .map_err(|_| unknown_revision(revision, directory))?;
    let diff = run_git(
        directory,
        &[
            "diff",
            "--unified=0",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--no-prefix",
            "--no-renames",
            "--relative",
            "--end-of-options",
            &commit,
            "--",
        ],
    )?;
    let mut changed = ChangedLines::parse(&String::from_utf8_lossy(&diff));
    let untracked = run_git(directory, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    for path in untracked.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
        changed.add_whole_file(String::from_utf8_lossy(path));
    }
    Ok(changed)
}

/// Returns the error of a revision that git does not know: in a clone without the whole history, as
/// CI services make it, it may only be missing.
fn unknown_revision(revision: &str, directory: &Path) -> CommandError {
    let is_shallow = run_git(directory, &["rev-parse", "--is-shallow-repository"])
        .is_ok_and(|answer| answer.trim_ascii() == b"true");
    let message = message!["unknown git revision `", quote(revision), "`"];
    if is_shallow {
        let message = message![message, ": this clone has only a part of the history"];
        return CommandError::new(message).help(
            "fetch the rest: `fetch-depth: 0` of actions/checkout, `GIT_DEPTH: 0` in GitLab, or \
             `git fetch --unshallow`",
        );
    }
    CommandError::new(message)
        .help("name a commit, a branch or a tag, such as `--since main`, or fetch it before")
}

fn run_git(directory: &Path, arguments: &[&str]) -> Result<Vec<u8>, CommandError> {
    let output = git::command(directory, arguments)
        .output()
        .map_err(|error| CommandError::io("cannot run git, which `--since` needs", error))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    let reason = stderr.trim().lines().next().unwrap_or("no reason given");
    Err(CommandError::new(message!["cannot list changed lines: git: ", quote_in_full(reason)]))
}
