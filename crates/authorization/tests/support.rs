//! A client and a server that the tests share.

use dibber_authorization::{Client, ClientId, ClientMetadata, Issuer, Parameters};

/// The verifier and the challenge of RFC 7636, appendix B.
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

pub(crate) fn issuer() -> Issuer {
    Issuer::parse("https://family.example").expect("a public URL")
}

/// A client that registered with these addresses.
pub(crate) fn client(redirect_uris: &[&str]) -> Client {
    let body = serde_json::json!({
        "client_name": "Garden Planner",
        "redirect_uris": redirect_uris,
        "grant_types": ["authorization_code", "refresh_token"],
    });
    let metadata = ClientMetadata::from_registration(body.to_string().as_bytes());
    Client { id: ClientId::registered("0123abcd"), metadata: metadata.expect("metadata") }
}

/// The parameters of a request that is allowed, with some of them replaced, added, or left out.
pub(crate) fn parameters(changes: &[(&str, Option<&str>)]) -> Parameters {
    let valid = [
        ("client_id", "client_0123abcd"),
        ("redirect_uri", "https://planner.example/back"),
        ("response_type", "code"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("scope", "skill:read skill:write"),
        ("state", "a b&c"),
        ("resource", "https://family.example/mcp"),
    ];
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in valid {
        if !changes.iter().any(|(changed, _)| *changed == name) {
            query.append_pair(name, value);
        }
    }
    for (name, value) in changes {
        if let Some(value) = value {
            query.append_pair(name, value);
        }
    }
    Parameters::parse(query.finish().as_bytes())
}
