//! The places in which the files of a skill repeat its title, or what it does, word for word, as
//! [`plan`](crate::scaffold::plan) writes them.

use super::answers::{CurrentSchedule, SkillAnswers};
use super::changes::{ScheduleChange, ScheduleRename, SkillChanges};
use crate::diagnostic::{Edit, with_edits};
use crate::manifest::{self, MANIFEST_FILE_NAME};
use crate::scaffold::{
    as_heading, as_paragraph, find_first_paragraph, schedule_name, what_it_does,
};
use crate::skill::Skill;
use dibber_text::Source;

/// A place that repeats an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The heading of the text, which is the title.
    Heading,
    /// The first paragraph of the text, which is what the skill does.
    FirstParagraph,
    /// The name of a schedule, which is the title.
    ScheduleName,
}

/// Returns the changes with those of the places that repeat an answer which they replace, and these
/// places. A body that is changed itself is left as it is.
pub fn with_repetitions(skill: &Skill, changes: &SkillChanges) -> (SkillChanges, Vec<Repetition>) {
    let known = SkillAnswers::of(skill);
    let (mut next, mut places) = (changes.clone().without_known(&known), Vec::new());
    let title = known.label.as_deref().zip(next.label.clone());
    let mut edits = Vec::new();
    if let Some((old, new)) = &title {
        let heading = skill.markdown().heading.as_ref().filter(|it| it.text.trim() == old.trim());
        if let Some(heading) = heading {
            edits.push(Edit { span: heading.span, text: as_heading(new) });
            places.push(Repetition::Heading);
        }
    }
    let description = known.description.as_deref().zip(next.description.as_deref());
    if let Some(edit) = description.and_then(|(old, new)| first_paragraph(skill, old, new)) {
        edits.push(edit);
        places.push(Repetition::FirstParagraph);
    }
    if !edits.is_empty() && next.body.is_none() {
        let text = with_edits(skill.source.text(), &edits);
        next.body = Some(text[skill.body.start..].to_owned());
    } else {
        places.clear();
    }
    let is_kept = next.schedule != Some(ScheduleChange::Remove);
    if let Some((old, new)) = title.filter(|_| is_kept) {
        let rename = ScheduleRename { from: schedule_name(old), to: schedule_name(&new) };
        if rename.from != rename.to && has_schedule(skill, &known, &rename) {
            next.schedule_rename = Some(rename);
            places.push(Repetition::ScheduleName);
        }
    }
    (next, places)
}

/// Returns the edit of the first paragraph that is what a description says that the skill does.
fn first_paragraph(skill: &Skill, old: &str, new: &str) -> Option<Edit> {
    let (old, new) = (as_paragraph(what_it_does(old)), as_paragraph(what_it_does(new)));
    let span = find_first_paragraph(skill, &old).filter(|_| old != new)?;
    Some(Edit { span, text: new })
}

/// Returns `true` if a schedule has the former name, and none the new one.
fn has_schedule(skill: &Skill, known: &SkillAnswers, rename: &ScheduleRename) -> bool {
    if known.schedule == CurrentSchedule::Never {
        return false;
    }
    let manifest = skill.resource(MANIFEST_FILE_NAME).map_or("", |file| file.source.text());
    let (manifest, _) = manifest::parse(&Source::new(MANIFEST_FILE_NAME, manifest));
    let has = |name: &str| manifest.heartbeats.iter().any(|it| it.name.value.trim() == name);
    has(&rename.from) && !has(&rename.to)
}
