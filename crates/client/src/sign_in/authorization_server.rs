//! Finding the authorization server of a server (RFC 9728, RFC 8414), and what must be right about it.

use std::time::Duration;

use serde_json::{Map, Value};

use super::super::address::Address;
use super::super::certificate_authority::CertificateAuthority;
use super::error::SignInError;
use super::web::Web;

/// Where a resource says who signs people in to it.
const RESOURCE_PATH: &str = "/.well-known/oauth-protected-resource";
/// Where an authorization server describes itself, and where one of `OpenID` does.
const SERVER_PATHS: [&str; 2] =
    ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];
/// The scope with which many servers give a token that gets others.
const OFFLINE_ACCESS: &str = "offline_access";

/// An authorization server, as it describes itself, and the resource that tokens are for.
#[derive(Clone, Debug)]
pub struct AuthorizationServer {
    pub(super) server: Address,
    pub(super) resource: String,
    pub(super) issuer: String,
    pub(super) authorization_endpoint: Address,
    pub(super) token_endpoint: Address,
    pub(super) registration_endpoint: Option<Address>,
    pub(super) device_authorization_endpoint: Option<Address>,
    pub(super) revocation_endpoint: Option<Address>,
    /// Whether its answers name it (RFC 9207).
    pub(super) names_itself: bool,
    /// The scopes to ask for, unless the person chooses others; none for all.
    pub(super) scope: Option<String>,
    /// How clients may show who they are at the token endpoint.
    pub(super) client_methods: Vec<String>,
    pub(super) web: Web,
}

impl AuthorizationServer {
    /// Returns the URL that identifies it.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// Returns `true` if a person can allow with a code that another device shows.
    pub const fn offers_device_codes(&self) -> bool {
        self.device_authorization_endpoint.is_some()
    }

    /// Sets the scopes to ask for.
    #[must_use]
    pub fn with_scopes(self, scopes: &[String]) -> Self {
        if scopes.is_empty() { self } else { Self { scope: Some(scopes.join(" ")), ..self } }
    }
}

/// Finds the authorization server of a server. Nothing secret is sent.
///
/// # Errors
/// If it cannot be reached, or describes another resource or issuer, or does not offer what is safe.
pub async fn discover(
    server: &Address,
    authority: Option<CertificateAuthority>,
    timeout: Duration,
) -> Result<AuthorizationServer, SignInError> {
    let web = Web { authority, timeout };
    let challenge = web.challenge(server).await?.unwrap_or_default();
    let resource = resource(&web, server, parameter(&challenge, "resource_metadata")).await?;
    let named = text(&resource, "resource").unwrap_or_default();
    if !is_resource_of(&named, server) {
        return Err(metadata("the metadata of the server is that of another resource"));
    }
    let issuers = resource.get("authorization_servers").and_then(Value::as_array);
    let issuer = issuers.and_then(|issuers| issuers.first()?.as_str());
    let issuer = issuer.ok_or(SignInError::NotOffered)?;
    let address = endpoint(server, issuer)?;
    let mut found = None;
    for url in server_metadata_addresses(&address) {
        found = web.document(&url).await?;
        if found.is_some() {
            break;
        }
    }
    let found =
        found.ok_or_else(|| metadata("the authorization server does not describe itself"))?;
    let own = text(&found, "issuer").unwrap_or_default();
    if own.trim_end_matches('/') != issuer.trim_end_matches('/') {
        return Err(metadata("the metadata of the authorization server is that of another issuer"));
    }
    let scope = parameter(&challenge, "scope").map(str::to_owned);
    let scope = scope.or_else(|| strings(&resource, "scopes_supported").map(|all| all.join(" ")));
    described(web, (server, named), (&address, own), &found, scope)
}

fn described(
    web: Web,
    (server, resource): (&Address, String),
    (address, issuer): (&Address, String),
    found: &Map<String, Value>,
    scope: Option<String>,
) -> Result<AuthorizationServer, SignInError> {
    let methods = strings(found, "code_challenge_methods_supported").unwrap_or_default();
    if !methods.iter().any(|method| method == "S256") {
        return Err(metadata(
            "the authorization server does not offer proof keys (PKCE) with S256",
        ));
    }
    let optional = |name| text(found, name).map(|url| endpoint(address, &url)).transpose();
    let required = |name| {
        optional(name)?
            .ok_or_else(|| metadata(&format!("the authorization server has no `{name}`")))
    };
    let offered = strings(found, "scopes_supported").unwrap_or_default();
    let scope = scope.filter(|scope| !scope.is_empty()).map(|scope| {
        let is_missing = !scope.split(' ').any(|one| one == OFFLINE_ACCESS);
        let is_offered = offered.iter().any(|one| one == OFFLINE_ACCESS);
        if is_missing && is_offered { format!("{scope} {OFFLINE_ACCESS}") } else { scope }
    });
    let names_itself = found.get("authorization_response_iss_parameter_supported");
    Ok(AuthorizationServer {
        server: server.clone(),
        resource,
        issuer,
        authorization_endpoint: required("authorization_endpoint")?,
        token_endpoint: required("token_endpoint")?,
        registration_endpoint: optional("registration_endpoint")?,
        device_authorization_endpoint: optional("device_authorization_endpoint")?,
        revocation_endpoint: optional("revocation_endpoint")?,
        names_itself: names_itself.and_then(Value::as_bool).unwrap_or_default(),
        scope,
        client_methods: strings(found, "token_endpoint_auth_methods_supported").unwrap_or_default(),
        web,
    })
}

