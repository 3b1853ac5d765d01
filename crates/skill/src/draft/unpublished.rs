//! The files of a skill that are not published: everything but `SKILL.md`, `sprout.yaml` and what
//! that includes.

use super::analyze::{ArgumentPart, DraftProblem, REPORTED_MAX, Reason};
use super::build::Draft;
use super::origins::Argument;
use crate::manifest::MANIFEST_FILE_NAME;
use crate::skill::Skill;
use dibber_text::{Problem, Span, message, quote};

/// Prefixes of the names of files that are written for people and not for a model, in lower case.
const HUMAN_FILE_PREFIXES: [&str; 9] = [
    "readme",
    "changelog",
    "license",
    "licence",
    "copying",
    "notice",
    "authors",
    "contributing",
    "security",
];
/// Directories whose files are for those who work on the skill.
const WORKSHOP_DIRECTORIES: [&str; 6] =
    ["test", "tests", "evals", "__tests__", "__pycache__", "node_modules"];
/// Files of the skill in other formats.
const OTHER_FORMATS: [&str; 1] = ["skill.toml"];

/// Returns the paths of the files that stay behind when a skill is published, sorted. Files for
/// people, tests and hidden files are left out.
pub fn unpublished_files<'a>(skill: &'a Skill, draft: &Draft) -> Vec<&'a str> {
    let included = draft.manifest.iter().flat_map(|manifest| &manifest.include);
    let included: Vec<&str> = included.map(|path| path.value.as_str()).collect();
    let nested = skill.bundle.nested_skills();
    let files = skill.bundle.files.iter().map(|file| file.path.as_str());
    let is_left = |path: &&str| {
        *path != skill.bundle.skill_file
            && *path != MANIFEST_FILE_NAME
            && !included.contains(path)
            && !nested.own(path)
            && !is_quiet(path)
    };
    files.filter(is_left).collect()
}

/// Returns `true` if a file is not meant to be published.
fn is_quiet(path: &str) -> bool {
    let (directories, name) = path.rsplit_once('/').unwrap_or(("", path));
    let name = name.to_ascii_lowercase();
    path.split('/').any(|part| part.starts_with('.'))
        || directories.split('/').any(|part| WORKSHOP_DIRECTORIES.contains(&part))
        || HUMAN_FILE_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || OTHER_FORMATS.contains(&name.as_str())
}

/// Returns a problem for each of these files that the prompt mentions.
pub(super) fn mentioned(draft: &Draft, files: &[&str]) -> Vec<DraftProblem> {
    let prompt = &draft.best_effort().prompt;
    let problems = files.iter().filter_map(|path| {
        let span = mention(prompt, path)?;
        let message = message!["`", quote(path), "` is mentioned, and is not published"];
        let help = "list it under `include` in `sprout.yaml` to append it to the prompt, or say \
                    what to do without it";
        let place = ArgumentPart { argument: Argument::Prompt, span: Some(span) };
        let problem = Problem::new(place, message).with_help(help);
        Some(DraftProblem { reason: Reason::UnpublishedFile, problem, correction: None })
    });
    problems.take(REPORTED_MAX).collect()
}

/// Returns where a string mentions a file: by its path, or by its name if that has an extension.
fn mention(text: &str, path: &str) -> Option<Span> {
    let name = path.rsplit('/').next().filter(|name| name.contains('.'));
    [Some(path), name].into_iter().flatten().find_map(|word| find_word(text, word))
}

/// Returns the first place where a word is not a part of a longer one.
fn find_word(text: &str, word: &str) -> Option<Span> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.match_indices(word).map(|(at, _)| Span::new(at, at + word.len())).find(|span| {
        let (before, after) = (&text[..span.start], &text[span.end..]);
        let after_dot = after.strip_prefix('.').and_then(|rest| rest.chars().next());
        let is_longer = before.chars().next_back().is_some_and(is_part)
            || after.chars().next().is_some_and(is_part)
            || after_dot.is_some_and(char::is_alphanumeric);
        !is_longer
    })
}
