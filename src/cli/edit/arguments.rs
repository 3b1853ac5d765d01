//! The arguments of `dibber edit`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::default_zone::zone_argument;
use crate::cli::error::CommandError;
use crate::cli::flags::{DryRun, Yes};
use crate::cli::new::arguments::{Audience, input, without_quotes};
use dibber_skill::revision::SkillChanges;
use dibber_text::{message, quote};

/// Change what a skill is called, does and when it runs
///
/// Lists what the skill says now as answers to the questions of `dibber new`, asks which to change,
/// shows what would change in SKILL.md and sprout.yaml, and writes it if you agree. Everything else
/// in the files stays as it is, to the byte. With options, only these are changed.
#[derive(Args)]
pub(super) struct EditArgs {
    /// The folder of the skill, or a file in it
    #[arg(default_value = ".", hide_default_value = true)]
    pub(super) skill: PathBuf,

    /// The title under which a family finds it
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,

    /// What it does, and when to use it
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,

    /// Which agent it is for
    #[arg(long = "for", value_name = "AGENT")]
    audience: Option<Audience>,

    /// Whether a child may launch it
    #[arg(long, value_name = "yes|no", value_parser = yes_or_no, hide_possible_values = true)]
    kid_callable: Option<bool>,

    /// The ages that it is for: 5-7
    #[arg(long)]
    ages: Option<String>,

    /// An input to add, which is filled in at each run; may be repeated
    #[arg(long = "input", value_name = "NAME[:TYPE][=DESCRIPTION]")]
    inputs: Vec<String>,

    /// An input to remove; may be repeated
    #[arg(long = "remove-input", value_name = "NAME")]
    removed_inputs: Vec<String>,

    /// When it runs by itself: "weekdays at 7:30pm", or "never"
    #[arg(long, alias = "cron", value_name = "SCHEDULE")]
    pub(super) schedule: Option<String>,

    /// The time zone of the schedule, or a city: `Europe/Berlin`, `Munich`
    #[arg(long = "tz", value_name = "ZONE", value_parser = zone_argument, requires = "schedule")]
    pub(super) time_zone: Option<String>,

    /// What an input is when it runs by itself; may be repeated
    #[arg(long = "value", value_name = "NAME=TEXT")]
    values: Vec<String>,

    /// Change the text that an agent reads, in your editor
    ///
    /// The editor is the program in VISUAL, or else in EDITOR.
    #[arg(long)]
    pub(super) body: bool,

    #[command(flatten)]
    pub(super) yes: Yes,

    #[command(flatten)]
    pub(super) dry_run: DryRun,
}

impl EditArgs {
    /// Returns `true` if no option names a change, so that a person at the terminal is asked.
    pub(super) fn has_questions(&self) -> Result<bool, CommandError> {
        Ok(self.schedule.is_none() && !self.body && self.changes()?.is_empty())
    }

    /// Returns the changes that options name, without the schedule.
    pub(super) fn changes(&self) -> Result<SkillChanges, CommandError> {
        Ok(SkillChanges {
            label: self.label.clone(),
            description: self.description.clone(),
            category: self.audience.map(Audience::category),
            kid_callable: self.kid_callable,
            ages: self.ages.as_deref().map(without_quotes),
            inputs: self.inputs.iter().map(|text| input(text)).collect::<Result<_, _>>()?,
            removed_inputs: self.removed_inputs.clone(),
            schedule: None,
            values: self.values.iter().map(|text| value(text)).collect::<Result<_, _>>()?,
            body: None,
            schedule_rename: None,
        })
    }
}

/// Parses a value and the name of its input.
fn value(typed: &str) -> Result<(String, String), CommandError> {
    let Some((name, value)) = typed.split_once('=') else {
        let message = message!["`--value ", quote(typed), "` has no `=`"];
        return Err(CommandError::new(message).help("write `--value NAME=TEXT`"));
    };
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn yes_or_no(typed: &str) -> Result<bool, String> {
    let answer = crate::cli::term::answer_line::yes_or_no(typed);
    answer.ok_or_else(|| "write yes or no".to_owned())
}
