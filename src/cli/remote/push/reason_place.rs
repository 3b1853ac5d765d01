//! Where in the files of a skill that is which a server's reason is about. A server sees arguments
//! alone, so it names an argument, and perhaps a line and a column in it.

use crate::cli::dry_run::review::Review;
use dibber_skill::contract::PolicyReason;
use dibber_skill::diagnostic::Place;
use dibber_skill::draft::Argument;
use dibber_text::Span;

/// What a server of this program writes before the place in an argument, and between its parts.
const AT_LINE: &str = " at line ";
const COLUMN: &str = ", column ";

/// A reason, with its place in a file.
pub(super) struct PlacedReason<'a> {
    /// The file, and the line and the column if they are known; else the argument.
    pub(super) place: String,
    /// What is wrong there.
    pub(super) message: &'a str,
}

impl<'a> PlacedReason<'a> {
    /// Finds the place of a reason in the files of a skill.
    pub(super) fn new(review: &Review, reason: &'a PolicyReason) -> Self {
        let PolicyReason { path, message, .. } = reason;
        let argument = |pointer: &str| arguments().find(|it| it.json_pointer() == pointer);
        let Some(argument) = argument(path) else { return Self { place: path.clone(), message } };
        let (message, part) = match split(message, text_of(review, argument)) {
            Some((message, at)) => (message, Some(Span::new(at, at))),
            None => (message.as_str(), None),
        };
        match review.drafted().draft.place(argument, part) {
            Some(found) => Self { place: shown(review, &found, part.is_some()), message },
            None => Self { place: path.clone(), message: &reason.message },
        }
    }
}

/// Returns the arguments that are written as one string.
fn arguments() -> impl Iterator<Item = Argument> {
    [Argument::Name, Argument::Description, Argument::Prompt].into_iter()
}

fn text_of(review: &Review, argument: Argument) -> &str {
    let arguments = review.exact_arguments();
    match argument {
        Argument::Name => &arguments.name,
        Argument::Description => &arguments.description,
        _ => &arguments.prompt,
    }
}

/// Splits the place in an argument from the end of a message, and returns it as an offset.
fn split<'a>(message: &'a str, text: &str) -> Option<(&'a str, usize)> {
    let (message, place) = message.rsplit_once(AT_LINE)?;
    let (line, column) = place.split_once(COLUMN)?;
    let (line, column) = (line.parse::<usize>().ok()?, column.parse::<usize>().ok()?);
    let start = match line.checked_sub(2) {
        None => 0,
        Some(before) => text.match_indices('\n').nth(before)?.0 + 1,
    };
    let (at, _) = text[start..].char_indices().nth(column.checked_sub(1)?)?;
    Some((message, start + at))
}

fn shown(review: &Review, place: &Place, has_line: bool) -> String {
    let skill = &review.drafted().skill;
    let (file, position) = match place {
        Place::SkillFile(span) => (&skill.bundle.skill_file, skill.source.line_column(span.start)),
        Place::Resource(index, span) => {
            let resource = &skill.resources[*index];
            (&resource.path, resource.source.line_column(span.start))
        }
        Place::File(path) => return format!("{}/{path}", review.path),
    };
    let file = format!("{}/{file}", review.path);
    if has_line { format!("{file}:{}:{}", position.line, position.column) } else { file }
}
