//! No diagnostic shows a secret or a child's name, whichever rule reports the line.

use std::borrow::Cow;

use dibber_skill::diagnostic::{Edit, Excerpt, Fix, LevelSource};
use dibber_skill::names::Roster;
use dibber_skill::privacy::Privacy;
use dibber_skill::scan::secrets::{self, Secret};
use dibber_text::{DecodedText, Mask, Message, Source, Span};

/// The secrets of the file that a finding is in. The finding may quote a part of one: a parser takes
/// strings apart.
#[derive(Clone, Copy)]
pub(super) struct FileSecrets<'a> {
    /// The file; none if the finding quotes no file.
    pub(super) source: Option<&'a Source>,
    /// The secrets in the file.
    pub(super) secrets: &'a [Secret],
}

impl FileSecrets<'_> {
    fn is_part_of_secret(&self, text: &str) -> bool {
        let is_in = |source: &Source, secret: &Secret| {
            let hidden = source.slice(secret.hidden);
            let decoded = || DecodedText::new(hidden);
            hidden.contains(text) || decoded().is_some_and(|decoded| decoded.text().contains(text))
        };
        let source = self.source.filter(|_| text.len() >= PART_BYTES_MIN);
        source.is_some_and(|source| self.secrets.iter().any(|secret| is_in(source, secret)))
    }
}

/// The number of bytes from which a quoted string counts as a part of a secret.
const PART_BYTES_MIN: usize = 8;

/// Masks the secrets and the names that a finding quotes.
#[derive(Clone, Copy)]
pub(super) struct FindingMask<'a> {
    pub(super) secrets: FileSecrets<'a>,
    pub(super) roster: &'a Roster,
}

impl Mask for FindingMask<'_> {
    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.secrets.is_part_of_secret(text) {
            return Cow::Owned("*".repeat(text.chars().count()));
        }
        Privacy { roster: self.roster }.mask(text)
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
    let is_hidden = |text: &str| matches!(mask.mask(text), Cow::Owned(_));
    let replaced = |edit: &Edit| mask.secrets.source.map_or("", |source| source.slice(edit.span));
    let hides_edit =
        |edit: &Edit| is_hidden(&edit.text) || !edit.text.is_empty() && is_hidden(replaced(edit));
    let hides = title.is_masked_by(mask) || edits.iter().any(hides_edit);
    (!hides).then(|| Fix { title: title.shown(mask).to_string(), applicability, edits })
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
