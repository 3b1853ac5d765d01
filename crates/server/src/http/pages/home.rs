//! The first page: new results, what runs in the coming week, and what happened.

use axum::extract::State;
use axum::response::Response;
use dibber_skill::contract::{ActivityEvent, Page as ListPage};
use jiff::{SignedDuration, Timestamp};
use maud::{Markup, html};
use serde_json::json;

use super::inbox::{self, Results};
use super::labels::{Ids, Labels};
use super::layout::Page;
use super::person::{Person, call, problem};
use super::phrases;
use super::schedules::{self, Schedule};
use super::site::{HOME_PATH, INBOX_PATH, Site};
use crate::authorization::sign_in::BrowserSession;
use crate::failure::Failure;

/// The most results and events on the page.
const SHOWN_MAX: usize = 10;
/// The most schedules of one kind on the page.
const SCHEDULES_MAX: usize = 50;
/// How far ahead the page looks.
const AHEAD: SignedDuration = SignedDuration::from_hours(24 * 7);

/// What the page shows.
struct Overview {
    results: Results,
    /// Those that run in the coming week, the next one first.
    coming: Vec<Schedule>,
    paused: Vec<Schedule>,
    /// The number of the schedules that run later.
    later: usize,
    damaged_schedules: Option<u64>,
    events: ListPage<ActivityEvent>,
    labels: Labels,
}

/// Shows the page.
pub(super) async fn show(State(site): State<Site>, Person(session): Person) -> Response {
    match find(&site, &session).await {
        Ok(overview) => Page::new("Home", Some(&session), content(&session, &overview))
            .at(HOME_PATH)
            .into_response(),
        Err(failure) => problem(&session, failure),
    }
}

async fn find(site: &Site, session: &BrowserSession) -> Result<Overview, Failure> {
    let unread = json!({"state": "unread", "limit": SHOWN_MAX});
    let results = inbox::find(site, session, unread).await?;
    let (schedules, damaged_schedules) = schedules::all(site, session).await?;
    let (active, paused): (Vec<_>, Vec<_>) = schedules.into_iter().partition(|it| it.enabled);
    let active_count = active.len();
    let end = site.server.now().saturating_add(AHEAD).unwrap_or(Timestamp::MAX);
    let mut coming: Vec<(Timestamp, Schedule)> = active
        .into_iter()
        .filter_map(|schedule| Some((schedule.next_run_at.as_ref()?.parse().ok()?, schedule)))
        .filter(|(at, _)| *at <= end)
        .collect();
    coming.sort_by_key(|(at, _)| *at);
    let events: ListPage<ActivityEvent> =
        call(site, session, "activity_list", json!({"limit": SHOWN_MAX})).await?;
    let mut ids = Ids::default();
    events.items.iter().for_each(|event| ids.add_event(event));
    let labels = ids.find(site, session).await?;
    let later = active_count - coming.len();
    let coming = coming.into_iter().map(|(_, schedule)| schedule).collect();
    Ok(Overview { results, coming, paused, later, damaged_schedules, events, labels })
}

fn content(session: &BrowserSession, overview: &Overview) -> Markup {
    html! {
        section aria-labelledby="results" {
            h2 #results { "New results" }
            @if overview.results.page.items.is_empty() { p { "You have read everything." } }
            (inbox::cards(session, &overview.results, HOME_PATH))
            p {
                a href=(INBOX_PATH) {
                    @if overview.results.page.next_cursor.is_some() { "More results" } @else { "All results" }
                }
            }
        }
        (coming_week(session, overview))
        @if !overview.paused.is_empty() {
            section aria-labelledby="paused" {
                h2 #paused { "Paused" }
                (cards(session, &overview.paused))
            }
        }
        section aria-labelledby="activity" {
            h2 #activity { "What happened" }
            @if overview.events.items.is_empty() { p { "Nothing yet." } }
            ul { @for event in &overview.events.items { (happened(event, &overview.labels)) } }
            (phrases::damage(overview.events.damaged_items))
        }
    }
}

fn coming_week(session: &BrowserSession, overview: &Overview) -> Markup {
    let has_none = overview.coming.is_empty() && overview.later == 0 && overview.paused.is_empty();
    html! {
        section aria-labelledby="coming" {
            h2 #coming { "In the coming week" }
            @if has_none {
                p { "No skill runs by itself yet." }
                p.muted {
                    "Ask an agent that you have connected to run a skill at a time, as in: every evening at \
                     seven, a bedtime story."
                }
            } @else if overview.coming.is_empty() {
                p { "Nothing runs in the coming week." }
            }
            (cards(session, &overview.coming))
            @match overview.later {
                0 => {},
                1 => p.muted { "One more schedule runs later." },
                later => p.muted { (later) " more schedules run later." },
            }
            (phrases::damage(overview.damaged_schedules))
        }
    }
}

fn cards(session: &BrowserSession, schedules: &[Schedule]) -> Markup {
    html! {
        @if !schedules.is_empty() {
            ul.cards {
                @for schedule in schedules.iter().take(SCHEDULES_MAX) {
                    (schedules::card(session, schedule, HOME_PATH))
                }
            }
        }
        @if schedules.len() > SCHEDULES_MAX {
            p.muted { "And " (schedules.len() - SCHEDULES_MAX) " more; the page of each skill has its schedules." }
        }
    }
}

fn happened(event: &ActivityEvent, labels: &Labels) -> Markup {
    html! {
        li {
            (phrases::event(&event.kind))
            @if let Some(label) = labels.of_event(event) { ": " bdi { (label) } }
            br;
            span.muted {
                (phrases::time(&event.timestamp))
                @if let Some(name) = labels.of_actor(event) { ", for " bdi { (name) } }
            }
        }
    }
}
