//! `dibber add --list`: the skills of a source.

use serde::Serialize;

use super::document::{VERSION, print_masked};
use crate::cli::error::CommandError;
use crate::cli::error_json::ErrorV1;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use dibber_catalog::sources::OpenSource;

/// Described by `schemas/offered.schema.json`.
#[derive(Serialize)]
struct OfferedV1 {
    version: u32,
    source: String,
    revision: Option<String>,
    items: Vec<OfferedSkillV1>,
    errors: Vec<ErrorV1>,
}

#[derive(Serialize)]
struct OfferedSkillV1 {
    name: String,
    /// The directory in the source; empty at the top.
    path: String,
    description: String,
}

/// Prints the skills of a source: a line for each, or JSON.
pub(super) fn print(
    source: &dyn OpenSource,
    has_json: bool,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    if has_json {
        let items = source.skills().iter().map(|skill| OfferedSkillV1 {
            name: skill.name.clone(),
            path: skill.path.clone(),
            description: skill.description.clone(),
        });
        let (items, errors) = (items.collect(), ui.errors_json());
        let (source, revision) = (source.address(), source.revision());
        let document = OfferedV1 { version: VERSION, source, revision, items, errors };
        print_masked(&document, ui)?;
        return Ok(Exit::Done);
    }
    let width = source.skills().iter().map(|skill| skill.name.chars().count()).max();
    let width = width.unwrap_or_default();
    for skill in source.skills() {
        let line = format!("{:width$}  {}", skill.name, skill.path);
        let line = ui.shown(line.trim_end()).in_full().to_string();
        ui.print(format!("{line}\n").as_bytes())?;
    }
    Ok(Exit::Done)
}
