//! The pages with the skills of a family.

use axum::extract::{Path, Request, State};
use axum::response::Response;
use dibber_authorization::Parameters;
use dibber_skill::contract::{Category, OpenEnum, Page as ListPage, SkillFound, SkillListItem};
use maud::{Markup, html};
use serde_json::{Value, json};

use super::layout::{Page, form_token, lead_to};
use super::person::{Person, call, problem};
use super::schedules::{self, Schedule};
use super::site::{SKILLS_PATH, Site};
use super::{form, phrases};
use crate::authorization::sign_in::BrowserSession;
use crate::failure::Failure;

/// The parameter with the words of a search.
const QUERY: &str = "q";
/// The parameter that shows archived skills, too; the field that archives one.
const ARCHIVED: &str = "archived";
/// The parameter with where a page begins.
const CURSOR: &str = "cursor";

/// What a person wants to see of the list.
struct Wanted<'a> {
    query: &'a str,
    is_archived: bool,
    cursor: Option<&'a str>,
}

/// Shows a page of the list.
pub(super) async fn list(
    State(site): State<Site>,
    Person(session): Person,
    request: Request,
) -> Response {
    let parameters = Parameters::parse(request.uri().query().unwrap_or_default().as_bytes());
    let wanted = Wanted {
        query: parameters.get(QUERY).unwrap_or_default().trim(),
        is_archived: parameters.get(ARCHIVED).is_some(),
        cursor: parameters.get(CURSOR),
    };
    let arguments = json!({
        "query": Some(wanted.query).filter(|query| !query.is_empty()),
        "includeArchived": wanted.is_archived,
        "cursor": wanted.cursor,
    });
    match call(&site, &session, "skill_list", arguments).await {
        Ok(found) => Page::new("Skills", Some(&session), list_content(&wanted, &found))
            .at(SKILLS_PATH)
            .into_response(),
        Err(failure) => problem(&session, failure),
    }
}

fn list_content(wanted: &Wanted<'_>, found: &ListPage<SkillListItem>) -> Markup {
    let is_first = wanted.cursor.is_none();
    html! {
        form method="get" action=(SKILLS_PATH) role="search" {
            label.field for="q" { "Find a skill" }
            input #q type="search" name=(QUERY) value=(wanted.query) autocomplete="off";
            label {
                input type="checkbox" name=(ARCHIVED) value="1" checked[wanted.is_archived];
                span { "Archived skills, too" }
            }
            div.buttons { button.quiet { "Find" } }
        }
        @if found.items.is_empty() && is_first && wanted.query.is_empty() {
            p { "Your family has no skills yet." }
            p.muted {
                "Ask an agent that you have connected to write one, or type " code { "dibber new" }
                " on your computer: it asks what the skill should do, and writes it."
            }
        } @else if found.items.is_empty() {
            p { "No skill was found." }
            p.muted { "Try fewer or other words. " a href=(SKILLS_PATH) { "Show all skills" } }
        } @else {
            ul.cards { @for skill in &found.items { (listed(skill)) } }
        }
        (phrases::damage(found.damaged_items))
        nav aria-label="Pages of the list" {
            @if !is_first { a href=(address(wanted, None)) { "First page" } }
            @if let Some(cursor) = &found.next_cursor {
                a rel="next" href=(address(wanted, Some(cursor))) { "Next page" }
            }
        }
    }
}

fn listed(skill: &SkillListItem) -> Markup {
    html! {
        li.panel {
            h2 {
                a href={ (SKILLS_PATH) "/" (skill.skill_id.as_str()) } { bdi { (skill.name) } }
            }
            p.text { bdi { (skill.description) } }
            p.muted {
                @if skill.is_archived() { strong { "Archived" } ". " }
                (for_whom(skill.kid_callable, &skill.category)) "."
            }
        }
    }
}

/// Returns who can run a skill.
fn for_whom(is_for_kids: bool, category: &OpenEnum<Category>) -> &'static str {
    match (category, is_for_kids) {
        (OpenEnum::Known(Category::HomeAgent), _) => "For grown-ups, in an agent of your own",
        (_, true) => "For grown-ups, and children may start it",
        (_, false) => "For grown-ups",
    }
}

