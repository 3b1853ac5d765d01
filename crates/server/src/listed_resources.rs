//! The guides and the resources as MCP lists them, and the errors of requests for them.

use rmcp::ErrorData;
use rmcp::model::{Resource, ResourceTemplate};
use serde_json::Value;

use super::guides::{GUIDE_MIME_TYPE, Guide, guides};
use super::resources::{STATE_MIME_TYPE, TEMPLATES, WATCHED};
use dibber_skill::contract::{ErrorCode, ToolError};

/// Returns the guides, and the resources that every family has.
pub(super) fn listed_resources() -> Vec<Resource> {
    let watched = WATCHED.iter().map(|watched| {
        Resource::new(watched.uri, watched.name)
            .with_title(watched.title)
            .with_description(watched.about)
            .with_mime_type(STATE_MIME_TYPE)
    });
    guides().iter().map(guide).chain(watched).collect()
}

/// Returns the templates of the URIs of what a family has.
pub(super) fn listed_templates() -> Vec<ResourceTemplate> {
    let template = TEMPLATES.iter().map(|template| {
        ResourceTemplate::new(template.uri, template.name)
            .with_title(template.title)
            .with_description(template.about)
            .with_mime_type(STATE_MIME_TYPE)
    });
    template.collect()
}

fn guide(guide: &Guide) -> Resource {
    Resource::new(guide.uri, guide.path)
        .with_title(guide.title)
        .with_description(guide.about)
        .with_mime_type(GUIDE_MIME_TYPE)
        .with_size(guide.text().len() as u64)
}

/// Returns the error of a request for a resource, with data that say which one is meant.
pub(super) fn resource_error(error: ToolError, data: Option<Value>) -> ErrorData {
    match error.code {
        ErrorCode::DomainNotFound => {
            let message = "resource not found; resources/list lists the resources";
            ErrorData::resource_not_found(message, data)
        }
        ErrorCode::InternalError => ErrorData::internal_error(error.message, data),
        _ => ErrorData::invalid_request(error.message, data),
    }
}
