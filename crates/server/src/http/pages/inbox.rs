//! The results that skills have posted: those that are new, and all of them.

use axum::extract::{Request, State};
use axum::response::Response;
use dibber_authorization::Parameters;
use dibber_skill::contract::{CardState, InboxCard, OpenEnum, Page as ListPage, SkillId};
use maud::{Markup, html};
use serde_json::{Value, json};

use super::labels::{Ids, Labels};
use super::layout::{Page, form_token, lead_to};
use super::person::{Person, call, problem};
use super::site::{INBOX_PATH, SKILLS_PATH, Site};
use super::{browser, form, phrases};
use crate::authorization::sign_in::BrowserSession;
use crate::failure::Failure;

/// The field with the id of a result.
const RESULT: &str = "result";
/// The field with its new state.
const STATE: &str = "state";
/// The page that is shown next.
const NEXT: &str = "next";
/// The parameter with where a page begins.
const CURSOR: &str = "cursor";

/// A page of results, with the labels of their skills.
pub(super) struct Results {
    pub(super) page: ListPage<InboxCard>,
    labels: Labels,
}

/// Returns a page of results. The arguments are those of `inbox_list`.
pub(super) async fn find(
    site: &Site,
    session: &BrowserSession,
    arguments: Value,
) -> Result<Results, Failure> {
    let page: ListPage<InboxCard> = call(site, session, "inbox_list", arguments).await?;
    let mut ids = Ids::default();
    page.items.iter().for_each(|card| ids.add_card(card));
    let labels = ids.find(site, session).await?;
    Ok(Results { page, labels })
}

/// Shows every result that was not archived, newest first.
pub(super) async fn list(
    State(site): State<Site>,
    Person(session): Person,
    request: Request,
) -> Response {
    let parameters = Parameters::parse(request.uri().query().unwrap_or_default().as_bytes());
    let cursor = parameters.get(CURSOR);
    let next = browser::own_path(&request);
    match find(&site, &session, json!({"cursor": cursor})).await {
        Ok(results) => {
            let content = html! {
                @if results.page.items.is_empty() && cursor.is_none() {
                    p { "There is no result yet." }
                    p.muted { "What your skills find or make is shown here, until you archive it." }
                }
                (cards(&session, &results, &next))
                nav aria-label="Pages of the list" {
                    @if cursor.is_some() { a href=(INBOX_PATH) { "Newest results" } }
                    @if let Some(cursor) = &results.page.next_cursor {
                        a rel="next" href={ (INBOX_PATH) "?" (CURSOR) "=" (cursor) } { "Older results" }
                    }
                }
            };
            Page::new("Results", Some(&session), content).into_response()
        }
        Err(failure) => problem(&session, failure),
    }
}

/// Returns the results of a page. `next` is the page that is shown after one is changed.
pub(super) fn cards(session: &BrowserSession, results: &Results, next: &str) -> Markup {
    html! {
        @if !results.page.items.is_empty() {
            ul.cards {
                @for card in &results.page.items {
                    (one(session, card, results.labels.of_card(card), next))
                }
            }
        }
        (phrases::damage(results.page.damaged_items))
    }
}

fn one(session: &BrowserSession, card: &InboxCard, skill: Option<&str>, next: &str) -> Markup {
    let is_new = card.state == OpenEnum::Known(CardState::Unread);
    let (state, word) = if is_new { ("read", "Mark as read") } else { ("unread", "Mark as new") };
    let name = skill.unwrap_or("A skill that is gone");
    html! {
        li.panel {
            h3 {
                @if is_new { "New: " }
                @match skill {
                    Some(name) => (skill_link(&card.skill_id, name)),
                    None => (name),
                }
            }
            p.muted { (phrases::time(&card.posted_at)) }
            p.text { bdi { (card.summary) } }
            form method="post" action=(INBOX_PATH) {
                (form_token(session))
                input type="hidden" name=(RESULT) value=(card.result_id.as_str());
                input type="hidden" name=(NEXT) value=(next);
                div.buttons {
                    button.quiet name=(STATE) value=(state) aria-label={ (word) ": " (name) } { (word) }
                    button.quiet name=(STATE) value="archived" aria-label={ "Archive: " (name) } { "Archive" }
                }
            }
        }
    }
}

fn skill_link(id: &SkillId, name: &str) -> Markup {
    html! { a href={ (SKILLS_PATH) "/" (id.as_str()) } { bdi { (name) } } }
}

/// Marks a result as read or new, or archives it.
pub(super) async fn change(State(site): State<Site>, request: Request) -> Response {
    let (form, session) = match form::of_person(&site, request).await {
        Ok(read) => read,
        Err(refusal) => return refusal,
    };
    let id = form.get(RESULT).unwrap_or_default();
    let arguments = json!({"resultIds": [id], "state": form.get(STATE).unwrap_or_default()});
    match call::<Value>(&site, &session, "inbox_update", arguments).await {
        Ok(_) => lead_to(browser::local_path(form.get(NEXT))),
        Err(failure) => problem(&session, failure),
    }
}
