//! What is shown of a skill before it is installed.

use super::prepared::{Installed, Prepared};
use crate::cli::error::CommandError;
use crate::cli::term::diff::unified;
use crate::cli::term::rendered::Rendered;
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::Ink;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_catalog::SkillContents;
use dibber_catalog::added::{InstallPlan, PlaceAction};
use dibber_catalog::review::{FileChangeKind, SkillChanges, SkillReview};

/// The most files, programs, hints and findings that are shown one by one.
const LINES_MAX: usize = 40;

/// The most bytes of a file whose changes are shown (256 KiB).
const DIFF_BYTES_MAX: usize = 256 << 10;

/// Prints everything that is known of skills, and what would be done.
pub(super) fn print(prepared: &[Prepared], ui: &mut Ui) -> Result<(), CommandError> {
    for (at, skill) in prepared.iter().enumerate() {
        if at > 0 {
            ui.print(b"\n")?;
        }
        let page = page(skill, ui);
        ui.print(page.as_bytes())?;
        for installed in &skill.installed {
            let diffs = diffs(installed, skill.plan.contents(), ui)?;
            ui.print(diffs.as_bytes())?;
        }
    }
    Ok(())
}

fn page(skill: &Prepared, ui: &Ui) -> Rendered {
    let mut sheet = ui.sheet();
    let record = &skill.plan.record;
    let path = if record.path.is_empty() { String::new() } else { format!("//{}", record.path) };
    sheet.title(&record.name, &format!("{}{path}", record.source));
    if let Some(revision) = &record.revision {
        let before = skill.plan.recorded.as_ref().and_then(|it| it.revision.as_ref());
        match before.filter(|before| *before != revision) {
            Some(before) => sheet.row("revision", &format!("{before} -> {revision}")),
            None => sheet.row("revision", revision),
        }
    }
    match skill.installed.first() {
        Some(installed) => changed_rows(&mut sheet, &installed.changes),
        None => described_rows(&mut sheet, skill),
    }
    reviewed_rows(&mut sheet, &skill.review);
    let problems = skill.problems.iter().map(|it| it.with_path().shown(&()).to_string());
    rows(&mut sheet, "left out", &problems.collect::<Vec<_>>(), None);
    let steps = skill.plan.steps.iter().map(|(place, action)| step(place, action, &skill.plan));
    rows(&mut sheet, "goes to", &steps.collect::<Vec<_>>(), Some(Ink::Strong));
    sheet.finish()
}

fn described_rows(sheet: &mut Sheet, skill: &Prepared) {
    let contents = skill.plan.contents();
    if let Some(it) = &skill.description {
        sheet.row("says", &it.description);
        sheet.row("licence", it.license.as_deref().unwrap_or("none is named"));
        if let Some(compatibility) = &it.compatibility {
            sheet.row("needs", compatibility);
        }
        let tools = it.allowed_tools.join(", ");
        let none = "none are requested".to_owned();
        sheet.row("tools", if tools.is_empty() { &none } else { &tools });
    }
    let files = contents.files().map(|(path, file)| format!("{path}  {}", size(file.bytes.len())));
    rows(sheet, "files", &files.collect::<Vec<_>>(), None);
}

fn changed_rows(sheet: &mut Sheet, changes: &SkillChanges) {
    for change in &changes.fields {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".to_owned());
        let line =
            format!("{}: {} -> {}", change.field, value(&change.before), value(&change.after));
        sheet.painted_row("changes", &line, Some(Ink::Warning));
    }
    let files =
        changes.files.iter().map(|change| format!("{}  {}", change.path, change.kind.name()));
    let files: Vec<_> = files.collect();
    if files.is_empty() {
        sheet.row("files", "no file changes");
    }
    rows(sheet, "files", &files, None);
}

fn reviewed_rows(sheet: &mut Sheet, review: &SkillReview) {
    let scripts = review.scripts.iter().map(|it| format!("{} ({})", it.path, it.sign.name()));
    let scripts: Vec<_> = scripts.collect();
    if scripts.is_empty() {
        sheet.row("programs", "none");
    }
    rows(sheet, "programs", &scripts, None);
    let place = |path: &str, line: Option<usize>| match line {
        Some(line) => format!("{path}:{line}"),
        None => path.to_owned(),
    };
    let findings = review
        .findings
        .iter()
        .map(|it| format!("{}: {} ({})", place(&it.path, it.line), it.message, it.rule));
    rows(sheet, "findings", &findings.collect::<Vec<_>>(), Some(Ink::Error));
    let hints = review
        .hints
        .iter()
        .map(|it| format!("{}: {} ({})", place(&it.path, Some(it.line)), it.kind.name(), it.word));
    rows(sheet, "hints", &hints.collect::<Vec<_>>(), None);
}

/// Writes a row for each line, and counts those that are too many.
fn rows(sheet: &mut Sheet, label: &'static str, lines: &[String], ink: Option<Ink>) {
    for (at, line) in lines.iter().take(LINES_MAX).enumerate() {
        sheet.painted_row(if at == 0 { label } else { "" }, line, ink);
    }
    if lines.len() > LINES_MAX {
        sheet.row("", &format!("and {} more", lines.len() - LINES_MAX));
    }
}

fn step(place: &str, action: &PlaceAction, plan: &InstallPlan) -> String {
    let what = match action {
        PlaceAction::Keep => "is there already".to_owned(),
        PlaceAction::Create => "new".to_owned(),
        PlaceAction::Link => match plan.record.directories.first() {
            Some(first) => format!("a link to {first}"),
            None => "a link".to_owned(),
        },
        PlaceAction::Replace(edits) if edits.is_empty() => "replaced".to_owned(),
        PlaceAction::Replace(edits) => {
            let list = edits.iter().map(|edit| format!("{} ({})", edit.path, edit.kind.name()));
            let list = list.collect::<Vec<_>>().join(", ");
            format!("replaced, and local edits are discarded: {list}")
        }
        PlaceAction::Overwrite(files) if files.is_empty() => "replaces something else".to_owned(),
        PlaceAction::Overwrite(files) => {
            format!("replaces something else, and these files are lost: {}", files.join(", "))
        }
    };
    format!("{place}  {what}")
}

/// Returns the differences of the text files, as git shows them.
fn diffs(installed: &Installed, after: &SkillContents, ui: &Ui) -> Result<String, CommandError> {
    let Installed { place, contents: before, changes } = installed;
    let roster = ui.names()?;
    let mut out = String::new();
    for change in changes.files.iter().filter(|change| change.kind != FileChangeKind::Mode) {
        let text = |contents: &SkillContents| match contents.file(&change.path) {
            Some(file) if file.bytes.len() > DIFF_BYTES_MAX => None,
            Some(file) => String::from_utf8(file.bytes.clone()).ok(),
            None => Some(String::new()),
        };
        if let (Some(before), Some(after)) = (text(before), text(after)) {
            let diff = unified(&format!("{place}/{}", change.path), &before, &after, &roster);
            out += &diff.rendered(ui.stdout_color());
        }
    }
    Ok(if out.is_empty() { out } else { format!("\n{out}") })
}

fn size(bytes: usize) -> String {
    match bytes {
        0..=1023 => quantity(bytes, "byte", "bytes"),
        1024..=1_048_575 => format!("{} KiB", bytes.div_ceil(1024)),
        _ => format!("{} MiB", bytes.div_ceil(1 << 20)),
    }
}
