//! The routes of the pages.

use axum::Router;
use axum::routing::{get, post};
use dibber_authorization::AuthorizationServerMetadata;

use super::site::{
    AGENTS_PATH, DEVICE_PATH, FAMILY_PATH, HOME_PATH, INBOX_PATH, SCHEDULES_PATH, SIGN_IN_PATH,
    SIGN_OUT_PATH, SKILL_ROUTE, SKILLS_PATH, STYLE_PATH, Site,
};
use super::{agents, consent, device, family, home, inbox, layout, schedules, sign_in, skills};

/// Returns the routes of the pages.
pub(in crate::http) fn routes() -> Router<Site> {
    Router::new()
        .route(HOME_PATH, get(home::show))
        .route(AGENTS_PATH, get(agents::list).post(agents::change))
        .route(
            AuthorizationServerMetadata::AUTHORIZATION_PATH,
            get(consent::ask).post(consent::answer),
        )
        .route(DEVICE_PATH, get(device::ask).post(device::answer))
        .route(FAMILY_PATH, get(family::show))
        .route(INBOX_PATH, get(inbox::list).post(inbox::change))
        .route(SCHEDULES_PATH, post(schedules::change))
        .route(SKILLS_PATH, get(skills::list))
        .route(SKILL_ROUTE, get(skills::one).post(skills::change))
        .route(SIGN_IN_PATH, get(sign_in::ask).post(sign_in::sign_in))
        .route(SIGN_OUT_PATH, get(sign_in::signed_out).post(sign_in::sign_out))
        .route(STYLE_PATH, get(layout::style))
}
