//! Requests for tokens.

use dibber_authorization::{
    CodeChallenge, CodeVerifier, DeviceAuthorizationRequest, OAuthErrorCode, Parameters,
    RevocationRequest, TokenRequest,
};
use dibber_skill::contract::Scope;

use crate::support::{CHALLENGE, VERIFIER, issuer};

fn parse(body: &str) -> Result<TokenRequest, OAuthErrorCode> {
    let parameters = Parameters::parse(body.as_bytes());
    TokenRequest::parse(&parameters, &issuer()).map_err(|error| error.code)
}

#[test]
fn a_code_comes_with_its_proof_key() {
    let body = format!(
        "grant_type=authorization_code&client_id=client_0&code=c0de&code_verifier={VERIFIER}\
         &redirect_uri=https%3A%2F%2Fa.example%2F&resource=https%3A%2F%2Ffamily.example%2Fmcp"
    );
    let Ok(TokenRequest::AuthorizationCode { code, redirect_uri, verifier, .. }) = parse(&body)
    else {
        panic!("a request for a code");
    };
    assert_eq!((code.as_str(), redirect_uri.as_str()), ("c0de", "https://a.example/"));
    let challenge = CodeChallenge::from_stored(CHALLENGE).expect("a challenge");
    assert!(challenge.is_met_by(&verifier));
    let other = CodeVerifier::parse(&VERIFIER.replace('d', "e")).expect("a verifier");
    assert!(!challenge.is_met_by(&other));
    assert!(!format!("{verifier:?}").contains(VERIFIER));
}

#[test]
fn what_is_missing_or_wrong_has_its_code() {
    let invalid = OAuthErrorCode::InvalidRequest;
    for (body, expected) in [
        ("", invalid),
        ("grant_type=authorization_code&client_id=client_0&code=c", invalid),
        (
            "grant_type=authorization_code&client_id=client_0&code=c&redirect_uri=x&code_verifier=y",
            invalid,
        ),
        ("grant_type=refresh_token&client_id=client_0", invalid),
        ("grant_type=refresh_token&client_id=client_0&refresh_token=a&refresh_token=b", invalid),
        ("grant_type=refresh_token&refresh_token=a", invalid),
        ("grant_type=refresh_token&client_id=me&refresh_token=a", OAuthErrorCode::InvalidClient),
        ("grant_type=password&client_id=client_0", OAuthErrorCode::UnsupportedGrantType),
        (
            "grant_type=refresh_token&client_id=client_0&refresh_token=a&resource=https://b.example",
            OAuthErrorCode::InvalidTarget,
        ),
        (
            "grant_type=refresh_token&client_id=client_0&refresh_token=a&scope=all",
            OAuthErrorCode::InvalidScope,
        ),
    ] {
        assert_eq!(parse(body).err(), Some(expected), "{body}");
    }
}

#[test]
fn devices_ask_for_scopes() {
    let body = b"client_id=client_0&scope=heartbeat%3Aread";
    let request = DeviceAuthorizationRequest::parse(&Parameters::parse(body), &issuer());
    assert_eq!(request.expect("a request").scopes, [Scope::HeartbeatRead]);
    let body =
        "grant_type=urn:ietf:params:oauth:grant-type:device_code&client_id=client_0&device_code=d";
    assert!(matches!(parse(body), Ok(TokenRequest::DeviceCode { code, .. }) if code == "d"));
}

#[test]
fn a_token_of_either_kind_is_revoked() {
    let parse = |body: &[u8]| RevocationRequest::parse(&Parameters::parse(body));
    assert!(
        parse(b"token=t&token_type_hint=access_token").is_ok_and(|request| request.token == "t")
    );
    assert!(parse(b"client_id=client_0").is_err());
}
