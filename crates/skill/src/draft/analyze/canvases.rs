//! The canvases that a skill links.

use std::collections::BTreeSet;

use super::{Argument, Reason, Verdict, Verdicts};
use crate::contract::{CANVASES_MAX, SkillWrite};
use dibber_text::ellipsize;

/// The lengths of the parts of a UUID (RFC 9562), in hexadecimal digits.
const UUID_PARTS: [usize; 5] = [8, 4, 4, 4, 12];

/// `INVALID_CANVAS_ID` and `CANVAS_LIMIT_EXCEEDED`. A canvas that is named twice counts once.
pub(super) fn analyze(arguments: &SkillWrite, verdicts: &mut Verdicts) {
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
            verdicts.push(Reason::InvalidCanvasId, |reason| {
                let message = format!("`{}` is not the id of a canvas", ellipsize(canvas));
                let fix = "copy the id from the canvas: it has the form of \
                           `123e4567-e89b-12d3-a456-426614174000`";
                Verdict::new(reason, Argument::Canvas(index), message, fix)
            });
        }
    }
    if let Some(index) = first_too_many {
        verdicts.push(Reason::TooManyCanvases, |reason| {
            let count = distinct.len();
            let message = format!("{count} canvases, and a skill links {CANVASES_MAX} at most");
            let fix = "take out those that the skill can do without";
            Verdict::new(reason, Argument::Canvas(index), message, fix)
        });
    }
}

/// Tells whether a text has the form of a canvas's id: that of a UUID (RFC 9562).
pub fn is_canvas_id(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    lengths.eq(UUID_PARTS) && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}
