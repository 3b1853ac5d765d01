//! The guides as pages, for whoever reads them before there is a connection. They are the same
//! for everybody and hold nothing of a family, so that no token is asked for.

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};
use sha2::{Digest, Sha256};

use super::{GUIDES_PATH, answer};
use crate::contract::ErrorCode;
use crate::server::guides::{self, GUIDE_MIME_TYPE};

/// The list of the guides.
pub(super) async fn index(headers: HeaderMap) -> Response {
    page(&headers, guides::index())
}

/// One guide.
pub(super) async fn one(Path(path): Path<String>, headers: HeaderMap) -> Response {
    match guides::guides().iter().find(|guide| guide.path == path) {
        Some(guide) => page(&headers, guide.text.to_owned()),
        None => answer::refuse(
            StatusCode::NOT_FOUND,
            ErrorCode::DomainNotFound,
            "NO_SUCH_GUIDE",
            "there is no such guide",
            &format!("the guides are listed at {GUIDES_PATH}"),
        ),
    }
}

/// A text, unless the reader has the same one already (RFC 9110, section 13.1.2).
fn page(headers: &HeaderMap, text: String) -> Response {
    let digest = Sha256::digest(&text);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{digest}\"");
    let has_same = headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|tags| tags.split(','))
        .any(|known| known.trim() == "*" || known.trim().trim_start_matches("W/") == tag);
    let kept = [(header::ETAG, tag), (header::CACHE_CONTROL, "no-cache".to_owned())];
    if has_same {
        return (StatusCode::NOT_MODIFIED, kept).into_response();
    }
    let kind = format!("{GUIDE_MIME_TYPE}; charset=utf-8");
    (kept, [(header::CONTENT_TYPE, kind)], text).into_response()
}
