//! The line that closes a run.

use std::time::Duration;

use super::rendered::Rendered;
use super::style::{Ink, Style, paint};
use super::wording::quantity;
use dibber_lint::report::Summary;

/// Returns the result of a run in one line, without a line break.
pub fn summary_line(summary: &Summary, style: Style) -> Rendered {
    let mut line = format!(
        "Checked {} in {}: ",
        quantity(summary.skills, "skill", "skills"),
        duration(summary.elapsed)
    );
    push_findings(&mut line, summary, style);
    push_fixable(&mut line, summary);
    push_others(&mut line, summary, style);
    Rendered::new(line)
}

fn push_findings(line: &mut String, summary: &Summary, style: Style) {
    let errors = quantity(summary.errors, "error", "errors");
    let warnings = quantity(summary.warnings, "warning", "warnings");
    match (summary.errors, summary.warnings) {
        (0, 0) => paint(line, style.color, Ink::Good, "no findings"),
        (_, 0) => paint(line, style.color, Ink::Error, &errors),
        (0, _) => paint(line, style.color, Ink::Warning, &warnings),
        (_, _) => {
            paint(line, style.color, Ink::Error, &errors);
            line.push_str(", ");
            paint(line, style.color, Ink::Warning, &warnings);
        }
    }
}

fn push_fixable(line: &mut String, summary: &Summary) {
    let text = match (summary.fixable, summary.fixable_unsafe) {
        (0, 0) => return,
        (safe, 0) => format!(" ({safe} fixable with --fix)"),
        (0, risky) => format!(" ({risky} fixable with --unsafe-fixes)"),
        (safe, risky) => {
            format!(" ({safe} fixable with --fix, {risky} more with --unsafe-fixes)")
        }
    };
    line.push_str(&text);
}

fn push_others(line: &mut String, summary: &Summary, style: Style) {
    let mut others = Vec::new();
    if summary.fixed > 0 {
        others.push(format!("{} fixed", summary.fixed));
    }
    if summary.would_fix > 0 {
        others.push(format!("{} would be fixed", summary.would_fix));
    }
    if summary.would_waive > 0 {
        others.push(format!("{} would be waived", summary.would_waive));
    }
    if summary.waived > 0 {
        others.push(match summary.waived_security {
            0 => format!("{} waived", summary.waived),
            security => format!("{} waived ({security} about security)", summary.waived),
        });
    }
    if summary.known > 0 {
        others.push(format!("{} known from the baseline", summary.known));
    }
    if !others.is_empty() {
        line.push_str("; ");
        line.push_str(&others.join(", "));
    }
    if summary.problems > 0 {
        line.push_str("; ");
        let paths = quantity(summary.problems, "path", "paths");
        paint(line, style.color, Ink::Error, &format!("{paths} could not be checked"));
    }
}

fn duration(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    match elapsed.as_millis() {
        0 => "less than 1 ms".to_owned(),
        millis if seconds == 0 => format!("{millis} ms"),
        _ if seconds < 60 => format!("{:.1} s", elapsed.as_secs_f64()),
        _ => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}
