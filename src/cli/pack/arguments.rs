//! The arguments of `dibber pack`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::flags::DryRun;
use crate::cli::output::Output;
use dibber_catalog::ArchiveFormat;
use dibber_catalog::pack::{Destination, PackLayout, PackOptions};

/// Pack a skill as an archive, or check one
///
/// Writes a zip file with everything in a directory that has the name of the skill. The archive has the
/// same bytes on every system: no times, no owners, files in order. What git ignores is left out.
///
/// With `--for`, the rules of the one who accepts the archive are checked first: the fields of the
/// frontmatter, lengths, numbers of files and sizes. Nothing is written if it would be refused.
///
/// `--check` reads an archive of anyone without unpacking it to the disk. It lists what the archive
/// contains, and refuses paths that lead elsewhere, links, names that are the same file on some systems,
/// sizes that are not true, and what would become too large.
///
/// The digest of the archive is printed after it is written. An older archive of the skill is replaced,
/// and another file only with `--force`.
#[derive(Args)]
pub(super) struct PackArgs {
    /// The directory of the skill
    #[arg(default_value = ".", hide_default_value = true)]
    pub(super) path: PathBuf,

    /// Write it to this file; `-` is standard output [default: NAME.zip]
    #[arg(long, alias = "out", short, value_name = "FILE")]
    pub(super) output: Option<Output>,

    /// Replace a file that is not an archive of this skill
    #[arg(long)]
    pub(super) force: bool,

    /// Check the rules of the one it is for
    #[arg(long = "for", value_name = "DESTINATION")]
    pub(super) destination: Option<DestinationName>,

    /// Where SKILL.md is
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<LayoutName>,

    /// Check this archive instead, and write nothing
    #[arg(long, value_name = "ARCHIVE", conflicts_with_all = ["path", "output", "force", "layout", "dry_run"])]
    pub(super) check: Option<PathBuf>,

    #[command(flatten)]
    pub(super) dry_run: DryRun,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Who an archive is for.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum DestinationName {
    /// The API of Anthropic
    Anthropic,
    /// The upload of claude.ai
    ClaudeAi,
    /// The API of OpenAI
    #[value(name = "openai")]
    OpenAi,
    /// The index of a site: a tar file with SKILL.md at its top
    WellKnown,
}

impl DestinationName {
    pub(super) const fn destination(self) -> Destination {
        match self {
            Self::Anthropic => Destination::Anthropic,
            Self::ClaudeAi => Destination::ClaudeAi,
            Self::OpenAi => Destination::OpenAi,
            Self::WellKnown => Destination::WellKnown,
        }
    }
}

/// Where `SKILL.md` is in an archive.
#[derive(Clone, Copy, ValueEnum)]
enum LayoutName {
    /// In a directory with the name of the skill
    Wrapper,
    /// At the top
    Root,
}

impl PackArgs {
    /// Returns how to pack. The format is that of the name of the file, if it has one.
    pub(super) fn options(&self) -> PackOptions {
        let file = self.output.as_ref().and_then(Output::file);
        let name = file.and_then(|file| Some(file.file_name()?.to_string_lossy()));
        PackOptions {
            destination: self.destination.map(DestinationName::destination),
            layout: self.layout.map(|layout| match layout {
                LayoutName::Wrapper => PackLayout::Wrapper,
                LayoutName::Root => PackLayout::Root,
            }),
            format: name.and_then(|name| ArchiveFormat::of_name(&name)),
        }
    }
}
