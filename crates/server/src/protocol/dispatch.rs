//! Calls: from the body of a request to its answer.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde::Serialize;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::answer_rpc::{AnswerRpc, OK, RpcAnswer, RpcOutcome, Upload, UploadRefusal};
use super::blobs::{BlobOwner, internal};
use super::envelope::{self, Message, RpcCall, RpcRequest};
use super::parameters::{self, Parameters};
use super::scope::check_scope;
use super::skills_protocol::{SkillsProtocol, owner};
use crate::caller::Caller;
use crate::roster::{FamilyMask, mask_names};
use dibber_protocol::guide;
use dibber_skill::contract::WireEnum;
use dibber_skill::contract::skills_protocol::{ProtocolMethod, RpcCode, RpcError, RpcReason};
use dibber_text::{Shown, closest_match};

/// The most bytes of the answers to a batch (16 MiB): what comes after them is refused.
const BATCH_ANSWERS_BYTES_MAX: usize = 16 << 20;

/// A method that does not exist: its name is the caller's.
const OTHER: &str = "other";

impl AnswerRpc for SkillsProtocol {
    fn answer_rpc<'a>(
        &'a self,
        caller: &'a Caller,
        token: Option<&'a [u8; 32]>,
        message: &'a [u8],
    ) -> BoxFuture<'a, RpcAnswer> {
        async move { self.answer(caller, &owner(caller, token), message).await }.boxed()
    }

    fn begin_upload<'a>(
        &'a self,
        caller: &'a Caller,
        token: Option<&'a [u8; 32]>,
    ) -> BoxFuture<'a, Result<Upload, UploadRefusal>> {
        self.begin(caller, token).boxed()
    }

    fn call_method<'a>(
        &'a self,
        caller: &'a Caller,
        token: Option<&'a [u8; 32]>,
        method: ProtocolMethod,
        parameters: Map<String, Value>,
    ) -> BoxFuture<'a, Result<Value, RpcError>> {
        async move {
            check_scope(caller, method)?;
            self.call(caller, &owner(caller, token), method, parameters).await
        }
        .boxed()
    }
}

impl SkillsProtocol {
    async fn answer(&self, caller: &Caller, owner: &BlobOwner, message: &[u8]) -> RpcAnswer {
        match envelope::parse(message) {
            Ok(Message::Single(request)) => self.answer_request(caller, owner, request).await,
            Ok(Message::Batch(requests)) => self.answer_batch(caller, owner, requests).await,
            Err(error) => RpcAnswer::to_all(OTHER, &error),
        }
    }

    /// Answers calls one after another, since a later one may need what an earlier one has made.
    async fn answer_batch(
        &self,
        caller: &Caller,
        owner: &BlobOwner,
        requests: Vec<RpcRequest<'_>>,
    ) -> RpcAnswer {
        let mut answers = Vec::new();
        let mut bytes = 0;
        let mut outcome = RpcOutcome { method: "batch", code: OK };
        for request in requests {
            let began = Instant::now();
            let answer = if bytes > BATCH_ANSWERS_BYTES_MAX {
                too_large(&request)
            } else {
                let refusal = too_large(&request);
                let answer = self.answer_request(caller, owner, request).await;
                let length = answer.json.as_ref().map_or(0, String::len);
                let is_too_large = bytes + length > BATCH_ANSWERS_BYTES_MAX;
                // What ran or was stored has to be answered, and its answers are small.
                if is_too_large && is_repeatable(&answer) { refusal } else { answer }
            };
            let RpcOutcome { method, code } = answer.outcome;
            let milliseconds = began.elapsed().as_millis();
            tracing::info!(method, code, ms = milliseconds, "call of a batch");
            if outcome.code == OK {
                outcome.code = code;
            }
            bytes += answer.json.as_ref().map_or(0, String::len);
            answers.extend(answer.json);
        }
        // A batch of notifications has no answer, not even an empty one.
        let json = (!answers.is_empty()).then(|| format!("[{}]", answers.join(",")));
        RpcAnswer { json, outcome }
    }

    async fn answer_request(
        &self,
        caller: &Caller,
        owner: &BlobOwner,
        request: RpcRequest<'_>,
    ) -> RpcAnswer {
        let call = match request {
            RpcRequest::Call(call) => call,
            RpcRequest::Invalid { id, error } => {
                return RpcAnswer::to_call(id, OTHER, Err(&error));
            }
        };
        let method = ProtocolMethod::from_name(&call.method);
        let named = method.map_or(OTHER, ProtocolMethod::name);
        let Some(id) = call.id else {
            return RpcAnswer::to_notification(named);
        };
        let result = match method {
            Some(method) => match check_scope(caller, method).and_then(|()| call.parameters()) {
                Ok(given) => self.call(caller, owner, method, given).await,
                Err(error) => Err(error),
            },
            None => Err(self.unknown_method(caller, &call.method).await),
        };
        let result = result.map(|value| value.to_string());
        RpcAnswer::to_call(id, named, result.as_deref())
    }

