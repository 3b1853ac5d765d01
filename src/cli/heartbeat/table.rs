//! The table of the schedules of a list or a crontab: a row for each.

use super::context::RenderContext;
use super::preview::{Firing, Preview};
use super::relative::{clock_columns, clock_time};
use super::set::Set;
use super::sources::{ListLine, RequestedSchedule};
use crate::cli::term::rendered::Rendered;
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::Ink;
use dibber_lint::report::layout::{columns, truncate};
use dibber_text::{Shown, escape_line};

/// The headings of the columns.
const LINE: &str = "line";
const NEXT: &str = "next";
const SCHEDULE: &str = "schedule";
/// The most columns of the name of a list.
const LIST_COLUMNS_MAX: usize = 24;
/// The blanks between two columns.
const GAP: usize = 2;
/// The next time of a schedule that never fires.
const NEVER: &str = "never";

/// The widths of the first columns of a table.
struct Widths {
    line: usize,
    next: usize,
}

impl Widths {
    /// Returns the columns before the words.
    const fn indent(&self) -> usize {
        self.line + self.next + 2 * GAP
    }
}

/// Returns a row for each valid schedule, and the reason for a time zone that is not named.
pub(super) fn table(set: &Set, context: &RenderContext) -> Rendered {
    let mut sheet = Sheet::new(context.style, context.roster);
    let rows: Vec<Row<'_>> =
        set.firing().filter_map(|(place, firing)| Row::new(set, place, firing, context)).collect();
    if rows.is_empty() {
        return sheet.finish();
    }
    let lines = rows.iter().map(|row| columns(&row.line));
    let nexts = rows.iter().map(|row| columns(&row.next));
    let widths = Widths {
        line: lines.chain([columns(LINE)]).max().unwrap_or_default(),
        next: nexts.chain([columns(NEXT)]).max().unwrap_or_default(),
    };
    for (heading, width) in [(LINE, widths.line), (NEXT, widths.next)] {
        sheet.paint(Ink::Faint, heading);
        sheet.indent(width - columns(heading) + GAP);
    }
    sheet.paint(Ink::Faint, SCHEDULE);
    sheet.end_line();
    for row in &rows {
        row.push(&widths, context, &mut sheet);
    }
    let unnamed =
        rows.iter().find_map(|row| Some((row.firing.zone_name(), row.firing.zone_reason?)));
    if let Some((zone, reason)) = unnamed {
        sheet.end_line();
        sheet.row("zone", &format!("{zone}, {reason}"));
    }
    sheet.finish()
}

/// The row of a valid schedule.
struct Row<'a> {
    preview: &'a Preview,
    firing: &'a Firing,
    line: String,
    /// The time of its next fire.
    next: String,
}

impl<'a> Row<'a> {
    fn new(
        set: &'a Set,
        place: usize,
        firing: &'a Firing,
        context: &RenderContext,
    ) -> Option<Self> {
        let preview = &set.previews[place];
        let line = preview.requested.line.as_ref()?;
        let line = if has_one_list(set) {
            line.number.to_string()
        } else {
            let list = escape_line(&context.mask(&line.list)).into_owned();
            format!("{}:{}", truncate(&list, LIST_COLUMNS_MAX), line.number)
        };
        let next = firing.fires.first().map(|fire| {
            let at = fire.at.to_zoned(firing.schedule.zone.clone());
            let time = clock_time(at.datetime(), context.clock);
            let columns = clock_columns(context.clock);
            format!("{} {time:>columns$} {}", at.strftime("%a %e %b %Y"), at.strftime("%:z"))
        });
        Some(Self { preview, firing, line, next: next.unwrap_or_else(|| NEVER.to_owned()) })
    }

    fn push(&self, widths: &Widths, context: &RenderContext, sheet: &mut Sheet) {
        sheet.indent(widths.line - columns(&self.line));
        sheet.push(&self.line);
        sheet.indent(GAP);
        sheet.push(&self.next);
        sheet.indent(widths.next - columns(&self.next) + GAP);
        let indent = widths.indent();
        sheet.wrap(indent, &self.firing.cadence, Some(Ink::Strong));
        let requested = &self.preview.requested;
        let name =
            requested.name.as_ref().map(|name| Shown::new(name, &context.privacy()).to_string());
        for text in name.into_iter().chain(command(requested, context)) {
            sheet.indent(indent);
            sheet.wrap(indent, &text, None);
        }
        if let Some(refusal) = self.preview.refusal() {
            let message = refusal.message.shown(&context.privacy()).to_string();
            sheet.indent(indent);
            sheet.wrap(indent, &format!("refused: {message}"), Some(Ink::Error));
        }
    }
}

/// Returns the command of a schedule, shortened, after the user that runs it.
pub(super) fn command(requested: &RequestedSchedule, context: &RenderContext) -> Option<String> {
    let line = requested.line.as_ref()?;
    let command = Shown::new(line.command.as_ref()?, &context.privacy()).to_string();
    Some(match &line.user {
        Some(user) => format!("{}: {command}", Shown::new(user, &context.privacy())),
        None => command,
    })
}

/// Returns how a schedule of a table is named: by its line, and by its list if there are several.
pub(super) fn line_label(set: &Set, line: &ListLine) -> String {
    if has_one_list(set) { format!("line {}", line.number) } else { line.place() }
}

fn has_one_list(set: &Set) -> bool {
    let mut lists =
        set.previews.iter().filter_map(|it| it.requested.line.as_ref()).map(|line| &line.list);
    let first = lists.next();
    lists.all(|list| Some(list) == first)
}
