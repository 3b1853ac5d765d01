//! What a person reads before and after a push.

use serde_json::Value;

use super::apply::Outcome;
use super::arguments::Want;
use super::survey::{Planned, Step};
use crate::cli::changes;
use crate::cli::dry_run::page::{Look, open_page};
use crate::cli::mask::mask;
use crate::cli::sheet::Sheet;
use crate::contract::Decision;
use crate::diagnostic::Diagnostic;
use crate::report::{self, Context, Ink, Style, columns, counted};
use crate::text::{escape_line, shorten};

/// The columns of what is done with a skill, in the list of many.
const WORD_COLUMNS: usize = 9;

/// The pages about what is planned: for one skill, all of it; for many, what changes, and a list.
pub(super) fn pages(want: Want, planned: &[Planned], look: &Look, server: &str) -> String {
    let mut text = String::new();
    for planned_one in planned {
        let page = match (&planned_one.step, want) {
            (Step::Stopped(_), _) => continue,
            (Step::Nothing { .. }, _) if planned.len() > 1 => continue,
            (Step::Nothing { skill_id }, Want::Diff { .. }) => {
                nothing(planned_one, skill_id, look, server)
            }
            (Step::Nothing { .. }, _) => continue,
            (Step::Create { policy }, Want::Push | Want::Preview) if planned.len() == 1 => {
                let sheet = open_page(&planned_one.review, look);
                closed(sheet, planned_one, policy, look, server)
            }
            (Step::Create { policy }, _) if planned.len() > 1 && is_allowed(policy) => continue,
            (Step::Create { policy } | Step::Update { policy, .. }, _) => {
                brief(planned_one, policy, look, server)
            }
        };
        if !text.is_empty() {
            text.push('\n');
        }
        text += &page;
    }
    if planned.len() > 1 {
        if !text.is_empty() {
            text.push('\n');
        }
        text += &list(planned, look);
    }
    text
}

fn is_allowed(policy: &Value) -> bool {
    policy["decision"] == Decision::Allow.name()
}

/// The name and the place of a skill, what changes, and what the server says.
fn brief(planned: &Planned, policy: &Value, look: &Look, server: &str) -> String {
    let mut sheet = Sheet::new(look.style);
    title(&mut sheet, planned);
    match &planned.step {
        Step::Update { old, update, .. } => {
            sheet.row("skill", &old.skill_id);
            changes::write(&mut sheet, old, update, look.roster);
            sheet.text.push('\n');
        }
        _ => sheet.row("skill", "new"),
    }
    closed(sheet, planned, policy, look, server)
}

fn nothing(planned: &Planned, skill_id: &str, look: &Look, server: &str) -> String {
    let mut sheet = Sheet::new(look.style);
    title(&mut sheet, planned);
    sheet.row("skill", skill_id);
    sheet.row("changes", &format!("none: {server} has it like that"));
    sheet.text
}

fn title(sheet: &mut Sheet, planned: &Planned) {
    let name = planned.review.preview.as_ref().map_or("", |preview| preview.name.as_str());
    if !name.trim().is_empty() {
        sheet.wrapped(0, &escape_line(name), Some(Ink::Strong));
    }
    sheet.paint(Ink::Place, &escape_line(&planned.review.path));
    sheet.text.push_str("\n\n");
}

/// Ends a page with what the server says: its reasons, but for those that are shown with their
/// places already, its decision, and the hash on which both sides agree.
fn closed(
    mut sheet: Sheet,
    planned: &Planned,
    policy: &Value,
    look: &Look,
    server: &str,
) -> String {
    let text =
        |value: &Value, key: &str| mask(value[key].as_str().unwrap_or_default(), look.roster);
    let shown = match planned.step {
        Step::Create { .. } => &planned.review.decision.reasons[..],
        _ => &[],
    };
    for reason in policy["reasons"].as_array().into_iter().flatten() {
        let is_shown =
            shown.iter().any(|it| reason["reason"] == it.reason && reason["path"] == *it.path);
        if !is_shown {
            let (code, path) = (text(reason, "reason"), text(reason, "path"));
            sheet.row("warning", &format!("{code} at {path}: {}", text(reason, "message")));
            sheet.row("", &text(reason, "fix"));
        }
    }
    let decision = text(policy, "decision");
    let ink = if decision == Decision::Allow.name() { Ink::Good } else { Ink::Warning };
    sheet.inked_row("decision", &decision, Some(ink));
    if let Some(hash) = planned.hash {
        sheet.row("specHash", &hash.to_string());
    }
    sheet.row("server", server);
    sheet.text
}

