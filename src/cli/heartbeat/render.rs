//! The pages about schedules, for the person who sets them.

use jiff::Zoned;

use super::context::RenderContext;
use super::preview::{Firing, Preview};
use super::relative::{ahead, clock_columns, clock_time, day, moment};
use super::set::{Set, Together};
use super::table;
use crate::cli::term::rendered::Rendered;
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::Ink;
use dibber_lint::report::layout::columns;
use dibber_schedule::{
    AbbreviatedZone, Conflict, ConflictKind, Conflicts, FIRES_PER_DAY_MAX, Peak, Picture,
    PictureRole,
};
use dibber_text::{Message, Shown, message};

/// An average below this many fires a day is shown as one in so many days.
const AVERAGE_PER_DAY_MIN: f64 = 0.1;

/// Returns the page about one schedule.
pub(super) fn schedule_page(
    set: &Set,
    place: usize,
    firing: &Firing,
    context: &RenderContext,
) -> Rendered {
    let Preview { requested, .. } = &set.previews[place];
    let mut sheet = Sheet::new(context.style, context.roster);
    let number = if set.previews.len() > 1 { format!("#{} ", place + 1) } else { String::new() };
    sheet.wrap(0, &format!("{number}{}", firing.cadence), Some(Ink::Strong));
    if let Some(name) = &requested.name {
        sheet.row("name", name);
    }
    if let Some(skill) = &requested.skill {
        sheet.row("skill", &format!("{} ({})", skill.name, skill.path));
    }
    if let Some(command) = table::command(requested, context) {
        sheet.row("command", &command);
    }
    let normalized = firing.schedule.cron.normalized();
    sheet.row(
        "schedule",
        &match context.mask(&requested.cron) {
            cron if cron == normalized => cron,
            cron => format!("{normalized}, written `{}`", Shown::new(&cron, &())),
        },
    );
    let zone = firing.zone_name();
    match firing.zone_reason {
        Some(reason) => sheet.row("zone", &format!("{zone}, {reason}")),
        None => sheet.row("zone", zone),
    }
    if let Some(zone) = AbbreviatedZone::find(zone) {
        let warning = message![zone.message(), "; ", zone.help()].shown(&()).to_string();
        sheet.painted_row("", &warning, Some(Ink::Warning));
    }
    if set.previews.len() == 1 {
        push_from(set, context, &mut sheet);
    }
    push_fires(set, firing, context, &mut sheet);
    if let Some(peak) = firing.peak {
        sheet.row("peak", &peak_words(peak));
        sheet.row("average", &average_words(firing.average_per_day));
    }
    for note in &firing.notes {
        sheet.painted_row("clocks", note, Some(Ink::Warning));
    }
    if let Some(refusal) = set.previews[place].refusal() {
        let shown = |message: &Message| message.shown(&context.privacy()).to_string();
        let fix = refusal.fix.as_ref().map(shown);
        push_refusal(&shown(&refusal.message), fix.as_deref(), &mut sheet);
    }
    sheet.finish()
}

/// Returns what precedes the pages of several schedules.
pub(super) fn first_lines(set: &Set, context: &RenderContext) -> Rendered {
    let mut sheet = Sheet::new(context.style, context.roster);
    if set.previews.len() > 1 && set.start.given.is_some() {
        push_from(set, context, &mut sheet);
        sheet.end_line();
    }
    sheet.finish()
}

fn push_from(set: &Set, context: &RenderContext, sheet: &mut Sheet) {
    if let Some(given) = &set.start.given {
        sheet.row("from", &moment(given, context.clock));
    }
    if let Some(note) = &set.start.note {
        sheet.row("", note);
    }
}

