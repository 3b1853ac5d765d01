//! The errors of JSON-RPC, in words.

use rmcp::model::{ErrorCode as RpcCode, ErrorData};

use super::error::ClientError;
use super::host::{Question, UserRequest};

/// The code of an error that asks the user to open a page before the request is sent again.
pub(super) const PAGE_REQUIRED: RpcCode = RpcCode(-32042);
/// The most pages of such an error.
const PAGES_MAX: usize = 5;

/// The most characters of an error's message that are shown, and of its data.
const RPC_MESSAGE_CHARACTERS_MAX: usize = 2_000;

/// Returns the error of a request that needs a page to be opened. The pages are in its data as
/// questions, each with a message of its own.
pub(super) fn page_required(error: &ErrorData) -> ClientError {
    let questions = error.data.as_ref().and_then(|data| data.get("elicitations")?.as_array());
    let questions: Vec<_> =
        questions.into_iter().flatten().take(PAGES_MAX).map(Question::parse).collect();
    let own_message = questions.first().map(|question| question.message.as_str());
    let message = own_message.filter(|message| !message.is_empty()).unwrap_or(&error.message);
    let message = message.chars().take(RPC_MESSAGE_CHARACTERS_MAX).collect();
    let pages = questions.into_iter().filter_map(|question| match question.request {
        UserRequest::Page(url) => Some(url),
        UserRequest::Form(_) | UserRequest::Unsupported => None,
    });
    ClientError::PageRequired { message, pages: pages.collect() }
}

/// Returns the beginning of the message of an error.
pub(super) fn shown_message(error: &ErrorData) -> String {
    error.message.chars().take(RPC_MESSAGE_CHARACTERS_MAX).collect()
}

/// Returns the message of an error, its code, and the beginning of its data.
pub(super) fn format_rpc_error(error: &ErrorData) -> String {
    let meaning = match error.code {
        RpcCode::INVALID_REQUEST => ", invalid request",
        RpcCode::METHOD_NOT_FOUND => ", unknown method",
        RpcCode::INVALID_PARAMS => ", invalid parameters",
        RpcCode::INTERNAL_ERROR => ", internal error",
        RpcCode::PARSE_ERROR => ", invalid JSON",
        _ => "",
    };
    let message = shown_message(error);
    let mut shown = format!("{message} (code {}{meaning})", error.code.0);
    if let Some(data) = &error.data {
        let data = data.as_str().map_or_else(|| data.to_string(), str::to_owned);
        let data: String = data.chars().take(RPC_MESSAGE_CHARACTERS_MAX).collect();
        shown += &format!("; details: {data}");
    }
    shown
}
