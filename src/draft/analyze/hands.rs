//! The tools that a skill says it uses.

use super::{Argument, Reason, Verdict, Verdicts};
use crate::contract::{PUBLIC_TOOLS, SkillWrite};
use crate::draft::hands::{ASSIGNMENT_HAND, RUN_HAND, position, public_tool, underscored};
use crate::text::{nearest, shorten};

/// `UNKNOWN_HAND` and `MIXED_SHAPE`.
pub(super) fn analyze(arguments: &SkillWrite, verdicts: &mut Verdicts) {
    let hands = &arguments.hands_referenced;
    for (index, hand) in hands.iter().enumerate() {
        if public_tool(hand).is_none() {
            verdicts.push(Reason::UnknownHand, |reason| unknown(reason, index, hand));
        }
    }
    if let (Some(run), Some(assignment)) =
        (position(hands, RUN_HAND), position(hands, ASSIGNMENT_HAND))
    {
        verdicts.push(Reason::MixedShape, |reason| {
            let message = format!("the skill uses both `{RUN_HAND}` and `{ASSIGNMENT_HAND}`");
            let fix = "make two skills of it: one that does the work, and one that schedules it";
            Verdict::new(reason, Argument::Hand(assignment), message, fix)
                .related(Argument::Hand(run), "and this one does the work")
        });
    }
}

fn unknown(reason: Reason, index: usize, hand: &str) -> Verdict {
    let message = format!("no public tool is called `{}`", shorten(hand));
    let fix = match nearest(&underscored(hand), PUBLIC_TOOLS.iter().map(|tool| tool.name)) {
        Some(known) => format!("write `{known}`"),
        None => "check that the agent that runs the skill has such a tool".to_owned(),
    };
    Verdict::new(reason, Argument::Hand(index), message, fix)
}
