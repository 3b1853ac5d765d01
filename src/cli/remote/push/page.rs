//! What a person reads before and after a push.

use super::apply::Outcome;
use super::arguments::{Options, Want};
use super::survey::{Planned, Step};
use crate::cli::dry_run::page::{Look, open_page};
use crate::cli::mask::mask;
use crate::cli::remote::changes;
use crate::cli::remote::choice::Choice;
use crate::cli::term::layout::{columns, truncate};
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::{Ink, Style};
use dibber_lint::report::{self, Context};
use dibber_skill::contract::{Category, Decision, PolicyDecision, PolicyReason};
use dibber_skill::diagnostic::Diagnostic;
use dibber_text::escape_line;

/// The columns of what is done with a skill, in the list of many.
const WORD_COLUMNS: usize = 9;

/// The pages about what is planned: for one skill, all of it; for many, what changes, and a list.
pub(super) fn pages(options: &Options, planned: &[Planned], look: &Look, server: &str) -> String {
    let want = options.want;
    let mut text = String::new();
    for planned_one in planned {
        let page = match (&planned_one.step, want) {
            (Step::Nothing { .. }, _) if planned.len() > 1 => continue,
            (Step::Nothing { skill_id, .. }, Want::Diff { .. }) => {
                nothing(planned_one, skill_id, look, server)
            }
            (Step::Stopped(_) | Step::Nothing { .. }, _) => continue,
            (Step::Create { policy }, Want::Push | Want::Preview) if planned.len() == 1 => {
                let sheet = open_page(&planned_one.review, None, look);
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
    // Without a question, the list of what was done comes soon enough.
    if planned.len() > 1 && !(want == Want::Push && options.is_agreed) {
        if !text.is_empty() {
            text.push('\n');
        }
        text += &list(planned, look);
    }
    text
}

fn is_allowed(policy: &PolicyDecision) -> bool {
    policy.decision == Decision::Allow
}

/// The name and the place of a skill, what changes, and what the server says.
fn brief(planned: &Planned, policy: &PolicyDecision, look: &Look, server: &str) -> String {
    let mut sheet = Sheet::new(look.style);
    title(&mut sheet, planned);
    match &planned.step {
        Step::Update { old, update, is_changed_elsewhere, .. } => {
            sheet.row("skill", &old.skill_id);
            if *is_changed_elsewhere {
                let note =
                    format!("changed on {server} since it was last published or pulled here");
                sheet.painted_row("conflict", &note, Some(Ink::Warning));
            }
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
        sheet.wrap(0, &escape_line(name), Some(Ink::Strong));
    }
    sheet.paint(Ink::Place, &escape_line(&planned.review.path));
    sheet.text.push_str("\n\n");
}

/// Ends a page with what the server says: its reasons, but for those that are shown with their
/// places already, its decision, and the hash on which both sides agree.
fn closed(
    mut sheet: Sheet,
    planned: &Planned,
    policy: &PolicyDecision,
    look: &Look,
    server: &str,
) -> String {
    let shown = match planned.step {
        Step::Create { .. } => &planned.review.decision.reasons[..],
        _ => &[],
    };
    for reason in &policy.reasons {
        let is_shown = shown.iter().any(|it| reason.reason == it.reason && reason.path == it.path);
        if !is_shown {
            let PolicyReason { reason: code, path, message, fix, .. } = reason;
            let [code, path, message, fix] =
                [code.as_ref(), path, message, fix].map(|text| mask(text, look.roster));
            sheet.row("warning", &format!("{code} at {path}: {message}"));
            sheet.row("", &fix);
        }
    }
    let ink = if is_allowed(policy) { Ink::Good } else { Ink::Warning };
    sheet.painted_row("decision", policy.decision.name(), Some(ink));
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
        out += truncate(&line, width).trim_end();
        out.push('\n');
    }
    out
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

/// The list of what was done with many skills, with their ids.
pub(super) fn summary(planned: &[Planned], results: &[Outcome], width: usize) -> String {
    let lines = planned.iter().enumerate().map(|(index, planned)| {
        let result = results.iter().find(|result| result.index == index);
        let done = result.and_then(|result| result.done.as_ref().ok());
        let id = done.map(|done| done.skill_id.clone()).unwrap_or_default();
        let (word, id) = match (&planned.step, done) {
            (Step::Nothing { skill_id, .. }, _) => ("same", skill_id.clone()),
            (Step::Stopped(_), _) => ("stopped", id),
            (Step::Create { .. }, Some(_)) => ("new", id),
            (Step::Update { .. }, Some(_)) => ("updated", id),
            (_, None) => ("failed", id),
        };
        (word, planned.review.path.clone(), id)
    });
    table(lines.collect(), width)
}

/// What is said at the end.
pub(super) fn closing(planned: &[Planned], results: &[Outcome], choice: &Choice) -> Vec<String> {
    let server = escape_line(choice.name());
    let [one] = planned else {
        return vec![tally(planned, results)];
    };
    let path = escape_line(&one.review.path);
    let done = results.first().and_then(|result| result.done.as_ref().ok());
    let id = done.map(|done| escape_line(&done.skill_id).into_owned()).unwrap_or_default();
    match (&one.step, done) {
        (Step::Nothing { .. }, _) => {
            vec![format!("Nothing to publish: {server} has {path} like that.")]
        }
        (Step::Create { .. }, Some(_)) => {
            let preview = one.review.preview.as_ref();
            let is_home = preview.is_some_and(|it| it.category == Category::HomeAgent);
            let (next, options) =
                if is_home { ("render", "") } else { ("invoke", choice.typed_options.as_str()) };
            let published = format!("Published {path} as {id} on {server}.");
            vec![published, format!("Run it with: dibber {next} {path}{options}")]
        }
        (_, Some(_)) => vec![format!("Updated {path} as {id} on {server}.")],
        (_, None) => Vec::new(),
    }
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
    match planned.len() {
        0 => "Nothing to publish.".to_owned(),
        skills => format!("{skills} skills: {}", counted.join(", ")),
    }
}
