//! The envelope of JSON-RPC 2.0: one request, and its answer.

use serde::Serialize;
use serde_json::Value;

use super::post::HttpAnswer;
use crate::error::ClientError;
use crate::failure::{Failure, from_status};
use crate::rpc_refusal::RpcRefusal;
use dibber_skill::contract::skills_protocol::ProtocolMethod;
use dibber_text::Shown;

/// What is added to an answer that nothing is there.
const NO_ENDPOINT: &str = "; a server of dibber answers there with `dibber serve --skills DIR`";

/// A request.
#[derive(Serialize)]
struct Request<'a, P> {
    jsonrpc: &'static str,
    id: u64,
    method: ProtocolMethod,
    params: &'a P,
}

/// Returns the bytes of a request.
pub(super) fn request(
    id: u64,
    method: ProtocolMethod,
    params: &impl Serialize,
) -> Result<Vec<u8>, ClientError> {
    let request = Request { jsonrpc: "2.0", id, method, params };
    serde_json::to_vec(&request).map_err(|error| ClientError::Protocol(error.to_string()))
}

/// Returns the result of the request with this id. A server may send an error of JSON-RPC with any
/// status of HTTP.
pub(super) fn result(id: u64, answer: &HttpAnswer) -> Result<Value, Failure> {
    match answer.status {
        200..300 => own_result(id, answer),
        // The server has not read the call, or cannot say so in JSON-RPC.
        401 | 403 | 425 | 429 => Err(failed(answer)),
        413 if refusal(id, &answer.body).is_none() => {
            let cause = "it answered HTTP 413: the request is larger than it accepts";
            Err(Failure::permanent(ClientError::Rejected(cause.to_owned())))
        }
        300..400 => Err(not_answered(answer.status, "; redirects are not followed")),
        400..500 if answer.status != 408 => Err(match refusal(id, &answer.body) {
            Some(refusal) => refused(refusal),
            None if answer.status == 404 => not_answered(404, NO_ENDPOINT),
            None => not_answered(answer.status, ""),
        }),
        _ => Err(match refusal(id, &answer.body) {
            Some(refusal) => refused(refusal),
            None => failed(answer),
        }),
    }
}

fn own_result(id: u64, answer: &HttpAnswer) -> Result<Value, Failure> {
    if answer.body.is_empty() {
        return Err(Failure::protocol_error("its answer is empty"));
    }
    let parsed = serde_json::from_slice(&answer.body);
    let mut members = match parsed {
        Ok(Value::Object(members)) => members,
        Ok(Value::Array(_)) => {
            return Err(Failure::protocol_error("it answered a single call with a batch"));
        }
        Ok(_) => return Err(Failure::protocol_error("its answer is JSON, but not an object")),
        Err(error) => return Err(not_json(&error, answer)),
    };
    let error = members.get("error").filter(|error| !error.is_null());
    let id_of_answer = members.get("id").filter(|id| !id.is_null());
    match id_of_answer {
        Some(found) if found.as_u64() == Some(id) => {}
        // The server could not read the id of the request.
        None if error.is_some() => {}
        _ => return Err(Failure::protocol_error("its answer is for another request")),
    }
    let has_result = members.get("result").is_some_and(|result| !result.is_null());
    if error.is_some() && has_result {
        return Err(Failure::protocol_error("its answer has both a result and an error"));
    }
    if let Some(error) = error {
        return Err(match RpcRefusal::parse(error) {
            Some(refusal) => refused(refusal),
            None => Failure::protocol_error("the error in its answer has no code"),
        });
    }
    members
        .remove("result")
        .ok_or_else(|| Failure::protocol_error("its answer has neither a result nor an error"))
}

/// Returns the error of JSON-RPC in a body that need not have one.
fn refusal(id: u64, body: &[u8]) -> Option<RpcRefusal> {
    let answer: Value = serde_json::from_slice(body).ok()?;
    let is_other =
        answer.get("id").is_some_and(|found| !found.is_null() && found.as_u64() != Some(id));
    RpcRefusal::parse(answer.get("error")?).filter(|_| !is_other)
}

fn refused(refusal: RpcRefusal) -> Failure {
    let is_before_effect = refusal.is_before_effect();
    let failure = Failure::permanent(ClientError::RpcRefused(Box::new(refusal)));
    if is_before_effect { failure } else { failure.with_unknown_effect() }
}

/// Returns the failure of a request that was answered with a status of HTTP alone.
fn failed(answer: &HttpAnswer) -> Failure {
    from_status(answer.status, answer.retry_after.clone()).reached()
}

/// Returns the failure of a request that HTTP has refused: nothing has run.
fn not_answered(status: u16, detail: &str) -> Failure {
    Failure::permanent(ClientError::Protocol(format!("it answered HTTP {status}{detail}")))
}

fn not_json(error: &serde_json::Error, answer: &HttpAnswer) -> Failure {
    match answer.kind.as_deref() {
        Some(kind) if !kind.contains("json") => {
            let kind = Shown::to_be_masked(kind);
            Failure::protocol_error(format!("it answered with {kind} instead of JSON"))
        }
        _ if error.is_eof() => Failure::answer_lost("its answer is cut off"),
        _ => Failure::protocol_error("its answer is not valid JSON"),
    }
}
