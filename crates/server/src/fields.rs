//! Shapes that several tools share, and their limits.

use super::shape::{Field, Kind, optional, required};
use dibber_skill::contract::{ErrorCode, PAGE_ITEMS_MAX};

/// The most characters of a label, an id, a date.
const SHORT_CHARACTERS_MAX: usize = 300;
/// The most characters of a summary.
const SUMMARY_CHARACTERS_MAX: usize = 4_000;
/// The most characters of a prompt.
pub(super) const PROMPT_CHARACTERS_MAX: usize = 200_000;
/// The most bytes of a call (4 MiB).
const CALL_BYTES_MAX: usize = 4 << 20;
/// The most tools that a skill names.
const HANDS_MAX: usize = 200;
/// The most inputs of a skill.
const INPUTS_MAX: usize = 1_000;
/// The most canvases of one call. A skill may link fewer; this only bounds the work.
const CANVAS_IDS_MAX: usize = 100;

pub(super) const SHORT_TEXT: Kind = Kind::Text { max: SHORT_CHARACTERS_MAX };
pub(super) const SUMMARY: Kind = Kind::Text { max: SUMMARY_CHARACTERS_MAX };
pub(super) const PROMPT: Kind = Kind::Text { max: PROMPT_CHARACTERS_MAX };
pub(super) const CATEGORY: Kind = Kind::OneOf(&["generic", "home_agent"]);
pub(super) const HANDS: Kind = Kind::List { of: &SHORT_TEXT, max: HANDS_MAX };
pub(super) const CANVAS_IDS: Kind = Kind::List { of: &SHORT_TEXT, max: CANVAS_IDS_MAX };
pub(super) const INPUTS: Kind = Kind::List { of: &Kind::Object(INPUT), max: INPUTS_MAX };

/// The names of values that no input of a skill asks for. They have no other limit than that of
/// the whole call.
pub(super) const IGNORED_INPUTS: Kind =
    Kind::List { of: &Kind::Text { max: CALL_BYTES_MAX }, max: CALL_BYTES_MAX };
/// A time of an answer.
pub(super) const TIME: Kind = Kind::Text { max: 40 };
/// The canvases of an answer.
pub(super) const CANVASES: Kind = Kind::List { of: &Kind::Object(CANVAS), max: CANVAS_IDS_MAX };
/// Where the next page of a list begins.
pub(super) const NEXT_CURSOR: Kind = Kind::Nullable(&SHORT_TEXT);
/// The most items of a page, of a call.
#[expect(clippy::cast_possible_wrap, reason = "a small constant")]
pub(super) const LIMIT: Kind = Kind::Integer { min: 1, max: PAGE_ITEMS_MAX as i64 };

/// The error of a call that failed, as every tool answers it. Its fields have no descriptions:
/// every tool repeats them, and the instructions of the server explain them once.
pub(super) const TOOL_ERROR: &[Field] = &[
    required("code", Kind::OneOf(CODES), ""),
    optional("reason", SHORT_TEXT, ""),
    required("message", SUMMARY, ""),
    required("fix", SUMMARY, ""),
    optional("details", Kind::AnyObject, ""),
];

const CODES: &[&str] = &[
    ErrorCode::BadInput.name(),
    ErrorCode::PermissionDenied.name(),
    ErrorCode::DomainNotFound.name(),
    ErrorCode::InternalError.name(),
];

const CANVAS: &[Field] = &[
    required("canvasId", SHORT_TEXT, ""),
    required("name", SHORT_TEXT, ""),
    required("emoji", Kind::Nullable(&SHORT_TEXT), ""),
];

const INPUT: &[Field] = &[
    required("name", SHORT_TEXT, "The name, as in {{input.name}}."),
    optional("type", SHORT_TEXT, "The type, in the words of JSON Schema."),
    optional("description", SUMMARY, "What is to be filled in."),
];
