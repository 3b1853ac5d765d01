//! The browser of a request: its cookie, and who is signed in.

use axum::extract::Request;
use http::{HeaderMap, HeaderValue, header};

use super::site::Site;
use crate::authorization::sign_in::BrowserSession;
use crate::failure::Failure;

/// The name of the cookie. On an encrypted connection, a browser accepts the prefix only for a cookie that
/// no other host, path or unencrypted page can set.
const COOKIE: &str = "dibber";
const HOST_COOKIE: &str = "__Host-dibber";

/// The seconds that a browser keeps the cookie; the server ends the session earlier if it is not used.
const COOKIE_SECONDS: u32 = 60 * 60 * 24 * 90;

/// Returns the secret in the cookie of a request.
pub(super) fn session_secret<'a>(site: &Site, headers: &'a HeaderMap) -> Option<&'a str> {
    let name = cookie_name(site);
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';'));
    pairs.find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

/// Returns who is signed in with the browser of a request.
pub(super) async fn session(
    site: &Site,
    headers: &HeaderMap,
) -> Result<Option<BrowserSession>, Failure> {
    match session_secret(site, headers) {
        Some(secret) => site.server.browser_session(secret).await,
        None => Ok(None),
    }
}

/// Returns the header that keeps a session in the browser.
pub(super) fn set_cookie(site: &Site, secret: &str) -> Option<HeaderValue> {
    cookie(site, secret, COOKIE_SECONDS)
}

/// Returns the header that removes the session from the browser.
pub(super) fn clear_cookie(site: &Site) -> Option<HeaderValue> {
    cookie(site, "", 0)
}

/// Returns where a browser goes after a form: a path of this server, and never another one.
pub(super) fn local_path(wanted: Option<&str>) -> &str {
    let is_local = |path: &str| {
        path.starts_with('/')
            && !path.starts_with("//")
            && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
    };
    wanted.filter(|path| is_local(path)).unwrap_or("/")
}

/// Returns the path and the query of a request, as an address of this server.
pub(super) fn own_path(request: &Request) -> String {
    request.uri().path_and_query().map_or("/", |path| path.as_str()).to_owned()
}

/// Other sites may lead to a page with it (`Lax`), as a client does that asks for consent, but their
/// forms are sent without it.
fn cookie(site: &Site, value: &str, seconds: u32) -> Option<HeaderValue> {
    let (name, secure) = (cookie_name(site), if site.issuer.is_https() { "; Secure" } else { "" });
    let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}");
    HeaderValue::try_from(text).ok()
}

fn cookie_name(site: &Site) -> &'static str {
    if site.issuer.is_https() { HOST_COOKIE } else { COOKIE }
}
