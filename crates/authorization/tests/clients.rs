//! What clients say of themselves.

use dibber_authorization::{
    CLIENT_METADATA_BYTES_MAX, Client, ClientId, ClientIdKind, ClientMetadata, OAuthErrorCode,
};
use serde_json::{Value, json};

fn register(body: &Value) -> Result<ClientMetadata, OAuthErrorCode> {
    ClientMetadata::from_registration(body.to_string().as_bytes()).map_err(|error| error.code)
}

#[test]
fn a_registration_needs_an_address_for_codes() {
    let metadata = register(&json!({"redirect_uris": ["http://127.0.0.1/back"], "logo_uri": "x"}));
    assert_eq!(metadata.expect("metadata").name, None);
    let device = "urn:ietf:params:oauth:grant-type:device_code";
    assert!(register(&json!({"grant_types": [device]})).is_ok());
    for (body, expected) in [
        (json!({}), OAuthErrorCode::InvalidRedirectUri),
        (json!({"redirect_uris": []}), OAuthErrorCode::InvalidRedirectUri),
        (json!({"redirect_uris": ["javascript:alert(1)"]}), OAuthErrorCode::InvalidRedirectUri),
        (
            json!({"redirect_uris": vec!["https://a.example/"; 17]}),
            OAuthErrorCode::InvalidClientMetadata,
        ),
        (json!({"redirect_uris": "https://a.example/"}), OAuthErrorCode::InvalidClientMetadata),
        (json!({"grant_types": ["client_credentials"]}), OAuthErrorCode::InvalidClientMetadata),
        (json!({"grant_types": ["refresh_token"]}), OAuthErrorCode::InvalidClientMetadata),
        (
            json!({"redirect_uris": ["https://a.example/"], "response_types": ["token"]}),
            OAuthErrorCode::InvalidClientMetadata,
        ),
        (json!([1]), OAuthErrorCode::InvalidClientMetadata),
    ] {
        assert_eq!(register(&body), Err(expected), "{body}");
    }
    let huge = json!({"redirect_uris": ["https://a.example/"], "x": "y".repeat(CLIENT_METADATA_BYTES_MAX)});
    assert_eq!(register(&huge), Err(OAuthErrorCode::InvalidClientMetadata));
}

#[test]
fn a_name_cannot_hide_characters() {
    let named = |name: &str| {
        let metadata =
            register(&json!({"redirect_uris": ["https://a.example/"], "client_name": name}));
        let client =
            Client { id: ClientId::registered("0"), metadata: metadata.expect("metadata") };
        client.shown_name().to_owned()
    };
    assert_eq!(named("  Garden Planner "), "Garden Planner");
    assert_eq!(named(""), "a.example");
    let hidden = named("Claude\u{202e}\u{1b}[2K\nPlanner");
    assert!(!hidden.contains(['\u{202e}', '\u{1b}', '\n']), "{hidden:?}");
    assert!(named(&"a".repeat(500)).len() < 100);
}

#[test]
fn a_document_names_its_own_address() {
    let address = "https://planner.example/oauth/client.json";
    let id = ClientId::parse(address).expect("an id");
    assert_eq!(id.kind(), ClientIdKind::Document);
    let document = json!({"client_id": address, "redirect_uris": ["https://planner.example/back"]});
    let metadata = ClientMetadata::from_document(&id, document.to_string().as_bytes());
    let client = Client { id: id.clone(), metadata: metadata.expect("metadata") };
    assert_eq!(client.verified_host(), Some("planner.example"));
    for other in [
        json!({"redirect_uris": ["https://evil.example/"]}),
        json!({"client_id": "https://evil.example/x", "redirect_uris": ["https://evil.example/"]}),
    ] {
        assert!(
            ClientMetadata::from_document(&id, other.to_string().as_bytes()).is_err(),
            "{other}"
        );
    }
}

#[test]
fn an_id_is_one_of_the_server_or_the_address_of_a_document() {
    let kind = |text| ClientId::parse(text).map(|id| id.kind());
    assert_eq!(kind("client_00ff"), Some(ClientIdKind::Registered));
    assert_eq!(kind("https://a.example/client"), Some(ClientIdKind::Document));
    for text in [
        "",
        "client_",
        "client_xyz",
        "planner",
        "http://a.example/client",
        "https://a.example",
        "https://a.example/",
        "https://user@a.example/client",
        "https://a.example/client?x=1",
        "https://a.example/client#x",
        "https://a.example/../client",
        "https://a.example/a\\b",
        "https://A.example/client",
    ] {
        assert_eq!(kind(text), None, "{text}");
    }
}
