//! The definitions of tools for function calling.

use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::Value;

use crate::cli::error::CommandError;
use crate::cli::term::ui::Ui;
use dibber_lint::report::write_json_pretty;
use dibber_skill::discover;
use dibber_skill::function_tool::{FunctionTool, ToolFormat};
use dibber_skill::protocol::{self, ProtocolProblem};
use dibber_skill::skill::PROTOCOL_FILE_NAME;
use dibber_text::{closest_match, message, quote, quote_in_full};

/// The word for all tools of the Skills Protocol.
const PROTOCOL: &str = "protocol";
/// The word for all tools of the server in this program.
const SERVER: &str = "server";

/// `--for`.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Format {
    /// The name, the description and the schema of the parameters
    Json,
    /// Functions of OpenAI
    Openai,
    /// Functions of OpenAI whose arguments always match the schema
    OpenaiStrict,
    /// Tools of Anthropic
    Anthropic,
}

impl Format {
    const fn format(self) -> ToolFormat {
        match self {
            Self::Json => ToolFormat::Json,
            Self::Openai => ToolFormat::OpenAi,
            Self::OpenaiStrict => ToolFormat::OpenAiStrict,
            Self::Anthropic => ToolFormat::Anthropic,
        }
    }
}

/// Returns the definitions of the wanted tools as a JSON list; without a wish, those of the Skills
/// Protocol.
pub(super) fn definitions(
    format: Format,
    wanted: &[String],
    server: &[FunctionTool],
    ui: &mut Ui,
) -> Result<Vec<u8>, CommandError> {
    let mut definitions: Vec<Value> = Vec::new();
    for tool in choose(wanted, server)? {
        let shown = message!["`", quote(&tool.name), "`"];
        let definition = tool.definition(format.format()).map_err(|reason| {
            CommandError::new(message![
                "models cannot call the tool ",
                shown.clone(),
                ": ",
                quote_in_full(&reason)
            ])
            .help("`--for json` prints the definition as it is")
        })?;
        if let Some(reason) = definition.not_strict {
            ui.warning(message![shown, " is not strict: ", quote_in_full(&reason)]);
        }
        definitions.push(definition.json);
    }
    let mut json = Vec::new();
    write_json_pretty(&definitions, &mut json);
    Ok(json)
}

fn choose(wanted: &[String], server: &[FunctionTool]) -> Result<Vec<FunctionTool>, CommandError> {
    let protocol = protocol::tools();
    if wanted.is_empty() {
        return Ok(protocol);
    }
    let known = || protocol.iter().chain(server);
    let mut chosen = Vec::new();
    for word in wanted {
        match word.as_str() {
            PROTOCOL => chosen.extend(protocol.iter().cloned()),
            SERVER => chosen.extend(server.iter().cloned()),
            _ => match known().find(|tool| tool.name == *word) {
                Some(tool) => chosen.push(tool.clone()),
                None => chosen.push(of_skill(word)?.ok_or_else(|| {
                    let names = known().map(|tool| tool.name.as_str()).chain([PROTOCOL, SERVER]);
                    unknown(word, closest_match(word, names))
                })?),
            },
        }
    }
    Ok(chosen)
}

fn unknown(word: &str, meant: Option<&str>) -> CommandError {
    let message =
        message!["`", quote(word), "` is neither a tool nor a folder with a `skill.toml`"];
    CommandError::new(message).help(match meant {
        Some(meant) => message!["did you mean `", quote(meant), "`?"],
        None => {
            "`protocol` stands for all tools of the Skills Protocol, `server` for those of the \
                 server in dibber"
                .into()
        }
    })
}

/// Returns the skill of the Skills Protocol in a directory as a tool; none if there is no such skill.
fn of_skill(path: &str) -> Result<Option<FunctionTool>, CommandError> {
    let (found, _) = discover::find(&[discover::from_current_directory(PathBuf::from(path))]);
    let Some(skill) = found.first().and_then(|found| discover::load(found).ok()) else {
        return Ok(None);
    };
    let Some(manifest) = skill.resource(PROTOCOL_FILE_NAME) else { return Ok(None) };
    let (manifest, problems) = protocol::parse(&manifest.source);
    let is_valid = problems.iter().all(ProtocolProblem::is_harmless);
    if let Some(tool) = protocol::as_tool(&manifest).filter(|_| is_valid) {
        return Ok(Some(tool));
    }
    let message = message!["the `skill.toml` in `", quote(path), "` is not valid"];
    let help = message!["run `dibber lint ", quote(path), "` for details"];
    Err(CommandError::new(message).help(help))
}
