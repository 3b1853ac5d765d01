//! What a skill asks for and no run has.

use super::model::{ProtocolManifest, Runtime};
use super::problem::{ProtocolProblem, ProtocolProblemKind as Kind};
use crate::diagnostic::Place;
use crate::skill::{Bundle, FileKind, Skill};
use dibber_text::{Problem, Span, message, quote};

/// The files that name packages.
const REQUIREMENTS: [&str; 2] = ["code/requirements.txt", "requirements.txt"];

/// The directories that are not copied for a run.
const SKIPPED: [&str; 2] = [".git", "__pycache__"];

/// Returns the problem of a manifest that names hosts.
pub(super) fn network(manifest: &ProtocolManifest) -> Option<ProtocolProblem> {
    let host = manifest.permissions.network.first()?;
    let message = "runs have no network access: every run of this skill is refused";
    let help = message![
        "remove `",
        quote(&host.value),
        "`, and let the caller pass the data as arguments or blobs"
    ];
    let problem = Problem::new(host.span, message).with_help(help);
    Some(ProtocolProblem { kind: Kind::Unrunnable, problem })
}

/// Returns the problem of a file that names packages, at the first of them.
pub(super) fn requirements(skill: &Skill) -> Option<(Place, ProtocolProblem)> {
    let files = || skill.resources.iter().enumerate();
    REQUIREMENTS.iter().find_map(|path| {
        let (index, file) = files().find(|(_, file)| file.path == *path)?;
        let span = first_package(file.source.text())?;
        let message = "nothing is installed for a run: every run of this skill is refused";
        let help = "use the standard library of Python, or include the code of the packages in the \
                    skill and remove the file";
        let problem = Problem::new(span, message).with_help(help);
        let place = Place::Resource(index, span);
        Some((place, ProtocolProblem { kind: Kind::Unrunnable, problem }))
    })
}

/// Returns the problem of the first file that cannot be copied for a run; that of the entry point is
/// one of its own.
pub(super) fn special_file(bundle: &Bundle, runtime: &Runtime) -> Option<(Place, ProtocolProblem)> {
    let entrypoint = runtime.entrypoint.as_ref().map(|path| path.value.as_str());
    let is_skipped = |path: &str| path.split('/').any(|part| SKIPPED.contains(&part));
    let is_special = |kind: &FileKind| !matches!(kind, FileKind::Regular(_) | FileKind::Directory);
    let file = bundle.files.iter().find(|file| {
        is_special(&file.kind) && !is_skipped(&file.path) && entrypoint != Some(&file.path)
    })?;
    let (is, help) = match file.kind {
        FileKind::Special => ("a pipe, a socket or a device", "remove it from the directory"),
        _ => ("a symbolic link", "replace it by what it leads to"),
    };
    let message =
        message!["`", quote(&file.path), "` is ", is, ": every run of this skill is refused"];
    let problem = Problem::new(Span::default(), message).with_help(help);
    let place = Place::File(file.path.clone());
    Some((place, ProtocolProblem { kind: Kind::Unrunnable, problem }))
}

/// Returns the first line that is not blank, and not a comment.
fn first_package(text: &str) -> Option<Span> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let package = line.trim();
        if !package.is_empty() && !package.starts_with('#') {
            let at = start + line.len() - line.trim_start().len();
            return Some(Span::new(at, at + package.len()));
        }
        start += line.len();
    }
    None
}
