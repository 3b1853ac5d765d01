//! `dibber explain`.

use clap::{ArgMatches, Args};

use super::command::{Command, parse_args};
use super::error::CommandError;
use super::exit::Exit;
use super::rules::{RulesJson, fix_word};
use super::term::ui::Ui;
use dibber_lint::RULES;
use dibber_skill::diagnostic::RuleMeta;
use dibber_text::{closest_match, message, quote};

pub(super) const COMMAND: Command =
    Command { name: "explain", define: ExplainArgs::augment_args, run };

/// Explain a rule: what it does, why, and what to write instead
#[derive(Args)]
struct ExplainArgs {
    /// The rule, as in the brackets of a finding
    rule: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: ExplainArgs = parse_args(matches);
    let meta = dibber_lint::meta(&arguments.rule).ok_or_else(|| unknown_rule(&arguments.rule))?;
    if arguments.json {
        return RulesJson::new([meta]).print(ui);
    }
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
    ui.print(page.as_bytes())?;
    Ok(Exit::Done)
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
    let error = CommandError::new(message!["unknown rule `", quote(name), "`"]);
    match closest_match(name, RULES.iter().map(|rule| rule.meta.id)) {
        Some(id) => error.help(message!["did you mean `", id, "`?"]),
        None => error.help("`dibber rules` lists the rules"),
    }
}
