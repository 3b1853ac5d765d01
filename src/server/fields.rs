//! Shapes that several tools share, and their limits.

use super::shape::{Field, Kind, optional, required};

/// The most characters of a label, an id, a date.
const SHORT_CHARACTERS_MAX: usize = 300;
/// The most characters of a summary.
const SUMMARY_CHARACTERS_MAX: usize = 4_000;
/// The most characters of a prompt.
const PROMPT_CHARACTERS_MAX: usize = 200_000;
/// The most tools that a skill names.
const HANDS_MAX: usize = 200;
/// The most inputs of a skill.
const INPUTS_MAX: usize = 1_000;
/// The most canvases of one call. A skill may link fewer; this only bounds the work.
const CANVAS_IDS_MAX: usize = 100;

pub(super) const SHORT_TEXT: Kind = Kind::Text { max: SHORT_CHARACTERS_MAX };
pub(super) const SUMMARY: Kind = Kind::Text { max: SUMMARY_CHARACTERS_MAX };
pub(super) const PROMPT: Kind = Kind::Text { max: PROMPT_CHARACTERS_MAX };
pub(super) const HANDS: Kind = Kind::List { of: &SHORT_TEXT, max: HANDS_MAX };
pub(super) const CANVAS_IDS: Kind = Kind::List { of: &SHORT_TEXT, max: CANVAS_IDS_MAX };
pub(super) const INPUTS: Kind = Kind::List { of: &Kind::Object(INPUT), max: INPUTS_MAX };

const INPUT: &[Field] = &[
    required("name", SHORT_TEXT, "The name, as in {{input.name}}."),
    optional("type", SHORT_TEXT, "The type, in the words of JSON Schema."),
    optional("description", SUMMARY, "What is to be filled in."),
];
