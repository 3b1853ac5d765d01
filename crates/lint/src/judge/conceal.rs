//! No diagnostic shows a secret or a child's name, whichever rule reports the line.
//!
//! Secrets are masked first, in the finding; names last, in the diagnostic, so that neither its
//! fingerprint nor anything else that identifies it depends on the list of names.

use std::borrow::Cow;

use crate::scan::secrets::{self, Secret};
use crate::skill_secrets::SkillSecrets;
use dibber_skill::diagnostic::{Diagnostic, Excerpt, Finding, Fix, LevelSource, Place};
use dibber_skill::names::Roster;
use dibber_text::{Source, Span};

/// Masks the secrets of a skill that a finding quotes.
pub(super) fn mask_finding(finding: Finding, secrets: &SkillSecrets<'_>) -> Finding {
    // The message about a file as a whole may still quote `SKILL.md`.
    let resource = match finding.place {
        Place::Resource(index, _) => Some(index),
        Place::SkillFile(_) | Place::File(_) => None,
    };
    mask_quotes(finding, secrets.source(resource), secrets.in_file(resource))
}

/// Masks the secrets of `source` that a finding quotes. A fix that would write a secret again is
/// dropped, since it could not be shown.
pub(super) fn mask_quotes(mut finding: Finding, source: &Source, secrets: &[Secret]) -> Finding {
    if secrets.is_empty() {
        return finding;
    }
    let source = source.text();
    let mask = |text: &mut String| {
        if let Some(masked) = secrets::mask_quoted(text, source, secrets) {
            *text = masked;
        }
    };
    mask(&mut finding.message);
    finding.note.iter_mut().for_each(mask);
    finding.help.iter_mut().for_each(mask);
    finding.labels.iter_mut().map(|label| &mut label.text).for_each(mask);
    let quotes = |text: &str| secrets::mask_quoted(text, source, secrets).is_some();
    let shows = |fix: &Fix| quotes(&fix.title) || fix.edits.iter().any(|edit| quotes(&edit.text));
    finding.fix = finding.fix.filter(|fix| !shows(fix));
    finding
}

/// Masks the names of children everywhere in a diagnostic but in its excerpt, which
/// [`mask_excerpt`] does. A fix that would write a name is dropped, since it could not be shown.
pub(super) fn mask_names(diagnostic: &mut Diagnostic, roster: &Roster) {
    if roster.is_empty() {
        return;
    }
    let mask = |text: &mut String| {
        if let Cow::Owned(masked) = roster.mask(text) {
            *text = masked;
        }
    };
    let Diagnostic { level_source, path, message, note, help, labels, fix, .. } = diagnostic;
    match level_source {
        LevelSource::Config { path, .. } => mask(path),
        LevelSource::CommandLine(setting) => mask(setting),
        LevelSource::Default => {}
    }
    mask(path);
    mask(message);
    note.iter_mut().for_each(mask);
    help.iter_mut().for_each(mask);
    labels.iter_mut().map(|(_, text)| text).for_each(mask);
    let shows = |text: &str| matches!(roster.mask(text), Cow::Owned(_));
    *fix = fix
        .take()
        .filter(|fix| !shows(&fix.title) && !fix.edits.iter().any(|edit| shows(&edit.text)));
}

/// Masks the secrets and the names in an excerpt. The result has as many characters as before, so
/// that later places in it stay where they are.
pub(super) fn mask_excerpt(
    mut excerpt: Excerpt,
    source: &Source,
    secrets: &[Secret],
    roster: &Roster,
) -> Excerpt {
    let span = Span::new(excerpt.offset, excerpt.offset + excerpt.text.len());
    excerpt.text = secrets::mask(&excerpt.text, excerpt.offset, secrets);
    if let Cow::Owned(names) = roster.mask_part(source.text(), span) {
        let characters = excerpt.text.chars().zip(names.chars());
        excerpt.text =
            characters.map(|(shown, name)| if shown == '*' { shown } else { name }).collect();
    }
    excerpt
}

/// Masks every key and token in a string with `*`, for a caller that shows a file as it is. Its
/// lines stay the same.
pub fn mask_secrets(text: &str) -> Cow<'_, str> {
    match secrets::find(text) {
        secrets if secrets.is_empty() => Cow::Borrowed(text),
        secrets => Cow::Owned(secrets::mask(text, 0, &secrets)),
    }
}
