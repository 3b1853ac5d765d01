//! What the files of a skill answer.

use std::collections::{BTreeMap, BTreeSet};

use crate::contract::{Category, DATE_TYPE, TIME_ZONE_DEFAULT};
use crate::draft::Draft;
use crate::manifest::{self, Input, Located, MANIFEST_FILE_NAME, Manifest};
use crate::skill::{Node, Skill};
use dibber_schedule::ScheduleText;
use dibber_text::Source;

/// The answers that the files of a skill give.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillAnswers {
    /// The title under which it is published: its label, or else its heading or its name.
    pub label: Option<String>,
    /// What it does, and when to use it, as it is published: the summary of `sprout.yaml`, or else
    /// the description of `SKILL.md`.
    pub description: Option<String>,
    /// Which agent it is for.
    pub category: Option<Category>,
    /// Whether a child may launch it.
    pub kid_callable: Option<bool>,
    /// The ages that it is for: `5-7`.
    pub ages: Option<String>,
    /// The names of its inputs.
    pub inputs: Vec<String>,
    /// The names of those that need no value on a schedule: dates, of which each run fills in its own,
    /// and those that are not required.
    pub optional_inputs: BTreeSet<String>,
    /// When it runs by itself.
    pub schedule: CurrentSchedule,
    /// What is filled in for its inputs when it runs by itself, by their names: of several schedules,
    /// what they all have.
    pub values: BTreeMap<String, String>,
}

/// When a skill runs by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CurrentSchedule {
    /// Only when it is asked for.
    #[default]
    Never,
    /// On one schedule.
    One {
        /// The schedule as it is written: five fields, or words.
        cron: String,
        /// The time zone that is written beside it.
        time_zone: Option<String>,
    },
    /// On several schedules, with these names.
    Several(Vec<String>),
}

impl SkillAnswers {
    /// Reads the answers of a skill.
    pub fn of(skill: &Skill) -> Self {
        let manifest = skill.resource(MANIFEST_FILE_NAME);
        let text = manifest.map_or("", |file| file.source.text());
        let (manifest, _) = manifest::parse(&Source::new(MANIFEST_FILE_NAME, text));
        let description = skill.string_field("description").map(|(text, _)| text);
        let description = manifest.summary.as_ref().map(|it| it.value.as_str()).or(description);
        let inputs = manifest.inputs.iter().flatten().map(|input| input.name.value.clone());
        let is_date = |kind: &Located<String>| kind.value == DATE_TYPE;
        let is_optional =
            |input: &&Input| !input.is_required || input.kind.as_ref().is_some_and(is_date);
        let optional = manifest.inputs.iter().flatten().filter(is_optional);
        let optional = optional.map(|input| input.name.value.clone());
        let label = manifest.label.as_ref().map(|label| label.value.clone());
        let title = Draft::new(skill).best_effort().name.clone();
        Self {
            label: label.or_else(|| Some(title).filter(|title| !title.is_empty())),
            description: description.map(|text| text.trim().to_owned()),
            category: manifest.category.as_ref().map(|category| category.value),
            kid_callable: manifest.kid_callable.as_ref().map(|it| it.value),
            ages: manifest.age_range.as_ref().map(|ages| ages.value.clone()),
            inputs: inputs.collect(),
            optional_inputs: optional.collect(),
            schedule: CurrentSchedule::of(&manifest),
            values: values(&manifest),
        }
    }
}

fn values(manifest: &Manifest) -> BTreeMap<String, String> {
    let Some((first, others)) = manifest.heartbeats.split_first() else { return BTreeMap::new() };
    let value = |(name, value): &(Located<String>, Node)| {
        Some((name.value.clone(), value.as_str()?.to_owned()))
    };
    let mut values: BTreeMap<_, _> = first.input.iter().filter_map(value).collect();
    for other in others {
        let other: BTreeMap<_, _> = other.input.iter().filter_map(value).collect();
        values.retain(|name, value| other.get(name) == Some(value));
    }
    values
}

impl CurrentSchedule {
    /// Returns the name of the time zone of the only schedule.
    pub fn zone(&self) -> Option<String> {
        let Self::One { cron, time_zone } = self else { return None };
        let parsed = ScheduleText::parse(cron).ok();
        let named = parsed.and_then(|parsed| parsed.zone_with(time_zone.as_deref()).ok()?);
        let named = named.or_else(|| time_zone.clone());
        Some(named.unwrap_or_else(|| TIME_ZONE_DEFAULT.to_owned()))
    }

    fn of(manifest: &Manifest) -> Self {
        match &manifest.heartbeats[..] {
            [] => Self::Never,
            [only] => Self::One {
                cron: only.cron.value.clone(),
                time_zone: only.time_zone.as_ref().map(|zone| zone.value.clone()),
            },
            several => Self::Several(several.iter().map(|it| it.name.value.clone()).collect()),
        }
    }
}
