//! The tools that a skill says it uses.

use std::collections::BTreeSet;

use super::{Argument, Reason, Verdict, Verdicts};
use crate::contract::{
    HEARTBEAT_CREATE, PUBLIC_TOOLS, PublicTool, SkillWrite, TASK_CREATE, wire_name,
};
use crate::draft::hands::position;
use dibber_text::{closest_match, ellipsize};

/// `UNKNOWN_HAND` and `MIXED_SHAPE`.
pub(super) fn analyze(arguments: &SkillWrite, verdicts: &mut Verdicts) {
    let hands = &arguments.hands_referenced;
    for (index, hand) in hands.iter().enumerate() {
        if PublicTool::named(hand).is_none() {
            verdicts.push(Reason::UnknownHand, |reason| unknown(reason, index, hand));
        }
    }
    if let (Some(run), Some(assignment)) =
        (position(hands, TASK_CREATE), position(hands, HEARTBEAT_CREATE))
    {
        verdicts.push(Reason::MixedShape, |reason| {
            let message = format!("the skill uses both `{TASK_CREATE}` and `{HEARTBEAT_CREATE}`");
            let fix = "make two skills of it: one that does the work, and one that schedules it";
            Verdict::new(reason, Argument::Hand(assignment), message, fix)
                .related(Argument::Hand(run), "this one does the work")
        });
    }
}

fn unknown(reason: Reason, index: usize, hand: &str) -> Verdict {
    let message = format!("no public tool is called `{}`", ellipsize(hand));
    let fix = match meant(&wire_name(hand)) {
        Some(known) => format!("write `{known}`"),
        None => "check that the agent that runs the skill has such a tool".to_owned(),
    };
    Verdict::new(reason, Argument::Hand(index), message, fix)
}

/// The public tool that was probably meant: the one of the same words in another order, such as
/// `task_create` for `create_task`, or the one that is most like it.
fn meant(name: &str) -> Option<&'static str> {
    fn words(name: &str) -> BTreeSet<&str> {
        name.split(['_', '-']).collect()
    }
    let known = || PUBLIC_TOOLS.iter().map(|tool| tool.name);
    let lower = name.to_ascii_lowercase();
    known().find(|tool| words(tool) == words(&lower)).or_else(|| closest_match(name, known()))
}
