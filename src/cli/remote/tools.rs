//! `dibber tools`.

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;
use serde_json::{Map, Value};

use super::schema_words::rows;
use super::session::{self, Session};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::{Ink, Style};
use crate::cli::term::ui::Ui;
use dibber_client::ToolInfo;
use dibber_lint::report::write_json_pretty;
use dibber_text::{closest_match, ellipsize, escape, escape_line};

pub(super) const COMMAND: Command = Command { name: "tools", define, run };

/// The version of the JSON shape.
const JSON_VERSION: u32 = 1;

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
struct ToolsV1<'a> {
    version: u32,
    server: &'a str,
    tools: Vec<ToolV1<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolV1<'a> {
    name: &'a str,
    title: Option<&'a str>,
    description: Option<&'a str>,
    read_only: bool,
    idempotent: bool,
    destructive: bool,
    input_schema: &'a Map<String, Value>,
    output_schema: Option<&'a Map<String, Value>>,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: ToolsArgs = parse_args(matches);
    ui.names()?;
    let session = Session::open(matches)?;
    let tools = session.wait(session.client.tools())?;
    let one = arguments.tool.as_deref().map(|name| find(&tools, name)).transpose()?;
    let listed = one.map_or(tools.as_slice(), std::slice::from_ref);
    let style = Style { color: ui.stdout_color(), width: ui.width() };
    let shown = match (arguments.json, one) {
        (true, _) => json(session.server.name(), listed),
        (false, Some(tool)) => page(tool, style),
        (false, None) => list(listed, style),
    };
    let shown = ui.masked(&shown).into_owned();
    ui.print(shown.as_bytes())?;
    Ok(Exit::Done)
}

/// Returns the tool with a name, in either spelling.
pub(super) fn find<'a>(tools: &'a [ToolInfo], name: &str) -> Result<&'a ToolInfo, CommandError> {
    ToolInfo::find(tools, name).ok_or_else(|| {
        let error = CommandError::new(format!("the server has no tool `{}`", ellipsize(name)));
        match closest_match(name, tools.iter().map(|tool| tool.name.as_str())) {
            Some(known) => error.help(format!("did you mean `{known}`?")),
            None => error.help("`dibber tools` lists the tools"),
        }
    })
}

fn json(server: &str, tools: &[ToolInfo]) -> String {
    let tools = tools.iter().map(|tool| ToolV1 {
        name: &tool.name,
        title: tool.title.as_deref(),
        description: tool.description.as_deref(),
        read_only: tool.is_read_only,
        idempotent: tool.is_idempotent,
        destructive: tool.is_destructive,
        input_schema: &tool.input_schema,
        output_schema: tool.output_schema.as_ref(),
    });
    let mut json = Vec::new();
    let shape = ToolsV1 { version: JSON_VERSION, server, tools: tools.collect() };
    write_json_pretty(&shape, &mut json);
    String::from_utf8_lossy(&json).into_owned()
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

fn list(tools: &[ToolInfo], style: Style) -> String {
    let mut sheet = Sheet::new(style);
    for tool in tools {
        sheet.paint(Ink::Strong, &escape_line(&tool.name));
        let title = tool.title.as_deref().map(|title| format!("{title}: ")).unwrap_or_default();
        sheet.text.push('\n');
        sheet.indent(2);
        sheet.wrap(2, &escape_line(&format!("{title}{}", hints(tool))), None);
    }
    sheet.text
}

fn page(tool: &ToolInfo, style: Style) -> String {
    let mut sheet = Sheet::new(style);
    sheet.row("tool", &tool.name);
    if let Some(title) = &tool.title {
        sheet.row("title", title);
    }
    sheet.row("hints", hints(tool));
    if let Some(description) = &tool.description {
        for line in escape(description).lines() {
            sheet.text.push('\n');
            sheet.wrap(0, line, None);
        }
    }
    fields(&mut sheet, "Arguments", &tool.input_schema);
    if let Some(schema) = &tool.output_schema {
        fields(&mut sheet, "Answer", schema);
    }
    sheet.text
}

fn fields(sheet: &mut Sheet, heading: &str, schema: &Map<String, Value>) {
    let rows = rows(schema);
    sheet.text.push('\n');
    sheet.paint(Ink::Strong, heading);
    sheet.text.push_str(if rows.is_empty() { ": none\n" } else { "\n" });
    for row in rows {
        let indent = 2 + 2 * row.depth;
        sheet.indent(indent);
        sheet.wrap(indent + 2, &escape_line(&row.words), None);
    }
}
