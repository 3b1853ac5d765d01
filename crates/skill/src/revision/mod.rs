//! A few answers about a skill that exists, as edits of its files that leave everything else as it
//! is: comments, order and quotes.
//!
//! [`SkillAnswers::of`] reads the answers that its files give, and [`revise`] returns the files with
//! other ones. What results is parsed again: it has to give exactly the wanted answers, so a file
//! that is written in a way that the edits do not know is refused and not damaged.

mod answers;
mod changes;
mod heartbeats;
mod manifest_editor;
mod repetitions;

use crate::contract::{InputVariable, WireEnum};
use crate::diagnostic::{Edit, with_edits};
use crate::manifest::{self, Heartbeat, MANIFEST_FILE_NAME, Manifest};
use crate::scaffold::{
    Schedule, heartbeat_lines, input_problems, schedule_name, with_inputs, without_inputs,
};
use crate::skill::yaml_scalar::{as_any_scalar, as_folded};
use crate::skill::{
    Entry, Node, NodeKind, PlaceholderKind, Resource, SKILL_FILE_NAME, Skill, placeholder_of,
    placeholders,
};
use dibber_text::{Problem, Source, message, quote};
use manifest_editor::ManifestEditor;

pub use answers::{CurrentSchedule, SkillAnswers};
pub use changes::{ScheduleChange, ScheduleRename, SkillChanges};
pub use heartbeats::{HeartbeatRevision, NewHeartbeat, revise_heartbeat, schedule_for};
pub use repetitions::{Repetition, with_repetitions};

/// A file of a skill with other content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisedFile {
    /// The path from the directory of the skill.
    pub path: String,
    /// The content as it is; none if there is no such file.
    pub before: Option<String>,
    /// The new content.
    pub after: String,
}

/// Returns the files of a skill that are different with these answers.
///
/// # Errors
/// If a file is written in a way in which an answer cannot be replaced alone, or the name of an added
/// input is invalid or that of another one.
pub fn revise(skill: &Skill, changes: &SkillChanges) -> Result<Vec<RevisedFile>, Problem<()>> {
    if let Some(problem) = input_problems(&changes.inputs).into_iter().next() {
        return Err(problem);
    }
    let manifest = skill.resource(MANIFEST_FILE_NAME).map(|file| file.source.text());
    let skill_file = revised_skill_file(skill, manifest.unwrap_or_default(), changes)?;
    let body = &skill_file[skill_file.len().min(skill.body.start)..];
    if let Some(used) = changes.removed_inputs.iter().find(|name| uses(body, name)) {
        let message = message!["the text still uses the input `", quote(used), "`"];
        return Err(Problem::new((), message).with_help(message![
            "take `",
            quote(&placeholder_of(used)),
            "` out of ",
            SKILL_FILE_NAME,
            " first"
        ]));
    }
    let revised = revised_manifest(skill, manifest.unwrap_or_default(), changes)?;
    let known = SkillAnswers::of(skill);
    let mut after = SkillAnswers::of(&revised_skill(skill, &skill_file, &revised));
    if known.schedule == CurrentSchedule::Never {
        // A new schedule has a place for each value that is not known yet.
        after.values.retain(|name, _| changes.values.contains_key(name));
    }
    if changes.body.is_some() && changes.label.is_none() {
        // A title that is the heading of the text changes with it.
        after.label.clone_from(&known.label);
    }
    if after != changes.applied_to(&known) {
        let files =
            match (skill_file == skill.source.text(), manifest.unwrap_or_default() == revised) {
                (true, _) => MANIFEST_FILE_NAME.to_owned(),
                (false, true) => SKILL_FILE_NAME.to_owned(),
                (false, false) => format!("{SKILL_FILE_NAME} and {MANIFEST_FILE_NAME}"),
            };
        let message = message!["cannot edit ", quote(&files), " automatically"];
        let help = "change the text in an editor; `dibber lint` says whether it is valid";
        return Err(Problem::new((), message).with_help(help));
    }
    let files = [
        (SKILL_FILE_NAME, Some(skill.source.text()), skill_file),
        (MANIFEST_FILE_NAME, manifest, revised),
    ];
    let is_changed =
        |(_, before, after): &(_, Option<&str>, String)| before.unwrap_or_default() != after;
    let files = files.into_iter().filter(is_changed);
    Ok(files
        .map(|(path, before, after)| RevisedFile {
            path: if path == SKILL_FILE_NAME {
                skill.bundle.skill_file.clone()
            } else {
                path.to_owned()
            },
            before: before.map(str::to_owned),
            after,
        })
        .collect())
}

