//! The arguments of `dibber acp browse`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::source::{Source, Timing};
use crate::cli::error::CommandError;
use dibber_catalog::acp::{LicenseMatch, OfferedSkill, license_match};

/// What is between the commands of two agents.
const SEPARATOR: &str = "--";

/// Show which skills and commands an agent offers
///
/// The agent is started, asked for a session, and ended. With a second agent after another `--`,
/// `--compare` shows what differs; the exit code is then 1 if something does. `--from` reads a recorded
/// stream of messages instead.
///
/// What an agent says is not trusted. The tools that a skill wants are a wish: `--approve NAME` notes that
/// you have seen them, for the skill as it is now, and the note is lost when the skill changes.
#[derive(Args)]
pub(super) struct BrowseArgs {
    /// Read messages of a file instead, one on a line; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "agent")]
    from: Vec<PathBuf>,

    /// Show only skills that these licences are enough for, as SPDX writes them
    #[arg(long, value_name = "SPDX")]
    license: Vec<String>,

    /// Show only skills that want a tool of this name
    #[arg(long, value_name = "NAME")]
    tool: Vec<String>,

    /// Show only skills with this word in what they need
    #[arg(long, value_name = "WORD")]
    needs: Vec<String>,

    /// Show what differs between two agents
    #[arg(long, conflicts_with_all = ["license", "tool", "needs", "approve"])]
    pub(super) compare: bool,

    /// Note that the tools of this skill are approved
    #[arg(long, value_name = "NAME", conflicts_with = "json")]
    pub(super) approve: Option<String>,

    /// The directory of the session; the current one if none is given
    #[arg(long, value_name = "PATH")]
    directory: Option<PathBuf>,

    /// How long to wait for an agent
    #[arg(long, value_name = "SECONDS", default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..=600))]
    wait: u64,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,

    /// The command of the agent, after `--`
    #[arg(last = true, value_name = "AGENT", required_unless_present = "from")]
    agent: Vec<OsString>,
}

impl BrowseArgs {
    /// Returns what is read: one stream, or two that are compared.
    pub(super) fn sources(&self) -> Result<Vec<Source>, CommandError> {
        let recorded = self.from.iter().map(|file| Source::Recorded(file.clone()));
        let commands = self.agent.split(|word| word == SEPARATOR).filter(|words| !words.is_empty());
        let agents = commands.map(|command| Source::Agent(command.to_vec()));
        let sources: Vec<Source> = recorded.chain(agents).collect();
        match (sources.len(), self.compare) {
            (2, true) | (1, false) => Ok(sources),
            (_, true) => Err(CommandError::new("two agents are compared")
                .help("write `dibber acp browse --compare -- AGENT -- OTHER`, or `--from` twice")),
            (0, false) => Err(CommandError::new("the command of the agent is missing")
                .help("write it after `--`, as you write it in a terminal")),
            (_, false) => Err(CommandError::new("there is more than one agent")
                .help("`--compare` shows what differs between two")),
        }
    }

    /// Returns how an agent is asked.
    pub(super) fn timing(&self) -> Timing {
        let here = || std::env::current_dir().unwrap_or_default();
        let directory = self.directory.clone().unwrap_or_else(here);
        let directory = std::path::absolute(&directory).unwrap_or(directory);
        Timing { directory, wait: Duration::from_secs(self.wait) }
    }

    /// Returns `true` if a skill is shown.
    pub(super) fn is_shown(&self, offered: &OfferedSkill) -> bool {
        let skill = &offered.skill;
        let has_license = self.license.is_empty()
            || license_match(skill.license.as_deref(), &self.license) == LicenseMatch::Accepted;
        // `Bash(git:*)` is a use of `Bash`.
        let name_of = |tool: &String| tool.split('(').next().unwrap_or(tool).to_lowercase();
        let wants = |wanted: &String| {
            skill.allowed_tools.iter().any(|tool| name_of(tool) == wanted.to_lowercase())
        };
        let needed = skill.compatibility.as_deref().unwrap_or_default().to_lowercase();
        has_license
            && (self.tool.is_empty() || self.tool.iter().any(wants))
            && self.needs.iter().all(|word| needed.contains(&word.to_lowercase()))
    }
}
