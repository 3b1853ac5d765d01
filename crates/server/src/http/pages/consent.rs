//! The page on which a person allows or refuses what a client asks for.

use axum::extract::{Request, State};
use axum::response::Response;
use dibber_authorization::{
    AuthorizationRequest, Client, ClientId, OAuthError, OAuthErrorCode, Parameters,
    RefusedAuthorization,
};
use maud::{Markup, html};

use super::layout::{self, Page, form_token, lead_to};
use super::site::Site;
use super::{browser, form, scopes, sign_in};
use crate::authorization::clients::FindClientError;
use crate::authorization::sign_in::BrowserSession;
use crate::failure::Failure;
use crate::store::{Reader, StoreExt};

/// The field with the request of the client.
const REQUEST: &str = "request";
/// The field with what the person has decided.
const DECISION: &str = "decision";
const ALLOW: &str = "allow";

/// A request of a client, and the client.
struct Asked {
    client: Client,
    request: AuthorizationRequest,
}

/// Asks a person.
pub(super) async fn ask(State(site): State<Site>, request: Request) -> Response {
    // Only a person who is signed in makes the server fetch the document of a client.
    let session = match browser::session(&site, request.headers()).await {
        Ok(Some(session)) => session,
        Ok(None) => return sign_in::page(&browser::own_path(&request)).into_response(),
        Err(failure) => return layout::failed(failure),
    };
    let query = request.uri().query().unwrap_or_default();
    match asked(&site, query).await {
        Ok(asked) => match site.server.record_client_use(&asked.client.id).await {
            Ok(()) => consent(&site, &asked, query, &session, None).await,
            Err(failure) => layout::failed(failure),
        },
        Err(response) => response,
    }
}

/// Does what the person has decided: the browser goes back to the client, with a code or an error.
pub(super) async fn answer(State(site): State<Site>, request: Request) -> Response {
    let (form, session) = match form::of_person(&site, request).await {
        Ok(read) => read,
        Err(refusal) => return refusal,
    };
    let query = form.get(REQUEST).unwrap_or_default();
    let asked = match asked(&site, query).await {
        Ok(asked) => asked,
        Err(response) => return response,
    };
    if form.get(DECISION) != Some(ALLOW) {
        let error = OAuthError::new(OAuthErrorCode::AccessDenied, "the person refused");
        return lead_to(&asked.request.refused_address(&error, &site.issuer));
    }
    let allowed = scopes::chosen(&form, &asked.request.scopes);
    if allowed.is_empty() {
        let problem = "Choose at least one thing that it may do, or refuse.";
        return consent(&site, &asked, query, &session, Some(problem)).await;
    }
    let name = asked.client.shown_name();
    match site.server.issue_code(&asked.request, name, &session, allowed).await {
        Ok(code) => lead_to(&asked.request.allowed_address(&code, &site.issuer)),
        Err(failure) => layout::failed(failure),
    }
}

/// Parses what a client asks for. An error is the answer.
async fn asked(site: &Site, query: &str) -> Result<Asked, Response> {
    let parameters = Parameters::parse(query.as_bytes());
    let id = parameters.get("client_id").and_then(ClientId::parse);
    let Some(id) = id else { return Err(unknown_client()) };
    let client = site.server.find_client(id).await.map_err(|error| match error {
        FindClientError::Unknown => unknown_client(),
        FindClientError::Document(problem) => wrong_request(&problem),
        FindClientError::Failed(failure) => layout::failed(failure),
    })?;
    match AuthorizationRequest::parse(&parameters, &client, &site.issuer) {
        Ok(request) => Ok(Asked { client, request }),
        Err(RefusedAuthorization::Shown(error)) => Err(wrong_request(&error.description)),
        Err(RefusedAuthorization::Redirected { address, .. }) => Err(lead_to(&address)),
    }
}

async fn consent(
    site: &Site,
    asked: &Asked,
    query: &str,
    session: &BrowserSession,
    problem: Option<&str>,
) -> Response {
    let (family, user) = (session.family.clone(), session.user_id.clone());
    let find = move |store: &dyn Reader| -> Result<_, Failure> {
        Ok(store.users(&family)?.rows.into_iter().find(|found| found.id == user))
    };
    let member = site.server.store().read(find).await;
    let member = match member {
        Ok(member) => member.map_or_else(|| "you".to_owned(), |member| member.name),
        Err(failure) => return layout::failed(failure),
    };
    let Asked { client, request } = asked;
    let checked = if problem.is_some() { &[][..] } else { &request.scopes };
    let title = format!("Connect {}?", client.shown_name());
    let content = html! {
        @if let Some(problem) = problem { p.error role="alert" { (problem) } }
        (who_asks(client, request))
        form method="post" {
            (form_token(session))
            input type="hidden" name=(REQUEST) value=(query);
            p { "What may it do for " (member) "?" }
            (scopes::choices(&request.scopes, checked))
            p.muted {
                "It never gets your sign-in, nothing of other families, and nothing that is not checked. \
                 You can change or end this at any time under Agents."
            }
            div.buttons {
                button name=(DECISION) value=(ALLOW) { "Allow" }
                button.quiet name=(DECISION) value="refuse" { "Refuse" }
            }
        }
    };
    let origin = redirect_source(request.redirect_uri.as_str());
    let page = Page::new(&title, Some(session), content);
    Page { leads_to: Some(&origin), ..page }.into_response()
}

/// Says which program asks, and how certain that is.
fn who_asks(client: &Client, request: &AuthorizationRequest) -> Markup {
    let address = &request.redirect_uri;
    html! {
        div.panel {
            @if let Some(host) = client.verified_host() {
                p { "It is described at " strong { (host) } "." }
            } @else {
                p { "It calls itself " strong { (client.shown_name()) } ". That is not verified." }
            }
            @if address.is_on_this_computer() {
                p { "The answer goes to a program on this computer (" code { (address.host()) } ")." }
            } @else {
                p { "The answer goes to " strong { (address.host()) } "." }
            }
            p.muted { "If you did not just start this in that program, refuse." }
        }
    }
}

/// Returns the origin of an address, or its scheme, as a policy names it.
fn redirect_source(address: &str) -> String {
    let (scheme, rest) = address.split_once(':').unwrap_or((address, ""));
    match rest.strip_prefix("//") {
        // A policy cannot name an IPv6 address.
        Some(rest) if matches!(scheme, "http" | "https") && !rest.starts_with('[') => {
            let host = &rest[..rest.find(['/', '?']).unwrap_or(rest.len())];
            format!("{scheme}://{host}")
        }
        _ => format!("{scheme}:"),
    }
}

fn unknown_client() -> Response {
    Page::problem(
        "This program is not known here",
        "It has to register with this server first. Start the sign-in again in the program.",
    )
    .into_response()
}

fn wrong_request(problem: &str) -> Response {
    let text =
        format!("The program sent a request that is not valid: {problem}. Nothing was allowed.");
    Page::problem("This request cannot be answered", &text).into_response()
}
