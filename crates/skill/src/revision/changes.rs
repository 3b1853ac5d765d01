//! The answers that are different from those of the files.

use std::collections::BTreeMap;

use super::answers::{CurrentSchedule, SkillAnswers};
use crate::contract::{Category, InputVariable};
use dibber_schedule::ScheduleText;

/// Answers that replace those of a skill. What is none stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillChanges {
    /// The title under which a family finds it.
    pub label: Option<String>,
    /// What it does, and when to use it.
    pub description: Option<String>,
    /// Which agent it is for.
    pub category: Option<Category>,
    /// Whether a child may launch it.
    pub kid_callable: Option<bool>,
    /// The ages that it is for: `5-7`.
    pub ages: Option<String>,
    /// The inputs that are added.
    pub inputs: Vec<InputVariable>,
    /// The names of the inputs that are removed.
    pub removed_inputs: Vec<String>,
    /// When it runs by itself.
    pub schedule: Option<ScheduleChange>,
    /// What is filled in for inputs when it runs by itself, by their names.
    pub values: BTreeMap<String, String>,
    /// The text that an agent reads.
    pub body: Option<String>,
    /// Another name of the schedules that are called like the title.
    pub schedule_rename: Option<ScheduleRename>,
}

/// Another name of each schedule that has the former one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleRename {
    /// The former name.
    pub from: String,
    /// The new name.
    pub to: String,
}

/// Another schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScheduleChange {
    /// It runs on this one.
    Set {
        /// Five fields of cron.
        cron: String,
        /// The IANA name of the time zone.
        time_zone: String,
    },
    /// It does not run by itself.
    Remove,
}

impl ScheduleChange {
    /// Returns the same schedule in another time zone.
    #[must_use]
    pub fn in_zone(self, zone: &str) -> Self {
        match self {
            Self::Set { cron, .. } => Self::Set { cron, time_zone: zone.to_owned() },
            Self::Remove => Self::Remove,
        }
    }
}

impl SkillChanges {
    /// Leaves out what a skill answers already.
    #[must_use]
    pub fn without_known(mut self, known: &SkillAnswers) -> Self {
        self.label = self.label.filter(|label| known.label.as_ref() != Some(label));
        self.description = self.description.map(|text| text.trim().to_owned());
        self.description = self.description.filter(|text| known.description.as_ref() != Some(text));
        // These are the answers of a file without them.
        self.category = self.category.filter(|it| known.category.unwrap_or_default() != *it);
        self.kid_callable =
            self.kid_callable.filter(|it| known.kid_callable.unwrap_or(false) != *it);
        self.ages = self.ages.filter(|ages| known.ages.as_ref() != Some(ages));
        self.inputs.retain(|input| !known.inputs.contains(&input.name));
        self.values.retain(|name, value| known.values.get(name) != Some(value));
        self.schedule = self.schedule.filter(|change| match (change, &known.schedule) {
            (ScheduleChange::Remove, CurrentSchedule::Never) => false,
            (
                ScheduleChange::Set { cron, time_zone },
                CurrentSchedule::One { cron: known_cron, .. },
            ) => {
                !is_same_cron(cron, known_cron) || known.schedule.zone().as_ref() != Some(time_zone)
            }
            _ => true,
        });
        self
    }

    /// Returns `true` if nothing is different.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the answers of a skill after the changes.
    #[must_use]
    pub fn applied_to(&self, known: &SkillAnswers) -> SkillAnswers {
        let mut after = known.clone();
        after.label = self.label.clone().or(after.label);
        after.description = self.description.clone().or(after.description);
        after.category = self.category.or(after.category);
        after.kid_callable = self.kid_callable.or(after.kid_callable);
        after.ages = self.ages.clone().or(after.ages);
        after.inputs.retain(|name| !self.removed_inputs.contains(name));
        after.inputs.extend(self.inputs.iter().map(|input| input.name.clone()));
        match self.schedule.clone() {
            Some(ScheduleChange::Set { cron, time_zone }) => {
                after.schedule = CurrentSchedule::One { cron, time_zone: Some(time_zone) };
            }
            Some(ScheduleChange::Remove) => after.schedule = CurrentSchedule::Never,
            None => {}
        }
        if let (Some(rename), CurrentSchedule::Several(names)) =
            (&self.schedule_rename, &mut after.schedule)
        {
            for name in names.iter_mut().filter(|name| name.trim() == rename.from) {
                name.clone_from(&rename.to);
            }
        }
        after.values.extend(self.values.clone());
        let is_scheduled = after.schedule != CurrentSchedule::Never;
        after.values.retain(|name, _| is_scheduled && !self.removed_inputs.contains(name));
        after
    }

    /// Returns the names of the inputs for which nothing is filled in when the skill runs by itself:
    /// the added ones, and all that need a value if it has had no schedule.
    pub fn inputs_without_value<'a>(&'a self, known: &'a SkillAnswers) -> Vec<&'a str> {
        let had_schedule = known.schedule != CurrentSchedule::Never;
        let is_scheduled = match self.schedule {
            Some(ScheduleChange::Set { .. }) => true,
            Some(ScheduleChange::Remove) => false,
            None => had_schedule,
        };
        if !is_scheduled {
            return Vec::new();
        }
        let is_known = |name: &&str| known.inputs.iter().any(|input| input == name);
        let added = self.inputs.iter().filter(|input| had_schedule || !input.is_date());
        let added = added.map(|input| input.name.as_str()).filter(|name| !is_known(name));
        let is_kept = |name: &&String| {
            !had_schedule
                && !known.optional_inputs.contains(*name)
                && !self.removed_inputs.contains(*name)
        };
        let kept = known.inputs.iter().filter(is_kept).map(String::as_str);
        kept.chain(added).filter(|name| !self.values.contains_key(*name)).collect()
    }
}

/// Returns `true` for two ways of writing one schedule: in five fields, or in words.
fn is_same_cron(one: &str, other: &str) -> bool {
    let cron = |text| ScheduleText::parse(text).ok().map(|parsed| parsed.cron);
    one == other || cron(one).is_some_and(|one| cron(other) == Some(one))
}