fn push_fires(set: &Set, firing: &Firing, context: &RenderContext, sheet: &mut Sheet) {
    let from = set.start.at().to_zoned(firing.schedule.zone.clone());
    for (index, fire) in firing.fires.iter().enumerate() {
        let at = fire.at.to_zoned(firing.schedule.zone.clone());
        let time = clock_time(at.datetime(), context.clock);
        let columns = clock_columns(context.clock);
        let text = format!(
            "{} {time:>columns$} {}  {}",
            at.strftime("%a %e %b %Y"),
            at.strftime("%:z"),
            ahead(&from, &at)
        );
        sheet.row(if index == 0 { "next" } else { "" }, &text);
    }
}

/// Writes why a schedule is refused and the help on one line, or on two if there is no room: a
/// schedule to copy stays in one piece.
fn push_refusal(message: &str, fix: Option<&str>, sheet: &mut Sheet) {
    let ink = Some(Ink::Error);
    let whole = fix.map_or_else(|| message.to_owned(), |fix| format!("{message}; {fix}"));
    match fix {
        Some(fix) if columns(&whole) > sheet.room() => {
            sheet.painted_row("refused", message, ink);
            sheet.painted_row("", fix, ink);
        }
        _ => sheet.painted_row("refused", &whole, ink),
    }
}

fn peak_words(peak: Peak) -> String {
    let fires = with_unit(peak.fires, "fire");
    match peak.repeated {
        0 => {
            format!("{fires} in 24 hours, as on {}; the cap is {FIRES_PER_DAY_MAX}", day(peak.day))
        }
        repeated => format!(
            "{fires} in 24 hours on {}, {repeated} of them because the clock is set back; the cap \
             is {FIRES_PER_DAY_MAX}",
            day(peak.day)
        ),
    }
}

/// Returns "0.71 fires a day", or "one fire in 1461 days".
fn average_words(per_day: f64) -> String {
    if per_day < AVERAGE_PER_DAY_MIN {
        return format!("one fire in {:.0} days", 1.0 / per_day);
    }
    let figure = format!("{per_day:.2}");
    let figure = figure.trim_end_matches('0').trim_end_matches('.');
    format!("{figure} {} a day", if figure == "1" { "fire" } else { "fires" })
}

