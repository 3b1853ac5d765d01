//! The program around a client, to which a server may have something to say during a call.

use serde_json::{Map, Value};

use super::page_url::PageUrl;

/// What the program around a client does with the progress of a call, and with questions of the
/// server. Without one, progress only extends the timeout, and every question is declined.
pub trait Host: Send + Sync {
    /// Shows the progress of a call. It must not wait for a question to be answered.
    fn show_progress(&self, progress: &Progress);

    /// Asks the user, who may take any time; the timeout of the call does not run meanwhile.
    fn answer(&self, question: &Question) -> Answer;
}

/// How far a call is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The part that is done.
    pub done: f64,
    /// The whole, if it is known.
    pub total: Option<f64>,
    /// What the server is doing.
    pub message: Option<String>,
}

/// A question of the server.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// What the server asks, and why.
    pub message: String,
    /// What the user is asked to do.
    pub request: UserRequest,
}

/// What a user is asked to do.
#[derive(Clone, Debug, PartialEq)]
pub enum UserRequest {
    /// To fill in a form. This is the JSON Schema of the answer: an object of strings, numbers,
    /// booleans and choices.
    Form(Map<String, Value>),
    /// To open a page in a browser, such as to sign in.
    Page(PageUrl),
    /// Something else, or a page without a valid URL.
    Unsupported,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The form, filled in.
    Accept(Map<String, Value>),
    /// The user has opened the page.
    Opened,
    /// The user does not answer.
    Decline,
    /// The user ends the call.
    Cancel,
}

impl Question {
    /// Parses the parameters of `elicitation/create`.
    pub(super) fn parse(parameters: &Value) -> Self {
        let string = |name: &str| parameters.get(name).and_then(Value::as_str);
        let request = match string("mode") {
            None | Some("form") => {
                let schema = parameters.get("requestedSchema").and_then(Value::as_object);
                schema.cloned().map(UserRequest::Form)
            }
            Some("url") => string("url").and_then(PageUrl::parse).map(UserRequest::Page),
            Some(_) => None,
        };
        Self {
            message: string("message").unwrap_or_default().to_owned(),
            request: request.unwrap_or(UserRequest::Unsupported),
        }
    }
}

impl Answer {
    /// Returns the name of the action in the protocol, and the content.
    pub(super) fn into_parts(self) -> (&'static str, Option<Value>) {
        match self {
            Self::Accept(content) => ("accept", Some(content.into())),
            Self::Opened => ("accept", None),
            Self::Decline => ("decline", None),
            Self::Cancel => ("cancel", None),
        }
    }
}
