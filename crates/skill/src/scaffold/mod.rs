//! From a template and a few answers to the files of a new skill, as data.
//!
//! A template is a whole skill. [`plan()`] puts the answers into it where its own parser says that
//! the name, the description and the heading stand, and writes `sprout.yaml` from data, so that
//! whatever somebody types is quoted as it has to be. [`faults()`] says what is wrong with the
//! answers themselves; what is wrong with the skill that comes of them is for the linter to say.

mod faults;
mod plan;
mod skill_file;
mod sprout_file;
mod templates;

use crate::contract::{Category, InputVariable};

pub use faults::{Fault, faults};
pub use plan::{Plan, PlannedFile, plan};
pub use templates::{TEMPLATES, Template, TemplateFile, template};

/// What is known of the skill that is to be made; a template fills in what is not given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// The name, which is the folder's as well.
    pub name: Option<String>,
    /// The title under which a family finds it; made of the name when it is not given.
    pub label: Option<String>,
    /// What it does, and when to use it.
    pub description: Option<String>,
    /// Which agent it is for.
    pub category: Option<Category>,
    /// Whether a child may launch it.
    pub kid_callable: Option<bool>,
    /// The ages that it is for: `5-7`.
    pub ages: Option<String>,
    /// What is filled in at each run, besides what the template has.
    pub inputs: Vec<InputVariable>,
    /// The tools that it uses, besides those of the template: `task_list` or `task.list`.
    pub hands: Vec<String>,
    /// When it runs by itself.
    pub schedule: Option<Schedule>,
    /// The canvases that it links.
    pub canvases: Vec<String>,
}

/// When a skill runs by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Five fields of cron.
    pub cron: String,
    /// The IANA name of the time zone; the server has one of its own.
    pub time_zone: Option<String>,
}
