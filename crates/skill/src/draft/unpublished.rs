//! The files of a skill that are not published: everything but `SKILL.md`, `sprout.yaml` and what
//! that includes.

use super::analyze::{ArgumentPart, DraftProblem, REPORTED_MAX, Reason};
use super::build::Draft;
use super::origins::Argument;
use crate::manifest::MANIFEST_FILE_NAME;
use crate::skill::Skill;
use dibber_text::{Message, Problem, Span, message, quote};

/// Prefixes of the names of files that are written for people and not for a model, in lower case.
const HUMAN_FILE_PREFIXES: [&str; 12] = [
    "readme",
    "changelog",
    "license",
    "licence",
    "copying",
    "notice",
    "third_party",
    "third-party",
    "thirdparty",
    "authors",
    "contributing",
    "security",
];
/// Directories whose files are for those who work on the skill.
const WORKSHOP_DIRECTORIES: [&str; 6] =
    ["test", "tests", "evals", "__tests__", "__pycache__", "node_modules"];
/// The most files that a message lists.
const FILES_SHOWN_MAX: usize = 5;
/// Directories of licences, in lower case.
const LICENSE_DIRECTORIES: [&str; 4] = ["license", "licenses", "licence", "licences"];
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
        || directories.split('/').any(|part| {
            WORKSHOP_DIRECTORIES.contains(&part)
                || LICENSE_DIRECTORIES.iter().any(|known| part.eq_ignore_ascii_case(known))
        })
        || HUMAN_FILE_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || OTHER_FORMATS.contains(&name.as_str())
}

/// Returns a problem with the files of these that the prompt mentions. It is at the first one, and has a
/// label for every other.
pub(super) fn mentioned(draft: &Draft, files: &[&str]) -> Option<DraftProblem> {
    let prompt = &draft.best_effort().prompt;
    let found = files.iter().filter_map(|path| Some((mention(prompt, path)?, *path)));
    let mut found: Vec<_> = found.take(REPORTED_MAX).collect();
    found.sort_unstable();
    let place = |span| ArgumentPart { argument: Argument::Prompt, span: Some(span) };
    let (&(first, _), others) = found.split_first()?;
    let help = if others.is_empty() {
        "list it under `include` in `sprout.yaml` to append it to the prompt, or say what to do \
         without it"
    } else {
        "list them under `include` in `sprout.yaml` to append them to the prompt, or say what to do \
         without them"
    };
    let problem = Problem::new(place(first), mentioned_message(&found)).with_help(help);
    let problem = others.iter().fold(problem, |problem, (span, path)| {
        problem.with_label(place(*span), message!["`", quote(path), "`"])
    });
    Some(DraftProblem { reason: Reason::UnpublishedFile, problem, correction: None })
}

fn mentioned_message(found: &[(Span, &str)]) -> Message {
    let (shown, more) = found.split_at(found.len().min(FILES_SHOWN_MAX));
    let names: Vec<Message> =
        shown.iter().map(|(_, path)| message!["`", quote(path), "`"]).collect();
    match (names.split_last(), more.len()) {
        (Some((only, [])), _) => message![only.clone(), " is mentioned, and is not published"],
        (Some((last, names)), 0) => {
            let names = Message::join(names.iter().cloned(), ", ");
            message![names, " and ", last.clone(), " are mentioned, and are not published"]
        }
        (_, more) => {
            let (names, files) =
                (Message::join(names, ", "), if more == 1 { " file" } else { " files" });
            message![names, " and ", more, " more", files, " are mentioned, and are not published"]
        }
    }
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
