//! All of what is shown of a skill before it is installed.

use super::findings::{ReviewFinding, denied_findings, security_findings};
use super::hints::{Hint, hints};
use super::scripts::{Script, scripts};
use crate::contents::SkillContents;

/// What a person has to know of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillReview {
    /// The files that are programs.
    pub scripts: Vec<Script>,
    /// What speaks against it: what may harm the user first.
    pub findings: Vec<ReviewFinding>,
    /// Words that hint at the use of the network or a shell.
    pub hints: Vec<Hint>,
}

impl SkillReview {
    /// Returns `true` if something in the skill may harm the user.
    pub fn has_security_findings(&self) -> bool {
        self.findings.iter().any(|finding| finding.is_security)
    }
}

/// Reviews a skill that is to be installed under a name. Nothing of it is run.
pub fn review(contents: &SkillContents, name: &str) -> SkillReview {
    let mut findings = security_findings(contents);
    findings.extend(denied_findings(contents, name));
    SkillReview { scripts: scripts(contents), findings, hints: hints(contents) }
}
