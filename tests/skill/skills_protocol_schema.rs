//! The schema of the answers of the Skills Protocol, which is made of the types of the wire.

use std::fs;

use dibber_skill::contract::skills_protocol::{
    BlobContent, BlobCreated, DescribedSkill, Guide, ProtocolMethod, RpcReason, Run, SkillFile,
    SkillsPage,
};
use dibber_skill::contract::{WireEnum, output_schema};
use serde_json::{Map, Value, json};

use crate::support::package;

/// What this server always sends, though others may leave it out: a path in the schema, and fields.
fn always_sent(method: ProtocolMethod) -> (&'static str, &'static [&'static str]) {
    match method {
        ProtocolMethod::ListSkills => ("/properties/skills/items/required", &["version"]),
        ProtocolMethod::ReadSkillFile => ("/required", &["version", "size_bytes"]),
        ProtocolMethod::CreateBlob => ("/required", &["size_bytes"]),
        ProtocolMethod::ReadBlob => ("/required", &["kind", "mode", "size_bytes"]),
        ProtocolMethod::DescribeSkill
        | ProtocolMethod::ExecuteSkill
        | ProtocolMethod::RunCode
        | ProtocolMethod::LoadSkillsProtocolGuide => ("/required", &[]),
    }
}

/// The schema of the result of a method, as this server sends it.
fn sent_result(method: ProtocolMethod) -> Value {
    let mut schema = Value::Object(result(method));
    let (path, fields) = always_sent(method);
    let required = schema.pointer_mut(path).and_then(Value::as_array_mut);
    required.expect("required fields").extend(fields.iter().map(|&field| Value::from(field)));
    schema
}

/// The schema of the result of a method.
fn result(method: ProtocolMethod) -> Map<String, Value> {
    match method {
        ProtocolMethod::ListSkills => output_schema::<SkillsPage>(),
        ProtocolMethod::DescribeSkill => output_schema::<DescribedSkill>(),
        ProtocolMethod::ReadSkillFile => output_schema::<SkillFile>(),
        ProtocolMethod::ExecuteSkill | ProtocolMethod::RunCode => output_schema::<Run>(),
        ProtocolMethod::CreateBlob => output_schema::<BlobCreated>(),
        ProtocolMethod::ReadBlob => output_schema::<BlobContent>(),
        ProtocolMethod::LoadSkillsProtocolGuide => output_schema::<Guide>(),
    }
}

fn schema() -> Value {
    let methods = ProtocolMethod::all();
    let mut definitions: Map<_, _> =
        methods.iter().map(|method| (method.name().to_owned(), sent_result(*method))).collect();
    let string = json!({"type": "string"});
    let mut reasons = RpcReason::words().to_vec();
    reasons.retain(|reason| *reason != RpcReason::NotificationRefused.name());
    let issue = json!({
        "type": "object", "required": ["path", "reason", "message", "fix"],
        "properties": {
            "path": {"description": "The parameter, as a JSON Pointer.", "type": "string"},
            "reason": string, "message": string, "fix": string,
        },
    });
    let data = json!({
        "type": "object", "required": ["reason", "help"],
        "properties": {
            "reason": {"description": "Why it was refused.", "enum": reasons},
            "help": {"description": "What to do about it.", "type": "string"},
            "issues": {"description": "What is wrong with each parameter.", "type": "array", "items": issue},
            "warnings": {"description": "What was ignored.", "type": "array", "items": string},
        },
    });
    let error = json!({
        "type": "object", "required": ["code", "message", "data"],
        "properties": {
            "code": {"enum": [-32700, -32600, -32601, -32602, -32603]},
            "message": {"description": "What is wrong.", "type": "string"}, "data": data,
        },
    });
    definitions.insert("error".to_owned(), error);
    let results: Vec<_> = methods
        .iter()
        .map(|method| json!({"$ref": format!("#/$defs/{}", method.name())}))
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "An answer of the Skills Protocol",
        "description": "What `dibber serve --skills` answers to a call at `/rpc`. The result of a method is \
                        the definition with its name.",
        "type": "object",
        "properties": {
            "jsonrpc": {"const": "2.0"},
            "id": {"description": "That of the call.", "type": ["string", "number", "null"]},
            "result": {"anyOf": results},
            "error": {"$ref": "#/$defs/error"},
        },
        "required": ["jsonrpc", "id"],
        "oneOf": [{"required": ["result"]}, {"required": ["error"]}],
        "$defs": definitions,
    })
}

#[test]
fn the_schema_of_answers_is_that_of_the_types() {
    let path = package().join("schemas/skills-protocol.schema.json");
    let text = format!("{:#}\n", schema());
    if std::env::var_os("DIBBER_UPDATE").is_some() {
        fs::write(&path, &text).expect("a file");
    }
    let written = fs::read_to_string(&path).expect("a file").replace("\r\n", "\n");
    assert!(written == text, "run the tests with DIBBER_UPDATE=1 to write the schema again");
}
