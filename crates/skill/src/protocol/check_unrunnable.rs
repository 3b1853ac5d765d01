//! What a skill asks for and no run has.

use super::model::{ProtocolManifest, Runtime};
use super::problem::{ProtocolProblem, ProtocolProblemKind as Kind};
use super::requirements::{REQUIREMENTS_FILES, first_package};
use crate::diagnostic::Place;
use crate::skill::{Bundle, FileKind, Skill};
use dibber_text::{Problem, Span, is_skill_part, message, quote};

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
    REQUIREMENTS_FILES.iter().find_map(|path| {
        let (index, file) = files().find(|(_, file)| file.path == *path)?;
        let span = first_package(file.source.text().as_bytes())?;
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
    let is_copied = |path: &str| path.split('/').all(is_skill_part);
    let is_special = |kind: &FileKind| !matches!(kind, FileKind::Regular(_) | FileKind::Directory);
    let file = bundle.files.iter().find(|file| {
        is_special(&file.kind) && is_copied(&file.path) && entrypoint != Some(&file.path)
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
