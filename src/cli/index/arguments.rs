//! The arguments of `dibber index`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::flags::{DryRun, Yes};

/// Write the index with which a website offers skills
///
/// Writes `.well-known/agent-skills/index.json` below the directory of a website, and what it leads to: the
/// SKILL.md of a skill that has no other files, and an archive for others. Any web server can serve it as
/// it is. Clients find the skills by the address of the site, and verify them by their SHA-256 digests.
///
/// What changes is shown first. Files that an earlier run has written are replaced, or removed if their
/// skill is gone; before other files are replaced, you are asked. If a path or a skill cannot be read,
/// nothing is removed. The index is written last.
///
/// `--check` reads the index of a site, or of a directory, and everything that it leads to, and compares
/// digests, names and descriptions. The exit code is 1 if something differs.
#[derive(Args)]
pub(super) struct IndexArgs {
    /// Directories with skills
    #[arg(default_value = ".", hide_default_value = true)]
    pub(super) paths: Vec<PathBuf>,

    /// Write the index below this directory, which is the top of the website
    #[arg(long, alias = "out", short, value_name = "SITE", required_unless_present = "check")]
    pub(super) output: Option<PathBuf>,

    /// Check this site instead, and write nothing
    #[arg(long, value_name = "URL|SITE", conflicts_with_all = ["paths", "output", "dry_run", "yes"])]
    pub(super) check: Option<String>,

    /// Remove files of skills that are gone, also if something else cannot be read
    #[arg(long, conflicts_with = "check")]
    pub(super) prune: bool,

    #[command(flatten)]
    pub(super) dry_run: DryRun,

    #[command(flatten)]
    pub(super) yes: Yes,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}
