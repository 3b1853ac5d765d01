//! The guides as pages, for a reader who has no connection yet. They are the same for everyone and
//! hold nothing of a family, so they need no token.

use std::collections::HashMap;
use std::sync::OnceLock;

use axum::body::Bytes;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};
use sha2::{Digest, Sha256};

use super::answer;
use super::entity_tag::is_known;
use super::paths::GUIDES_PATH;
use crate::guides::{self, GUIDE_MIME_TYPE};
use dibber_skill::contract::ErrorCode;
use dibber_text::hex;

/// A page that never changes.
struct GuidePage {
    text: Bytes,
    /// Its entity tag: a digest in quotation marks.
    tag: String,
}

/// Answers with the list of guides.
pub(super) async fn index(headers: HeaderMap) -> Response {
    static INDEX: OnceLock<GuidePage> = OnceLock::new();
    INDEX.get_or_init(|| GuidePage::new(guides::index().into())).answer(&headers)
}

/// Answers with one guide.
pub(super) async fn one(Path(path): Path<String>, headers: HeaderMap) -> Response {
    static PAGES: OnceLock<HashMap<&str, GuidePage>> = OnceLock::new();
    // Anyone may request them, any number of times, so each digest is computed only once.
    let pages = PAGES.get_or_init(|| {
        let page =
            |guide: &guides::Guide| (guide.path, GuidePage::new(guide.text().to_owned().into()));
        guides::guides().iter().map(page).collect()
    });
    match pages.get(path.as_str()) {
        Some(page) => page.answer(&headers),
        None => answer::refuse(
            StatusCode::NOT_FOUND,
            ErrorCode::DomainNotFound,
            "NO_SUCH_GUIDE",
            "guide not found",
            &format!("the guides are listed at {GUIDES_PATH}"),
        ),
    }
}

impl GuidePage {
    fn new(text: Bytes) -> Self {
        let digest = hex(Sha256::digest(&text));
        Self { text, tag: format!("\"{digest}\"") }
    }

    /// Returns the page, unless the reader has the same one already (RFC 9110, section 13.1.2).
    fn answer(&self, headers: &HeaderMap) -> Response {
        let has_same = is_known(headers, &self.tag);
        let fields = [(header::ETAG, self.tag.as_str()), (header::CACHE_CONTROL, "no-cache")];
        if has_same {
            return (StatusCode::NOT_MODIFIED, fields).into_response();
        }
        let content_type = format!("{GUIDE_MIME_TYPE}; charset=utf-8");
        (fields, [(header::CONTENT_TYPE, content_type)], self.text.clone()).into_response()
    }
}
