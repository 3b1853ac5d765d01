//! `dibber tools`.

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;
use serde_json::{Map, Value};

use super::schema_words::rows;
use super::session::{self, Session};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::{mask, masked_object};
use crate::cli::term::rendered::Rendered;
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::Ink;
use crate::cli::term::ui::Ui;
use dibber_client::ToolInfo;
use dibber_skill::names::Roster;
use dibber_text::{closest_match, message, quote};

pub(super) const COMMAND: Command = Command { name: "tools", define, run };

/// The version of the JSON shape.
const JSON_VERSION: u32 = 2;

/// The most characters of a sentence about each of several tools.
const SENTENCE_CHARACTERS_MAX: usize = 400;
/// The most characters of the description of one tool.
const DESCRIPTION_CHARACTERS_MAX: usize = 20_000;

/// The columns before the lines of a description, which is the server's and not this program's.
const DESCRIPTION_INDENT: usize = 2;

/// List the tools of the server, or show one
#[derive(Args)]
struct ToolsArgs {
    /// The tool to show, with its arguments
    tool: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn define(command: ClapCommand) -> ClapCommand {
    session::define(ToolsArgs::augment_args(command))
}

#[derive(Serialize)]
struct ToolsV1 {
    version: u32,
    server: String,
    items: Vec<ToolV1>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolV1 {
    name: String,
    title: Option<String>,
    description: Option<String>,
    read_only: bool,
    idempotent: bool,
    destructive: bool,
    input_schema: Map<String, Value>,
    output_schema: Option<Map<String, Value>>,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: ToolsArgs = parse_args(matches);
    let session = Session::open(matches, ui)?;
    let roster = ui.names()?;
    let tools = session.wait(session.client.tools())?;
    let one = arguments.tool.as_deref().map(|name| find(&tools, name)).transpose()?;
    let listed = one.map_or(tools.as_slice(), std::slice::from_ref);
    if arguments.json {
        let items = listed.iter().map(|tool| json(tool, &roster)).collect();
        ui.print_json(&ToolsV1 {
            version: JSON_VERSION,
            server: ui.masked(session.server.name()).into_owned(),
            items,
        })?;
        return Ok(Exit::Done);
    }
    let shown = match one {
        Some(tool) => page(tool, ui.sheet(), &roster),
        None => list(listed, ui.sheet(), &roster),
    };
    ui.print(shown.as_bytes())?;
    Ok(Exit::Done)
}

/// Returns the tool with a name, in either spelling.
pub(super) fn find<'a>(tools: &'a [ToolInfo], name: &str) -> Result<&'a ToolInfo, CommandError> {
    ToolInfo::find(tools, name).ok_or_else(|| {
        let error = CommandError::new(message!["the server has no tool `", quote(name), "`"]);
        match closest_match(name, tools.iter().map(|tool| tool.name.as_str())) {
            Some(known) => error.help(message!["did you mean `", quote(known), "`?"]),
            None => error.help("`dibber tools` lists the tools"),
        }
    })
}

fn json(tool: &ToolInfo, roster: &Roster) -> ToolV1 {
    let shown = |text: &String| mask(text, roster);
    ToolV1 {
        name: shown(&tool.name),
        title: tool.title.as_ref().map(shown),
        description: tool.description.as_ref().map(shown),
        read_only: tool.is_read_only,
        idempotent: tool.is_idempotent,
        destructive: tool.is_destructive,
        input_schema: masked_object(&tool.input_schema, roster),
        output_schema: tool.output_schema.as_ref().map(|schema| masked_object(schema, roster)),
    }
}

/// Returns the effects of a tool, as the server declares them.
fn hints(tool: &ToolInfo) -> &'static str {
    match (tool.is_read_only, tool.is_destructive, tool.is_idempotent) {
        (true, _, _) => "read-only",
        (false, true, true) => "writes; destructive, idempotent",
        (false, true, false) => "writes; destructive",
        (false, false, true) => "writes; idempotent",
        (false, false, false) => "writes",
    }
}

fn list(tools: &[ToolInfo], mut sheet: Sheet, roster: &Roster) -> Rendered {
    for tool in tools {
        sheet.paint(Ink::Strong, &tool.name);
        sheet.push("  ");
        sheet.paint(Ink::Faint, hints(tool));
        sheet.end_line();
        let description = tool.description.as_deref().map(first_sentence);
        if let Some(description) = description.or(tool.title.as_deref()) {
            sheet.indent(2);
            let (sentence, rest) = beginning(description, SENTENCE_CHARACTERS_MAX, roster);
            let more = rest.map(|more| format!("… ({more} more characters)"));
            sheet.wrap(2, &(sentence + &more.unwrap_or_default()), None);
        }
    }
    sheet.finish()
}

/// Returns the beginning of a description, masked, and the number of characters after it.
fn beginning(description: &str, characters_max: usize, roster: &Roster) -> (String, Option<usize>) {
    let masked = mask(description, roster);
    match masked.char_indices().nth(characters_max) {
        Some((end, _)) => (masked[..end].to_owned(), Some(masked[end..].chars().count())),
        None => (masked, None),
    }
}

/// Returns the first sentence of a description, or its first line.
fn first_sentence(description: &str) -> &str {
    let line = description.trim().lines().next().unwrap_or_default();
    match line.find(". ") {
        Some(end) => &line[..=end],
        None => line,
    }
}

fn page(tool: &ToolInfo, mut sheet: Sheet, roster: &Roster) -> Rendered {
    sheet.row("tool", &tool.name);
    if let Some(title) = &tool.title {
        sheet.row("title", title);
    }
    sheet.row("hints", hints(tool));
    if let Some(description) = &tool.description {
        let (beginning, rest) = beginning(description, DESCRIPTION_CHARACTERS_MAX, roster);
        for line in beginning.lines() {
            sheet.end_line();
            sheet.indent(if line.is_empty() { 0 } else { DESCRIPTION_INDENT });
            sheet.wrap(DESCRIPTION_INDENT, line, None);
        }
        if let Some(more) = rest {
            let more = format!("… and {more} more characters, which `--json` prints");
            sheet.end_line();
            sheet.indent(DESCRIPTION_INDENT);
            sheet.wrap(DESCRIPTION_INDENT, &more, Some(Ink::Faint));
        }
    }
    fields(&mut sheet, "Arguments", &tool.input_schema, roster);
    if let Some(schema) = &tool.output_schema {
        fields(&mut sheet, "Answer", schema, roster);
    }
    sheet.finish()
}

fn fields(sheet: &mut Sheet, heading: &str, schema: &Map<String, Value>, roster: &Roster) {
    let rows = rows(schema, roster);
    sheet.end_line();
    sheet.paint(Ink::Strong, heading);
    sheet.push(if rows.is_empty() { ": none" } else { "" });
    sheet.end_line();
    for row in rows {
        let indent = 2 + 2 * row.depth;
        sheet.indent(indent);
        sheet.wrap(indent + 2, &row.words, None);
    }
}
