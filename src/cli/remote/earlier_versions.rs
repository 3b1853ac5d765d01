//! The versions of a skill that git has: what was published from another machine is in the commits
//! that have its record in `dibber.lock`.

use std::io::Read;
use std::iter;
use std::path::Path;
use std::process::Stdio;

use crate::cli::git;
use dibber_client::publish::Published;
use dibber_skill::contract::SkillWrite;
use dibber_skill::discover;
use dibber_skill::draft::Draft;
use dibber_skill::manifest::MANIFEST_FILE_NAME;
use dibber_skill::skill::{SKILL_BYTES_MAX, SKILL_FILE_NAMES};

/// The most commits that are searched, from the last one.
const COMMITS_MAX: &str = "--max-count=20";

/// Returns the versions of a skill in the last commits that have changed its directory, the last one
/// first, each read when it is needed. There are none outside of a repository, and without git.
pub(super) fn earlier_versions(
    directory: &Path,
    published: &Published,
) -> Box<dyn Iterator<Item = SkillWrite>> {
    let commits = git_output(directory, &["rev-list", COMMITS_MAX, "HEAD", "--", "."]);
    let commits = String::from_utf8(commits.unwrap_or_default()).unwrap_or_default();
    let commits: Vec<_> = commits.lines().map(str::to_owned).collect();
    let names = SKILL_FILE_NAMES.into_iter().chain(iter::once(MANIFEST_FILE_NAME));
    let names: Vec<_> = names.map(str::to_owned).chain(published.include.clone()).collect();
    let directory = directory.to_owned();
    Box::new(commits.into_iter().filter_map(move |commit| version(&directory, &commit, &names)))
}

/// Returns what would be published of these files of a commit.
fn version(directory: &Path, commit: &str, names: &[String]) -> Option<SkillWrite> {
    let files = names.iter().filter_map(|name| {
        // Git finds the path from the directory that it runs in.
        let bytes = git_output(directory, &["cat-file", "blob", &format!("{commit}:./{name}")])?;
        Some((name.clone(), bytes))
    });
    let skill = discover::load_published_files(directory, files)?;
    Draft::new(&skill).certain().ok().cloned()
}

/// Returns the output of git, unless it fails or is larger than a file of a skill may be. Nothing is
/// fetched.
fn git_output(directory: &Path, arguments: &[&str]) -> Option<Vec<u8>> {
    let mut command = git::command(directory, arguments);
    command.env("GIT_NO_LAZY_FETCH", "1").stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let mut output = Vec::new();
    let limit = SKILL_BYTES_MAX as u64 + 1;
    let read = child.stdout.take().map(|stdout| stdout.take(limit).read_to_end(&mut output));
    // The pipe is closed, so that git ends if there is more.
    let status = child.wait().ok()?;
    (status.success() && matches!(read, Some(Ok(_))) && output.len() <= SKILL_BYTES_MAX)
        .then_some(output)
}
