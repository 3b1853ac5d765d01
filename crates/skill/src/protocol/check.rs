//! What is wrong between a `skill.toml` and the other files of the skill.

use super::model::{ProtocolKind, ProtocolManifest, Runtime};
use super::problem::{ProtocolProblem, ProtocolProblemKind as Kind};
use super::python::{self, Definition};
use super::read;
use super::{check_secrets, check_unrunnable};
use crate::diagnostic::Place;
use crate::manifest::Located;
use crate::skill::{Bundle, BundleFile, BundleKind, FileKind, PROTOCOL_FILE_NAME, Resource, Skill};
use dibber_text::{Problem, Span, closest_match, message, quote};

/// Returns everything that is wrong with the `skill.toml` of a skill, each problem with its place.
/// A skill of another kind has none.
pub fn check(skill: &Skill) -> Vec<(Place, ProtocolProblem)> {
    if skill.bundle.kind != BundleKind::SkillsProtocol {
        return Vec::new();
    }
    let is_manifest = |file: &Resource| file.path == PROTOCOL_FILE_NAME;
    let Some(index) = skill.resources.iter().position(is_manifest) else {
        return without_source(&skill.bundle).into_iter().collect();
    };
    let (manifest, mut problems) = read::manifest(&skill.resources[index].source);
    let is_valid = !problems.iter().any(|found| found.kind == Kind::Invalid);
    let mut in_files = Vec::new();
    problems.extend(name_not_directory(&skill.bundle, &manifest));
    if let Some(runtime) = runtime_of_action(&manifest) {
        problems.extend(wrong_entrypoint(&skill.bundle, runtime));
        in_files.extend(wrong_export(skill, runtime, index));
        problems.extend(check_unrunnable::network(&manifest));
        in_files.extend(check_unrunnable::requirements(skill));
        in_files.extend(check_unrunnable::special_file(&skill.bundle, runtime));
        if is_valid {
            in_files.extend(check_secrets::undeclared(skill, runtime, &manifest.permissions));
        }
    }
    let place = |found: ProtocolProblem| (Place::Resource(index, found.problem.place), found);
    let mut found: Vec<_> = problems.into_iter().map(place).chain(in_files).collect();
    let place_in_file = |place: &Place| match place {
        // The manifest is first.
        Place::Resource(file, span) => (*file != index, *file, Some(*span)),
        Place::SkillFile(_) | Place::File(_) => (true, usize::MAX, None),
    };
    found.sort_by_key(|(place, _)| place_in_file(place));
    found
}

/// Returns the name and version that tell a skill of the Skills Protocol from others; none if its
/// `skill.toml` has no valid name. Build metadata does not make another version.
pub fn identity(skill: &Skill) -> Option<String> {
    let manifest = skill.resources.iter().find(|file| file.path == PROTOCOL_FILE_NAME)?;
    let (manifest, _) = read::manifest(&manifest.source);
    let name = manifest.name?.value;
    let version = manifest.version.map(|version| version.value.to_string());
    let version = version.unwrap_or_default();
    let release = version.split('+').next().unwrap_or_default();
    Some(if release.is_empty() { name.to_string() } else { format!("{name}@{release}") })
}

/// Returns the problem of a manifest that is there, and was not read as text.
fn without_source(bundle: &Bundle) -> Option<(Place, ProtocolProblem)> {
    let file = bundle.file(PROTOCOL_FILE_NAME)?;
    let place = Place::File(PROTOCOL_FILE_NAME.to_owned());
    Some((place, ProtocolProblem::unreadable(&file.kind)))
}

fn runtime_of_action(manifest: &ProtocolManifest) -> Option<&Runtime> {
    let is_action = manifest.kind.as_ref()?.value == ProtocolKind::Action;
    manifest.runtime.as_ref().filter(|_| is_action)
}