/// A line for each skill: what is done with it, its place and its name.
fn list(planned: &[Planned], look: &Look) -> String {
    let lines = planned.iter().map(|planned| {
        let (word, about) = match &planned.step {
            Step::Create { .. } => {
                let preview = planned.review.preview.as_ref();
                ("new", preview.map(|preview| preview.name.clone()).unwrap_or_default())
            }
            Step::Update { update, .. } => ("update", changes::names(update).join(", ")),
            Step::Nothing { .. } => ("same", String::new()),
            Step::Stopped(_) => ("stopped", String::new()),
        };
        (word, planned.review.path.clone(), about)
    });
    table(lines.collect(), look.style.width)
}

/// A table of three columns, cut where the width ends.
fn table(rows: Vec<(&str, String, String)>, width: usize) -> String {
    let rows: Vec<_> = rows
        .into_iter()
        .map(|(word, path, about)| {
            (word, escape_line(&path).into_owned(), escape_line(&about).into_owned())
        })
        .collect();
    let longest = rows.iter().map(|(_, path, _)| columns(path)).max().unwrap_or_default();
    let room = width.saturating_sub(WORD_COLUMNS);
    let path_columns = longest.min(room * 2 / 3);
    let mut out = String::new();
    for (word, path, about) in rows {
        let gap = path_columns.saturating_sub(columns(&path));
        let line = format!("{word:<WORD_COLUMNS$}{path}{:gap$}  {about}", "");
        out += cut(&line, width).trim_end();
        out.push('\n');
    }
    out
}

fn cut(line: &str, width: usize) -> String {
    if columns(line) <= width {
        return line.to_owned();
    }
    let mut out = String::new();
    for c in line.chars() {
        out.push(c);
        if columns(&out) >= width {
            out.pop();
            break;
        }
    }
    out + "…"
}

/// Findings as `dibber lint` shows them.
pub(super) fn findings(findings: &[Diagnostic], style: Style) -> String {
    let Some(format) = report::format("human").filter(|_| !findings.is_empty()) else {
        return String::new();
    };
    let context = Context { style, rules: Vec::new(), version: env!("CARGO_PKG_VERSION") };
    let (mut report, mut bytes) = ((format.open)(context), Vec::new());
    for finding in findings {
        report.diagnostic(finding, &mut bytes);
    }
    String::from_utf8(bytes).expect("a report for people is text")
}

/// What is said at the end: a line for each skill that was written, or one for all.
pub(super) fn closing(planned: &[Planned], results: &[Outcome], server: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for result in results {
        let Ok(done) = &result.done else { continue };
        let path = escape_line(&planned[result.index].review.path).into_owned();
        let id = shorten(&done.skill_id);
        let word = if matches!(planned[result.index].step, Step::Create { .. }) {
            "Published"
        } else {
            "Updated"
        };
        lines.push(format!("{word} {path} as {} on {}", escape_line(&id), escape_line(server)));
        if let Some(next) = Some(escape_line(&done.next_step)).filter(|next| !next.is_empty())
            && planned.len() == 1
        {
            lines.push(format!("Next: {next}"));
        }
    }
    let same: Vec<_> =
        planned.iter().filter(|it| matches!(it.step, Step::Nothing { .. })).collect();
    match &same[..] {
        [] => {}
        [one] if planned.len() == 1 => {
            let path = escape_line(&one.review.path);
            lines
                .push(format!("Nothing to publish: {} has {path} like that.", escape_line(server)));
        }
        _ => lines.push(format!("{} as they were", counted(same.len(), "skill is", "skills are"))),
    }
    if planned.len() > 1 {
        lines.push(tally(planned, results));
    }
    lines
}

/// `50 skills: 40 new, 5 updated, 2 as they were, 3 stopped`.
fn tally(planned: &[Planned], results: &[Outcome]) -> String {
    let count = |is: &dyn Fn(&Planned) -> bool| planned.iter().filter(|it| is(it)).count();
    let done = |is_new: bool| {
        let is_done = |result: &&Outcome| {
            result.done.is_ok()
                && matches!(planned[result.index].step, Step::Create { .. }) == is_new
        };
        results.iter().filter(is_done).count()
    };
    let counts = [
        (done(true), "new"),
        (done(false), "updated"),
        (count(&|it| matches!(it.step, Step::Nothing { .. })), "as they were"),
        (count(&|it| matches!(it.step, Step::Stopped(_))), "stopped"),
        (results.iter().filter(|result| result.done.is_err()).count(), "failed"),
    ];
    let counted = counts.iter().filter(|(count, _)| *count > 0);
    let counted: Vec<_> = counted.map(|(count, word)| format!("{count} {word}")).collect();
    format!("{} skills: {}", planned.len(), counted.join(", "))
}
