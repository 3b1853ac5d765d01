//! The canvases that a skill links.

use super::{Argument, Reason, Verdict, Verdicts};
use crate::contract::{CANVASES_MAX, SkillWrite};
use crate::text::shorten;

/// The lengths of the parts of a UUID (RFC 9562), in hexadecimal digits.
const UUID_PARTS: [usize; 5] = [8, 4, 4, 4, 12];

/// `INVALID_CANVAS_ID` and `CANVAS_LIMIT_EXCEEDED`.
pub(super) fn analyze(arguments: &SkillWrite, verdicts: &mut Verdicts) {
    let canvases = &arguments.canvas_ids;
    for (index, canvas) in canvases.iter().enumerate().filter(|(_, canvas)| !is_uuid(canvas)) {
        let message = format!("`{}` is not the id of a canvas", shorten(canvas));
        let verdict = Verdict::new(Reason::InvalidCanvasId, Argument::Canvas(index), message)
            .fix("copy the id from the canvas: 32 hexadecimal digits in five groups");
        verdicts.push(verdict);
    }
    if canvases.len() > CANVASES_MAX {
        let message = format!("{} canvases; a skill links at most {CANVASES_MAX}", canvases.len());
        let argument = Argument::Canvas(CANVASES_MAX);
        let verdict = Verdict::new(Reason::TooManyCanvases, argument, message);
        verdicts.push(verdict.fix("take out those that the skill can do without"));
    }
}

fn is_uuid(text: &str) -> bool {
    let is_part = |(part, length): (&str, usize)| {
        part.len() == length && part.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    text.split('-').count() == UUID_PARTS.len() && text.split('-').zip(UUID_PARTS).all(is_part)
}
