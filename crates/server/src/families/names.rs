//! What a family, its members and its canvases may be called.

use crate::failure::Failure;
use dibber_skill::age_range::AgeRange;
use dibber_skill::names::{Case, Name};
use dibber_text::escape_line;

/// The most characters of the name of a family, a grown-up or a canvas.
const NAME_CHARACTERS_MAX: usize = 100;

/// The most characters of the emoji of a canvas; some emoji are several characters.
const EMOJI_CHARACTERS_MAX: usize = 16;

/// Parses a name for people; `owner` is what it names.
pub(super) fn parse_label(text: &str, owner: &str) -> Result<String, Failure> {
    let name = text.trim();
    let problem = if name.is_empty() {
        "is empty".to_owned()
    } else if name.chars().nth(NAME_CHARACTERS_MAX).is_some() {
        format!("has more than {NAME_CHARACTERS_MAX} characters")
    } else if escape_line(name) != name {
        "has characters that cannot be shown".to_owned()
    } else {
        return Ok(name.to_owned());
    };
    let message = format!("the name of the {owner} {problem}");
    Err(Failure::bad_input("INVALID_NAME", message, "write a short name of letters"))
}

/// Parses the name of a child, and returns it in normal form. The messages do not quote it.
pub(super) fn parse_child_name(text: &str) -> Result<String, Failure> {
    let invalid = |message: String| {
        let fix = "write the name in its usual spelling";
        Failure::bad_input("INVALID_NAME", message, fix)
    };
    let name = Name::parse(text)
        .map_err(|problem| invalid(format!("invalid name of a child: {problem}")))?;
    if name.case() == Case::Any {
        return Err(invalid("the name of a child does not begin with `~`".to_owned()));
    }
    Ok(name.normal_form().to_owned())
}

/// Parses the emoji of a canvas.
pub(super) fn parse_emoji(text: &str) -> Result<String, Failure> {
    let emoji = text.trim();
    let is_short = emoji.chars().nth(EMOJI_CHARACTERS_MAX).is_none();
    if is_short && !emoji.is_empty() && !emoji.chars().any(char::is_control) {
        return Ok(emoji.to_owned());
    }
    let message =
        format!("the emoji of the canvas does not have 1 to {EMOJI_CHARACTERS_MAX} characters");
    Err(Failure::bad_input("INVALID_EMOJI", message, "choose one emoji"))
}

/// Parses a range of ages: `5-7`.
pub(super) fn parse_age_range(text: &str) -> Result<String, Failure> {
    let range: Result<AgeRange, _> = text.trim().parse();
    range.map(|range| range.to_string()).map_err(|problem| {
        let help = problem.help.unwrap_or_default().shown(&()).to_string();
        Failure::bad_input("INVALID_AGE_RANGE", problem.message.shown(&()).to_string(), help)
    })
}
