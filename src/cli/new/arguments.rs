//! The arguments of `dibber new`, and the answers among them.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::cli::default_zone::zone_argument;
use crate::cli::error::CommandError;
use crate::cli::flags::{DryRun, Yes};
use dibber_skill::age_range::AgeRange;
use dibber_skill::contract::{Category, InputVariable};
use dibber_skill::manifest::{INPUT_TYPES, input_type_help};
use dibber_skill::scaffold::{self, Answers, Schedule, TEMPLATES, Template};
use dibber_text::{message, quote};

/// Make a new skill from a template
///
/// In a terminal, it asks for what is not given, and writes the files if
/// you agree. Existing files are never overwritten.
///
/// Without questions:
///
///   dibber new bus-times --template generic --yes \
///     --description "Says when the bus goes. Use when asked for the bus."
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[command(verbatim_doc_comment)]
pub(super) struct NewArgs {
    /// The name of the skill, and of its folder: lowercase letters, digits, hyphens
    pub(super) name: Option<String>,
    /// The template to start from; `--list` lists them
    #[arg(long, hide_possible_values = true)]
    #[arg(value_parser = PossibleValuesParser::new(TEMPLATES.iter().map(|template| template.name)))]
    pub(super) template: Option<String>,
    /// What it does, and when to use it
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// When to use it, if the description does not say so: "a parent asks for the bus"
    #[arg(long, value_name = "TEXT", requires = "description")]
    when: Option<String>,
    /// The title under which a family finds it [default: the name in words]
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,
    /// Which agent it is for [default: the template's]
    #[arg(long = "for", value_name = "AGENT")]
    audience: Option<Audience>,
    /// Let a child launch it
    #[arg(long)]
    kid_callable: bool,
    /// The ages that it is for: 5-7
    #[arg(long)]
    ages: Option<String>,
    /// An input that is filled in at each run; may be repeated
    #[arg(long = "input", value_name = "NAME[:TYPE][=DESCRIPTION]")]
    inputs: Vec<String>,
    /// A tool that it uses, such as `task_list`; may be repeated
    #[arg(long = "hand", value_name = "TOOL")]
    hands: Vec<String>,
    /// When it runs by itself: "weekdays at 7:30pm", or in five fields "30 19 * * 1-5"
    #[arg(long, alias = "cron", value_name = "SCHEDULE")]
    schedule: Option<String>,
    /// The time zone of the schedule, or a city: `Europe/Berlin`, `Munich`
    #[arg(long = "tz", value_name = "ZONE", value_parser = zone_argument, requires = "schedule")]
    time_zone: Option<String>,
    /// The id of a canvas that it links; may be repeated
    #[arg(long = "canvas", value_name = "UUID")]
    canvases: Vec<String>,
    /// The folder in which the skill's folder is made
    #[arg(long, value_name = "DIR", default_value = ".", hide_default_value = true)]
    pub(super) into: PathBuf,
    #[command(flatten)]
    pub(super) yes: Yes,
    /// Go on with the answers of a run that was interrupted
    #[arg(long)]
    pub(super) resume: bool,
    #[command(flatten)]
    pub(super) dry_run: DryRun,
    /// List the templates
    #[arg(long)]
    pub(super) list: bool,
    /// Print the files, or the list, as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// The agent that a skill is for.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(in crate::cli) enum Audience {
    /// Sprout's own agent, and the home agent
    Generic,
    /// The family's home agent alone
    #[value(alias = "home_agent")]
    HomeAgent,
}

impl Audience {
    /// Returns it as a skill is published.
    pub(in crate::cli) const fn category(self) -> Category {
        match self {
            Self::Generic => Category::Generic,
            Self::HomeAgent => Category::HomeAgent,
        }
    }
}

impl NewArgs {
    /// Returns the template, if one is named.
    pub(super) fn template(&self) -> Option<&'static Template> {
        self.template.as_deref().and_then(scaffold::template)
    }

    /// Returns the answers on the command line, and errors for those that are invalid.
    pub(super) fn answers(&self) -> (Answers, Vec<CommandError>) {
        let mut errors = Vec::new();
        let mut inputs = Vec::new();
        for text in &self.inputs {
            match input(text) {
                Ok(input) => inputs.push(input),
                Err(error) => errors.push(error),
            }
        }
        let description = self.description.as_deref().map(|what| match &self.when {
            Some(when) => with_trigger(what, when),
            None => what.trim().to_owned(),
        });
        let schedule = self.schedule.as_ref().map(|cron| Schedule {
            cron: cron.trim().to_owned(),
            time_zone: self.time_zone.clone(),
            ..Schedule::default()
        });
        let answers = Answers {
            name: self.name.clone(),
            label: self.label.clone(),
            description,
            category: self.audience.map(Audience::category),
            kid_callable: self.kid_callable.then_some(true),
            ages: self.ages.as_deref().map(without_quotes),
            inputs,
            hands: self.hands.clone(),
            schedule,
            canvases: self.canvases.clone(),
            ..Answers::default()
        };
        (answers, errors)
    }
}

/// Returns ages without the quotes that messages and files show around them.
pub(in crate::cli) fn without_quotes(ages: &str) -> String {
    let ages = ages.trim();
    ages.strip_prefix('"').and_then(|ages| ages.strip_suffix('"')).unwrap_or(ages).to_owned()
}

/// Returns ages as they are typed: one age alone for a range with one.
pub(in crate::cli) fn short_ages(ages: &str) -> String {
    ages.parse::<AgeRange>().map_or_else(|_| ages.to_owned(), AgeRange::in_short)
}

/// Returns what a skill does and when to use it as one description.
pub(super) fn with_trigger(what: &str, when: &str) -> String {
    let (what, when) = (what.trim(), when.trim());
    let stop = |text: &str| if text.ends_with(['.', '!', '?', '。']) { "" } else { "." };
    let begins_with =
        |word: &str| when.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    let lead = match () {
        () if begins_with("use ") => "",
        () if begins_with("when ") => "Use ",
        () => "Use when ",
    };
    let when =
        if lead == "Use " { format!("when{}", &when["when".len()..]) } else { when.to_owned() };
    format!("{what}{} {lead}{when}{}", stop(what), stop(&when))
}

/// Parses an input in the form `name:type=description`.
pub(in crate::cli) fn input(text: &str) -> Result<InputVariable, CommandError> {
    let (head, description) = match text.split_once('=') {
        Some((head, description)) => (head, Some(description.trim().to_owned())),
        None => (text, None),
    };
    let (name, kind) = match head.split_once(':') {
        Some((name, kind)) => (name, Some(kind.trim().to_owned())),
        None => (head, None),
    };
    if let Some(kind) = kind.as_deref().filter(|kind| !INPUT_TYPES.contains(kind)) {
        let message = message!["unknown input type `", quote(kind), "`"];
        return Err(CommandError::new(message).help(input_type_help(kind)));
    }
    let description = description.filter(|description| !description.is_empty());
    Ok(InputVariable { name: name.trim().to_owned(), kind, description })
}
