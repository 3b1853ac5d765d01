//! No secret and no child's name is ever shown, whichever rule speaks of the line that it is on.
//!
//! Secrets are hidden first, in the finding; names last, in the diagnostic, so that neither its
//! fingerprint nor anything else that it is known by depends on whose list is at hand.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::scan::secrets::{self, Secret};
use dibber_skill::diagnostic::{Diagnostic, Excerpt, Finding, Fix, LevelReason, Place};
use dibber_skill::names::Roster;
use dibber_skill::skill::Skill;
use dibber_text::{Source, Span};

/// Keeps the secrets of a skill out of all that is reported, whichever rule speaks.
pub(super) struct Concealer<'a> {
    skill: &'a Skill,
    roster: &'a Roster,
    /// By the index of the resource; none for `SKILL.md`. Looked for when a finding needs them.
    secrets: BTreeMap<Option<usize>, Vec<Secret>>,
}

impl<'a> Concealer<'a> {
    pub(super) fn new(skill: &'a Skill, roster: &'a Roster) -> Self {
        Self { skill, roster, secrets: BTreeMap::new() }
    }

    /// The names of children that nothing may show.
    pub(super) fn roster(&self) -> &'a Roster {
        self.roster
    }

    fn secrets_of(&mut self, resource: Option<usize>) -> &[Secret] {
        self.secrets
            .entry(resource)
            .or_insert_with(|| secrets::find(source_of(self.skill, resource).text()))
    }

    /// The secrets in the file that a place is in.
    pub(super) fn secrets_at(&mut self, place: &Place) -> &[Secret] {
        match place {
            Place::SkillFile(_) => self.secrets_of(None),
            Place::Resource(index, _) => self.secrets_of(Some(*index)),
            Place::File(_) => &[],
        }
    }

    /// Hides what the words of a finding quote.
    pub(super) fn conceal(&mut self, finding: Finding) -> Finding {
        let resource = match finding.place {
            Place::Resource(index, _) => Some(index),
            Place::SkillFile(_) | Place::File(_) => None,
        };
        let source = source_of(self.skill, resource);
        conceal(finding, source, self.secrets_of(resource))
    }
}

/// Hides what the words of a finding quote of the secrets of `source`. A fix that would write a
/// secret anew is dropped: it could not be shown.
pub(super) fn conceal(mut finding: Finding, source: &Source, secrets: &[Secret]) -> Finding {
    if secrets.is_empty() {
        return finding;
    }
    let source = source.text();
    let conceal = |words: &mut String| {
        if let Some(masked) = secrets::mask_quoted(words, source, secrets) {
            *words = masked;
        }
    };
    conceal(&mut finding.message);
    finding.note.iter_mut().for_each(conceal);
    finding.help.iter_mut().for_each(conceal);
    finding.labels.iter_mut().map(|label| &mut label.text).for_each(conceal);
    let quotes = |text: &str| secrets::mask_quoted(text, source, secrets).is_some();
    let shows = |fix: &Fix| quotes(&fix.title) || fix.edits.iter().any(|edit| quotes(&edit.text));
    finding.fix = finding.fix.filter(|fix| !shows(fix));
    finding
}

/// Hides the names of children in all that is known of a finding. A fix that would write one is
/// dropped: it could not be shown. The excerpt is left to [`conceal_in_excerpt`].
pub(super) fn conceal_names(diagnostic: &mut Diagnostic, roster: &Roster) {
    if roster.is_empty() {
        return;
    }
    let conceal = |words: &mut String| {
        if let Cow::Owned(masked) = roster.mask(words) {
            *words = masked;
        }
    };
    let Diagnostic { because, path, message, note, help, labels, fix, .. } = diagnostic;
    match because {
        LevelReason::Config { path, .. } => conceal(path),
        LevelReason::CommandLine(setting) => conceal(setting),
        LevelReason::Default => {}
    }
    conceal(path);
    conceal(message);
    note.iter_mut().for_each(conceal);
    help.iter_mut().for_each(conceal);
    labels.iter_mut().map(|(_, text)| text).for_each(conceal);
    let shows = |text: &str| matches!(roster.mask(text), Cow::Owned(_));
    *fix = fix
        .take()
        .filter(|fix| !shows(&fix.title) && !fix.edits.iter().any(|edit| shows(&edit.text)));
}

/// An excerpt without the secrets of its file and without names. A name takes as many bytes as
/// before, so that places behind it stay where they are.
pub(super) fn conceal_in_excerpt(
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

/// A text with `*` in the place of every character of a key or token, for whoever shows a file
/// as it is. It has the same lines.
pub fn mask_secrets(text: &str) -> Cow<'_, str> {
    match secrets::find(text) {
        secrets if secrets.is_empty() => Cow::Borrowed(text),
        secrets => Cow::Owned(secrets::mask(text, 0, &secrets)),
    }
}

fn source_of(skill: &Skill, resource: Option<usize>) -> &Source {
    resource.map_or(&skill.source, |index| &skill.resources[index].source)
}
