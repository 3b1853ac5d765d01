//! `dibber guide`.

use clap::{ArgMatches, Args, Command as ClapCommand, ValueEnum};
use serde::Serialize;

use super::session::{self, Session};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::term::markdown::render_markdown;
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;
use dibber_skill::contract::GUIDES;

pub(super) const COMMAND: Command = Command { name: "guide", define, run };

/// The version of the JSON shape.
const JSON_VERSION: u32 = 1;

/// Read the server's guides for authors
///
/// Each server tells agents how to write for it. These are the pages that they read; without a
/// name, the list of them.
#[derive(Args)]
struct GuideArgs {
    /// Which guide
    #[arg(value_name = "skill|heartbeat|canvas", hide_possible_values = true)]
    which: Option<Which>,

    /// Print it as the server sends it, as Markdown
    #[arg(long, requires = "which", conflicts_with = "json")]
    raw: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A guide. Its place is that of [`GUIDES`].
#[derive(Clone, Copy, ValueEnum)]
enum Which {
    Skill,
    Heartbeat,
    Canvas,
}

#[derive(Serialize)]
struct ListV1 {
    version: u32,
    guides: Vec<GuideV1>,
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

impl Which {
    const fn guide(self) -> GuideV1 {
        let (name, uri) = GUIDES[self as usize];
        GuideV1 { name, uri }
    }

    const fn about(self) -> &'static str {
        match self {
            Self::Skill => "how to write a skill that the server takes",
            Self::Heartbeat => "how to set a schedule for a skill",
            Self::Canvas => "how a canvas is made, which a skill may link",
        }
    }
}

fn define(command: ClapCommand) -> ClapCommand {
    session::define(GuideArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: GuideArgs = parse_args(matches);
    let Some(which) = arguments.which else {
        return list(arguments.json, ui);
    };
    let roster = ui.names()?;
    let guide = which.guide();
    let session = Session::open(matches)?;
    let text = session.wait(session.client.resource(guide.uri))?;
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
    let all = Which::value_variants();
    if json {
        let guides = all.iter().map(|which| which.guide()).collect();
        ui.print_json(&ListV1 { version: JSON_VERSION, guides })?;
        return Ok(Exit::Done);
    }
    let mut sheet = Sheet::new(Style { color: ui.stdout_color(), width: ui.width() });
    for which in all {
        let GuideV1 { name, uri } = which.guide();
        sheet.row(name, which.about());
        sheet.row("", uri);
    }
    ui.print(sheet.text.as_bytes())?;
    Ok(Exit::Done)
}
