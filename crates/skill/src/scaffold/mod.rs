//! From a template and a few answers to the files of a new skill, as data.
//!
//! A template is a whole skill. [`plan()`] puts the answers where the parser finds the name, the
//! description and the heading, and writes `sprout.yaml` from data, so that every answer is quoted
//! as needed. [`problems()`] returns what is wrong with the answers themselves; what is wrong with
//! the resulting skill is found by the linter.

mod answers;
mod plan;
mod problems;
mod skill_file;
mod sprout_file;
mod templates;

pub use answers::{Answers, Detail, Schedule};
pub use plan::{Plan, PlannedFile, plan};
pub(crate) use problems::input_problems;
pub use problems::problems;
pub(crate) use skill_file::{
    as_heading, as_paragraph, find_first_paragraph, what_it_does, with_inputs, without_inputs,
};
pub(crate) use sprout_file::{heartbeat_lines, schedule_name};
pub use templates::{
    ANYTHING_ELSE, FOR_WHOM, Slot, TEMPLATES, Template, TemplateAudience, TemplateFile, template,
};
