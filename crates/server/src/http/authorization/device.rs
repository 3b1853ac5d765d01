//! Devices that ask for codes (RFC 8628, section 3.1).

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use dibber_authorization::{
    ClientIdKind, DeviceAuthorizationRequest, GrantType, OAuthError, OAuthErrorCode, Parameters,
};
use http::StatusCode;

use super::answer::{json, refused, server_failed};
use crate::authorization::clients::FindClientError;
use crate::http::body::read_whole;
use crate::http::pages::site::{DEVICE_PATH, Site};

/// Answers with codes for a device.
pub(super) async fn start(State(site): State<Site>, body: Body) -> Response {
    let body = match read_whole(body).await {
        Ok(body) => body,
        Err(refusal) => return refusal,
    };
    let request = match DeviceAuthorizationRequest::parse(&Parameters::parse(&body), &site.issuer) {
        Ok(request) => request,
        Err(error) => return refused(&error),
    };
    if request.client.kind() == ClientIdKind::Document {
        // Anyone can ask for codes: nothing is fetched for that.
        let description = "a device needs a client that is registered";
        return refused(&OAuthError::new(OAuthErrorCode::InvalidClient, description));
    }
    let client = match site.server.find_client(request.client.clone()).await {
        Ok(client) => client,
        Err(FindClientError::Failed(failure)) => return server_failed(failure),
        Err(FindClientError::Unknown) => {
            let description = "the client is not registered";
            return refused(&OAuthError::new(OAuthErrorCode::InvalidClient, description));
        }
        Err(FindClientError::Document(problem)) => {
            return refused(&OAuthError::new(OAuthErrorCode::InvalidClient, problem));
        }
    };
    if !client.may_use(GrantType::DeviceCode) {
        let description = "the client did not register the grant type of devices";
        return refused(&OAuthError::new(OAuthErrorCode::UnauthorizedClient, description));
    }
    match site.server.start_device(&client, request, site.issuer.address(DEVICE_PATH)).await {
        Ok(codes) => json(StatusCode::OK, &codes),
        Err(failure) => server_failed(failure),
    }
}