/// Returns the address of a page of the list.
fn address(wanted: &Wanted<'_>, cursor: Option<&str>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    if !wanted.query.is_empty() {
        query.append_pair(QUERY, wanted.query);
    }
    if wanted.is_archived {
        query.append_pair(ARCHIVED, "1");
    }
    if let Some(cursor) = cursor {
        query.append_pair(CURSOR, cursor);
    }
    format!("{SKILLS_PATH}?{}", query.finish())
}

/// Shows one skill.
pub(super) async fn one(
    State(site): State<Site>,
    Person(session): Person,
    Path(id): Path<String>,
) -> Response {
    match find(&site, &session, &id).await {
        Ok((found, schedules)) => {
            let content = skill_content(&session, &found, &schedules);
            Page::new(&found.skill.name, Some(&session), content).into_response()
        }
        Err(failure) => problem(&session, failure),
    }
}

/// Returns a skill with its schedules.
async fn find(
    site: &Site,
    session: &BrowserSession,
    id: &str,
) -> Result<(SkillFound, Vec<Schedule>), Failure> {
    let found: SkillFound = call(site, session, "skill_get", json!({"skillId": id})).await?;
    let (mut schedules, _) = schedules::all(site, session).await?;
    schedules.retain(|schedule| schedule.run_context.run_skill_id == found.skill.skill_id);
    Ok((found, schedules))
}

fn skill_content(session: &BrowserSession, found: &SkillFound, schedules: &[Schedule]) -> Markup {
    let skill = &found.skill;
    let path = format!("{SKILLS_PATH}/{}", skill.skill_id.as_str());
    let is_archived = skill.archived == Some(true);
    html! {
        @if is_archived { p { strong { "Archived: it does not run." } } }
        p.text { bdi { (skill.description) } }
        p.muted {
            (for_whom(skill.kid_callable, &OpenEnum::Known(skill.category))) "."
            @if let Some(ages) = &skill.age_range { " Ages " (ages) "." }
            @if let Some(at) = &skill.last_triggered_at { " Last used on " (phrases::time(at)) "." }
        }
        h2 { "What it asks for" }
        @if skill.input_variables.is_empty() {
            p { "Nothing: it runs as it is." }
        } @else {
            dl {
                @for input in &skill.input_variables {
                    dt { bdi { (input.name) } }
                    dd { bdi { (input.description.as_deref().unwrap_or("No description")) } }
                }
            }
        }
        @if !found.canvases.is_empty() {
            h2 { "Canvases" }
            ul {
                @for canvas in &found.canvases {
                    li { bdi { @if let Some(emoji) = &canvas.emoji { (emoji) " " } (canvas.name) } }
                }
            }
        }
        h2 { "When it runs" }
        @if schedules.is_empty() {
            p { "It does not run by itself. Ask your agent to run it at a time, if it should." }
        } @else {
            ul.cards { @for schedule in schedules { (schedules::card(session, schedule, &path)) } }
        }
        h2 { @if is_archived { "Bring it back" } @else { "Archive" } }
        p.muted { "An archived skill stays readable, and you can bring it back at any time." }
        form method="post" action=(path) {
            (form_token(session))
            div.buttons {
                @if is_archived {
                    button name=(ARCHIVED) value="false" { "Bring back" }
                } @else {
                    button.danger name=(ARCHIVED) value="true" { "Archive" }
                }
            }
        }
        p { a href=(SKILLS_PATH) { "All skills" } }
    }
}

/// Archives a skill, or brings it back.
pub(super) async fn change(
    State(site): State<Site>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    let path = request.uri().path().to_owned();
    let (form, session) = match form::of_person(&site, request).await {
        Ok(read) => read,
        Err(refusal) => return refusal,
    };
    let is_archived = form.get(ARCHIVED) != Some("false");
    let arguments = json!({"skillId": id, "archived": is_archived});
    match call::<Value>(&site, &session, "skill_archive", arguments).await {
        Ok(_) => lead_to(&path),
        Err(failure) => problem(&session, failure),
    }
}
