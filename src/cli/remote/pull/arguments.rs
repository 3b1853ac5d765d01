//! The arguments of `dibber pull`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::flags::{DryRun, Yes};

/// Write skills of a server into files
///
/// Writes a SKILL.md and a sprout.yaml that a push would publish as the same skill. A folder that
/// was published as the skill is updated: its other files and all equivalent text stay. Changes of
/// the folder are kept where the server has not changed the same field. A file that would lose a
/// change is shown as a diff, and written only with `--force`, at a terminal after a question.
#[derive(Args)]
pub(super) struct PullArgs {
    /// The skills: ids, labels or names, or folders that were published
    #[arg(value_name = "SKILL", required_unless_present = "all")]
    pub(super) skills: Vec<String>,

    /// Every skill of the server that is not archived
    #[arg(long, conflicts_with = "skills")]
    pub(super) all: bool,

    /// The folder to make the folders of skills in
    ///
    /// Created if it does not exist. A skill that a folder is linked to is pulled into that folder.
    #[arg(long, value_name = "DIR")]
    pub(super) into: Option<PathBuf>,

    /// Overwrite files that have changes of their own
    #[arg(long)]
    pub(super) force: bool,

    #[command(flatten)]
    pub(super) yes: Yes,

    #[command(flatten)]
    pub(super) dry_run: DryRun,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}
