//! The page with the agents that a person has connected: what they may do, and ending that.

use axum::extract::{Request, State};
use axum::response::Response;
use jiff::Timestamp;
use maud::{Markup, html};

use super::layout::{self, Page, form_token, lead_to};
use super::site::{AGENTS_PATH, Site};
use super::{browser, form, scopes, sign_in};
use crate::authorization::grants::{narrow, revoke};
use crate::authorization::sign_in::BrowserSession;
use crate::failure::Failure;
use crate::store::{Grant, Reader, StoreExt, Writer};

/// The field with the id of a grant.
const GRANT: &str = "grant";
/// The field with what is to be done with it.
const ACTION: &str = "action";

/// Shows the agents.
pub(super) async fn list(State(site): State<Site>, request: Request) -> Response {
    let session = match browser::session(&site, request.headers()).await {
        Ok(Some(session)) => session,
        Ok(None) => return sign_in::page(AGENTS_PATH).into_response(),
        Err(failure) => return layout::failed(failure),
    };
    match own_grants(&site, &session).await {
        Ok(grants) => page(&session, &grants),
        Err(failure) => layout::failed(failure),
    }
}

/// Narrows or ends what an agent may do.
pub(super) async fn change(State(site): State<Site>, request: Request) -> Response {
    let (form, session) = match form::of_person(&site, request).await {
        Ok(read) => read,
        Err(refusal) => return refusal,
    };
    let grants = match own_grants(&site, &session).await {
        Ok(grants) => grants,
        Err(failure) => return layout::failed(failure),
    };
    let id = form.get(GRANT).unwrap_or_default();
    // One that is not there any more was ended in another window.
    let Some(grant) = grants.into_iter().find(|grant| grant.id == id) else {
        return lead_to(AGENTS_PATH);
    };
    let kept = scopes::chosen(&form, &grant.scopes);
    let is_kept = form.get(ACTION) == Some("keep") && !kept.is_empty();
    let change = move |store: &dyn Writer| {
        if is_kept {
            narrow(store, &grant.family, &grant.id, &kept).map(drop)
        } else {
            revoke(store, &grant.family, &grant.id)
        }
    };
    match site.server.store().write(change).await {
        Ok(()) => lead_to(AGENTS_PATH),
        Err(failure) => layout::failed(failure),
    }
}

async fn own_grants(site: &Site, session: &BrowserSession) -> Result<Vec<Grant>, Failure> {
    let (family, user) = (session.family.clone(), session.user_id.clone());
    let read = move |store: &dyn Reader| -> Result<_, Failure> { Ok(store.grants(&family)?) };
    let grants = site.server.store().read(read).await?;
    Ok(grants.rows.into_iter().filter(|grant| grant.user_id == user).collect())
}

fn page(session: &BrowserSession, grants: &[Grant]) -> Response {
    let content = html! {
        @if grants.is_empty() {
            p { "No agent is connected for you." }
            p.muted {
                "Add this server to an agent, such as an assistant or an editor, by its address that ends \
                 with /mcp. The agent then asks here what it may do."
            }
        }
        @for grant in grants { (agent(session, grant)) }
    };
    Page::new("Agents", Some(session), content).at(AGENTS_PATH).into_response()
}

fn agent(session: &BrowserSession, grant: &Grant) -> Markup {
    html! {
        section.panel {
            h2 { (grant.client_name) }
            p.muted {
                "Connected " (day(grant.created_at))
                @if let Some(at) = grant.used_at { ", last seen " (day(at)) }
            }
            form method="post" action=(AGENTS_PATH) {
                (form_token(session))
                input type="hidden" name=(GRANT) value=(grant.id);
                @if grant.scopes.len() > 1 {
                    (scopes::choices(&grant.scopes, &grant.scopes))
                } @else {
                    ul { @for scope in &grant.scopes { li { (scopes::words(*scope)) } } }
                }
                div.buttons {
                    @if grant.scopes.len() > 1 {
                        button.quiet name=(ACTION) value="keep" { "Keep only what is checked" }
                    }
                    button.danger name=(ACTION) value="end" { "Disconnect" }
                }
            }
        }
    }
}

/// Returns a day in UTC, as it is written everywhere.
fn day(milliseconds: i64) -> String {
    let at = Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::UNIX_EPOCH);
    at.strftime("%Y-%m-%d").to_string()
}
