//! What will be packed, and how.

use dibber_skill::skill::name;
use dibber_text::{Message, message, quote, quote_display};

use super::destination::Destination;
use super::rules::{PackProblem, pack_problems};
use crate::archive::{ArchiveFormat, ArchiveLayout, write_archive};
use crate::contents::SkillContents;
use crate::digest::Digest;

/// Where `SKILL.md` is in an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackLayout {
    /// At the top.
    Root,
    /// In a directory with the name of the skill.
    Wrapper,
}

/// How a skill is to be packed. What is not said is that of the destination, or a zip file with a directory.
#[derive(Clone, Copy, Debug, Default)]
pub struct PackOptions {
    /// Who it is for.
    pub destination: Option<Destination>,
    /// Where `SKILL.md` is.
    pub layout: Option<PackLayout>,
    /// How it is packed.
    pub format: Option<ArchiveFormat>,
}

/// A skill that is ready to be written as an archive.
#[derive(Clone, Debug)]
pub struct PackPlan {
    /// The name of the skill.
    pub name: String,
    /// How it is packed.
    pub format: ArchiveFormat,
    /// Where `SKILL.md` is.
    pub layout: PackLayout,
    /// The archive.
    pub bytes: Vec<u8>,
    /// The digest of the archive.
    pub digest: Digest,
    /// What would be refused, and what is not as it should be.
    pub problems: Vec<PackProblem>,
}

impl PackPlan {
    /// Returns the name of the file that is usual for it.
    pub fn file_name(&self) -> String {
        format!("{}{}", self.name, self.format.extension())
    }

    /// Returns `true` if the destination would refuse it.
    pub fn is_refused(&self) -> bool {
        self.problems.iter().any(|problem| problem.is_error)
    }
}

/// Packs a skill in memory.
///
/// # Errors
/// If the skill has no name that a file can have.
pub fn plan_pack(contents: &SkillContents, options: PackOptions) -> Result<PackPlan, Message> {
    let name = contents.describe().description.map(|description| description.name);
    let name = name.ok_or("the skill has no name and description, or they cannot be read")?;
    if !name::is_valid(&name) {
        return Err(message!["the name `", quote(&name), "` cannot be that of an archive"]);
    }
    let destination = options.destination;
    let format = options.format.or(destination.map(Destination::format));
    let format = format.unwrap_or(ArchiveFormat::Zip);
    let has_wrapper = destination.is_none_or(Destination::has_wrapper);
    let layout = if has_wrapper { PackLayout::Wrapper } else { PackLayout::Root };
    let layout = options.layout.unwrap_or(layout);
    let packed = match layout {
        PackLayout::Root => ArchiveLayout::Root,
        PackLayout::Wrapper => ArchiveLayout::Wrapper(&name),
    };
    let bytes = write_archive(contents, format, packed)
        .map_err(|error| message!["the skill cannot be packed: ", quote_display(error)])?;
    let mut problems = pack_problems(contents, destination);
    if let Some(destination) = destination {
        problems.extend(archive_problems(destination, format, layout, bytes.len() as u64));
    }
    let digest = Digest::of(&bytes);
    Ok(PackPlan { name, format, layout, bytes, digest, problems })
}

/// Returns what a destination refuses about an archive, whatever is in it.
pub fn archive_problems(
    destination: Destination,
    format: ArchiveFormat,
    layout: PackLayout,
    bytes: u64,
) -> Vec<PackProblem> {
    let problems = [
        format_problem(destination, format),
        layout_problem(destination, layout),
        size_problem(destination, bytes),
    ];
    problems.into_iter().flatten().collect()
}

/// An index may lead to archives of both formats; others take zip files alone.
fn format_problem(destination: Destination, format: ArchiveFormat) -> Option<PackProblem> {
    if destination == Destination::WellKnown || format == destination.format() {
        return None;
    }
    let message = message![destination.title(), " expects a zip file"];
    Some(PackProblem::of_skill(message, "write it to a file whose name ends with `.zip`"))
}

fn layout_problem(destination: Destination, layout: PackLayout) -> Option<PackProblem> {
    if destination.has_wrapper() == (layout == PackLayout::Wrapper) {
        return None;
    }
    let title = destination.title();
    let (expected, option) = if destination.has_wrapper() {
        ("in a directory", "`--layout wrapper`")
    } else {
        ("at the top of the archive", "`--layout root`")
    };
    let message = message![title, " expects `SKILL.md` ", expected];
    Some(PackProblem::of_skill(message, message!["leave the option out, or write ", option]))
}

fn size_problem(destination: Destination, bytes: u64) -> Option<PackProblem> {
    let max = destination.archive_bytes_max().filter(|max| bytes > *max)?;
    let message =
        message!["the archive has ", bytes, " bytes; ", destination.title(), " accepts ", max];
    Some(PackProblem::of_skill(message, "leave files out"))
}
