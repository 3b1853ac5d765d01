//! No diagnostic shows a secret or a child's name, whichever rule reports the line.

use std::borrow::Cow;

use crate::file_secrets::FileSecrets;
use dibber_skill::diagnostic::{Edit, Excerpt, Fix, LevelSource};
use dibber_skill::names::Roster;
use dibber_skill::privacy::{Privacy, merge_masked};
use dibber_text::{Mask, Message, Source, Span};

/// Masks the secrets and the names that a finding quotes.
#[derive(Clone, Copy)]
pub(super) struct FindingMask<'a> {
    /// The secrets of the file that it is in.
    pub(super) secrets: &'a FileSecrets<'a>,
    pub(super) roster: &'a Roster,
}

impl Mask for FindingMask<'_> {
    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let whole = Privacy { roster: self.roster }.mask(text);
        let Some(without_parts) = self.secrets.mask_parts(text) else { return whole };
        Cow::Owned(merge_masked(text, &without_parts, &whole))
    }

    fn is_final(&self) -> bool {
        true
    }
}

/// Returns a fix with its title as it may be shown; none if it would write a secret or a name
/// again, since it could not be shown. What replaces one counts too, since it may spell it in
/// another way.
pub(super) fn shown_fix(fix: Fix<Message>, mask: &FindingMask<'_>) -> Option<Fix> {
    let Fix { title, applicability, edits } = fix;
    let is_masked = |text: &str| matches!(mask.mask(text), Cow::Owned(_));
    let replaced = |edit: &Edit| mask.secrets.slice(edit.span);
    let masks_edit =
        |edit: &Edit| is_masked(&edit.text) || !edit.text.is_empty() && is_masked(replaced(edit));
    let is_private = title.is_masked_by(mask) || edits.iter().any(masks_edit);
    (!is_private).then(|| Fix { title: title.shown(mask).to_string(), applicability, edits })
}

/// Masks the paths and the options of what set a level.
pub(super) fn mask_level_source(source: LevelSource, roster: &Roster) -> LevelSource {
    let mask = |text: String| Privacy { roster }.mask(&text).into_owned();
    match source {
        LevelSource::Config { path, line, key } => {
            LevelSource::Config { path: mask(path), line, key }
        }
        LevelSource::CommandLine(setting) => LevelSource::CommandLine(mask(setting)),
        LevelSource::Default => LevelSource::Default,
    }
}

/// Masks the secrets and the names in an excerpt. The result has as many characters as before, so
/// that later places in it stay where they are.
pub(super) fn mask_excerpt(
    mut excerpt: Excerpt,
    source: &Source,
    secrets: &FileSecrets<'_>,
    roster: &Roster,
) -> Excerpt {
    let span = Span::new(excerpt.offset, excerpt.offset + excerpt.text.len());
    excerpt.text = Privacy { roster }.mask_part(source.text(), span, secrets.secrets());
    excerpt
}
