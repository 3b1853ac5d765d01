//! A prompt with included files, and the same taken apart again.
//!
//! Each file is under a heading with its path. A file that is not Markdown is in a code block, whose
//! fence is longer than any in the file.

use crate::manifest::is_included_path;
use crate::skill::{Bundle, FileKind, SKILL_BYTES_MAX};

/// The extensions of files that are included as they are.
const MARKDOWN_EXTENSIONS: [&str; 3] = [".md", ".markdown", ".txt"];
/// What is before the path in the heading of a file.
const HEADING_START: &str = "\n\n## ";
/// The backticks of the shortest fence.
const FENCE_MIN: usize = 3;

/// An included file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IncludedFile<'a> {
    /// The path from the directory of the skill.
    pub path: &'a str,
    /// The text, with line feeds only.
    pub text: &'a str,
}

/// A prompt with included files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedPrompt {
    /// The prompt.
    pub prompt: String,
    /// The byte at which each file begins, with its heading.
    pub starts: Vec<usize>,
}

/// Returns a prompt of a body and some files. None if it could not be taken apart again: the body
/// or a file contains the heading of a file.
pub fn join_included(body: &str, files: &[IncludedFile<'_>]) -> Option<JoinedPrompt> {
    let (mut prompt, mut starts) = (body.to_owned(), Vec::new());
    for IncludedFile { path, text } in files {
        starts.push(prompt.len());
        prompt += &heading(path);
        if is_markdown(path) {
            prompt += text;
        } else {
            let fence = "`".repeat(longest_run(text).max(FENCE_MIN - 1) + 1);
            prompt += &format!("{fence}{}\n{text}\n{fence}", extension(path));
        }
    }
    let paths: Vec<_> = files.iter().map(|file| file.path).collect();
    let (split_body, split_files) = split_included(&prompt, &paths)?;
    let is_same = split_body == body && split_files == files;
    is_same.then_some(JoinedPrompt { prompt, starts })
}

/// Returns the body of a prompt and the files with these paths, in the same order. None if it does
/// not consist of them.
pub fn split_included<'a>(
    prompt: &'a str,
    paths: &[&'a str],
) -> Option<(&'a str, Vec<IncludedFile<'a>>)> {
    let mut starts = Vec::new();
    let mut from = 0;
    for path in paths {
        let heading = heading(path);
        let at = from + prompt[from..].find(&heading)?;
        from = at + heading.len();
        starts.push((at, from));
    }
    let body = &prompt[..starts.first().map_or(prompt.len(), |(at, _)| *at)];
    let mut files = Vec::new();
    for (index, path) in paths.iter().enumerate() {
        let end = starts.get(index + 1).map_or(prompt.len(), |(at, _)| *at);
        let written = &prompt[starts[index].1..end];
        let text = if is_markdown(path) { written } else { without_fence(written)? };
        files.push(IncludedFile { path, text });
    }
    Some((body, files))
}

/// Returns what keeps the file at a path, which is not read as text, from being included, and what
/// to do about it.
pub(super) fn why_not_included(bundle: &Bundle, path: &str) -> (&'static str, &'static str) {
    const COPY: &str = "copy the text that it leads to into a file of the skill, and include that";
    match bundle.file(path).map(|file| &file.kind) {
        None if bundle.has_directory(path) => ("is a directory", "list its files one by one"),
        None => (
            "does not exist",
            "write the path of a text file from the directory of the skill, or remove it",
        ),
        Some(FileKind::LinkInside) => ("is a symbolic link, which is not followed", COPY),
        Some(FileKind::LinkOutside(_)) => ("is a symbolic link that leads out of the skill", COPY),
        Some(FileKind::LinkBroken(_)) => {
            ("is a symbolic link that leads nowhere", "write the text as a file, or remove it")
        }
        Some(FileKind::Special | FileKind::Directory) => {
            ("is not a regular file", "write the path of a text file, or remove it")
        }
        Some(FileKind::Regular(bytes)) if *bytes > SKILL_BYTES_MAX as u64 => {
            ("is larger than 1 MiB", "include a shorter file; a prompt has its limit, too")
        }
        Some(FileKind::Regular(_)) => {
            ("is not a text file", "only text can be appended to a prompt: remove it")
        }
    }
}

/// Returns the paths of the files that a prompt consists of after its body, if it has the exact form
/// of a prompt with included files. Some headings of a prompt that no file was included in look the
/// same, so this is a guess.
pub fn find_included(prompt: &str) -> Vec<&str> {
    let headings = prompt.match_indices(HEADING_START).filter_map(|(at, _)| {
        let (path, rest) = prompt[at + HEADING_START.len()..].split_once('\n')?;
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_file = name.contains('.') && !path.contains(char::is_whitespace);
        (rest.starts_with('\n') && is_file && is_included_path(path)).then_some(path)
    });
    let paths: Vec<&str> = headings.collect();
    let is_joined = split_included(prompt, &paths)
        .and_then(|(body, files)| join_included(body, &files))
        .is_some_and(|joined| joined.prompt == prompt);
    if is_joined { paths } else { Vec::new() }
}

fn heading(path: &str) -> String {
    format!("{HEADING_START}{path}\n\n")
}

fn is_markdown(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    MARKDOWN_EXTENSIONS.iter().any(|extension| path.ends_with(extension))
}

fn extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if extension.chars().all(|c| c.is_ascii_alphanumeric()) { extension } else { "" }
}

/// Returns the length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

/// Returns the content of a code block.
fn without_fence(block: &str) -> Option<&str> {
    let (first, rest) = block.split_once('\n')?;
    let fence = &first[..first.len() - first.trim_start_matches('`').len()];
    let text = rest.strip_suffix(fence)?.strip_suffix('\n')?;
    (fence.len() >= FENCE_MIN && longest_run(text) < fence.len()).then_some(text)
}