/// Returns a skill of UTF-8 files with some other ones.
pub fn with_files(skill: &Skill, files: &[RevisedFile]) -> Skill {
    let (mut bundle, mut text) = (skill.bundle.clone(), skill.source.text());
    let is_kept = |known: &&Resource| files.iter().all(|file| file.path != known.path);
    let copy = |known: &Resource| (known.path.clone(), known.source.text().to_owned());
    let mut resources: Vec<_> = skill.resources.iter().filter(is_kept).map(copy).collect();
    for file in files {
        if file.path == skill.bundle.skill_file {
            bundle.skill_file_bytes = file.after.len() as u64;
            text = &file.after;
        } else {
            resources.push((file.path.clone(), file.after.clone()));
        }
    }
    resources.sort();
    let resource = |(path, text): (String, String)| {
        let source = Source::new(format!("{}/{path}", skill.bundle.path), text);
        Resource::new(path, source)
    };
    let resources = resources.into_iter().map(resource).collect();
    Skill::parse(bundle, Source::new(skill.source.path(), text), resources)
}

/// Returns a skill with two other files alone, to read its answers.
fn revised_skill(skill: &Skill, skill_file: &str, manifest: &str) -> Skill {
    let source = Source::new(skill.source.path(), skill_file);
    let resource = Source::new(MANIFEST_FILE_NAME, manifest);
    let resource = Resource::new(MANIFEST_FILE_NAME, resource);
    let has_manifest = !manifest.is_empty();
    let resources = has_manifest.then_some(resource).into_iter().collect();
    Skill::parse(skill.bundle.clone(), source, resources)
}

/// Returns `true` if `text` has a placeholder for the value of an input.
fn uses(text: &str, input: &str) -> bool {
    let is_it =
        |kind: &PlaceholderKind| matches!(kind, PlaceholderKind::Input(name) if name == input);
    placeholders(text).iter().any(|placeholder| is_it(&placeholder.kind))
}

fn revised_skill_file(
    skill: &Skill,
    manifest: &str,
    changes: &SkillChanges,
) -> Result<String, Problem<()>> {
    let (manifest, _) = manifest::parse(&Source::new(MANIFEST_FILE_NAME, manifest));
    let mut text = skill.source.text().to_owned();
    // A summary is published in its place.
    let description = changes.description.as_ref().filter(|_| manifest.summary.is_none());
    if let Some(description) = description {
        let Some(entry) = skill.field("description") else {
            let message = message!["`", SKILL_FILE_NAME, "` has no `description` to change"];
            return Err(Problem::new((), message).with_help("add `description:` between the `---`"));
        };
        let written = as_folded("description", description.trim());
        let gap = if entry.value.span.start == entry.key.span.end + 1 { " " } else { "" };
        let edit = Edit { span: entry.value.span, text: format!("{gap}{written}") };
        text = with_edits(&text, [&edit]);
    }
    let body = text.len() - skill.body_text().len();
    if let Some(changed) = &changes.body {
        text.replace_range(body.., changed);
    }
    let text = without_inputs(text, body, &changes.removed_inputs);
    Ok(with_inputs(text, &changes.inputs))
}

