//! `dibber guide`.

use clap::{ArgMatches, Args, Command as ClapCommand, ValueEnum};
use serde::Serialize;

use super::session::{self, Session};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::term::markdown::render_markdown;
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;
use dibber_skill::contract::GUIDES;

pub(super) const COMMAND: Command = Command { name: "guide", define, run };

/// The version of the JSON shape.
const JSON_VERSION: u32 = 2;

/// Read the server's guides for authors
///
/// Prints a guide that the server offers to agents. Without a name, lists the guides.
#[derive(Args)]
struct GuideArgs {
    /// The guide
    #[arg(value_name = "skill|heartbeat|canvas", hide_possible_values = true)]
    guide: Option<GuideName>,

    /// Print it as the server sends it, as Markdown
    #[arg(long, requires = "guide", conflicts_with = "json")]
    raw: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The name of a guide, in the order of [`GUIDES`].
#[derive(Clone, Copy, ValueEnum)]
enum GuideName {
    Skill,
    Heartbeat,
    Canvas,
}

#[derive(Serialize)]
struct ListV1 {
    version: u32,
    items: Vec<GuideV1>,
}

#[derive(Serialize)]
struct OneV1 {
    version: u32,
    #[serde(flatten)]
    guide: GuideV1,
    text: String,
}

#[derive(Serialize)]
struct GuideV1 {
    name: &'static str,
    uri: &'static str,
}

impl GuideName {
    const fn guide(self) -> GuideV1 {
        let (name, uri) = GUIDES[self as usize];
        GuideV1 { name, uri }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::Skill => "how to write a skill that the server accepts",
            Self::Heartbeat => "how to set a schedule for a skill",
            Self::Canvas => "how skills see and link canvases",
        }
    }
}

fn define(command: ClapCommand) -> ClapCommand {
    session::define(GuideArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: GuideArgs = parse_args(matches);
    let Some(name) = arguments.guide else {
        return list(arguments.json, ui);
    };
    let guide = name.guide();
    let session = Session::open(matches, ui)?;
    let roster = ui.names()?;
    let text = session.wait(session.client.resource(guide.uri))?.text();
    let text = mask(&text, &roster);
    if arguments.json {
        ui.print_json(&OneV1 { version: JSON_VERSION, guide, text })?;
    } else if arguments.raw {
        let line_end = if text.ends_with('\n') { "" } else { "\n" };
        ui.print(format!("{}{line_end}", dibber_text::escape(&text)).as_bytes())?;
    } else {
        let style = Style { color: ui.stdout_color(), width: ui.width() };
        ui.print(render_markdown(&text, style).as_bytes())?;
    }
    Ok(Exit::Done)
}

fn list(json: bool, ui: &mut Ui) -> Result<Exit, CommandError> {
    let all = GuideName::value_variants();
    if json {
        let items = all.iter().map(|name| name.guide()).collect();
        ui.print_json(&ListV1 { version: JSON_VERSION, items })?;
        return Ok(Exit::Done);
    }
    let mut sheet = ui.sheet();
    for guide in all {
        let GuideV1 { name, uri } = guide.guide();
        sheet.row(name, guide.description());
        sheet.row("", uri);
    }
    let page = sheet.finish();
    ui.print(page.as_bytes())?;
    Ok(Exit::Done)
}
