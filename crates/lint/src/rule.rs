//! A rule as data: its documentation, and the function that finds.

use super::skill_secrets::SkillSecrets;
use dibber_skill::diagnostic::{Finding, RuleMeta};
use dibber_skill::names::Roster;
use dibber_skill::skill::Skill;
use dibber_skill::{draft, manifest, protocol};

/// One rule of the linter.
#[derive(Debug)]
pub struct Rule {
    /// The id, the default level and the documentation.
    pub meta: RuleMeta,
    /// How it finds.
    pub check: Check,
}

/// How a rule finds.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// By looking at one skill.
    Skill(fn(&Skill, &mut Vec<Finding>)),
    /// By looking at one skill, and by drafting one that has a `sprout.yaml`, because what is
    /// published is judged more strictly.
    SkillAndDraft(fn(&Skill, &mut Vec<Finding>)),
    /// By looking at the secrets of one skill.
    Secrets(fn(&Skill, &SkillSecrets<'_>, &mut Vec<Finding>)),
    /// By looking for children's names in one skill; does not run without a list of names.
    Names(fn(&Skill, &Roster, &mut Vec<Finding>)),
    /// By parsing `sprout.yaml`: its faults of that kind.
    Manifest(manifest::ManifestProblemKind),
    /// By parsing `skill.toml`: its problems of that kind.
    Protocol(protocol::ProtocolProblemKind),
    /// By drafting a skill that has a `sprout.yaml`: the verdicts of the analyzers with that
    /// reason.
    Draft(draft::Reason),
    /// By analyzing the heartbeats of `sprout.yaml`: the verdicts with that reason.
    Heartbeat(draft::HeartbeatReason),
    /// The run itself finds, because the rule takes more than one skill, or the waivers.
    Runner,
}