fn revised_manifest(
    skill: &Skill,
    text: &str,
    changes: &SkillChanges,
) -> Result<String, Problem<()>> {
    let (manifest, _) = manifest::parse(&Source::new(MANIFEST_FILE_NAME, text));
    let mut editor = ManifestEditor::new(text);
    if let Some(label) = &changes.label {
        editor.set("label", &as_any_scalar(label))?;
    }
    if let Some(description) = changes.description.as_ref().filter(|_| manifest.summary.is_some()) {
        editor.set("summary", &as_any_scalar(description.trim()))?;
    }
    if let Some(category) = changes.category {
        editor.set("category", category.name())?;
    }
    if let Some(is_callable) = changes.kid_callable {
        editor.set("kidCallable", if is_callable { "true" } else { "false" })?;
    }
    if let Some(ages) = &changes.ages {
        editor.set("ageRange", &as_any_scalar(ages))?;
    }
    let added: Vec<_> = changes.inputs.iter().map(input_lines).collect();
    let is_removed = |item: &Node| changes.removed_inputs.iter().any(|name| is_named(item, name));
    editor.change_items("inputs", is_removed, &added)?;
    if changes.schedule != Some(ScheduleChange::Remove) {
        editor.remove_values(&changes.removed_inputs)?;
        for heartbeat in manifest.heartbeats.iter().filter(|_| !changes.values.is_empty()) {
            editor.set_values(heartbeat.cron.span, &changes.values)?;
        }
    }
    if let Some(rename) = &changes.schedule_rename {
        let is_renamed = |it: &&Heartbeat| it.name.value.trim() == rename.from;
        for heartbeat in manifest.heartbeats.iter().filter(is_renamed) {
            editor.replace(heartbeat.name.span, &as_any_scalar(&rename.to));
        }
    }
    match (&changes.schedule, &manifest.heartbeats[..]) {
        (None, _) => {}
        (Some(ScheduleChange::Remove), _) => editor.remove("heartbeats")?,
        (Some(ScheduleChange::Set { cron, time_zone }), [only]) => {
            editor.replace(only.cron.span, &as_any_scalar(cron));
            let scalar = as_any_scalar(time_zone);
            match &only.time_zone {
                Some(zone) => editor.replace(zone.span, &scalar),
                None => editor.insert_line_after(only.cron.span, "tz", &scalar),
            }
        }
        (Some(ScheduleChange::Set { cron, time_zone }), _) => {
            let lines = new_heartbeat(skill, &manifest, changes, cron, time_zone);
            editor.append(&lines);
        }
    }
    Ok(editor.finish())
}

/// Returns the lines of a first schedule.
fn new_heartbeat(
    skill: &Skill,
    manifest: &Manifest,
    changes: &SkillChanges,
    cron: &str,
    time_zone: &str,
) -> String {
    let known = manifest.label.as_ref().map(|label| label.value.as_str());
    let label = changes.label.as_deref().or(known);
    let name = label.or(skill.string_field("name").map(|(name, _)| name)).unwrap_or_default();
    let known = manifest.inputs.iter().flatten().map(|input| InputVariable {
        name: input.name.value.clone(),
        kind: input.kind.as_ref().map(|kind| kind.value.clone()),
        ..InputVariable::default()
    });
    let is_kept = |input: &InputVariable| !changes.removed_inputs.contains(&input.name);
    let inputs: Vec<_> = known.filter(is_kept).chain(changes.inputs.iter().cloned()).collect();
    let schedule = Schedule {
        cron: cron.to_owned(),
        time_zone: Some(time_zone.to_owned()),
        values: changes.values.clone(),
    };
    heartbeat_lines(&schedule_name(name), &inputs, &schedule)
}

/// Returns `true` for the item of the input with this name.
fn is_named(item: &Node, name: &str) -> bool {
    let NodeKind::Mapping(entries) = &item.kind else { return item.as_str() == Some(name) };
    let is_name =
        |entry: &Entry| entry.key.as_str() == Some("name") && entry.value.as_str() == Some(name);
    entries.iter().any(is_name)
}

/// Returns the lines of an input in a list, without their indentation.
fn input_lines(input: &InputVariable) -> Vec<String> {
    let mut lines = vec![format!("name: {}", as_any_scalar(&input.name))];
    lines.extend(input.kind.iter().map(|kind| format!("type: {}", as_any_scalar(kind))));
    let description = input.description.iter();
    lines.extend(description.map(|text| format!("description: {}", as_any_scalar(text))));
    lines
}
