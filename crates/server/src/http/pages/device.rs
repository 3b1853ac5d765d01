//! The page on which a person types the code of a device.

use axum::extract::{Request, State};
use axum::response::Response;
use dibber_authorization::{Parameters, UserCode};
use maud::{Markup, html};

use super::layout::{self, Page, form_token};
use super::site::{DEVICE_PATH, Site};
use super::{browser, form, scopes, sign_in};
use crate::authorization::devices::DeviceRequest;
use crate::authorization::sign_in::BrowserSession;

/// The parameter and the field with the code.
const CODE: &str = "code";
/// The field with what the person has decided; none if the code was only typed.
const DECISION: &str = "decision";

/// Asks for the code.
pub(super) async fn ask(State(site): State<Site>, request: Request) -> Response {
    let query = Parameters::parse(request.uri().query().unwrap_or_default().as_bytes());
    match browser::session(&site, request.headers()).await {
        Ok(Some(session)) => code_page(&session, query.get(CODE), None),
        Ok(None) => sign_in::page(&browser::own_path(&request)).into_response(),
        Err(failure) => layout::failed(failure),
    }
}

/// Shows what the device asks for, or does what the person has decided.
pub(super) async fn answer(State(site): State<Site>, request: Request) -> Response {
    let (form, session) = match form::of_person(&site, request).await {
        Ok(read) => read,
        Err(refusal) => return refusal,
    };
    let typed = form.get(CODE).unwrap_or_default();
    let code = UserCode::parse(typed);
    let found = match &code {
        Some(code) => site.server.device_request(code).await,
        None => Ok(None),
    };
    let (code, asked) = match (code, found) {
        (Some(code), Ok(Some(asked))) => (code, asked),
        (_, Err(failure)) => return layout::failed(failure),
        _ => {
            let problem =
                "No device waits for this code. Check the letters; a code works for 10 minutes.";
            return code_page(&session, Some(typed), Some(problem));
        }
    };
    let allowed = match form.get(DECISION) {
        None => return consent_page(&session, &code, &asked, None),
        Some("allow") => Some(scopes::chosen(&form, &asked.scopes)),
        Some(_) => None,
    };
    if allowed.as_ref().is_some_and(Vec::is_empty) {
        let problem = "Choose at least one thing that it may do, or refuse.";
        return consent_page(&session, &code, &asked, Some(problem));
    }
    let is_allowed = allowed.is_some();
    match site.server.answer_device(&code, &session, allowed).await {
        Ok(true) => done(&session, is_allowed),
        Ok(false) => code_page(&session, Some(typed), Some("This code was used already.")),
        Err(failure) => layout::failed(failure),
    }
}

fn code_page(session: &BrowserSession, typed: Option<&str>, problem: Option<&str>) -> Response {
    let content = html! {
        @if let Some(problem) = problem { p.error role="alert" { (problem) } }
        p { "Type the code that the device shows. It has eight letters." }
        form method="post" action=(DEVICE_PATH) {
            (form_token(session))
            label.field for="code" { "The code" }
            input #code type="text" name=(CODE) value=[typed] required autocomplete="off" spellcheck="false" autocapitalize="characters";
            div.buttons { button { "Continue" } }
        }
    };
    Page::new("Connect a device", Some(session), content).into_response()
}

fn consent_page(
    session: &BrowserSession,
    code: &UserCode,
    asked: &DeviceRequest,
    problem: Option<&str>,
) -> Response {
    let checked = if problem.is_some() { &[][..] } else { &asked.scopes };
    let content = html! {
        @if let Some(problem) = problem { p.error role="alert" { (problem) } }
        (who_asks(code, asked))
        form method="post" action=(DEVICE_PATH) {
            (form_token(session))
            input type="hidden" name=(CODE) value=(code);
            (scopes::choices(&asked.scopes, checked))
            div.buttons {
                button name=(DECISION) value="allow" { "Allow" }
                button.quiet name=(DECISION) value="refuse" { "Refuse" }
            }
        }
    };
    let title = format!("Connect {}?", asked.client_name);
    Page::new(&title, Some(session), content).into_response()
}

fn who_asks(code: &UserCode, asked: &DeviceRequest) -> Markup {
    html! {
        div.panel {
            p { "A device shows the code " strong { (code) } ". It calls itself " strong { (asked.client_name) } ". That is not verified." }
            p.muted { "If this is not a device of yours, or someone has sent you the code, refuse." }
        }
    }
}

fn done(session: &BrowserSession, is_allowed: bool) -> Response {
    let (title, text) = if is_allowed {
        ("The device is connected", "You can go back to it now.")
    } else {
        ("The device was refused", "It gets nothing.")
    };
    Page::new(title, Some(session), html! { p { (text) } }).into_response()
}
