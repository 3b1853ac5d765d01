//! The rounds of a request for which the server needs input: it answers with questions, and the
//! same request is sent again with the answers.

use std::ops::ControlFlow;

use rmcp::model::InputResponses;
use serde_json::{Value, json};

use super::failure::Failure;
use super::handler::Handler;
use super::host::Question;
use super::key::IdempotencyKey;

/// The most rounds of one request.
const ROUNDS_MAX: usize = 10;
/// The type of a result that asks for input.
const INPUT_REQUIRED: &str = "input_required";

/// What a request is sent again with.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    /// The answers, by the names of the questions.
    pub(super) responses: Option<InputResponses>,
    /// What the server wants to get back.
    pub(super) state: Option<String>,
}

/// A round.
#[derive(Debug)]
pub(super) struct Round {
    number: usize,
    inputs: Inputs,
}

impl Round {
    /// Returns the first round, which has no input.
    pub(super) fn first() -> Self {
        Self { number: 0, inputs: Inputs::default() }
    }

    /// Returns the idempotency key of this round: its request differs from that of the others.
    pub(super) fn key(&self, key: &IdempotencyKey) -> String {
        match self.number {
            0 => key.as_str().to_owned(),
            number => format!("{key}/{number}"),
        }
    }

    /// Takes what the request is sent with.
    pub(super) fn take_inputs(&mut self) -> Inputs {
        std::mem::take(&mut self.inputs)
    }

    /// Returns the result of the request, or the next round if the server asks for input.
    pub(super) async fn next(
        self,
        result: Value,
        handler: &Handler,
    ) -> Result<ControlFlow<Value, Self>, Failure> {
        if result.get("resultType").and_then(Value::as_str) != Some(INPUT_REQUIRED) {
            return Ok(ControlFlow::Break(result));
        }
        let number = self.number + 1;
        if number == ROUNDS_MAX {
            let cause = format!("it asks for input more than {ROUNDS_MAX} times");
            return Err(Failure::protocol_error(cause));
        }
        let state = result.get("requestState").and_then(Value::as_str).map(str::to_owned);
        let mut responses = InputResponses::new();
        let requests = result.get("inputRequests").and_then(Value::as_object);
        for (name, request) in requests.into_iter().flatten() {
            responses.insert(name.clone(), response(request, handler).await?);
        }
        let responses = Some(responses).filter(|responses| !responses.is_empty());
        Ok(ControlFlow::Continue(Self { number, inputs: Inputs { responses, state } }))
    }
}

/// Answers one request for input.
async fn response(request: &Value, handler: &Handler) -> Result<Value, Failure> {
    let parameters = request.get("params").unwrap_or(&Value::Null);
    match request.get("method").and_then(Value::as_str) {
        Some("elicitation/create") => {
            let question = Question::parse(parameters);
            let (action, content) = handler.ask(question).await.into_parts();
            Ok(match content {
                Some(content) => json!({"action": action, "content": content}),
                None => json!({"action": action}),
            })
        }
        Some("roots/list") => Ok(json!({"roots": []})),
        _ => Err(Failure::protocol_error(
            "it requests sampling from a language model, which dibber does not support",
        )),
    }
}
