//! What every page has: its frame, its headers and its style.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use maud::{DOCTYPE, Markup, html};

use super::site::{AGENTS_PATH, FAMILY_PATH, HOME_PATH, SIGN_OUT_PATH, SKILLS_PATH, STYLE_PATH};
use crate::authorization::sign_in::BrowserSession;
use crate::failure::Failure;

/// The field that a form of a signed-in person has, so that no other site can send it.
pub(super) const TOKEN_FIELD: &str = "form";

/// The styles of the pages.
const STYLE: &str = include_str!("style.css");

/// The pages that each page leads to.
const PAGES: [(&str, &str); 4] = [
    (HOME_PATH, "Home"),
    (SKILLS_PATH, "Skills"),
    (FAMILY_PATH, "Family"),
    (AGENTS_PATH, "Agents"),
];

/// A page.
pub(super) struct Page<'a> {
    /// What the window and the page are called.
    pub(super) title: &'a str,
    /// Who is signed in, for the links to the other pages.
    pub(super) session: Option<&'a BrowserSession>,
    /// Its path, if it is one of the pages that each page leads to.
    pub(super) path: Option<&'static str>,
    /// The content.
    pub(super) content: Markup,
    /// The status of the answer.
    pub(super) status: StatusCode,
    /// An address beside those of this server that a form leads to, after the server has answered.
    pub(super) leads_to: Option<&'a str>,
}

impl<'a> Page<'a> {
    /// Returns a page with a title.
    pub(super) fn new(
        title: &'a str,
        session: Option<&'a BrowserSession>,
        content: Markup,
    ) -> Self {
        Self { title, session, path: None, content, status: StatusCode::OK, leads_to: None }
    }

    /// Returns the page as the one at a path that each page leads to.
    pub(super) fn at(self, path: &'static str) -> Self {
        Self { path: Some(path), ..self }
    }

    /// Returns a page that says what is wrong.
    pub(super) fn problem(title: &'a str, text: &str) -> Self {
        let content = html! { p { (text) } p { a href="/" { "Go to the start" } } };
        Self { status: StatusCode::BAD_REQUEST, ..Self::new(title, None, content) }
    }

    /// Returns the answer with the page.
    pub(super) fn into_response(self) -> Response {
        let status = self.status;
        let policy = content_policy(self.leads_to);
        let body = self.markup().into_string();
        let headers = [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CACHE_CONTROL, "no-store"),
            (header::X_FRAME_OPTIONS, "DENY"),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            // The address of a page can contain the request of a client. It stays here.
            (header::REFERRER_POLICY, "same-origin"),
        ];
        let mut response = (status, headers, body).into_response();
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        response
    }

    fn markup(&self) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) " \u{b7} dibber" }
                    link rel="stylesheet" href=(STYLE_PATH);
                }
                body {
                    @if let Some(session) = self.session {
                        header {
                            nav aria-label="Pages" {
                                @for (path, name) in PAGES {
                                    a href=(path) aria-current=[(self.path == Some(path)).then_some("page")] { (name) }
                                }
                            }
                            form method="post" action=(SIGN_OUT_PATH) {
                                (form_token(session))
                                button.quiet { "Sign out" }
                            }
                        }
                    }
                    main {
                        h1 { (self.title) }
                        (self.content)
                    }
                }
            }
        }
    }
}

/// Returns the hidden field of the forms of a signed-in person.
pub(super) fn form_token(session: &BrowserSession) -> Markup {
    html! { input type="hidden" name=(TOKEN_FIELD) value=(session.form_token); }
}

/// Returns the answer that leads a browser to another page, which it requests with GET.
pub(super) fn lead_to(address: &str) -> Response {
    let Ok(address) = HeaderValue::try_from(address) else {
        return Page::problem("This address cannot be used", "Nothing has changed.")
            .into_response();
    };
    let headers = [
        (header::LOCATION, address),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// Returns the answer to a request that the server could not answer. The log has the cause.
pub(super) fn failed(failure: Failure) -> Response {
    drop(failure.into_tool_error());
    let text = "Try again in a moment. The log of the server has the cause.";
    let page = Page::problem("Something went wrong", text);
    Page { status: StatusCode::INTERNAL_SERVER_ERROR, ..page }.into_response()
}

/// Answers with the styles.
pub(super) async fn style() -> Response {
    let headers =
        [(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, "max-age=300")];
    (headers, STYLE).into_response()
}

/// Returns the policy of a page: no scripts, nothing of other sites, no frames, and forms that lead
/// nowhere but here. A browser follows the answer to a form only to what the policy names.
fn content_policy(leads_to: Option<&str>) -> HeaderValue {
    const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; \
                          base-uri 'none'; frame-ancestors 'none'; form-action 'self'";
    let policy = match leads_to {
        Some(source) => format!("{POLICY} {source}"),
        None => POLICY.to_owned(),
    };
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static(POLICY))
}
