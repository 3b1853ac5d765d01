//! Public URLs, and what is an address of the server.

use dibber_authorization::{
    AuthorizationServerMetadata, Issuer, IssuerError, ProtectedResourceMetadata,
};

#[test]
fn a_public_url_is_encrypted_or_on_this_computer() {
    for (text, expected) in [
        ("https://family.example", "https://family.example"),
        ("https://family.example/", "https://family.example"),
        ("https://family.example:8443/dibber/", "https://family.example:8443/dibber"),
        ("https://Family.Example:443", "https://family.example"),
        ("http://127.0.0.1:8787", "http://127.0.0.1:8787"),
        ("http://[::1]:8787", "http://[::1]:8787"),
        ("http://localhost:8787", "http://localhost:8787"),
    ] {
        assert_eq!(Issuer::parse(text).expect(text).as_str(), expected);
    }
    for (text, expected) in [
        ("http://family.example", IssuerError::Scheme),
        ("ftp://family.example", IssuerError::Scheme),
        ("family.example", IssuerError::Scheme),
        ("https://", IssuerError::Scheme),
        ("https://user@family.example", IssuerError::Host),
        ("https://family.example:0", IssuerError::Host),
        ("https://family.example:+80", IssuerError::Host),
        ("https://[::1", IssuerError::Host),
        ("https://family.example/a?b", IssuerError::Path),
        ("https://family.example/../a", IssuerError::Path),
        ("https://family.example/#a", IssuerError::Path),
    ] {
        assert_eq!(Issuer::parse(text), Err(expected), "{text}");
    }
}

#[test]
fn a_resource_is_an_address_of_the_server() {
    let issuer = Issuer::parse("https://family.example/dibber").expect("a public URL");
    assert!(issuer.is_resource("https://family.example/dibber"));
    assert!(issuer.is_resource("https://family.example/dibber/"));
    assert!(issuer.is_resource("https://family.example/dibber/mcp"));
    for other in [
        "https://family.example",
        "https://family.example/dibber2/mcp",
        "https://family.example.evil.example/dibber",
        "http://family.example/dibber",
        "https://family.example/dibber/mcp#x",
        "https://family.example/dibber/mcp?x",
    ] {
        assert!(!issuer.is_resource(other), "{other}");
    }
}

#[test]
fn the_metadata_name_the_endpoints() {
    let issuer = Issuer::parse("https://family.example/dibber").expect("a public URL");
    let server = serde_json::to_value(AuthorizationServerMetadata::new(&issuer)).expect("JSON");
    assert_eq!(server["issuer"], "https://family.example/dibber");
    assert_eq!(server["token_endpoint"], "https://family.example/dibber/oauth/token");
    assert_eq!(server["code_challenge_methods_supported"], serde_json::json!(["S256"]));
    let resource = serde_json::to_value(ProtectedResourceMetadata::new(&issuer, "/mcp"));
    let resource = resource.expect("JSON");
    assert_eq!(resource["resource"], "https://family.example/dibber/mcp");
    assert_eq!(resource["authorization_servers"][0], "https://family.example/dibber");
    assert_eq!(
        ProtectedResourceMetadata::address(&issuer, "/mcp"),
        "https://family.example/.well-known/oauth-protected-resource/dibber/mcp"
    );
}
