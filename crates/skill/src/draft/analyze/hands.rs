//! The tools that a skill declares as used.

use std::collections::BTreeSet;

use super::problem::{ArgumentPart, DraftProblems, problem};
use super::reason::Reason;
use crate::contract::{
    HEARTBEAT_CREATE, PUBLIC_TOOLS, PublicTool, SkillWrite, TASK_CREATE, wire_name,
};
use crate::draft::hands::position;
use crate::draft::origins::Argument;
use dibber_text::{
    Problem, closest_match, is_blank, is_invisible, is_terminal_control, message, quote,
};

/// `INVALID_HAND`, `UNKNOWN_HAND` and `MIXED_SHAPE`.
pub(super) fn analyze(arguments: &SkillWrite, problems: &mut DraftProblems) {
    let hands = &arguments.hands_referenced;
    for (index, hand) in hands.iter().enumerate() {
        if is_blank(hand) || hand.chars().any(|c| c.is_whitespace() || is_unprintable(c)) {
            problems.push(Reason::InvalidHand, || {
                let message = message!["`", quote(hand), "` is not the name of a tool"];
                problem(Argument::Hand(index), message, "write the name as tools/list has it")
            });
        } else if PublicTool::named(hand).is_none() {
            problems.push(Reason::UnknownHand, || unknown(index, hand));
        }
    }
    if let (Some(run), Some(assignment)) =
        (position(hands, TASK_CREATE), position(hands, HEARTBEAT_CREATE))
    {
        problems.push(Reason::MixedShape, || {
            let message =
                message!["the skill uses both `", TASK_CREATE, "` and `", HEARTBEAT_CREATE, "`"];
            let help = "split it into a skill that does the work and a skill that schedules it";
            problem(Argument::Hand(assignment), message, help)
                .with_label(Argument::Hand(run).into(), "this one does the work")
        });
    }
}

fn is_unprintable(c: char) -> bool {
    is_terminal_control(c) || is_invisible(c)
}

fn unknown(index: usize, hand: &str) -> Problem<ArgumentPart> {
    let message = message!["`", quote(hand), "` is not a public tool"];
    let help = match suggestion(&wire_name(hand)) {
        Some(known) => message!["write `", known, "`"],
        None => message!["check that the agent that runs the skill has this tool"],
    };
    problem(Argument::Hand(index), message, help)
}

/// Returns the public tool that was probably meant: the one with the same words in another order,
/// such as `task_create` for `create_task`, or the most similar one.
fn suggestion(name: &str) -> Option<&'static str> {
    fn words(name: &str) -> BTreeSet<&str> {
        name.split(['_', '-']).collect()
    }
    let known = || PUBLIC_TOOLS.iter().map(|tool| tool.name);
    let lowercase = name.to_ascii_lowercase();
    known().find(|tool| words(tool) == words(&lowercase)).or_else(|| closest_match(name, known()))
}
