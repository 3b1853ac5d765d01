//! The canvases that a skill links.

use std::collections::BTreeSet;

use super::problem::{DraftProblems, problem};
use super::reason::Reason;
use crate::contract::{CANVASES_MAX, SkillWrite};
use crate::draft::origins::Argument;
use dibber_text::{message, quote};

/// `INVALID_CANVAS_ID` and `CANVAS_LIMIT_EXCEEDED`. A canvas that is named twice counts once.
pub(super) fn analyze(arguments: &SkillWrite, problems: &mut DraftProblems) {
    let mut distinct = BTreeSet::new();
    let mut first_too_many = None;
    for (index, canvas) in arguments.canvas_ids.iter().enumerate() {
        if !distinct.insert(canvas.normalized()) {
            continue;
        }
        if distinct.len() > CANVASES_MAX {
            first_too_many.get_or_insert(index);
        }
        if !canvas.is_well_formed() {
            problems.push(Reason::InvalidCanvasId, || {
                let message = message!["`", quote(canvas.as_str()), "` is not a UUID"];
                let help = "copy the id from the canvas; a server of dibber takes only \
                            `123e4567-e89b-12d3-a456-426614174000` and the like";
                problem(Argument::Canvas(index), message, help)
            });
        }
    }
    if let Some(index) = first_too_many {
        problems.push(Reason::TooManyCanvases, || {
            let count = distinct.len();
            let message = message![count, " canvases; a skill links at most ", CANVASES_MAX];
            let help = "remove those that the skill does not need";
            problem(Argument::Canvas(index), message, help)
        });
    }
}