/// A directory has the name of its skill, or of a version of it: `family.dates.countdown@1.2.0`.
fn name_not_directory(bundle: &Bundle, manifest: &ProtocolManifest) -> Option<ProtocolProblem> {
    let (directory, name) = (bundle.name.as_deref()?, manifest.name.as_ref()?);
    let text = name.value.as_str();
    let is_version = |rest: &str| {
        let version = manifest.version.as_ref().map(|version| version.value.to_string());
        rest.strip_prefix('@').is_some_and(|rest| version.is_none_or(|version| version == rest))
    };
    if directory.strip_prefix(text).is_some_and(|rest| rest.is_empty() || is_version(rest)) {
        return None;
    }
    let message =
        message!["the name is `", quote(text), "`, but the directory is `", quote(directory), "`"];
    let help = message!["rename the directory to `", quote(text), "`"];
    let problem = Problem::new(name.span, message).with_help(help);
    Some(ProtocolProblem { kind: Kind::NameNotDirectory, problem })
}

fn wrong_entrypoint(bundle: &Bundle, runtime: &Runtime) -> Option<ProtocolProblem> {
    let Located { value: path, span } = runtime.entrypoint.as_ref()?;
    let shown = quote(path);
    let problem = match bundle.file(path).map(|file| &file.kind) {
        Some(FileKind::Regular(_)) => return None,
        Some(FileKind::LinkInside | FileKind::LinkOutside(_) | FileKind::LinkBroken(_)) => {
            let message = message!["`", shown, "` is a symbolic link, which is not followed"];
            Problem::new(*span, message).with_help("replace it by the file itself")
        }
        Some(FileKind::Special | FileKind::Directory) => {
            let message = message!["`", shown, "` is not a regular file"];
            Problem::new(*span, message).with_help("replace it by the file that is to be run")
        }
        None if !bundle.is_complete() => return None,
        None => {
            let message = message!["`", shown, "` does not exist"];
            Problem::new(*span, message).with_help(match similar_path(&bundle.files, path) {
                Some(similar) => message!["did you mean `", quote(similar), "`?"],
                None => "add the file, or write the path of another one".into(),
            })
        }
    };
    Some(ProtocolProblem { kind: Kind::MissingEntrypoint, problem })
}

/// Returns the Python file that was probably meant: a similar path, or the only one.
fn similar_path<'f>(files: &'f [BundleFile], path: &str) -> Option<&'f str> {
    let in_python =
        || files.iter().map(|file| file.path.as_str()).filter(|path| python::is_python(path));
    let only = || {
        let mut files = in_python();
        files.next().filter(|_| files.next().is_none())
    };
    closest_match(path, in_python()).or_else(only)
}

/// Returns the problem of a function that is not there, in the manifest, or of one that cannot be
/// called with arguments, in its file.
fn wrong_export(
    skill: &Skill,
    runtime: &Runtime,
    manifest: usize,
) -> Option<(Place, ProtocolProblem)> {
    let entrypoint = runtime.entrypoint.as_ref()?;
    let Located { value: name, span } = runtime.export.as_ref()?;
    let file = skill.resources.iter().position(|file| file.path == entrypoint.value)?;
    let text = skill.resources[file].source.text();
    let (file, problem) = match python::definition(text, name) {
        Definition::Other => return None,
        Definition::WithoutParameters(span) => {
            let message = message!["the function `", quote(name), "` takes no arguments"];
            let help = message![
                "write `def ",
                quote(name),
                "(args):`; it is called with the arguments of the run, as a `dict`"
            ];
            (file, Problem::new(span, message).with_help(help))
        }
        Definition::None => (manifest, missing_export(&entrypoint.value, text, name, *span)),
    };
    let place = Place::Resource(file, problem.place);
    Some((place, ProtocolProblem { kind: Kind::MissingExport, problem }))
}

fn missing_export(path: &str, text: &str, name: &str, span: Span) -> Problem {
    let message = message!["`", quote(path), "` does not define the function `", quote(name), "`"];
    let functions = python::functions(text);
    let help = match closest_match(name, functions.iter().copied()).or(functions.first().copied()) {
        Some(function) => message![
            "write `export = \"",
            quote(function),
            "\"`, or define `def ",
            quote(name),
            "(args):` in the file"
        ],
        None => message!["define `def ", quote(name), "(args):` in the file"],
    };
    Problem::new(span, message).with_help(help)
}
