//! The tools that a skill says it uses.

use super::{Argument, Reason, Verdict, Verdicts};
use crate::contract::{PUBLIC_TOOLS, SkillWrite};
use crate::text::{nearest, shorten};

/// The hand of a skill that does something when it runs.
const RUN_HAND: &str = "task_create";
/// The hand of a skill that schedules another one.
const ASSIGNMENT_HAND: &str = "heartbeat_create";

/// `UNKNOWN_HAND` and `MIXED_SHAPE`.
pub(super) fn analyze(arguments: &SkillWrite, verdicts: &mut Verdicts) {
    let hands = &arguments.hands_referenced;
    for (index, hand) in hands.iter().enumerate() {
        if PUBLIC_TOOLS.binary_search_by_key(&hand.as_str(), |tool| tool.name).is_err() {
            let message = format!("no public tool is called `{}`", shorten(hand));
            let fix = match nearest(hand, PUBLIC_TOOLS.iter().map(|tool| tool.name)) {
                Some(known) => format!("write `{known}`"),
                None => "check that the agent that runs the skill has such a tool".to_owned(),
            };
            let verdict = Verdict::new(Reason::UnknownHand, Argument::Hand(index), message);
            verdicts.push(verdict.fix(fix));
        }
    }
    let index_of = |name: &str| hands.iter().position(|hand| hand == name);
    if let (Some(_), Some(index)) = (index_of(RUN_HAND), index_of(ASSIGNMENT_HAND)) {
        let message = format!("the skill uses both `{RUN_HAND}` and `{ASSIGNMENT_HAND}`");
        let verdict = Verdict::new(Reason::MixedShape, Argument::Hand(index), message)
            .fix("make two skills of it: one that does the work, and one that schedules the first");
        verdicts.push(verdict);
    }
}
