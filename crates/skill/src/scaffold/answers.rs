//! What a user answers about a new skill.

use std::collections::BTreeMap;

use crate::contract::{Category, InputVariable};

/// What is known about the new skill; the template provides the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// The name, which is also the name of the directory.
    pub name: Option<String>,
    /// The title under which a family finds it; derived from the name when it is missing.
    pub label: Option<String>,
    /// What it does, and when to use it.
    pub description: Option<String>,
    /// Which agent it is for.
    pub category: Option<Category>,
    /// Whether a child may launch it.
    pub kid_callable: Option<bool>,
    /// The ages that it is for: `5-7`.
    pub ages: Option<String>,
    /// The inputs, in addition to those of the template.
    pub inputs: Vec<InputVariable>,
    /// The tools that it uses, in addition to those of the template: `task_list` or `task.list`.
    pub hands: Vec<String>,
    /// The schedule on which it runs.
    pub schedule: Option<Schedule>,
    /// The canvases that it links.
    pub canvases: Vec<String>,
    /// What replaces the slots of the template, by their names.
    pub details: BTreeMap<String, Detail>,
}

/// What replaces a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Text as a person wrote it.
    Text(String),
    /// The value of an input, with the text around it as a person wrote it.
    Input {
        /// The text before it.
        before: String,
        /// The name of the input.
        name: String,
        /// The text after it.
        after: String,
    },
}

/// The schedule on which a skill runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Five fields of cron.
    pub cron: String,
    /// The IANA name of the time zone; otherwise the server's default.
    pub time_zone: Option<String>,
    /// The values of inputs at every run, by their names.
    pub values: BTreeMap<String, String>,
}
