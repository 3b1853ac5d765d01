//! The error of a schedule that is invalid, with a mark below the characters.

use super::render::Look;
use super::set::Set;
use crate::cli::error::CommandError;
use dibber_lint::report::layout::{columns, truncate};
use dibber_schedule::FieldName;
use dibber_text::{Span, ellipsize, escape_line};

/// The indentation of an invalid schedule.
const EXCERPT_INDENT: &str = "  ";
/// The most characters of such a schedule before its problem.
const EXCERPT_BEFORE_MAX: usize = 24;

/// Returns the error of an invalid schedule, with the place in it.
pub(super) fn error(set: &Set, place: usize, look: &Look) -> CommandError {
    let preview = &set.previews[place];
    let Some(refusal) = preview.refusal() else {
        unreachable!("an invalid schedule is refused");
    };
    let requested = &preview.requested;
    let mut places = requested.line.iter().cloned().collect::<Vec<_>>();
    places.extend(requested.skill.iter().map(|skill| skill.path.clone()));
    places.extend(requested.name.iter().map(|name| ellipsize(name).into_owned()));
    if places.is_empty() && set.previews.len() > 1 {
        places.push(format!("#{}", place + 1));
    }
    places.push(refusal.message);
    let mut error = CommandError::new(look.mask(&places.join(": ")));
    if let Some((span, field)) = refusal.place.filter(|_| !requested.cron.trim().is_empty()) {
        let field = field.map(FieldName::word).unwrap_or_default();
        error = error.excerpt(look.mask(&excerpt(&requested.cron, span, field, look.style.width)));
    }
    match refusal.fix {
        Some(fix) => error.help(look.mask(&fix)),
        None => error,
    }
}

/// Returns a schedule, with a mark and the name of the field below a part of it.
fn excerpt(cron: &str, span: Span, field: &str, width: usize) -> String {
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
