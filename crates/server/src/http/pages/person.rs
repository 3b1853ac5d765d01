//! The signed-in person of a page, and calls of tools in their name: the pages have the same rules as
//! agents.

use axum::extract::FromRequestParts;
use axum::response::Response;
use dibber_skill::contract::{ErrorCode, Scope, ToolError, WireEnum};
use http::StatusCode;
use http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::layout::{self, Page};
use super::site::Site;
use super::{browser, sign_in};
use crate::authorization::sign_in::BrowserSession;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::tools::find_tool;

/// The person who has requested a page. Without one, the answer is the page to sign in.
pub(super) struct Person(pub(super) BrowserSession);

impl FromRequestParts<Site> for Person {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, site: &Site) -> Result<Self, Response> {
        match browser::session(site, &parts.headers).await {
            Ok(Some(session)) => Ok(Self(session)),
            Ok(None) => {
                let wanted = parts.uri.path_and_query().map_or("/", |path| path.as_str());
                Err(sign_in::page(wanted).into_response())
            }
            Err(failure) => Err(layout::failed(failure)),
        }
    }
}

/// Calls a tool. Arguments that are null are left out.
pub(super) async fn call<T: DeserializeOwned>(
    site: &Site,
    session: &BrowserSession,
    tool: &str,
    arguments: Value,
) -> Result<T, Failure> {
    let tool = find_tool(tool).ok_or_else(|| Failure::Internal("no such tool".into()))?;
    let arguments = match arguments {
        Value::Object(arguments) => arguments,
        _ => Map::new(),
    };
    let caller = Caller {
        family: session.family.clone(),
        user_id: session.user_id.clone(),
        scopes: Scope::all(),
        token_expires_at: None,
        grant_id: None,
    };
    let arguments = arguments.into_iter().filter(|(_, value)| !value.is_null()).collect();
    let answer = site.server.call(tool, caller, arguments, Vec::new()).await?;
    serde_json::from_value(answer).map_err(|error| Failure::Internal(error.into()))
}

/// Returns the page about a call that failed.
pub(super) fn problem(session: &BrowserSession, failure: Failure) -> Response {
    let error = match failure {
        Failure::Refused(error) => *error,
        failure => return layout::failed(failure),
    };
    let (title, text, status) = in_words(&error);
    let page = Page::problem(title, &text);
    Page { session: Some(session), status, ..page }.into_response()
}

/// Returns a refusal in the words of a parent.
fn in_words(error: &ToolError) -> (&'static str, String, StatusCode) {
    let text = match error.reason.as_deref() {
        // A tool that writes does not say whether another family has it.
        None if matches!(error.code, ErrorCode::DomainNotFound | ErrorCode::PermissionDenied) => {
            let text = "Your family does not have it, or it was removed. Nothing has changed.";
            return ("This was not found", text.to_owned(), StatusCode::NOT_FOUND);
        }
        Some("INVALID_CURSOR") => "The list has changed. Open it again from the beginning.",
        Some("SKILL_IN_USE") => {
            "A schedule still runs this skill. Ask your agent to cancel the schedule first, then archive \
             the skill."
        }
        Some("NOT_A_MEMBER") => {
            "You do not take part in this schedule. Its owner can add you, and can change it."
        }
        Some("ADMIN_ONLY") => "Only the owner of this schedule, or an admin of it, can change it.",
        _ => return ("This did not work", sentence(&error.message), StatusCode::BAD_REQUEST),
    };
    ("This did not work", text.to_owned(), StatusCode::BAD_REQUEST)
}

/// Returns a message as a sentence.
fn sentence(message: &str) -> String {
    let mut characters = message.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), characters.as_str())
}
