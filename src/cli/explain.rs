//! `dibber explain`.

use clap::{ArgMatches, Args};

use super::command::{Command, parse_args};
use super::error::CommandError;
use super::exit::Exit;
use super::rules::{RulesJson, fix_word, table};
use super::term::ui::Ui;
use dibber_lint::RULES;
use dibber_skill::diagnostic::{Group, RuleMeta};
use dibber_text::{closest_match, message, quote};

pub(super) const COMMAND: Command =
    Command { name: "explain", define: ExplainArgs::augment_args, run };

/// Explain rules: what they do, why, and what to write instead
#[derive(Args)]
struct ExplainArgs {
    /// Rules, as in the brackets of a finding, or groups, whose rules are listed
    #[arg(value_name = "RULE")]
    rules: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: ExplainArgs = parse_args(matches);
    if arguments.rules.is_empty() {
        return Err(CommandError::new("no rule is given")
            .help("name one, as in the brackets of a finding; `dibber rules` lists them"));
    }
    let explained: Result<Vec<Explained>, _> =
        arguments.rules.iter().map(|name| Explained::find(name)).collect();
    let explained = explained?;
    if arguments.json {
        return RulesJson::new(explained.iter().flat_map(Explained::rules)).print(ui);
    }
    let pages = explained.iter().map(|explained| match explained {
        Explained::Rule(meta) => page(meta, ui),
        Explained::Group(group) => table(rules_of(*group), ui),
    });
    let pages: Vec<String> = pages.collect();
    ui.print(pages.join("\n").as_bytes())?;
    Ok(Exit::Done)
}

/// What a name means.
enum Explained {
    Rule(&'static RuleMeta),
    Group(Group),
}

impl Explained {
    fn find(name: &str) -> Result<Self, CommandError> {
        let rule = dibber_lint::meta(name).map(Self::Rule);
        let group = || Group::from_name(name).map(Self::Group);
        rule.or_else(group).ok_or_else(|| unknown_rule(name))
    }

    fn rules(&self) -> Vec<&'static RuleMeta> {
        match self {
            Self::Rule(meta) => vec![meta],
            Self::Group(group) => rules_of(*group).collect(),
        }
    }
}

fn rules_of(group: Group) -> impl Iterator<Item = &'static RuleMeta> {
    RULES.iter().map(|rule| &rule.meta).filter(move |meta| meta.group == group)
}

fn page(meta: &RuleMeta, ui: &Ui) -> String {
    let mut page = format!("{}\n\n{}\n\n", ui.heading(meta.id), facts(meta));
    let mut in_code = false;
    for line in meta.docs.trim().lines() {
        in_code ^= line.starts_with("```");
        match line.strip_prefix("# ").filter(|_| !in_code) {
            Some(heading) => page += &ui.heading(heading),
            None => page += &line_of_code_or_text(line),
        }
        page.push('\n');
    }
    page
}

/// The fence of an example names the file for the tests; a reader wants the name alone.
fn line_of_code_or_text(line: &str) -> String {
    let ticks = line.len() - line.trim_start_matches('`').len();
    match line[ticks..].rsplit_once(' ') {
        Some((_, path)) if ticks >= 3 => format!("{} {path}", &line[..ticks]),
        _ => line.to_owned(),
    }
}

fn facts(meta: &RuleMeta) -> String {
    let fix = match fix_word(meta.fix) {
        "" => "no fix".to_owned(),
        word => format!("{word} fix"),
    };
    let (group, level) = (meta.group.name(), meta.level.name());
    format!("{}\n\n{group} · {level} by default · {fix} · since {}", meta.summary, meta.since)
}

fn unknown_rule(name: &str) -> CommandError {
    let error = CommandError::new(message!["unknown rule or group `", quote(name), "`"]);
    let names = RULES.iter().map(|rule| rule.meta.id).chain(Group::ALL.map(Group::name));
    match closest_match(name, names) {
        Some(id) => error.help(message!["did you mean `", id, "`?"]),
        None => error.help("`dibber rules` lists the rules"),
    }
}
