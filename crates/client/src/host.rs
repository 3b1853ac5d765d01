//! The program around a client, to which a server may have something to say during a call.

use serde_json::{Map, Value};

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

/// A question of the server: a form to be filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// What the server asks, and why.
    pub message: String,
    /// The JSON Schema of the answer: an object of strings, numbers, booleans and choices.
    pub schema: Map<String, Value>,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The form, filled in.
    Accept(Map<String, Value>),
    /// The user does not answer.
    Decline,
    /// The user ends the call.
    Cancel,
}

impl Question {
    /// Parses the parameters of `elicitation/create`; none if it is not a form.
    pub(super) fn parse(parameters: &Value) -> Option<Self> {
        if !matches!(parameters.get("mode").and_then(Value::as_str), None | Some("form")) {
            return None;
        }
        let message = parameters.get("message")?.as_str()?.to_owned();
        let schema = parameters.get("requestedSchema")?.as_object()?.clone();
        Some(Self { message, schema })
    }
}

impl Answer {
    /// Returns the name of the action in the protocol, and the content.
    pub(super) fn into_parts(self) -> (&'static str, Option<Value>) {
        match self {
            Self::Accept(content) => ("accept", Some(content.into())),
            Self::Decline => ("decline", None),
            Self::Cancel => ("cancel", None),
        }
    }
}
