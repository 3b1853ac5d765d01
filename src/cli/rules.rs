//! `dibber rules`, and rules as JSON.

use clap::{ArgMatches, Args};
use serde::Serialize;

use super::command::{Command, parse_args};
use super::error::CommandError;
use super::exit::Exit;
use super::term::ui::Ui;
use dibber_lint::RULES;
use dibber_skill::diagnostic::{FixAvailability, RuleMeta};

pub(super) const COMMAND: Command = Command { name: "rules", define: RulesArgs::augment_args, run };

/// The version of the JSON shape.
const JSON_VERSION: u32 = 2;

/// List the rules
#[derive(Args)]
struct RulesArgs {
    /// Print JSON, with the documentation of each rule
    #[arg(long)]
    json: bool,
}

/// The JSON of `dibber rules --json` and `dibber explain --json`.
#[derive(Serialize)]
pub(super) struct RulesJson {
    version: u32,
    items: Vec<RuleJson>,
}

#[derive(Serialize)]
struct RuleJson {
    id: &'static str,
    group: &'static str,
    level: &'static str,
    fix: &'static str,
    since: &'static str,
    summary: &'static str,
    docs: &'static str,
}

impl RulesJson {
    pub(super) fn new<'a>(rules: impl IntoIterator<Item = &'a RuleMeta>) -> Self {
        let rules = rules.into_iter().map(|meta| RuleJson {
            id: meta.id,
            group: meta.group.name(),
            level: meta.level.name(),
            fix: fix_word(meta.fix),
            since: meta.since,
            summary: meta.summary,
            docs: meta.docs.trim(),
        });
        Self { version: JSON_VERSION, items: rules.collect() }
    }

    pub(super) fn print(&self, ui: &mut Ui) -> Result<Exit, CommandError> {
        let mut json = serde_json::to_vec_pretty(self).expect("strings and numbers are JSON");
        json.push(b'\n');
        ui.print(&json)?;
        Ok(Exit::Done)
    }
}

/// The word for what a rule can repair; empty when it cannot.
pub(super) const fn fix_word(fix: FixAvailability) -> &'static str {
    match fix {
        FixAvailability::None => "",
        FixAvailability::Sometimes(applicability) | FixAvailability::Always(applicability) => {
            applicability.name()
        }
    }
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: RulesArgs = parse_args(matches);
    if arguments.json {
        return RulesJson::new(RULES.iter().map(|rule| &rule.meta)).print(ui);
    }
    let width = RULES.iter().map(|rule| rule.meta.id.len()).max().unwrap_or_default();
    let mut group = None;
    let mut table = String::new();
    for rule in RULES {
        let meta = &rule.meta;
        if group != Some(meta.group) {
            let gap = if group.is_none() { "" } else { "\n" };
            table += &format!("{gap}{}\n", ui.heading(meta.group.name()));
            group = Some(meta.group);
        }
        let (level, fix) = (meta.level.name(), fix_word(meta.fix));
        table += &format!("  {:width$}  {level:5}  {fix:6}  {}\n", meta.id, meta.summary);
    }
    ui.print(table.as_bytes())?;
    Ok(Exit::Done)
}
