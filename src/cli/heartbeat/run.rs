//! A run of `dibber heartbeat preview`.

use jiff::Timestamp;

use super::arguments::{Options, PreviewArgs, Show};
use super::context::RenderContext;
use super::set::Set;
use super::sources::{RequestedSchedules, gather};
use super::typed::unambiguous;
use super::{files, json, render, schedule_error, table};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;

pub(super) fn run(typed: PreviewArgs, ui: &mut Ui) -> Result<Exit, CommandError> {
    let options = Options::new(typed)?;
    files::check(&options)?;
    let roster = ui.names()?;
    let RequestedSchedules { mut schedules, problems, exit } = gather(&options)?;
    if options.show != Show::Json {
        // Those of a file are not typed now, and are the same for everyone who previews it.
        for typed in schedules.iter_mut().filter(|schedule| schedule.is_typed()) {
            typed.cron = unambiguous(&typed.cron, ui, &roster)?;
        }
    }
    for problem in &problems {
        ui.error(&problem.error);
    }
    let set = Set::new(schedules, &options, Timestamp::now());
    let style = Style { color: ui.stdout_color(), width: ui.width() };
    let context = RenderContext {
        style,
        roster: &roster,
        clock: options.clock,
        list_layout: options.list_layout,
    };
    match options.show {
        Show::Json => ui.print(&json::document(&set, &problems, &roster))?,
        Show::Errors => print_errors(&set, &context, ui),
        Show::Page(picture) => {
            if context.is_table(&set) {
                print_table(&set, &context, ui)?;
            } else {
                print_pages(&set, &context, ui)?;
            }
            if let Some(span) = picture {
                let picture = files::picture(&set, span, &context);
                let picture = picture.map(|picture| render::picture(&picture, &context));
                ui.print(picture.unwrap_or_default().as_bytes())?;
            }
        }
    }
    if set.previews.is_empty() && problems.is_empty() {
        ui.warning("there are no heartbeats in what was named");
    }
    files::write(&set, &options, &context, ui)?;
    Ok(if exit == Exit::Done && set.is_refused() { Exit::BadInput } else { exit })
}

/// Prints the error of each invalid schedule.
fn print_errors(set: &Set, context: &RenderContext, ui: &mut Ui) {
    for (place, preview) in set.previews.iter().enumerate() {
        if preview.outcome.is_err() {
            ui.error(&schedule_error::error(set, place, context));
        }
    }
}

/// Prints a row for each valid schedule, and then the errors of the others.
fn print_table(set: &Set, context: &RenderContext, ui: &mut Ui) -> Result<(), CommandError> {
    let mut text = render::first_lines(set, context).to_string();
    text += &table::table(set, context);
    text += &render::last_pages(set, context);
    ui.print(text.as_bytes())?;
    print_errors(set, context, ui);
    Ok(())
}

/// Prints the page of each valid schedule, and the error of each invalid one in its place.
fn print_pages(set: &Set, context: &RenderContext, ui: &mut Ui) -> Result<(), CommandError> {
    let mut text = render::first_lines(set, context).to_string();
    let mut is_first = true;
    for (place, preview) in set.previews.iter().enumerate() {
        if let Ok(firing) = &preview.outcome {
            text += if is_first { "" } else { "\n" };
            text += &render::schedule_page(set, place, firing, context);
            is_first = false;
        } else {
            ui.print(std::mem::take(&mut text).as_bytes())?;
            ui.error(&schedule_error::error(set, place, context));
        }
    }
    text += &render::last_pages(set, context);
    ui.print(text.as_bytes())
}
