//! The built-in guide: its examples are what a server understands and answers.

use std::collections::BTreeSet;

use dibber_protocol::guide;
use dibber_skill::contract::WireEnum;
use dibber_skill::contract::skills_protocol::{
    BlobContent, BlobCreated, CreateBlob, DescribeSkill, DescribedSkill, ExecuteSkill, ListSkills,
    ProtocolMethod, ReadBlob, ReadSkillFile, RpcError, RpcReason, Run, RunCode, SkillFile,
    SkillsPage,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The most bytes of the guide: a model reads all of it.
const BYTES_MAX: usize = 10_000;

/// Returns the examples in the order of the guide.
fn examples(text: &str) -> Vec<Value> {
    let blocks = text.split("```json\n").skip(1);
    let block = |rest: &str| rest.split_once("\n```").expect("the end of a block").0.to_owned();
    blocks.map(|rest| serde_json::from_str(&block(rest)).expect("JSON")).collect()
}

/// Asserts that a type has every field of an example.
#[track_caller]
fn check<T: Serialize + DeserializeOwned>(example: &Value) {
    let typed: T = serde_json::from_value(example.clone())
        .unwrap_or_else(|error| panic!("{error}: {example}"));
    let mut written = serde_json::to_value(typed).expect("JSON");
    // A field that is null or missing means the same.
    if let (Value::Object(written), Value::Object(example)) = (&mut written, example) {
        written.retain(|key, value| !value.is_null() || example.contains_key(key));
    }
    assert_eq!(&written, example);
}

fn check_call(method: ProtocolMethod, params: &Value) {
    match method {
        ProtocolMethod::ListSkills => check::<ListSkills>(params),
        ProtocolMethod::DescribeSkill => check::<DescribeSkill>(params),
        ProtocolMethod::ReadSkillFile => check::<ReadSkillFile>(params),
        ProtocolMethod::ExecuteSkill => check::<ExecuteSkill>(params),
        ProtocolMethod::RunCode => check::<RunCode>(params),
        ProtocolMethod::CreateBlob => check::<CreateBlob>(params),
        ProtocolMethod::ReadBlob => check::<ReadBlob>(params),
        ProtocolMethod::LoadSkillsProtocolGuide => assert_eq!(*params, json!({})),
    }
}

fn check_result(method: ProtocolMethod, result: &Value) {
    match method {
        ProtocolMethod::ListSkills => check::<SkillsPage>(result),
        ProtocolMethod::DescribeSkill => check::<DescribedSkill>(result),
        ProtocolMethod::ReadSkillFile => check::<SkillFile>(result),
        ProtocolMethod::ExecuteSkill | ProtocolMethod::RunCode => check::<Run>(result),
        ProtocolMethod::CreateBlob => check::<BlobCreated>(result),
        ProtocolMethod::ReadBlob => check::<BlobContent>(result),
        ProtocolMethod::LoadSkillsProtocolGuide => panic!("the guide does not contain itself"),
    }
}

#[test]
fn every_method_has_an_example_that_a_server_understands() {
    let text = guide().content;
    let mut last = None;
    let mut called = BTreeSet::new();
    for example in examples(&text) {
        if let Some(name) = example["method"].as_str() {
            let method = ProtocolMethod::from_name(name).expect("a method");
            check_call(method, &example["params"]);
            called.insert(name.to_owned());
            last = Some(method);
        } else if let Some(result) = example.get("result") {
            check_result(last.expect("a call before it"), result);
        } else {
            check::<RpcError>(&example["error"]);
            let error: RpcError = serde_json::from_value(example["error"].clone()).expect("it");
            assert!(error.reason().is_some());
        }
    }
    let all: BTreeSet<_> = ProtocolMethod::words().iter().map(|&word| word.to_owned()).collect();
    assert_eq!(called, all);
}

#[test]
fn the_guide_names_every_reason_that_a_model_can_act_on() {
    let text = guide().content;
    // These are mistakes of the program between a model and the server.
    let of_programs = [
        RpcReason::NotJson,
        RpcReason::NotARequest,
        RpcReason::BatchSize,
        RpcReason::UnknownMethod,
        RpcReason::NotificationRefused,
    ];
    for reason in RpcReason::all() {
        let is_named = text.contains(&format!("`{}`", reason.name()));
        assert_eq!(is_named, !of_programs.contains(&reason), "{}", reason.name());
    }
}

#[test]
fn the_guide_is_short() {
    let text = guide().content;
    assert!(text.len() <= BYTES_MAX, "{} bytes", text.len());
}
