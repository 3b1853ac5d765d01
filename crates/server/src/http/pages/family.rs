//! The page with who is in the family, and with how agents are connected.

use axum::extract::State;
use axum::response::Response;
use dibber_skill::contract::{FamilyCanvas, FamilyOverview, Kid, Parent};
use maud::{Markup, html};
use serde_json::json;

use super::layout::Page;
use super::person::{Person, call, problem};
use super::phrases;
use super::site::{AGENTS_PATH, FAMILY_PATH, Site};
use crate::authorization::sign_in::BrowserSession;
use crate::failure::Failure;
use crate::http::paths::MCP_PATH;
use crate::store::{Family, Reader, StoreError, StoreExt};

/// Shows the page.
pub(super) async fn show(State(site): State<Site>, Person(session): Person) -> Response {
    match find(&site, &session).await {
        Ok((family, overview)) => {
            let address = site.issuer.address(MCP_PATH);
            let content = content(&session, &family, &overview, &address);
            Page::new("Family", Some(&session), content).at(FAMILY_PATH).into_response()
        }
        Err(failure) => problem(&session, failure),
    }
}

async fn find(site: &Site, session: &BrowserSession) -> Result<(Family, FamilyOverview), Failure> {
    let overview = call(site, session, "family_query_overview", json!({})).await?;
    let id = session.family.clone();
    let read = move |store: &dyn Reader| -> Result<_, Failure> {
        Ok(store.family(&id)?.ok_or(StoreError::Damaged)?)
    };
    Ok((site.server.store().read(read).await?, overview))
}

fn content(
    session: &BrowserSession,
    family: &Family,
    overview: &FamilyOverview,
    address: &str,
) -> Markup {
    html! {
        p { "Times are shown in the time zone " strong { (family.time_zone) } "." }
        (phrases::damage(overview.damaged_items))
        (grown_ups(session, &overview.parents))
        (children(&overview.kids))
        (canvases(&overview.canvases))
        (connection(address))
    }
}

fn grown_ups(session: &BrowserSession, parents: &[Parent]) -> Markup {
    html! {
        h2 { "Grown-ups" }
        ul {
            @for parent in parents {
                li {
                    bdi { (parent.name) }
                    @if parent.user_id == session.user_id { " (you)" }
                }
            }
        }
        p.muted { "To add one, type " code { "dibber family add-member" } " on the computer on which the server runs." }
    }
}

fn children(kids: &[Kid]) -> Markup {
    html! {
        h2 { "Children" }
        @if kids.is_empty() {
            p { "No child is added yet." }
        } @else {
            ul { @for kid in kids { li { bdi { (kid.name) } ", " (years(kid.age)) } } }
        }
        p.muted {
            "To add one, type " code { "dibber family add-child --born 2019-04-30" }
            " there. Skills never contain the names of your children."
        }
    }
}

fn canvases(canvases: &[FamilyCanvas]) -> Markup {
    html! {
        h2 { "Canvases" }
        @if canvases.is_empty() {
            p { "There is no canvas yet." }
            p.muted { "To add one, type " code { "dibber family add-canvas Bedroom --ages 5-7" } " there." }
        } @else {
            ul {
                @for canvas in canvases {
                    li {
                        bdi { @if let Some(emoji) = &canvas.emoji { (emoji) " " } (canvas.name) }
                        @if let Some(ages) = &canvas.age_range { ", ages " (ages) }
                    }
                }
            }
        }
    }
}

fn connection(address: &str) -> Markup {
    let settings = json!({"mcpServers": {"dibber": {"type": "http", "url": address}}});
    let settings = serde_json::to_string_pretty(&settings).unwrap_or_default();
    html! {
        h2 { "Connect an agent" }
        p {
            "Copy the address into the settings of an agent, such as an assistant or an editor. The agent \
             then asks you here what it may do; " a href=(AGENTS_PATH) { "Agents" } " shows what you allowed."
        }
        label.field for="address" { "The address" }
        input #address type="text" readonly value=(address);
        label.field for="settings" { "The same, for agents with a file of settings" }
        textarea #settings readonly rows=(settings.lines().count()) spellcheck="false" { (settings) }
    }
}

fn years(age: i64) -> String {
    if age == 1 { "1 year old".to_owned() } else { format!("{age} years old") }
}
