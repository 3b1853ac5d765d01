//! From the problems of a `skill.toml` to findings.

use super::rule::Check;
use super::rules::RULES;
use dibber_skill::diagnostic::{Finding, RuleMeta};
use dibber_skill::protocol::{self, ProtocolProblemKind};
use dibber_skill::skill::Skill;

/// Returns the problems of the `skill.toml` of a skill.
pub(super) fn findings(skill: &Skill) -> Vec<Finding> {
    let problems = protocol::check(skill).into_iter();
    problems
        .map(|(place, found)| Finding::of_problem(rule_of(found.kind), place, found.problem))
        .collect()
}

/// Returns the rule that reports problems of a kind.
fn rule_of(kind: ProtocolProblemKind) -> &'static RuleMeta {
    let rule = RULES.iter().find(|rule| matches!(rule.check, Check::Protocol(of) if of == kind));
    &rule.expect("every kind of problem has a rule").meta
}
