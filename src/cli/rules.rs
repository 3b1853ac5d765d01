//! `dibber rules`, and rules as JSON.

use clap::{ArgMatches, Args};
use serde::Serialize;

use super::command::{Command, parse_args};
use super::error::CommandError;
use super::exit::Exit;
use super::term::ui::Ui;
use dibber_lint::RULES;
use dibber_skill::diagnostic::{FixAvailability, Group, RuleMeta};
use dibber_text::{closest_match, message, quote, quote_in_full};

pub(super) const COMMAND: Command = Command { name: "rules", define: RulesArgs::augment_args, run };

/// The version of the JSON shape.
const JSON_VERSION: u32 = 2;

/// List the rules
#[derive(Args)]
struct RulesArgs {
    /// Only the rules of these groups
    #[arg(value_name = "GROUP")]
    groups: Vec<String>,
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
    let groups: Result<Vec<Group>, _> = arguments
        .groups
        .iter()
        .map(|name| Group::from_name(name).ok_or_else(|| unknown(name)))
        .collect();
    let groups = groups?;
    let rules = RULES.iter().map(|rule| &rule.meta);
    let rules = rules.filter(|meta| groups.is_empty() || groups.contains(&meta.group));
    if arguments.json {
        return RulesJson::new(rules).print(ui);
    }
    let table = table(rules, ui);
    ui.print(table.as_bytes())?;
    Ok(Exit::Done)
}

/// Returns the error of a name that is not a group.
fn unknown(name: &str) -> CommandError {
    if dibber_lint::meta(name).is_some() {
        let message = message!["`", quote(name), "` is a rule, not a group of rules"];
        return CommandError::new(message).help(message![
            "`dibber explain ",
            quote(name),
            "` explains it"
        ]);
    }
    let error = CommandError::new(message!["unknown group `", quote(name), "`"]);
    if let Some(group) = closest_match(name, Group::ALL.map(Group::name)) {
        return error.help(message!["did you mean `", group, "`?"]);
    }
    let groups = Group::ALL.map(Group::name).join(", ");
    error.help(message!["the groups are ", quote_in_full(&groups)])
}

/// Returns the rules with their levels and fixes, one line for each, below their groups.
pub(super) fn table<'a>(rules: impl Iterator<Item = &'a RuleMeta>, ui: &Ui) -> String {
    let width = RULES.iter().map(|rule| rule.meta.id.len()).max().unwrap_or_default();
    let mut group = None;
    let mut table = String::new();
    for meta in rules {
        if group != Some(meta.group) {
            let gap = if group.is_none() { "" } else { "\n" };
            table += &format!("{gap}{}\n", ui.heading(meta.group.name()));
            group = Some(meta.group);
        }
        let (level, fix) = (meta.level.name(), fix_word(meta.fix));
        table += &format!("  {:width$}  {level:5}  {fix:6}  {}\n", meta.id, meta.summary);
    }
    table
}
