//! The forms that a browser sends.

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use http::header;

use super::browser;
use super::layout::{self, Page, TOKEN_FIELD};
use super::site::Site;
use crate::authorization::sign_in::BrowserSession;
use crate::http::body::read_whole;

/// The fields of a form.
pub(super) struct Form(Vec<(String, String)>);

impl Form {
    /// Reads the fields of a form.
    pub(super) async fn read(body: Body) -> Result<Self, Response> {
        let body = read_whole(body).await?;
        let fields = form_urlencoded::parse(&body);
        Ok(Self(fields.map(|(name, value)| (name.into_owned(), value.into_owned())).collect()))
    }

    /// Returns the first field with a name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// Returns every field with a name.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.as_str())
    }
}

/// Reads a form of a page of this server, which a signed-in person has sent. An error is the answer.
pub(super) async fn of_person(
    site: &Site,
    request: Request,
) -> Result<(Form, BrowserSession), Response> {
    let headers = request.headers().clone();
    if !is_of_own_page(site, &headers) {
        return Err(foreign_form().into_response());
    }
    let form = Form::read(request.into_body()).await?;
    let session = browser::session(site, &headers).await.map_err(layout::failed)?;
    let Some(session) = session else { return Err(signed_out().into_response()) };
    // The comparison need not take the same time for each token: a session has one of 256 bits.
    if form.get(TOKEN_FIELD) != Some(session.form_token.as_str()) {
        return Err(foreign_form().into_response());
    }
    Ok((form, session))
}

/// Returns `true` if a browser says that a page of this server has sent the form, or says nothing.
pub(super) fn is_of_own_page(site: &Site, headers: &http::HeaderMap) -> bool {
    let origin = headers.get(header::ORIGIN);
    let is_own = origin.is_none_or(|origin| origin.as_bytes() == site.issuer.origin().as_bytes());
    let from = headers.get("sec-fetch-site");
    is_own && from.is_none_or(|from| from == "same-origin" || from == "none")
}

fn foreign_form() -> Page<'static> {
    Page::problem(
        "This form is out of date",
        "It was not sent, and nothing has changed. Open the page again, and fill it in once more.",
    )
}

fn signed_out() -> Page<'static> {
    Page::problem("You are signed out", "Nothing has changed. Sign in, and open the page again.")
}
