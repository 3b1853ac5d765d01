//! The list of templates.

use serde::Serialize;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use dibber_skill::scaffold::TEMPLATES;

/// The version of the JSON shape.
const JSON_VERSION: u32 = 2;

#[derive(Serialize)]
struct TemplatesJson {
    version: u32,
    items: Vec<TemplateJson>,
}

#[derive(Serialize)]
struct TemplateJson {
    name: &'static str,
    summary: &'static str,
    files: Vec<&'static str>,
}

pub(super) fn print(ui: &mut Ui, is_json: bool) -> Result<Exit, CommandError> {
    if is_json {
        let templates = TEMPLATES.iter().map(|template| TemplateJson {
            name: template.name,
            summary: template.summary,
            files: template.files.iter().map(|file| file.path).collect(),
        });
        let json = TemplatesJson { version: JSON_VERSION, items: templates.collect() };
        ui.print_json(&json)?;
        return Ok(Exit::Done);
    }
    let width = TEMPLATES.iter().map(|template| template.name.len()).max().unwrap_or_default();
    let mut table = String::new();
    for template in TEMPLATES {
        table += &format!("{:width$}  {}\n", template.name, template.summary);
    }
    ui.print(table.as_bytes())?;
    Ok(Exit::Done)
}
