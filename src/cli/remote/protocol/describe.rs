//! `dibber protocol describe`.

use clap::{ArgMatches, Args, Command as ClapCommand, ValueEnum};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::rpc_session::{self, Purpose, RpcSession};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::{mask, masked_json};
use crate::cli::remote::schema_words::rows;
use crate::cli::term::rendered::Rendered;
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::Ink;
use crate::cli::term::ui::Ui;
use dibber_client::skills_protocol::RemoteSkill;
use dibber_skill::contract::skills_protocol::{DescribeDetail, DescribeSkill};
use dibber_skill::names::Roster;
use dibber_text::{message, quote_argument, quote_in_full};

pub(super) const ACTION: Command = Command { name: "describe", define, run };

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// The characters of a beginning of `SKILL.md`, as servers send it: a shorter one is all of it.
const CUT_CHARACTERS_MIN: usize = 500;

/// Show the manifest of a skill, and the beginning of its SKILL.md
#[derive(Args)]
struct DescribeArgs {
    /// The name of the skill, such as `family.dates.countdown`
    #[arg(value_name = "SKILL")]
    name: String,

    /// The version of the skill; the latest one by default
    #[arg(long = "version", id = "skill_version", value_name = "VERSION")]
    version: Option<String>,

    /// How much is shown: `manifest`, `summary` with the beginning of SKILL.md, or `full`
    #[arg(long, value_name = "DETAIL", default_value = "summary", hide_possible_values = true)]
    detail: Detail,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Detail {
    Manifest,
    Summary,
    Full,
}

/// Described by `schemas/protocol-describe.schema.json`.
#[derive(Serialize)]
struct DescribeV1 {
    version: u32,
    server: String,
    skill: Value,
    warnings: Vec<String>,
}

fn define(command: ClapCommand) -> ClapCommand {
    rpc_session::define(DescribeArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: DescribeArgs = parse_args(matches);
    let session = RpcSession::open(matches, Purpose::Read)?;
    let roster = ui.names()?;
    let detail = match arguments.detail {
        Detail::Manifest => DescribeDetail::Manifest,
        Detail::Summary => DescribeDetail::Summary,
        Detail::Full => DescribeDetail::Full,
    };
    let call =
        DescribeSkill { name: arguments.name, version: arguments.version, detail: Some(detail) };
    let mut skill = session.wait(Purpose::Read, session.client.describe(&call))?;
    if skill.name != call.name {
        ui.warning(message![
            "the server describes `",
            quote_in_full(&skill.name),
            "` instead of `",
            quote_in_full(&call.name),
            "`"
        ]);
    }
    if arguments.json {
        let server = session.shown_server(ui);
        let warnings = skill.warnings.iter().map(|warning| mask(warning, &roster)).collect();
        let skill = masked_json(&to_json(&skill), &roster);
        ui.print_json(&DescribeV1 { version: VERSION, server, skill, warnings })?;
        return Ok(Exit::Done);
    }
    session.warn(&skill.warnings, ui);
    let is_cut = matches!(arguments.detail, Detail::Summary) && shorten(&mut skill.documentation);
    let page = page(&skill, ui.sheet(), &roster);
    ui.print(page.as_bytes())?;
    if is_cut {
        let name = quote_argument(&skill.name);
        ui.eprintln(message!["`dibber protocol cat ", name, "` prints all of its SKILL.md"]);
    }
    Ok(Exit::Done)
}

/// Ends a string that a server may have cut at a word. Returns `true` if it may have.
fn shorten(documentation: &mut Option<String>) -> bool {
    let Some(text) = documentation else { return false };
    if text.chars().count() < CUT_CHARACTERS_MIN {
        return false;
    }
    let end = text.trim_end_matches('…').rfind(char::is_whitespace).unwrap_or(text.len());
    text.truncate(end);
    text.truncate(text.trim_end().len());
    text.push_str(" …");
    true
}

fn to_json(skill: &RemoteSkill) -> Value {
    json!({
        "name": skill.name, "version": skill.version, "kind": skill.kind,
        "namespace": skill.namespace, "manifest": skill.manifest,
        "frontmatter": skill.frontmatter, "documentation": skill.documentation,
    })
}

fn page(skill: &RemoteSkill, mut sheet: Sheet, roster: &Roster) -> Rendered {
    sheet.row("skill", &skill.name);
    let known = [("version", &skill.version), ("kind", &skill.kind)];
    for (label, value) in known {
        sheet.row(label, value.as_deref().unwrap_or("unknown"));
    }
    let string = |keys: &[&str]| text(&skill.manifest, keys);
    let rows = [
        ("summary", string(&["description"])),
        ("runs", string(&["runtime", "entrypoint"])),
        ("secrets", string(&["permissions", "secrets"])),
        ("network", string(&["permissions", "network"])),
    ];
    for (label, value) in rows {
        if let Some(value) = value {
            sheet.row(label, &value);
        }
    }
    if let Some(Value::Object(schema)) = skill.manifest.get("input_schema") {
        arguments(&mut sheet, schema, roster);
    }
    if let Some(documentation) = &skill.documentation {
        sheet.end_line();
        sheet.lines("  │ ", documentation);
    }
    sheet.finish()
}

fn arguments(sheet: &mut Sheet, schema: &Map<String, Value>, roster: &Roster) {
    let rows = rows(schema, roster);
    sheet.end_line();
    sheet.paint(Ink::Strong, "Arguments");
    sheet.push(if rows.is_empty() { ": none" } else { "" });
    sheet.end_line();
    for row in rows {
        let indent = 2 + 2 * row.depth;
        sheet.indent(indent);
        sheet.wrap(indent + 2, &row.words, None);
    }
}

/// Returns the string at a path in the manifest, or the strings of a list there.
fn text(manifest: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    let (first, others) = keys.split_first()?;
    let value = others.iter().try_fold(manifest.get(*first)?, |value, key| value.get(*key))?;
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => {
            let items: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            (!items.is_empty()).then(|| items.join(", "))
        }
        _ => None,
    }
}
