//! The error of a schedule that is invalid, with a mark below the characters.

use super::context::RenderContext;
use super::set::Set;
use crate::cli::error::CommandError;
use dibber_lint::Privacy;
use dibber_lint::report::layout::{columns, truncate};
use dibber_schedule::FieldName;
use dibber_skill::names::Roster;
use dibber_skill::scan::secrets;
use dibber_text::{Message, Span, escape_line, message, quote, quote_in_full, quote_lines};

/// The indentation of an invalid schedule.
const EXCERPT_INDENT: &str = "  ";
/// The most characters of such a schedule before its problem.
const EXCERPT_BEFORE_MAX: usize = 24;

/// Returns the error of an invalid schedule, with the place in it.
pub(super) fn error(set: &Set, place: usize, context: &RenderContext) -> CommandError {
    let preview = &set.previews[place];
    let Some(refusal) = preview.refusal() else {
        unreachable!("an invalid schedule is refused");
    };
    let requested = &preview.requested;
    let mut places: Vec<Message> = Vec::new();
    places.extend(requested.line.iter().map(|line| quote_in_full(&line.place()).into()));
    places.extend(requested.skill.iter().map(|skill| quote_in_full(&skill.path).into()));
    places.extend(requested.name.iter().map(|name| quote(name).into()));
    if places.is_empty() && set.previews.len() > 1 {
        places.push(message!["#", place + 1]);
    }
    places.push(refusal.message.clone());
    let mut error = CommandError::new(Message::join(places, ": "));
    if let Some((span, field)) = refusal.place.filter(|_| !requested.cron.trim().is_empty()) {
        let field = field.map(FieldName::word).unwrap_or_default();
        let lines = excerpt(&requested.cron, span, field, context.style.width, context.roster);
        error = error.excerpt(quote_lines(&lines));
    }
    match refusal.fix {
        Some(fix) => error.help(fix),
        None => error,
    }
}

/// Returns a schedule, masked before it is cut to `width` columns, with a mark and the name of the
/// field below a part of it.
pub(super) fn excerpt(
    text: &str,
    span: Span,
    field: &str,
    width: usize,
    roster: &Roster,
) -> String {
    let privacy = Privacy { roster };
    let cron = privacy.mask_part(text, Span::new(0, text.len()), &secrets::find(text));
    let shown = |text: &str| escape_line(&text.replace('\t', " ")).into_owned();
    let before = &cron[..span.start];
    let start = before.char_indices().rev().nth(EXCERPT_BEFORE_MAX).map_or(0, |(at, _)| at);
    let cut = if start > 0 { "…" } else { "" };
    let before = format!("{EXCERPT_INDENT}{cut}{}", shown(&cron[start..span.start]));
    let room = width.saturating_sub(columns(&before) + 1).max(1);
    let rest = truncate(&shown(&cron[span.start..]), room);
    let marked = truncate(&shown(&cron[span.range()]), room);
    let blanks = " ".repeat(columns(&before));
    let marks = "^".repeat(columns(&marked).max(1));
    let field = if field.is_empty() { String::new() } else { format!(" {field}") };
    format!("{before}{rest}\n{blanks}{marks}{field}")
}
