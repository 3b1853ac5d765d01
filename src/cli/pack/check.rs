//! `dibber pack --check`.

use std::path::Path;

use super::arguments::{DestinationName, PackArgs};
use super::json::PackV1;
use super::problems;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_catalog::pack::{Destination, PackLayout, PackProblem, archive_problems, pack_problems};
use dibber_catalog::{Archive, ArchiveLimits, Digest, SkillContents};
use dibber_text::file::read_argument;
use dibber_text::{Message, message, quote_display, quote_in_full};

/// The most bytes of an archive that is checked (256 MiB).
const ARCHIVE_BYTES_MAX: u64 = 256 << 20;

pub(super) fn run(file: &Path, arguments: &PackArgs, ui: &mut Ui) -> Result<Exit, CommandError> {
    let bytes = read_argument(file, ARCHIVE_BYTES_MAX);
    let bytes = bytes.map_err(|error| CommandError::read(file, error))?;
    let archive = Archive::read(&bytes, ArchiveLimits::ACCEPTED);
    let archive =
        archive.map_err(|error| CommandError::new(error.message()).exit(Exit::BadInput))?;
    let (skills, mut found) = skills(&archive);
    let layout = match archive.skills()[..] {
        [""] => Some(PackLayout::Root),
        [only] if archive.wrapper() == Some(only) => Some(PackLayout::Wrapper),
        _ => None,
    };
    let destination = arguments.destination.map(DestinationName::destination);
    let size = bytes.len() as u64;
    found.extend(destination_problems(&archive, &skills, layout, destination, size));
    let is_refused = problems::show(&found, ui);
    if arguments.json {
        let document = PackV1::of_archive(&archive, file, &bytes, &skills, layout, &found, ui)?;
        ui.print_json(&document)?;
    } else {
        show(&archive, &skills, Digest::of(&bytes), ui)?;
    }
    Ok(if is_refused { Exit::BadInput } else { Exit::Done })
}

/// Returns the skills that can be read, with their directories, and why others cannot.
fn skills(archive: &Archive) -> (Vec<(&str, SkillContents)>, Vec<PackProblem>) {
    let refused = archive.problems.iter().map(|problem| error(problem.with_entry()));
    let mut problems: Vec<_> = refused.collect();
    if !problems.is_empty() {
        return (Vec::new(), problems);
    }
    let mut skills = Vec::new();
    for directory in archive.skills() {
        match archive.skill(Some(directory)) {
            Ok(contents) => skills.push((directory, contents)),
            Err(refusal) => problems.push(error(refusal.message())),
        }
    }
    if skills.is_empty() && problems.is_empty() {
        problems.push(error("there is no `SKILL.md` in the archive"));
    }
    (skills, problems)
}

fn destination_problems(
    archive: &Archive,
    skills: &[(&str, SkillContents)],
    layout: Option<PackLayout>,
    destination: Option<Destination>,
    size: u64,
) -> Vec<PackProblem> {
    let mut problems = Vec::new();
    for (directory, contents) in skills {
        problems.extend(pack_problems(contents, destination).into_iter().map(|mut problem| {
            if !directory.is_empty() {
                problem.path = problem.path.map(|path| format!("{directory}/{path}"));
            }
            problem
        }));
    }
    let Some(destination) = destination.filter(|_| !skills.is_empty()) else { return problems };
    match layout {
        Some(layout) => {
            problems.extend(archive_problems(destination, archive.format, layout, size));
        }
        None => problems.push(error(message![
            destination.title(),
            " expects one skill, and nothing beside it"
        ])),
    }
    problems
}

fn error(message: impl Into<Message>) -> PackProblem {
    let message = message.into();
    PackProblem { path: None, position: None, message, help: None, is_error: true }
}

fn show(
    archive: &Archive,
    skills: &[(&str, SkillContents)],
    digest: Digest,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let files: Vec<_> =
        archive.files().map(|(path, file)| (path.as_str(), file.bytes.len())).collect();
    let listed = problems::table(&files, ui);
    ui.print(listed.as_bytes())?;
    for note in &archive.notes {
        ui.eprintln(message!["note: ", note.with_entry()]);
    }
    for (directory, contents) in skills {
        let name = contents.describe().description.map(|description| description.name);
        let place = if directory.is_empty() { "the top" } else { directory };
        ui.eprintln(message![
            "Skill ",
            quote_in_full(name.as_deref().unwrap_or("without a name")),
            " at ",
            quote_in_full(place),
            ": ",
            quote_display(contents.digest())
        ]);
    }
    let count = quantity(files.len(), "file", "files");
    ui.eprintln(message![quote_in_full(&count), "; the archive is ", quote_display(digest)]);
    Ok(())
}
