//! `sprout.yaml`, written from data.

use super::answers::{Answers, Schedule};
use crate::contract::{
    Category, HEARTBEAT_NAME_CHARACTERS_MAX, InputVariable, WireEnum, wire_name,
};
use crate::manifest::{self, MANIFEST_FILE_NAME};
use crate::skill::yaml_scalar::as_any_scalar;
use dibber_text::Source;

const HEADER: &str =
    "# How Sprout publishes this skill. `dibber dry-run` shows what would be sent.\n";

/// What a schedule replaces by the date of a run.
const FIRE_DATE: &str = "{{fireDate}}";

/// How a skill is published.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Publication {
    label: String,
    category: Option<Category>,
    hands: Vec<String>,
    inputs: Vec<InputVariable>,
    include: Vec<String>,
    kid_callable: Option<bool>,
    ages: Option<String>,
    canvases: Vec<String>,
    schedule: Option<Schedule>,
}

impl Publication {
    /// Reads the `sprout.yaml` of a template. It has no summary and no schedule.
    pub(super) fn from_template(text: &str) -> Self {
        let (manifest, _) = manifest::parse(&Source::new(MANIFEST_FILE_NAME, text));
        let input = |input: manifest::Input| InputVariable {
            name: input.name.value,
            kind: input.kind.map(|kind| kind.value),
            description: input.description.map(|description| description.value),
        };
        let hands = manifest.hands.unwrap_or_default();
        Self {
            label: manifest.label.map(|label| label.value).unwrap_or_default(),
            category: manifest.category.map(|category| category.value),
            hands: hands.into_iter().map(|hand| hand.value).collect(),
            inputs: manifest.inputs.unwrap_or_default().into_iter().map(input).collect(),
            include: manifest.include.into_iter().map(|path| path.value).collect(),
            kid_callable: manifest.kid_callable.map(|kid_callable| kid_callable.value),
            ages: manifest.age_range.map(|ages| ages.value),
            canvases: manifest.canvases.into_iter().map(|canvas| canvas.value).collect(),
            schedule: None,
        }
    }

    /// Replaces or extends the template's values by the answers.
    pub(super) fn apply(&mut self, answers: &Answers, title: Option<&str>) {
        if let Some(title) = title {
            title.clone_into(&mut self.label);
        }
        self.category = answers.category.or(self.category);
        for hand in answers.hands.iter().map(|hand| wire_name(hand)) {
            if !self.hands.contains(&hand) {
                self.hands.push(hand);
            }
        }
        for input in &answers.inputs {
            match self.inputs.iter_mut().find(|known| known.name == input.name) {
                Some(known) => known.clone_from(input),
                None => self.inputs.push(input.clone()),
            }
        }
        if let Some(kid_callable) = answers.kid_callable {
            self.kid_callable = kid_callable.then_some(true);
            // The template's ages have no meaning if children cannot launch the skill.
            self.ages = self.ages.take().filter(|_| kid_callable);
        }
        self.ages = answers.ages.clone().or(self.ages.take());
        self.canvases.extend(answers.canvases.iter().cloned());
        self.schedule.clone_from(&answers.schedule);
    }

    /// Returns the agent that it is for.
    pub(super) fn category(&self) -> Category {
        self.category.unwrap_or_default()
    }

    /// Returns the whole file.
    pub(super) fn write(&self) -> String {
        let mut out = HEADER.to_owned();
        out += &format!("label: {}\n", as_any_scalar(&self.label));
        if let Some(category) = self.category {
            out += &format!("category: {}\n", category.name());
        }
        out += &list("hands", &self.hands);
        if !self.inputs.is_empty() {
            out += "inputs:\n";
        }
        for input in &self.inputs {
            out += &format!("  - name: {}\n", as_any_scalar(&input.name));
            if let Some(kind) = &input.kind {
                out += &format!("    type: {}\n", as_any_scalar(kind));
            }
            if let Some(description) = &input.description {
                out += &format!("    description: {}\n", as_any_scalar(description));
            }
        }
        out += &list("include", &self.include);
        if let Some(kid_callable) = self.kid_callable {
            out += &format!("kidCallable: {kid_callable}\n");
        }
        if let Some(ages) = &self.ages {
            out += &format!("ageRange: {}\n", as_any_scalar(ages));
        }
        out += &list("canvases", &self.canvases);
        let schedule = self.schedule.as_ref();
        out += &schedule
            .map(|schedule| heartbeat_lines(&schedule_name(&self.label), &self.inputs, schedule))
            .unwrap_or_default();
        out
    }
}

/// Returns the name of the schedule of a skill with this title, which is as much of it as a name may
/// have.
pub(crate) fn schedule_name(title: &str) -> String {
    let name: String = title.chars().take(HEARTBEAT_NAME_CHARACTERS_MAX).collect();
    name.trim().to_owned()
}

/// Returns the schedule of that name with a value for each input: dates are filled in at each run,
/// and an input without an answer is empty until its value is written there.
pub(crate) fn heartbeat_lines(name: &str, inputs: &[InputVariable], schedule: &Schedule) -> String {
    let mut out = format!("heartbeats:\n  - name: {}\n", as_any_scalar(name));
    out += &format!("    cron: {}\n", as_any_scalar(&schedule.cron));
    if let Some(time_zone) = &schedule.time_zone {
        out += &format!("    tz: {}\n", as_any_scalar(time_zone));
    }
    if !inputs.is_empty() {
        out += "    input:\n";
    }
    for input in inputs {
        let name = &input.name;
        out += &match schedule.values.get(name).filter(|value| !value.is_empty()) {
            Some(value) => format!("      {name}: {}\n", as_any_scalar(value)),
            None if input.is_date() => {
                format!("      {name}: {}\n", as_any_scalar(FIRE_DATE))
            }
            None => format!("      {name}: \"\" # the value for every run\n"),
        };
    }
    out
}

fn list(key: &str, items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let items = items.iter().map(|item| format!("  - {}\n", as_any_scalar(item)));
    format!("{key}:\n{}", items.collect::<String>())
}
