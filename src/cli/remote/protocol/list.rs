//! `dibber protocol list`.

use clap::builder::RangedU64ValueParser;
use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;
use serde_json::Value;

use super::rpc_session::{self, Purpose, RpcSession};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::{mask, masked_json};
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_client::skills_protocol::RemoteSkillsPage;
use dibber_lint::report::layout::{columns, truncate};
use dibber_skill::contract::skills_protocol::{ListDetail, ListSkills, SkillListItem};
use dibber_skill::names::Roster;
use dibber_text::{escape_line, message, quote_argument, quote_in_full};

pub(super) const ACTION: Command = Command { name: "list", define, run };

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;
/// The most skills that are listed by default.
const LIMIT_DEFAULT: &str = "1000";
/// The most skills that are listed with `--all`.
const ALL_MAX: usize = 1_000_000;
/// The most columns of a name that others are aligned with.
const NAME_COLUMNS_MAX: usize = 36;
/// The most columns of a version, and of a kind.
const WORD_COLUMNS_MAX: usize = 14;
/// The fewest columns of a description.
const DESCRIPTION_COLUMNS_MIN: usize = 16;
/// The columns between two others.
const GAP: usize = 2;

/// List the skills of a server
///
/// Each skill is listed once, with its latest version.
#[derive(Args)]
struct ListArgs {
    /// List only skills of this namespace, such as `family` or `family.dates`
    #[arg(value_name = "NAMESPACE")]
    namespace: Option<String>,

    /// The most skills
    #[arg(long, value_name = "COUNT", default_value = LIMIT_DEFAULT,
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000_000))]
    limit: usize,

    /// List all skills
    #[arg(long, conflicts_with = "limit")]
    all: bool,

    /// Begin where an earlier list ended: its `nextCursor`
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `schemas/protocol-list.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListV1 {
    version: u32,
    server: String,
    items: Vec<Value>,
    /// Where the rest begins, if `--limit` leaves some out.
    next_cursor: Option<String>,
    /// How many more the server lists that cannot be read.
    unreadable: usize,
    warnings: Vec<String>,
}

fn define(command: ClapCommand) -> ClapCommand {
    rpc_session::define(ListArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: ListArgs = parse_args(matches);
    let session = RpcSession::open(matches, Purpose::Read)?;
    let roster = ui.names()?;
    let call = ListSkills {
        namespace: arguments.namespace,
        detail: Some(ListDetail::Summary),
        limit: None,
        cursor: arguments.cursor,
    };
    let limit = if arguments.all { ALL_MAX } else { arguments.limit };
    let listing = session.client.list_up_to(&call, limit);
    let (mut listed, failure) = session.wait(Purpose::Read, listing)?;
    leave_out(&mut listed, limit);
    let server = session.shown_server(ui);
    let failure = match failure {
        Some(failure) => Some(session.command_error(Purpose::Read, &failure)),
        None if arguments.all && listed.next_cursor.is_some() => Some(too_many()),
        None => None,
    };
    if arguments.json {
        ui.print_json(&ListV1 {
            version: VERSION,
            server,
            items: listed.skills.iter().map(|skill| json(skill, &roster)).collect(),
            next_cursor: listed.next_cursor,
            unreadable: listed.unreadable,
            warnings: listed.warnings.iter().map(|warning| mask(warning, &roster)).collect(),
        })?;
        return Ok(end(failure, ui));
    }
    session.warn(&listed.warnings, ui);
    ui.print(table(&listed.skills, ui.width(), &roster).as_bytes())?;
    let count = quantity(listed.skills.len(), "skill", "skills");
    let mut line = message![quote_in_full(&count), " on ", quote_in_full(&server)];
    if listed.unreadable > 0 {
        line.push(message!["; ", listed.unreadable, " more cannot be read"]);
    }
    ui.eprintln(line);
    if let Some(cursor) = &listed.next_cursor {
        let all = if arguments.all { "" } else { "`--all` lists them, and " };
        ui.eprintln(message![
            "there are more: ",
            all,
            "`--cursor ",
            quote_argument(cursor),
            "` continues"
        ]);
    }
    Ok(end(failure, ui))
}

/// Returns how the command ends, after what is missing in the list is shown.
fn end(failure: Option<CommandError>, ui: &mut Ui) -> Exit {
    let Some(failure) = failure else { return Exit::Done };
    let failure = failure.more_help("the list above is incomplete");
    ui.item_error(&failure);
    failure.exit_code()
}

/// Returns the error of a list that has more pages than are read.
fn too_many() -> CommandError {
    CommandError::new("the server lists more skills than are read at once").exit(Exit::Failed)
}

/// Leaves out the skills that a server has sent beyond the limit. It has no cursor for them.
fn leave_out(listed: &mut RemoteSkillsPage, limit: usize) {
    let more = listed.skills.len().saturating_sub(limit);
    if more > 0 {
        listed.skills.truncate(limit);
        listed.next_cursor = None;
        let skills = quantity(more, "skill is", "skills are");
        listed.warnings.push(format!(
            "it sends more skills than it was asked for: {skills} left out, and `--all` lists them"
        ));
    }
}

fn json(skill: &SkillListItem, roster: &Roster) -> Value {
    let SkillListItem { name, version, description, namespace, kind } = skill;
    let item = serde_json::json!({
        "name": name, "version": version, "kind": kind, "namespace": namespace,
        "description": description,
    });
    masked_json(&item, roster)
}

/// A line for each skill. Nothing is cut from its name, with which it is described and run.
fn table(skills: &[SkillListItem], width: usize, roster: &Roster) -> String {
    let rows: Vec<[String; 4]> = skills.iter().map(|skill| row(skill, roster)).collect();
    let widest = |index: usize, max: usize| {
        let widths = rows.iter().map(|row: &[String; 4]| columns(&row[index]));
        widths.filter(|width| *width <= max).max().unwrap_or_default()
    };
    let widths =
        [widest(0, NAME_COLUMNS_MAX), widest(1, WORD_COLUMNS_MAX), widest(2, WORD_COLUMNS_MAX)];
    let mut out = String::new();
    for [name, version, kind, description] in &rows {
        let mut line = String::new();
        for (word, width) in [name, version, kind].into_iter().zip(widths) {
            if width > 0 {
                let gap = width.saturating_sub(columns(word)) + GAP;
                line += &format!("{word}{:gap$}", "");
            }
        }
        let room = width.saturating_sub(columns(&line));
        if room >= DESCRIPTION_COLUMNS_MIN {
            line += &truncate(description, room);
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}

fn row(skill: &SkillListItem, roster: &Roster) -> [String; 4] {
    let shown = |text: &str| escape_line(&mask(text, roster)).into_owned();
    let word = |word: &Option<String>| {
        truncate(&shown(word.as_deref().unwrap_or_default()), WORD_COLUMNS_MAX)
    };
    let description = skill.description.as_deref().unwrap_or_default();
    [shown(&skill.name), word(&skill.version), word(&skill.kind), shown(description)]
}
