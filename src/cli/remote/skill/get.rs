//! `dibber skill get`.

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;
use serde_json::Value;

use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::masked_json;
use crate::cli::remote::resolve;
use crate::cli::remote::session::{self, Session};
use crate::cli::term::rendered::Rendered;
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;
use dibber_client::publish::ListedSkills;
use dibber_skill::contract::{Category, SkillFound, WireEnum};
use dibber_skill::names::Roster;

pub(super) const ACTION: Command = Command { name: "get", define, run };

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Show a skill of a server
#[derive(Args)]
struct GetArgs {
    /// The skill: its folder, its label or the beginning of it, its name or its id
    #[arg(value_name = "SKILL")]
    skill: String,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `schemas/skill-get.schema.json`.
#[derive(Serialize)]
struct GetV1 {
    version: u32,
    server: String,
    skill: Value,
    canvases: Value,
}

fn define(command: ClapCommand) -> ClapCommand {
    session::define(GetArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: GetArgs = parse_args(matches);
    let session = Session::open(matches, ui)?;
    let roster = ui.names()?;
    let mut locks = session.locks()?;
    let skill_id = resolve::resolve_by_start(&arguments.skill, &session, &mut locks)?;
    let found = session.wait(ListedSkills::new(&session.client).read(&skill_id))?;
    let server = session.server.name();
    if arguments.json {
        let json = |value: serde_json::Result<Value>| {
            masked_json(&value.expect("strings and lists"), &roster)
        };
        let skill = json(serde_json::to_value(&found.skill));
        let canvases = json(serde_json::to_value(&found.canvases));
        let server = ui.masked(server).into_owned();
        ui.print_json(&GetV1 { version: VERSION, server, skill, canvases })?;
        return Ok(Exit::Done);
    }
    let style = Style { color: ui.stdout_color(), width: ui.width() };
    ui.print(page(&found, server, style, &roster).as_bytes())?;
    Ok(Exit::Done)
}

fn page(found: &SkillFound, server: &str, style: Style, roster: &Roster) -> Rendered {
    let skill = &found.skill;
    let mut sheet = Sheet::new(style, roster);
    sheet.title(&skill.name, skill.skill_id.as_str());
    sheet.paragraphs("summary", &skill.description);
    sheet.row("category", skill.category.name());
    let children = if skill.kid_callable { "may launch it" } else { "may not launch it" };
    if skill.category == Category::Generic {
        sheet.row("children", children);
    }
    if let Some(ages) = &skill.age_range {
        sheet.row("ages", ages);
    }
    sheet.list("hands", &skill.hands_referenced);
    let inputs = skill.input_variables.iter().map(|input| match &input.kind {
        Some(kind) => format!("{} ({kind})", input.name),
        None => input.name.clone(),
    });
    sheet.list("inputs", &inputs.collect::<Vec<_>>());
    let canvases = found.canvases.iter().map(|canvas| {
        let emoji = canvas.emoji.as_deref().unwrap_or_default();
        format!("{emoji} {} ({})", canvas.name, canvas.canvas_id).trim().to_owned()
    });
    sheet.list("canvases", &canvases.collect::<Vec<_>>());
    let state = match skill.archived {
        Some(true) => "archived",
        Some(false) => "active",
        None => "unknown",
    };
    sheet.row("state", state);
    sheet.row("last run", skill.last_triggered_at.as_deref().unwrap_or("never"));
    sheet.row("server", server);
    sheet.end_line();
    sheet.lines("  │ ", &skill.prompt);
    sheet.finish()
}
