//! Showing the files that would be written.

use serde::Serialize;

use crate::cli::error::CommandError;
use crate::cli::mask::mask;
use crate::cli::term::ask::Asker;
use crate::cli::term::ui::Ui;
use dibber_skill::names::Roster;
use dibber_skill::scaffold::Plan;
use dibber_text::escape;

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
    let text = page(plan, roster, |heading| ui.heading(heading));
    ui.print(text.as_bytes())
}

/// Shows the files, and asks whether they are to be written.
pub(super) fn is_agreed(asker: &mut Asker<'_>, plan: &Plan) -> Result<bool, CommandError> {
    let text = page(plan, asker.roster(), str::to_owned);
    asker.eprint_rendered(&format!("\n{text}"));
    asker.confirm("Write these files?", true)
}

/// Each file under its path, indented, with everything escaped that a terminal would act on.
fn page(plan: &Plan, roster: &Roster, heading: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    for file in &plan.files {
        let program = if file.is_executable { " (a program)" } else { "" };
        let path = format!("{}/{}{program}", plan.directory, file.path);
        out += &format!("{}\n\n", heading(&mask(&path, roster)));
        for line in escape(&mask(&file.text, roster)).lines() {
            let indent = if line.is_empty() { "" } else { "  " };
            out += &format!("{indent}{line}\n");
        }
        out.push('\n');
    }
    out
}