/// Returns what a server says of itself as a resource: where its challenge says, or at the usual places.
async fn resource(
    web: &Web,
    server: &Address,
    named: Option<&str>,
) -> Result<Map<String, Value>, SignInError> {
    let places = if let Some(named) = named {
        vec![endpoint(server, named)?]
    } else {
        let path = server.path().trim_end_matches('/');
        let paths = [format!("{RESOURCE_PATH}{path}"), RESOURCE_PATH.to_owned()];
        paths.iter().map(|path| well_known(server, path)).collect()
    };
    for place in places {
        if let Some(found) = web.document(&place).await? {
            return Ok(found);
        }
    }
    Err(SignInError::NotOffered)
}

/// Returns the addresses at which an issuer may describe itself (RFC 8414, section 3.1 and 5).
fn server_metadata_addresses(issuer: &Address) -> Vec<Address> {
    let path = issuer.path().trim_end_matches('/');
    let before = SERVER_PATHS.map(|place| format!("{place}{path}"));
    let after = (!path.is_empty()).then(|| format!("{path}{}", SERVER_PATHS[1]));
    before.iter().chain(&after).map(|path| well_known(issuer, path)).collect()
}

fn well_known(address: &Address, path: &str) -> Address {
    let url = format!("{}{path}", address.origin());
    url.parse().unwrap_or_else(|_| address.with_path(path))
}

/// Parses an address that a server names. It may not lead inside, or to where others can read along.
fn endpoint(from: &Address, named: &str) -> Result<Address, SignInError> {
    let refused = |why: &str| metadata(&format!("the server leads {why}, which is not followed"));
    let url: Address = named.parse().map_err(|_| refused("to what is not a URL"))?;
    from.may_lead_to(&url).map_err(refused)?;
    if !url.is_private() {
        return Err(refused("to a site without encryption"));
    }
    Ok(url)
}

/// Returns `true` if a token for this resource is one for a server: they are at one address, or the
/// resource is all that is below a path of its site.
fn is_resource_of(resource: &str, server: &Address) -> bool {
    let Ok(resource) = resource.parse::<Address>() else { return false };
    let whole = resource.path().trim_end_matches('/');
    let rest = server.path().strip_prefix(whole);
    resource.origin() == server.origin()
        && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns a parameter of the challenge `Bearer`.
fn parameter<'a>(challenge: &'a str, name: &str) -> Option<&'a str> {
    let start = challenge.match_indices(name).find_map(|(at, _)| {
        let is_start = challenge[..at].ends_with([' ', ',']);
        let value = challenge[at + name.len()..].trim_start().strip_prefix('=');
        value.filter(|_| is_start)
    })?;
    let start = start.trim_start();
    match start.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => start.split([',', ' ']).next(),
    }
}

fn text(object: &Map<String, Value>, name: &str) -> Option<String> {
    object.get(name).and_then(Value::as_str).map(str::to_owned)
}

fn strings(object: &Map<String, Value>, name: &str) -> Option<Vec<String>> {
    let values = object.get(name)?.as_array()?;
    Some(values.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

fn metadata(why: &str) -> SignInError {
    SignInError::Metadata(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_of_a_challenge_is_found_by_its_whole_name() {
        let challenge = "Bearer realm=\"x\", scope=\"a b\", x_scope=\"c\",resource_metadata=\"u\"";
        assert_eq!(parameter(challenge, "scope"), Some("a b"));
        assert_eq!(parameter(challenge, "resource_metadata"), Some("u"));
        assert_eq!(parameter(challenge, "error"), None);
        assert_eq!(parameter("Bearer error=invalid_token, a=b", "error"), Some("invalid_token"));
    }

    #[test]
    fn a_resource_is_the_server_or_above_it() {
        let server: Address = "https://example.org/a/mcp".parse().expect("a URL");
        for (resource, expected) in [
            ("https://example.org/a/mcp", true),
            ("https://example.org/a/mcp/", true),
            ("https://example.org/a", true),
            ("https://example.org", true),
            ("https://example.org/a/m", false),
            ("https://example.org/b", false),
            ("https://example.com/a/mcp", false),
            ("http://example.org/a/mcp", false),
            ("", false),
        ] {
            assert_eq!(is_resource_of(resource, &server), expected, "{resource}");
        }
    }

    #[test]
    fn an_issuer_describes_itself_at_three_places() {
        let addresses = |issuer: &str| {
            let issuer: Address = issuer.parse().expect("a URL");
            let found = server_metadata_addresses(&issuer);
            found.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(addresses("https://a.example").len(), 2);
        assert_eq!(
            addresses("https://a.example/t"),
            [
                "https://a.example/.well-known/oauth-authorization-server/t",
                "https://a.example/.well-known/openid-configuration/t",
                "https://a.example/t/.well-known/openid-configuration",
            ]
        );
    }
}
