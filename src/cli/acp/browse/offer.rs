//! What one agent offers.

use super::source::Source;
use dibber_catalog::acp::{Collector, Need, OfferedSkill, ReadProblem, needs_of};

/// What one agent offers.
pub(super) struct Offer {
    /// The command of the agent, or the file.
    pub(super) agent: String,
    /// What distinguishes the agent from others.
    pub(super) key: Vec<String>,
    /// Sorted by name.
    pub(super) skills: Vec<OfferedSkill>,
    pub(super) problems: Vec<ReadProblem>,
}

impl Offer {
    pub(super) fn new(source: &Source, collector: &Collector) -> Self {
        Self {
            agent: source.name(),
            key: source.key(),
            skills: collector.offered(),
            problems: collector.problems().to_vec(),
        }
    }
}

/// Returns what a skill needs, and whether it is missing here. What cannot be looked for is not missing.
pub(super) fn needs(offered: &OfferedSkill) -> Vec<(Need, bool)> {
    let needs = needs_of(offered.skill.compatibility.as_deref().unwrap_or_default());
    let is_missing = |need: &Need| {
        !need.programs.is_empty() && !need.programs.iter().any(|program| is_installed(program))
    };
    needs.into_iter().map(|need| (need, is_missing(&need))).collect()
}

/// Returns `true` if there is a program of that name on the path. It is not started.
fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&path).any(|directory| directory.join(&file).is_file())
}
