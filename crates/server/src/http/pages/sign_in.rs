//! Signing in with a link, and out.

use axum::extract::{Request, State};
use axum::response::Response;
use http::header;
use maud::html;

use super::browser;
use super::form::{self, Form, is_of_own_page};
use super::layout::{self, Page, lead_to};
use super::site::{SIGN_IN_PATH, SIGN_OUT_PATH, Site};
use dibber_authorization::{Issuer, Parameters};

/// The parameter with the secret of a link.
const LINK: &str = "link";
/// The field with the page that is shown next.
const NEXT: &str = "next";

/// Returns the address of a link with a secret, for a person to open.
pub fn address(issuer: &Issuer, secret: &str) -> String {
    format!("{}?{LINK}={secret}", issuer.address(SIGN_IN_PATH))
}

/// Shows the page of a link. Only the button signs in: programs that look at links for people follow
/// them, too.
pub(super) async fn ask(State(site): State<Site>, request: Request) -> Response {
    let query = Parameters::parse(request.uri().query().unwrap_or_default().as_bytes());
    let Some(link) = query.get(LINK) else { return page("/").into_response() };
    match site.server.is_sign_in_link(link).await {
        Ok(true) => {
            let content = html! {
                p { "This browser stays signed in until you sign out, or do not use it for two weeks." }
                form method="post" action=(SIGN_IN_PATH) {
                    input type="hidden" name=(LINK) value=(link);
                    div.buttons { button { "Sign in" } }
                }
            };
            Page::new("Sign in", None, content).into_response()
        }
        Ok(false) => used_link().into_response(),
        Err(failure) => layout::failed(failure),
    }
}

/// Returns the page that someone sees who is not signed in. `next` is the page that they wanted.
pub(super) fn page(next: &str) -> Page<'static> {
    let content = html! {
        p { "You need a link to sign in. On the computer on which the server runs, type:" }
        p.panel { code { "dibber family invite" } }
        p { "Open the link that it prints in this browser, or paste it here." }
        form method="post" action=(SIGN_IN_PATH) {
            input type="hidden" name=(NEXT) value=(next);
            label.field for="link" { "The link" }
            input #link type="text" name=(LINK) required autocomplete="off" autocapitalize="off" spellcheck="false";
            div.buttons { button { "Sign in" } }
        }
    };
    Page::new("Sign in", None, content)
}

/// Signs a person in.
pub(super) async fn sign_in(State(site): State<Site>, request: Request) -> Response {
    // The form of another site would sign the person in as someone else.
    if !is_of_own_page(&site, request.headers()) {
        return used_link().into_response();
    }
    let form = match Form::read(request.into_body()).await {
        Ok(form) => form,
        Err(refusal) => return refusal,
    };
    let secret = match site.server.sign_in(link_secret(form.get(LINK).unwrap_or_default())).await {
        Ok(Some(secret)) => secret,
        Ok(None) => return used_link().into_response(),
        Err(failure) => return layout::failed(failure),
    };
    let mut response = lead_to(browser::local_path(form.get(NEXT)));
    if let Some(cookie) = browser::set_cookie(&site, &secret) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// Signs a person out.
pub(super) async fn sign_out(State(site): State<Site>, request: Request) -> Response {
    let secret = browser::session_secret(&site, request.headers()).map(str::to_owned);
    if let Err(refusal) = form::of_person(&site, request).await {
        return refusal;
    }
    if let Some(secret) = secret
        && let Err(failure) = site.server.sign_out(&secret).await
    {
        return layout::failed(failure);
    }
    let mut response = lead_to(SIGN_OUT_PATH);
    if let Some(cookie) = browser::clear_cookie(&site) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// Shows that a person has signed out.
pub(super) async fn signed_out() -> Response {
    let content = html! { p { "To sign in again, you need a new link." } };
    Page::new("You are signed out", None, content).into_response()
}

/// Returns the secret in what a person has pasted: a link, or its secret alone.
fn link_secret(pasted: &str) -> &str {
    let pasted = pasted.trim();
    pasted.rsplit_once("link=").map_or(pasted, |(_, secret)| secret)
}

fn used_link() -> Page<'static> {
    Page::problem(
        "This link cannot be used",
        "A link works once, and for 15 minutes. On the computer on which the server runs, \
         `dibber family invite` prints a new one.",
    )
}
