//! The canvases that a skill links.

use std::collections::BTreeSet;

use super::problem::{DraftProblems, problem};
use super::reason::Reason;
use crate::contract::{CANVASES_MAX, SkillWrite};
use crate::draft::origins::Argument;
use dibber_text::ellipsize;

/// The lengths of the parts of a UUID (RFC 9562), in hexadecimal digits.
const UUID_PARTS: [usize; 5] = [8, 4, 4, 4, 12];

/// `INVALID_CANVAS_ID` and `CANVAS_LIMIT_EXCEEDED`. A canvas that is named twice counts once.
pub(super) fn analyze(arguments: &SkillWrite, problems: &mut DraftProblems) {
    let mut distinct = BTreeSet::new();
    let mut first_too_many = None;
    for (index, canvas) in arguments.canvas_ids.iter().enumerate() {
        if !distinct.insert(canvas.to_ascii_lowercase()) {
            continue;
        }
        if distinct.len() > CANVASES_MAX {
            first_too_many.get_or_insert(index);
        }
        if !is_canvas_id(canvas) {
            problems.push(Reason::InvalidCanvasId, || {
                let message = format!("`{}` is not a canvas id", ellipsize(canvas));
                let help = "copy the id from the canvas; it has the form \
                            `123e4567-e89b-12d3-a456-426614174000`";
                problem(Argument::Canvas(index), message, help)
            });
        }
    }
    if let Some(index) = first_too_many {
        problems.push(Reason::TooManyCanvases, || {
            let count = distinct.len();
            let message = format!("{count} canvases; a skill links at most {CANVASES_MAX}");
            let help = "remove those that the skill does not need";
            problem(Argument::Canvas(index), message, help)
        });
    }
}

/// Returns `true` if a string has the form of a canvas id, which is that of a UUID (RFC 9562).
pub fn is_canvas_id(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    lengths.eq(UUID_PARTS) && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}
