//! The skills of directories as a site has them: the index and what it leads to.

use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, StatusCode, header};

use super::answer;
use super::entity_tag::is_known;
use crate::caller::Caller;
use crate::server::Server;
use crate::skills_extension::may_read_skills;
use dibber_skill::contract::ErrorCode;

/// Where the files are, from the top of the site.
const DIRECTORY: &str = ".well-known/agent-skills/";

/// Answers with a file. If a token is needed, it was checked, and has to permit that skills are read.
pub(super) async fn file(
    State(server): State<Server>,
    Path(path): Path<String>,
    request: Request,
) -> Response {
    let caller = request.extensions().get::<Caller>();
    if !server.has_public_skills && !caller.is_some_and(may_read_skills) {
        return answer::refuse(
            StatusCode::FORBIDDEN,
            ErrorCode::PermissionDenied,
            "SCOPE_MISSING",
            "the token does not have the scope `skill:read`",
            "use a token that has it",
        );
    }
    let mut response = match server.site_file(format!("{DIRECTORY}{path}")).await {
        None => answer::refuse(
            StatusCode::NOT_FOUND,
            ErrorCode::DomainNotFound,
            "NO_SUCH_FILE",
            "file not found",
            "the skills are listed at /.well-known/agent-skills/index.json",
        ),
        Some(file) => {
            let fields = [(header::ETAG, file.tag.as_str()), (header::CACHE_CONTROL, "no-cache")];
            if is_known(request.headers(), &file.tag) {
                (StatusCode::NOT_MODIFIED, fields).into_response()
            } else {
                let content_type = [(header::CONTENT_TYPE, file.content_type)];
                (fields, content_type, file.bytes.clone()).into_response()
            }
        }
    };
    // Nothing here is run as a page of this server, and a page of any other may read it.
    let headers: [(HeaderName, &str); 2] =
        [(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"), (header::X_CONTENT_TYPE_OPTIONS, "nosniff")];
    for (name, value) in headers {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
