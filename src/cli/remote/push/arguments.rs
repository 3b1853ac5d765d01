//! The arguments of `dibber push` and `dibber diff`.

use std::path::PathBuf;

use clap::{ArgMatches, Args};

use crate::cli::command::parse_args;
use crate::cli::dry_run::render::Wording;
use crate::cli::error::CommandError;
use crate::cli::flags::{DryRun, Yes};
use dibber_client::publish::{ForeignChanges, Records};
use dibber_skill::discover;
use dibber_skill::spec_hash::SpecHash;
use dibber_text::{message, quote_display};

/// Publish skills with their heartbeats
///
/// Checks each skill at and below the given paths, shows what would be new on the server or what
/// would change there, asks, and publishes it. The heartbeats of its sprout.yaml are made, changed
/// or cancelled with it. What was published is recorded in dibber.lock, so that the next push
/// changes the same skill. Without `--server`, the server in this program is used.
#[expect(clippy::struct_excessive_bools, reason = "flags as typed; `Options` makes enums of them")]
#[derive(Args)]
pub(super) struct PushArgs {
    /// Folders, or files in skills
    #[arg(default_value = ".", hide_default_value = true)]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    yes: Yes,

    #[command(flatten)]
    dry_run: DryRun,

    /// Make new skills, whatever was published before
    #[arg(long)]
    new: bool,

    /// Merge what was changed on the server since the last push into the files, and publish both
    #[arg(long, conflicts_with_all = ["force", "new"])]
    merge: bool,

    /// Overwrite what was changed on the server since the last push
    #[arg(long)]
    force: bool,

    /// Leave the heartbeats as they are, and publish the skills alone
    #[arg(long)]
    no_heartbeats: bool,

    /// Archive the skills whose folders are gone, too
    #[arg(long, conflicts_with = "new")]
    prune: bool,

    /// Publish nothing unless the skill has this spec-hash
    #[arg(long, value_name = "HASH")]
    expect: Option<String>,

    /// List the skills that are up to date, too, and show hashes and sizes
    #[arg(long, short)]
    verbose: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Show what a push would change
///
/// Compares each skill at and below the given paths with the skill on the server, and shows the
/// changes as a push would, and why it would stop. Nothing is written.
#[expect(clippy::struct_excessive_bools, reason = "flags as typed; `Options` makes enums of them")]
#[derive(Args)]
pub(super) struct DiffArgs {
    /// Folders, or files in skills
    #[arg(default_value = ".", hide_default_value = true)]
    paths: Vec<PathBuf>,

    /// Exit with 1 when there is a change
    #[arg(long)]
    exit_code: bool,

    /// Leave the heartbeats out, and compare the skills alone
    #[arg(long)]
    no_heartbeats: bool,

    /// List the skills that are up to date, too
    #[arg(long, short)]
    verbose: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What a run is to do.
pub(super) struct Options {
    pub(super) paths: Vec<PathBuf>,
    pub(super) mode: PushMode,
    pub(super) is_agreed: bool,
    pub(super) records: Records,
    pub(super) conflicts: Conflicts,
    pub(super) missing_skills: MissingSkills,
    pub(super) expect: Option<SpecHash>,
    pub(super) heartbeats: HeartbeatChoice,
    pub(super) is_verbose: bool,
    pub(super) is_json: bool,
}

/// What happens to skills that another writer has changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Conflicts {
    /// They are not published. At a terminal, a person decides.
    Stop,
    /// The changes of both sides are merged, where they do not collide.
    Merge,
    /// They are overwritten.
    Overwrite,
}

impl Conflicts {
    /// Returns what happens to everything that another writer has changed, unless a person decides.
    pub(super) const fn foreign_changes(self) -> ForeignChanges {
        match self {
            Self::Stop | Self::Merge => ForeignChanges::Block,
            Self::Overwrite => ForeignChanges::Overwrite,
        }
    }
}

/// What happens to skills whose folders are gone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MissingSkills {
    /// They are listed.
    Report,
    /// They are archived.
    Archive,
}

/// Whether a push sets heartbeats.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HeartbeatChoice {
    /// They are planned and set together with their skills.
    Set,
    /// They stay as they are.
    Skip,
}

impl HeartbeatChoice {
    const fn of(no_heartbeats: bool) -> Self {
        if no_heartbeats { Self::Skip } else { Self::Set }
    }
}

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PushMode {
    /// To the end.
    Push,
    /// Up to the question.
    Preview,
    /// To the changes.
    Diff {
        /// Whether a change is a reason to fail.
        fails: bool,
    },
}

impl Options {
    /// Returns the words of the pages: those of a parent if a person is asked about what they show.
    pub(super) fn wording(&self, can_ask: bool) -> Wording {
        let is_asked = self.mode == PushMode::Push && !self.is_agreed && can_ask;
        if is_asked && !self.is_verbose && !self.is_json {
            Wording::Everyday
        } else {
            Wording::Technical
        }
    }

    /// Returns `true` if the plan is printed: it is the result of a run that writes nothing, and what
    /// a question is about.
    pub(super) fn shows_plan(&self, is_quiet: bool) -> bool {
        !(self.is_json || (is_quiet && self.is_unlisted()))
    }

    /// Returns `true` if the skills are not listed before they are published: without a question, the
    /// list of what was done comes soon enough.
    pub(super) fn is_unlisted(&self) -> bool {
        self.mode == PushMode::Push && self.is_agreed
    }

    pub(super) fn of_push(matches: &ArgMatches) -> Result<Self, CommandError> {
        let typed: PushArgs = parse_args(matches);
        let expect = typed.expect.map(|hash| hash.trim().parse()).transpose();
        let expect = expect.map_err(|error| {
            CommandError::new(message![
                "`--expect` does not have a spec-hash: ",
                quote_display(error)
            ])
            .help("`dibber hash PATH` prints the one of a skill")
        })?;
        Ok(Self {
            paths: typed.paths.into_iter().map(discover::from_current_directory).collect(),
            mode: if typed.dry_run.is_set() { PushMode::Preview } else { PushMode::Push },
            is_agreed: typed.yes.is_set(),
            records: if typed.new { Records::Ignore } else { Records::Use },
            conflicts: match (typed.force, typed.merge) {
                (true, _) => Conflicts::Overwrite,
                (false, true) => Conflicts::Merge,
                (false, false) => Conflicts::Stop,
            },
            missing_skills: if typed.prune {
                MissingSkills::Archive
            } else {
                MissingSkills::Report
            },
            expect,
            heartbeats: HeartbeatChoice::of(typed.no_heartbeats),
            is_verbose: typed.verbose,
            is_json: typed.json,
        })
    }

    pub(super) fn of_diff(matches: &ArgMatches) -> Self {
        let typed: DiffArgs = parse_args(matches);
        Self {
            paths: typed.paths.into_iter().map(discover::from_current_directory).collect(),
            mode: PushMode::Diff { fails: typed.exit_code },
            is_agreed: false,
            records: Records::Use,
            // What another writer has changed is part of what a push would change.
            conflicts: Conflicts::Overwrite,
            missing_skills: MissingSkills::Report,
            expect: None,
            heartbeats: HeartbeatChoice::of(typed.no_heartbeats),
            is_verbose: typed.verbose,
            is_json: typed.json,
        }
    }
}
