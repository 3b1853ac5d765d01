//! Showing the files that would be written.

use serde::Serialize;

use crate::cli::error::CommandError;
use crate::cli::mask::mask;
use crate::cli::term::ask::Asker;
use crate::cli::term::rendered::Rendered;
use crate::cli::term::sheet::{MARGIN_COLUMNS, Sheet};
use crate::cli::term::style::Ink;
use crate::cli::term::ui::Ui;
use dibber_skill::names::Roster;
use dibber_skill::scaffold::Plan;

/// The version of the JSON shape.
const JSON_VERSION: u32 = 1;

#[derive(Serialize)]
struct PlanJson {
    version: u32,
    folder: String,
    files: Vec<FileJson>,
}

#[derive(Serialize)]
struct FileJson {
    path: String,
    executable: bool,
    text: String,
}

/// Prints the files as data.
pub(super) fn print(
    ui: &mut Ui,
    roster: &Roster,
    plan: &Plan,
    is_json: bool,
) -> Result<(), CommandError> {
    if is_json {
        let files = plan.files.iter().map(|file| FileJson {
            path: mask(&file.path, roster),
            executable: file.is_executable,
            text: mask(&file.text, roster),
        });
        let (folder, files) = (mask(&plan.directory, roster), files.collect());
        return ui.print_json(&PlanJson { version: JSON_VERSION, folder, files });
    }
    let text = page(ui.sheet(), plan, |sheet, text| sheet.lines("  ", text));
    ui.print(text.as_bytes())
}

/// Shows the files between two questions.
pub(super) fn show(asker: &mut Asker<'_>, plan: &Plan) {
    asker.eprintln("");
    let page = page(asker.sheet(), plan, |sheet, text| sheet.wrapped_lines(MARGIN_COLUMNS, text));
    asker.eprint_rendered(&page);
}

/// Returns each file under its path, with its text written by `lines`.
fn page(mut sheet: Sheet<'_>, plan: &Plan, lines: impl Fn(&mut Sheet<'_>, &str)) -> Rendered {
    for file in &plan.files {
        let program = if file.is_executable { " (a program)" } else { "" };
        let path = format!("{}/{}{program}", plan.directory, file.path);
        sheet.paint(Ink::Strong, &path);
        sheet.end_line();
        sheet.end_line();
        lines(&mut sheet, &file.text);
        sheet.end_line();
    }
    sheet.finish()
}
