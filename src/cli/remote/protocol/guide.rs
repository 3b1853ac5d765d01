//! `dibber protocol guide`.

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;

use super::rpc_session::{self, Purpose, RpcSession};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::term::markdown::render_markdown;
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;
use dibber_text::escape;

pub(super) const ACTION: Command = Command { name: "guide", define, run };

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Read the server's guide for models
#[derive(Args)]
struct GuideArgs {
    /// Print it as the server sends it, as Markdown
    #[arg(long, conflicts_with = "json")]
    raw: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `schemas/protocol-guide.schema.json`.
#[derive(Serialize)]
struct GuideV1 {
    version: u32,
    server: String,
    text: String,
}

fn define(command: ClapCommand) -> ClapCommand {
    rpc_session::define(GuideArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: GuideArgs = parse_args(matches);
    let session = RpcSession::open(matches, Purpose::Read)?;
    let roster = ui.names()?;
    let guide = session.wait(Purpose::Read, session.client.guide())?;
    let text = mask(&guide.content, &roster);
    if arguments.json {
        let server = session.shown_server(ui);
        ui.print_json(&GuideV1 { version: VERSION, server, text })?;
    } else if arguments.raw {
        let line_end = if text.ends_with('\n') { "" } else { "\n" };
        ui.print(format!("{}{line_end}", escape(&text)).as_bytes())?;
    } else {
        let style = Style { color: ui.stdout_color(), width: ui.width() };
        ui.print(render_markdown(without_frontmatter(&text), style).as_bytes())?;
    }
    Ok(Exit::Done)
}

/// Returns the text after the frontmatter of a SKILL.md, if it has one.
fn without_frontmatter(text: &str) -> &str {
    let after = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    after.map_or(text, |(_, body)| body)
}
