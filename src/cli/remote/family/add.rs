//! Adding to a family.

use std::io::{self, Read};

use jiff::civil::Date;
use serde::Serialize;

use super::arguments::{CanvasArgs, ChildArgs, MemberArgs};
use super::open_server::{JSON_VERSION, OpenServer, failed};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::output::STANDARD_STREAM;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_skill::contract::{CanvasId, ChildId, FamilyId, UserId};
use dibber_skill::names::{Name, Scope};
use dibber_text::{message, quote};

/// The most bytes that are read of a name.
const NAME_BYTES_MAX: u64 = 1 << 10;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AddedV1 {
    version: u32,
    family_id: FamilyId,
    #[serde(skip_serializing_if = "Option::is_none")]
    child_id: Option<ChildId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    canvas_id: Option<CanvasId>,
}

impl AddedV1 {
    const fn new(family_id: FamilyId) -> Self {
        let (child_id, user_id, canvas_id) = (None, None, None);
        Self { version: JSON_VERSION, family_id, child_id, user_id, canvas_id }
    }
}

/// Adds a child. The database is opened after the name was typed, so that it is not open while
/// the command waits for it.
pub(super) fn child(
    typed: ChildArgs,
    open: impl FnOnce() -> Result<OpenServer, CommandError>,
    family: &str,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let born = date(&typed.born)?;
    let words = Some(typed.words.join(" ")).filter(|words| !words.is_empty());
    let name = match typed.name.or(words) {
        Some(name) if name != STANDARD_STREAM => name,
        Some(_) => read_line()?,
        None if ui.can_ask() => {
            let _watched = Interrupt::watch()?;
            ui.eprintln("The name of the child, as you would write it in a letter:");
            read_line()?
        }
        None => {
            return Err(CommandError::new("cannot ask for the name: this is not a terminal")
                .help("write the name, or `-` and pipe it in; or run it in a terminal"));
        }
    };
    let open = open()?;
    let family = open.family_or_new(family, ui)?;
    let child = open.0.add_child(&family.id, &name, born).map_err(failed)?;
    let children = open.0.household(&family.id).map_err(failed)?.children;
    let number = children.iter().position(|other| other.id == child.id).map_or(0, |at| at + 1);
    if typed.json {
        ui.print_json(&AddedV1 { child_id: Some(child.id), ..AddedV1::new(family.id) })?;
    } else {
        ui.print(format!("{}\n", child.id).as_bytes())?;
    }
    ui.eprintln(message![
        "added child #",
        number,
        "; skills that contain the name are refused from now on"
    ]);
    let roster = ui.names()?;
    let is_found = |name: &str| !roster.find(name, Scope::Prose).is_empty();
    let is_word = Name::parse(&name).is_ok_and(|it| it.needs_uppercase());
    if is_word && !is_found(&name.to_lowercase()) {
        ui.eprintln(
            "the name is a common word, too, and is not found in lowercase; `dibber names add \
             --any-case` adds it to your private list, by which `dibber lint` finds it",
        );
    } else if !is_found(&name) {
        ui.eprintln(
            "`dibber names add` adds the name to your private list, too, by which `dibber lint` \
             finds it",
        );
    }
    Ok(Exit::Done)
}

/// Adds a grown-up.
pub(super) fn member(
    typed: &MemberArgs,
    open: &OpenServer,
    family: &str,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let family = open.family_or_new(family, ui)?;
    let user = open.0.add_user(&family.id, &typed.name).map_err(failed)?;
    if typed.json {
        ui.print_json(&AddedV1 { user_id: Some(user.id), ..AddedV1::new(family.id) })?;
    } else {
        ui.print(format!("{}\n", user.id).as_bytes())?;
    }
    ui.eprintln(
        "added the grown-up; `dibber heartbeat members HEARTBEAT --add ID` lets them take part",
    );
    Ok(Exit::Done)
}

/// Adds a canvas.
pub(super) fn canvas(
    typed: &CanvasArgs,
    open: &OpenServer,
    family: &str,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let family = open.family_or_new(family, ui)?;
    let (emoji, ages) = (typed.emoji.as_deref(), typed.ages.as_deref());
    let canvas = open.0.add_canvas(&family.id, &typed.name, emoji, ages).map_err(failed)?;
    let has_ages = canvas.age_range.is_some();
    if typed.json {
        ui.print_json(&AddedV1 { canvas_id: Some(canvas.id), ..AddedV1::new(family.id) })?;
    } else {
        ui.print(format!("{}\n", canvas.id).as_bytes())?;
    }
    if has_ages {
        ui.eprintln("added the canvas; a skill links it under `canvases` in its sprout.yaml");
    } else {
        ui.warning("skills cannot link this canvas, because it has no `--ages`");
    }
    Ok(Exit::Done)
}

/// Parses a date: `2019-04-30`.
fn date(typed: &str) -> Result<Date, CommandError> {
    let date = typed.trim().parse::<Date>().ok();
    date.filter(|date| date.to_string() == typed.trim()).ok_or_else(|| {
        CommandError::new(message!["invalid date `--born ", quote(typed), "`"])
            .help("write year-month-day, as in 2019-04-30")
    })
}

/// Reads the first line of standard input.
fn read_line() -> Result<String, CommandError> {
    let mut line = Vec::new();
    let mut input = io::stdin().lock().take(NAME_BYTES_MAX);
    io::BufRead::read_until(&mut input, b'\n', &mut line)
        .map_err(|error| CommandError::io("cannot read standard input", error))?;
    String::from_utf8(line).map_err(|_| CommandError::new("standard input is not UTF-8"))
}
