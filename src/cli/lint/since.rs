//! Asking git which lines have changed.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use super::arguments::Input;
use crate::cli::error::CommandError;
use dibber_lint::changed::ChangedLines;
use dibber_skill::discover;

/// The lines changed since a revision, with everything that is not committed or not yet known to
/// git.
pub(super) fn changed_lines(revision: &str, input: &Input) -> Result<ChangedLines, CommandError> {
    let mut changed = ChangedLines::default();
    for folder in folders(input) {
        let shown = discover::shown_path(&folder);
        changed.extend(changed_in(revision, &folder)?.in_folder(&shown));
    }
    Ok(changed)
}

/// Where git is asked: in the current folder for everything below it, elsewhere in the folder
/// that was named.
fn folders(input: &Input) -> BTreeSet<PathBuf> {
    let is_below = |path: &Path| {
        path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    };
    let folder = |path: &PathBuf| match path.parent() {
        _ if is_below(path) => PathBuf::from("."),
        Some(parent) if !path.is_dir() => parent.to_owned(),
        _ => path.clone(),
    };
    input.paths().iter().map(folder).collect()
}

fn changed_in(revision: &str, folder: &Path) -> Result<ChangedLines, CommandError> {
    // As a commit, a revision that begins with a dash cannot become an option.
    let commit = format!("{revision}^{{commit}}");
    git(folder, &["rev-parse", "--is-inside-work-tree"])?;
    git(folder, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]).map_err(
        |_| {
            CommandError::new(format!("git does not know the revision `{revision}`"))
                .help("name a commit, a branch or a tag, such as `--since origin/main`")
        },
    )?;
    let diff = git(
        folder,
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
    let untracked = git(folder, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    for path in untracked.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
        changed.add_whole_file(String::from_utf8_lossy(path));
    }
    Ok(changed)
}

fn git(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, CommandError> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| CommandError::io("cannot run git, which `--since` needs", error))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let words = String::from_utf8_lossy(&output.stderr);
    let words = words.trim().lines().next().unwrap_or("it gave no reason");
    Err(CommandError::new(format!("git cannot say what has changed: {words}")))
}
