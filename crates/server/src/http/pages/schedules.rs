//! The schedules of a family on its pages, and pausing and resuming them.

use axum::extract::{Request, State};
use axum::response::Response;
use dibber_skill::contract::{HeartbeatId, PAGE_ITEMS_MAX, Page, SkillId};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Value, json};

use super::layout::{form_token, lead_to};
use super::person::{call, problem};
use super::site::{SCHEDULES_PATH, Site};
use super::{browser, form, phrases};
use crate::authorization::sign_in::BrowserSession;
use crate::failure::Failure;

const HEARTBEAT: &str = "heartbeat";
const ACTION: &str = "action";
/// The page that is shown next.
const NEXT: &str = "next";

/// When a skill runs by itself.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Schedule {
    pub(super) heartbeat_id: HeartbeatId,
    pub(super) name: String,
    pub(super) cadence_text: String,
    pub(super) enabled: bool,
    pub(super) next_run_at: Option<String>,
    pub(super) run_context: RunContext,
}

/// What a schedule runs.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunContext {
    pub(super) run_skill_id: SkillId,
}

/// Returns every schedule, and the number of those that cannot be read. A family has at most as many as
/// a few pages.
pub(super) async fn all(
    site: &Site,
    session: &BrowserSession,
) -> Result<(Vec<Schedule>, Option<u64>), Failure> {
    let (mut schedules, mut damaged, mut cursor) = (Vec::new(), None, None);
    loop {
        let arguments = json!({"limit": PAGE_ITEMS_MAX, "cursor": cursor});
        let page: Page<Schedule> = call(site, session, "heartbeat_list", arguments).await?;
        schedules.extend(page.items);
        damaged = damaged.or(page.damaged_items);
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok((schedules, damaged));
        }
    }
}

/// Pauses or resumes a schedule.
pub(super) async fn change(State(site): State<Site>, request: Request) -> Response {
    let (form, session) = match form::of_person(&site, request).await {
        Ok(read) => read,
        Err(refusal) => return refusal,
    };
    let action = if form.get(ACTION) == Some("resume") { "resume" } else { "pause" };
    let arguments =
        json!({"heartbeatId": form.get(HEARTBEAT).unwrap_or_default(), "action": action});
    match call::<Value>(&site, &session, "heartbeat_update", arguments).await {
        Ok(_) => lead_to(browser::local_path(form.get(NEXT))),
        Err(failure) => problem(&session, failure),
    }
}

/// Returns one schedule, with a button that pauses or resumes it. `next` is the page that is shown then.
pub(super) fn card(session: &BrowserSession, schedule: &Schedule, next: &str) -> Markup {
    let Schedule { heartbeat_id, name, cadence_text, enabled, next_run_at, .. } = schedule;
    let (action, word) = if *enabled { ("pause", "Pause") } else { ("resume", "Resume") };
    html! {
        li.panel {
            h3 { bdi { (name) } }
            @match next_run_at {
                Some(at) => p { "Runs next on " (phrases::time(at)) },
                None if *enabled => p { "Does not run again" },
                None => p { strong { "Paused" } },
            }
            p.muted { (cadence_text) }
            form method="post" action=(SCHEDULES_PATH) {
                (form_token(session))
                input type="hidden" name=(HEARTBEAT) value=(heartbeat_id.as_str());
                input type="hidden" name=(NEXT) value=(next);
                div.buttons {
                    button.quiet name=(ACTION) value=(action) aria-label={ (word) ": " (name) } { (word) }
                }
            }
        }
    }
}
