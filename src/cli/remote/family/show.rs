//! `dibber family show`.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::open_server::{JSON_VERSION, OpenServer, failed, roster_of};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::remote::damaged::warn_of_damaged;
use crate::cli::term::rendered::Rendered;
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::{Ink, Style};
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_server::store::DatabaseAddress;
use dibber_skill::contract::{CanvasId, ChatId, ChildId, FamilyId, UserId};
use dibber_skill::names::Roster;

/// The shown family. No field holds the name of a child.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FamilyV1 {
    version: u32,
    family_id: FamilyId,
    name: String,
    time_zone: String,
    chat_id: ChatId,
    database: String,
    members: Vec<MemberV1>,
    children: Vec<ChildV1>,
    canvases: Vec<CanvasV1>,
    skills: usize,
    archived_skills: usize,
    heartbeats: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MemberV1 {
    user_id: UserId,
    name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChildV1 {
    number: usize,
    child_id: ChildId,
    age: i16,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CanvasV1 {
    canvas_id: CanvasId,
    name: String,
    emoji: Option<String>,
    age_range: Option<String>,
}

pub(super) fn run(
    open: &OpenServer,
    family: &str,
    database: &DatabaseAddress,
    json: bool,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let private = ui.names()?;
    let (family, damaged) = look(open, family, database, &private)?;
    warn_of_damaged(damaged as u64, ui);
    if json {
        ui.print_json(&family)?;
    } else {
        let style = Style { color: ui.stdout_color(), width: ui.width() };
        ui.print(page(&family, style, &private).as_bytes())?;
    }
    Ok(Exit::Done)
}

/// Returns the family, and the number of things that are left out because they are damaged.
fn look(
    open: &OpenServer,
    name: &str,
    database: &DatabaseAddress,
    private: &Roster,
) -> Result<(FamilyV1, usize), CommandError> {
    let family = open.family(name)?;
    let household = open.0.household(&family.id).map_err(failed)?;
    let inventory = open.0.inventory(&family.id).map_err(failed)?;
    let children = roster_of(&household);
    let shown = |text: &str| mask(&mask(text, &children), private);
    let zone = dibber_schedule::zone(&family.time_zone).unwrap_or(TimeZone::UTC);
    let today = Timestamp::now().to_zoned(zone).date();
    let members = household.users.into_iter();
    let canvases = household.canvases.into_iter();
    let shown_family = FamilyV1 {
        version: JSON_VERSION,
        name: shown(&family.name),
        time_zone: family.time_zone,
        chat_id: family.chat_id,
        family_id: family.id,
        database: shown(&database.to_string()),
        members: members
            .map(|user| MemberV1 { name: shown(&user.name), user_id: user.id })
            .collect(),
        children: household
            .children
            .iter()
            .zip(1..)
            .map(|(child, number)| ChildV1 {
                number,
                child_id: child.id.clone(),
                age: years_between(child.birth_date, today),
            })
            .collect(),
        canvases: canvases
            .map(|canvas| CanvasV1 {
                name: shown(&canvas.name),
                canvas_id: canvas.id,
                emoji: canvas.emoji,
                age_range: canvas.age_range,
            })
            .collect(),
        skills: inventory.skills,
        archived_skills: inventory.archived_skills,
        heartbeats: inventory.heartbeats,
    };
    Ok((shown_family, household.damaged))
}

fn page(family: &FamilyV1, style: Style, private: &Roster) -> Rendered {
    let mut sheet = Sheet::new(style, private);
    sheet.wrap(0, &family.name, Some(Ink::Strong));
    sheet.row("id", family.family_id.as_str());
    sheet.row("chat", family.chat_id.as_str());
    sheet.row("zone", &family.time_zone);
    let mut word = "grown-ups";
    for member in &family.members {
        sheet.row(word, &format!("{}  {}", member.user_id, member.name));
        word = "";
    }
    word = "children";
    for child in &family.children {
        let years = quantity(child.age.unsigned_abs().into(), "year", "years");
        sheet.row(word, &format!("#{}  {}  {years}", child.number, child.child_id));
        word = "";
    }
    if family.children.is_empty() {
        sheet.row(word, "none; `dibber family add-child` adds one");
    }
    word = "canvases";
    for canvas in &family.canvases {
        let ages = match &canvas.age_range {
            Some(ages) => format!("ages {ages}"),
            None => "no ages: skills cannot link it".to_owned(),
        };
        let emoji = canvas.emoji.as_ref().map(|emoji| format!("{emoji} ")).unwrap_or_default();
        sheet.row(word, canvas.canvas_id.as_str());
        sheet.row("", &format!("{emoji}{}, {ages}", canvas.name));
        word = "";
    }
    if family.canvases.is_empty() {
        sheet.row(word, "none");
    }
    let archived = match family.archived_skills {
        0 => String::new(),
        count => format!(", and {count} archived"),
    };
    sheet.row("skills", &format!("{}{archived}", family.skills));
    sheet.row("heartbeats", &family.heartbeats.to_string());
    sheet.row("database", &family.database);
    sheet.finish()
}

/// Returns the age in whole years.
fn years_between(born: Date, today: Date) -> i16 {
    let had_birthday = (today.month(), today.day()) >= (born.month(), born.day());
    today.year() - born.year() - i16::from(!had_birthday)
}