    /// Calls a method, which the caller may call, and returns its result.
    async fn call(
        &self,
        caller: &Caller,
        owner: &BlobOwner,
        method: ProtocolMethod,
        given: Map<String, Value>,
    ) -> Result<Value, RpcError> {
        let parameters = match parameters::check(method, given) {
            Ok(parameters) => parameters,
            Err(found) => {
                let roster = self.server.roster(caller.family.clone()).await;
                let roster = &roster.map_err(internal)?;
                return Err(parameters::invalid(method, found, &FamilyMask { roster }));
            }
        };
        parameters.check_levels()?;
        let mut answer = self.result_of(caller, owner, method, &parameters).await;
        if !parameters.warnings.is_empty() {
            let roster = self.server.roster(caller.family.clone()).await.ok();
            let masked =
                parameters.warnings.iter().map(|it| mask_names(it, roster.as_ref()).into_owned());
            match &mut answer {
                Ok(Value::Object(result)) => {
                    let all = result.entry("warnings").or_insert_with(|| json!([]));
                    if let Value::Array(all) = all {
                        all.extend(masked.map(Value::from));
                    }
                }
                Ok(_) => {}
                Err(error) => error.add_warnings(masked),
            }
        }
        answer
    }

    async fn result_of(
        &self,
        caller: &Caller,
        owner: &BlobOwner,
        method: ProtocolMethod,
        parameters: &Parameters,
    ) -> Result<Value, RpcError> {
        Ok(match method {
            ProtocolMethod::ListSkills => {
                let call = parameters.parse()?;
                json(self.read(move |index| index.list(&call)).await?)
            }
            ProtocolMethod::DescribeSkill => {
                let call = parameters.parse()?;
                json(self.read(move |index| index.describe(&call)).await?)
            }
            ProtocolMethod::ReadSkillFile => {
                let call = parameters.parse()?;
                json(self.read(move |index| index.read_file(&call)).await?)
            }
            ProtocolMethod::ExecuteSkill => {
                json(self.execute_skill(caller, owner, parameters.parse()?).await?)
            }
            ProtocolMethod::RunCode => {
                json(self.run_code(caller, owner, parameters.parse()?).await?)
            }
            ProtocolMethod::CreateBlob => {
                json(self.blobs.create(owner, parameters.parse()?).await?)
            }
            ProtocolMethod::ReadBlob => json(self.blobs.read(owner, &parameters.parse()?).await?),
            ProtocolMethod::LoadSkillsProtocolGuide => json(guide()),
        })
    }

    /// Returns the error for a method that does not exist, with the one that was probably meant.
    async fn unknown_method(&self, caller: &Caller, name: &str) -> RpcError {
        let roster = self.server.roster(caller.family.clone()).await.ok();
        let masked = mask_names(name, roster.as_ref());
        let shown = Shown::to_be_masked(&masked);
        let methods = ProtocolMethod::words();
        let help = match closest_match(name, methods.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("the methods are {}", methods.join(", ")),
        };
        let (code, reason) = (RpcCode::MethodNotFound, RpcReason::UnknownMethod);
        RpcError::new(code, reason, format!("unknown method `{shown}`"), help)
    }
}

/// Returns `true` if the call can be made again as if it had not been.
fn is_repeatable(answer: &RpcAnswer) -> bool {
    ProtocolMethod::from_name(answer.outcome.method).is_none_or(ProtocolMethod::is_repeatable)
}

/// Refuses a call of a batch whose answers are too large together.
fn too_large(request: &RpcRequest<'_>) -> RpcAnswer {
    let (id, method) = match request {
        RpcRequest::Call(RpcCall { id, method, .. }) => (*id, ProtocolMethod::from_name(method)),
        RpcRequest::Invalid { id, .. } => (Some(*id), None),
    };
    let method = method.map_or(OTHER, ProtocolMethod::name);
    let error = RpcError::new(
        RpcCode::InvalidRequest,
        RpcReason::BatchSize,
        format!("the answers to the batch are larger than {BATCH_ANSWERS_BYTES_MAX} bytes"),
        "send the call again by itself; nothing was run or stored for it",
    );
    match id {
        Some(id) => RpcAnswer::to_call(id, method, Err(&error)),
        None => RpcAnswer::to_notification(method),
    }
}

/// Returns a result as JSON.
fn json(result: impl Serialize) -> Value {
    serde_json::to_value(result).expect("results have string keys")
}