fn with_unit(count: u32, unit: &str) -> String {
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// Returns the pages about all schedules of a set together.
pub(super) fn last_pages(set: &Set, context: &RenderContext) -> Rendered {
    let mut sheet = Sheet::new(context.style, context.roster);
    if let Some(together) = &set.together {
        sheet.end_line();
        sheet.wrap(0, "Together", Some(Ink::Strong));
        push_together(set, together, &mut sheet);
    }
    if let Some(conflicts) = &set.conflicts {
        sheet.end_line();
        let heading = match conflicts.found.len() + conflicts.left_out {
            0 => "No conflicts".to_owned(),
            1 => "1 conflict".to_owned(),
            count => format!("{count} conflicts"),
        };
        sheet.wrap(0, &heading, Some(Ink::Strong));
        push_conflicts(set, conflicts, context, &mut sheet);
    }
    sheet.finish()
}

fn push_together(set: &Set, together: &Together, sheet: &mut Sheet) {
    let Some(found) = together.peak else {
        sheet.row("peak", "none of them fires");
        return;
    };
    sheet.row("peak", &format!("{}, from {} on", together_words(found.peak), day(found.peak.day)));
    sheet.row("average", &average_words(together.average_per_day));
    if let Some(horizon) = found.horizon {
        let zone = set.firing().next().map_or("", |(_, first)| first.zone_name());
        let until = local(set, 0, horizon.until);
        let text = format!("on the clock of {zone}, until {}", day(until.date()));
        sheet.row("counted", &text);
    }
    if together.is_over_cap() {
        let text = format!("{}; the cap is {FIRES_PER_DAY_MAX}", together_words(found.peak));
        sheet.painted_row("refused", &text, Some(Ink::Error));
    }
}

fn together_words(peak: Peak) -> String {
    let fires = with_unit(peak.fires, "fire");
    match peak.repeated {
        0 => format!("{fires} in 24 hours"),
        repeated => {
            format!("{fires} in 24 hours, {repeated} of them because the clock is set back")
        }
    }
}

fn push_conflicts(set: &Set, conflicts: &Conflicts, context: &RenderContext, sheet: &mut Sheet) {
    for conflict in &conflicts.found {
        sheet.painted_row("conflict", &conflict_text(set, conflict, context), Some(Ink::Warning));
    }
    if conflicts.left_out > 0 {
        sheet.row("", &format!("and {} more", conflicts.left_out));
    }
    let until = local(set, 0, conflicts.horizon.until);
    let until = day(until.date());
    sheet.row(
        "looked at",
        &if has_one_zone(set) {
            format!("all time; changes of the clocks until {until}")
        } else {
            format!("all time in one zone; several zones, and changes of the clocks, until {until}")
        },
    );
}

fn has_one_zone(set: &Set) -> bool {
    let mut names = set.firing().map(|(_, firing)| firing.zone_name());
    let first = names.next();
    names.all(|name| Some(name) == first)
}

/// Returns an instant on the clock of a schedule, or of the first valid one.
fn local(set: &Set, place: usize, at: jiff::Timestamp) -> Zoned {
    let of_place = set.previews.get(place).and_then(|preview| preview.outcome.as_ref().ok());
    let first = set.firing().next().map(|(_, firing)| firing);
    let firing = of_place.or(first).expect("a set with conflicts has schedules");
    at.to_zoned(firing.schedule.zone.clone())
}

fn conflict_text(set: &Set, conflict: &Conflict, context: &RenderContext) -> String {
    let (first, second) = conflict.schedules;
    let label = |place: usize| {
        let requested = &set.previews[place].requested;
        let label = match &requested.line {
            Some(line) if context.is_table(set) => table::line_label(set, line),
            _ => format!("#{}", place + 1),
        };
        match &requested.name {
            Some(name) => format!("{label} ({})", Shown::new(name, &context.privacy())),
            None => label,
        }
    };
    let (of_first, of_second) =
        (local(set, first, conflict.first.0.at), local(set, second, conflict.first.1.at));
    let apart = of_first.duration_until(&of_second).abs().as_mins();
    let apart = with_unit(u32::try_from(apart).unwrap_or(u32::MAX), "minute");
    let both = format!("{} and {}", label(first), label(second));
    let when = moment(&of_first, context.clock);
    let often = match conflict.count {
        Some(count @ 2..) => format!(", and {} more", with_unit(count - 1, "time")),
        _ => String::new(),
    };
    match conflict.kind {
        ConflictKind::Duplicate => format!("{both} are the same schedule"),
        ConflictKind::SameMinute => format!("{both} fire in the same minute: {when}{often}"),
        ConflictKind::Near => format!("{both} fire {apart} apart: {when}{often}"),
        ConflictKind::ClockChange if of_first == of_second => {
            format!("a change of the clocks brings {both} into the same minute: {when}{often}")
        }
        ConflictKind::ClockChange => {
            format!("a change of the clocks brings {both} to {apart} apart: {when}{often}")
        }
    }
}

/// Returns a picture in colour.
pub(super) fn picture(picture: &Picture, context: &RenderContext) -> Rendered {
    let mut sheet = Sheet::new(context.style, context.roster);
    sheet.end_line();
    for line in picture.lines() {
        for piece in line {
            let ink = match piece.role {
                PictureRole::Title => Ink::Strong,
                PictureRole::Label | PictureRole::Quiet => Ink::Faint,
                PictureRole::Fire => Ink::Good,
                PictureRole::Clash => Ink::Error,
                PictureRole::Change => Ink::Warning,
                PictureRole::Plain => {
                    sheet.push(&piece.text);
                    continue;
                }
            };
            sheet.paint(ink, &piece.text);
        }
        sheet.end_line();
    }
    sheet.finish()
}
