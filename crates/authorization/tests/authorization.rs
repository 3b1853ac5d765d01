//! Requests that a person is asked about.

use dibber_authorization::{
    AuthorizationRequest, Challenge, OAuthError, OAuthErrorCode, RefusedAuthorization,
};
use dibber_skill::contract::{Scope, WireEnum};

use crate::support::{CHALLENGE, client, issuer, parameters};

fn parse(changes: &[(&str, Option<&str>)]) -> Result<AuthorizationRequest, RefusedAuthorization> {
    let client = client(&["https://planner.example/back", "http://127.0.0.1/back"]);
    AuthorizationRequest::parse(&parameters(changes), &client, &issuer())
}

/// The code of an error that the client gets, at an address of its own.
fn redirected(changes: &[(&str, Option<&str>)]) -> OAuthErrorCode {
    match parse(changes) {
        Err(RefusedAuthorization::Redirected { address, error }) => {
            assert!(address.starts_with("https://planner.example/back?error="), "{address}");
            assert!(address.ends_with("&iss=https%3A%2F%2Ffamily.example"), "{address}");
            error.code
        }
        other => panic!("{changes:?}: {other:?}"),
    }
}

#[test]
fn an_allowed_request_is_answered_with_a_code_and_the_server() {
    let request = parse(&[]).expect("a request");
    assert_eq!(request.scopes, [Scope::SkillRead, Scope::SkillWrite]);
    assert_eq!(
        request.allowed_address("c0de", &issuer()),
        "https://planner.example/back?code=c0de&state=a+b%26c&iss=https%3A%2F%2Ffamily.example"
    );
    let refused = OAuthError::new(OAuthErrorCode::AccessDenied, "the person refused");
    assert_eq!(
        request.refused_address(&refused, &issuer()),
        "https://planner.example/back?error=access_denied&error_description=the+person+refused\
         &state=a+b%26c&iss=https%3A%2F%2Ffamily.example"
    );
    let loopback = parse(&[("redirect_uri", Some("http://127.0.0.1:50123/back")), ("state", None)]);
    let address = loopback.expect("a request").allowed_address("c0de", &issuer());
    assert!(address.starts_with("http://127.0.0.1:50123/back?code=c0de&iss="), "{address}");
}

#[test]
fn an_address_that_may_not_be_the_clients_is_not_followed() {
    for address in [
        None,
        Some("https://planner.example/back2"),
        Some("https://planner.example/back/"),
        Some("https://planner.example/back#x"),
        Some("https://planner.example@evil.example/back"),
        Some("https://planner.example.evil.example/back"),
        Some("http://localhost/back"),
        Some("javascript:alert(1)"),
    ] {
        let refused = parse(&[("redirect_uri", address)]);
        assert!(matches!(refused, Err(RefusedAuthorization::Shown(_))), "{address:?}: {refused:?}");
    }
}

#[test]
fn a_client_gets_the_other_errors() {
    use OAuthErrorCode::{InvalidRequest, InvalidScope, InvalidTarget, UnsupportedResponseType};
    assert_eq!(redirected(&[("response_type", Some("token"))]), UnsupportedResponseType);
    assert_eq!(redirected(&[("response_type", None)]), InvalidRequest);
    assert_eq!(redirected(&[("response_mode", Some("fragment"))]), InvalidRequest);
    assert_eq!(redirected(&[("scope", Some("everything"))]), InvalidScope);
    assert_eq!(redirected(&[("resource", Some("https://other.example/mcp"))]), InvalidTarget);
    assert_eq!(redirected(&[("state", Some(&"s".repeat(3000)))]), InvalidRequest);
    // A second one could be read by another program.
    assert_eq!(redirected(&[("prompt", Some("none")), ("prompt", Some("login"))]), InvalidRequest);
}

#[test]
fn the_proof_key_cannot_be_left_out_or_weakened() {
    for changes in [
        &[("code_challenge", None)][..],
        &[("code_challenge_method", None)],
        &[("code_challenge_method", Some("plain"))],
        &[("code_challenge_method", Some("s256"))],
        &[("code_challenge", Some("short"))],
        &[("code_challenge", Some(&CHALLENGE[..42]))],
        &[("code_challenge", Some("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM"))],
    ] {
        assert_eq!(redirected(changes), OAuthErrorCode::InvalidRequest, "{changes:?}");
    }
}

#[test]
fn scopes_that_are_not_known_are_ignored() {
    let scopes = |text| parse(&[("scope", text)]).expect("a request").scopes;
    assert_eq!(scopes(Some("offline_access family:read family:read")), [Scope::FamilyRead]);
    assert_eq!(scopes(None), Scope::all());
}

#[test]
fn a_challenge_names_the_metadata_and_what_is_missing() {
    let metadata = "https://family.example/.well-known/oauth-protected-resource/mcp";
    let missing = Challenge::InsufficientScope(vec![Scope::SkillRead, Scope::SkillWrite]);
    assert_eq!(
        missing.header(metadata).to_string(),
        "Bearer realm=\"dibber\", error=\"insufficient_scope\", scope=\"skill:read skill:write\", \
         resource_metadata=\"https://family.example/.well-known/oauth-protected-resource/mcp\""
    );
    assert_eq!(
        Challenge::TokenMissing.header(metadata).to_string(),
        "Bearer realm=\"dibber\", \
         resource_metadata=\"https://family.example/.well-known/oauth-protected-resource/mcp\""
    );
}
