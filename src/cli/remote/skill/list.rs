//! `dibber skill list`.

use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;
use serde_json::Value;

use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::{mask, masked_json};
use crate::cli::remote::damaged::warn_of_missing;
use crate::cli::remote::session::{self, Session};
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_client::Listed;
use dibber_lint::report::layout::{columns, truncate};
use dibber_skill::contract::{Category, OpenEnum, SkillListArguments, SkillListItem, WireEnum};
use dibber_skill::names::Roster;
use dibber_text::{escape_line, message, quote_in_full};

pub(super) const ACTION: Command = Command { name: "list", define, run };

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;
/// The most skills that are listed by default.
const LIMIT_DEFAULT: &str = "1000";
/// The most columns of a word that only the server knows.
const WORD_COLUMNS_MAX: usize = 20;
/// The columns between two others.
const GAP: usize = 2;

/// List the skills of a server
#[derive(Args)]
struct ListArgs {
    /// The most skills
    #[arg(long, value_name = "COUNT", default_value = LIMIT_DEFAULT,
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000_000))]
    limit: usize,

    /// List archived skills, too
    #[arg(long)]
    archived: bool,

    /// List only skills of this category
    #[arg(long, value_name = "CATEGORY",
        value_parser = PossibleValuesParser::new(Category::words()))]
    category: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `schemas/skill-list.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListV1 {
    version: u32,
    server: String,
    items: Value,
    /// Where the rest begins, if `--limit` leaves some out.
    next_cursor: Option<String>,
    /// How many more the server lists that cannot be read.
    unreadable: usize,
    /// How many more it leaves out, because its database is damaged.
    damaged: u64,
}

fn define(command: ClapCommand) -> ClapCommand {
    session::define(ListArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: ListArgs = parse_args(matches);
    let session = Session::open(matches, ui)?;
    let roster = ui.names()?;
    let filter = SkillListArguments {
        include_archived: arguments.archived.then_some(true),
        category: arguments.category.as_deref().and_then(Category::from_name),
        ..SkillListArguments::default()
    };
    let listed = session.client.all_skills(&filter, arguments.limit);
    let listed = session.wait(listed)?;
    warn_of_missing(&listed, ui);
    let Listed { items, unreadable, damaged, next_cursor, .. } = listed;
    let unreadable = unreadable.len();
    let server = session.server.name();
    if arguments.json {
        let items = serde_json::to_value(&items).expect("strings and lists");
        let items = masked_json(&items, &roster);
        let server = ui.masked(server).into_owned();
        ui.print_json(&ListV1 {
            version: VERSION,
            server,
            items,
            next_cursor,
            unreadable,
            damaged,
        })?;
        return Ok(Exit::Done);
    }
    ui.print(table(&items, ui.width(), &roster).as_bytes())?;
    let count = quantity(items.len(), "skill", "skills");
    let mut line = message![quote_in_full(&count), " on ", quote_in_full(server)];
    if unreadable > 0 {
        line.push(message!["; ", unreadable, " more cannot be read"]);
    }
    if next_cursor.is_some() {
        line.push("; there are more, see --limit");
    }
    ui.eprintln(line);
    Ok(Exit::Done)
}

/// A line for each skill: its label, what is special about it, and its id, which comes last
/// because nothing may be cut from it.
fn table(items: &[SkillListItem], width: usize, roster: &Roster) -> String {
    let rows: Vec<[String; 3]> = items.iter().map(|item| row(item, roster)).collect();
    let widest =
        |index: usize| rows.iter().map(|row| columns(&row[index])).max().unwrap_or_default();
    let others = widest(1) + widest(2) + 2 * GAP;
    let label = widest(0).min(width.saturating_sub(others).max(10));
    let mut out = String::new();
    for [name, facts, id] in &rows {
        let name = truncate(name, label);
        let gap = label - columns(&name) + GAP;
        let facts_gap = widest(1) - columns(facts) + GAP;
        out += format!("{name}{:gap$}{facts}{:facts_gap$}{id}", "", "").trim_end();
        out.push('\n');
    }
    out
}

/// A word that only the server knows.
fn fact(field: &str, word: &str) -> String {
    format!("{field} {}", truncate(word, WORD_COLUMNS_MAX))
}

fn row(item: &SkillListItem, roster: &Roster) -> [String; 3] {
    let shown = |text: &str| escape_line(&mask(text, roster)).into_owned();
    let mut facts = Vec::new();
    match &item.category {
        OpenEnum::Known(Category::Generic) => {}
        OpenEnum::Known(Category::HomeAgent) => facts.push("home agent".to_owned()),
        OpenEnum::Other(category) => facts.push(fact("category", &shown(category))),
    }
    if item.kid_callable {
        facts.push("children".to_owned());
    }
    if item.is_archived() {
        facts.push("archived".to_owned());
    }
    if !["", "active", "archived"].contains(&item.status.as_str()) {
        facts.push(fact("status", &shown(&item.status)));
    }
    [shown(&item.name), facts.join(", "), shown(item.skill_id.as_str())]
}
