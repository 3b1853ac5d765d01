//! What is judged before a run.

use std::sync::Arc;
use std::time::Duration;

use dibber_protocol::{INPUT_BYTES_MAX, MOUNTED_SKILLS_MAX, plan_code};
use dibber_sandbox::{Limits, MountedBlob, Program};
use dibber_skill::contract::skills_protocol::{RpcError, RpcReason, RunCode};
use serde_json::{Value, json};

use crate::skills::{NAME, TestSkill, shown};

fn code(call: Value, skills: &[TestSkill]) -> Result<(dibber_sandbox::Job, Vec<String>), RpcError> {
    let mut call = call;
    let fields = call.as_object_mut().expect("an object");
    fields.entry("language").or_insert("python".into());
    fields.entry("code").or_insert("def main(args): return 1".into());
    let call: RunCode = serde_json::from_value(call).expect("a call");
    let again = |skill: &TestSkill| {
        Arc::new(dibber_protocol::ProtocolSkill::load(skill.path()).expect("a skill"))
    };
    let skills: Vec<_> = skills.iter().map(again).collect();
    let blob = MountedBlob { id: "b1".to_owned(), file: "/dev/null".into() };
    let plan = plan_code(&call, &skills, vec![blob], &Limits::default())?;
    Ok((plan.job, plan.warnings))
}

#[test]
fn a_skill_is_called_with_an_empty_object_if_there_are_no_arguments() {
    let skill = TestSkill::action("export = \"count\"\n");
    let plan = skill.plan(&json!({"name": NAME})).expect("a plan");
    assert!(plan.job.arguments.is_empty());
    assert!(plan.warnings.is_empty());
    assert_eq!(plan.job.limits, Limits::default());
    let Program::Skill { name, function } = &plan.job.program else { panic!("{:?}", plan.job) };
    assert_eq!((name.as_str(), function.as_str()), (NAME, "count"));
    let [mounted] = &plan.job.skills[..] else { panic!("{:?}", plan.job) };
    assert_eq!(mounted.entrypoint.as_deref(), Some("code/main.py"));
    assert_eq!(mounted.directory, skill.path());
}

#[test]
fn the_time_may_be_in_two_places_but_not_two_times() {
    let skill = TestSkill::action("");
    let time = |call: Value| {
        skill.plan(&call).map(|plan| (plan.job.limits.timeout.as_millis(), plan.warnings))
    };
    let both = json!({"name": NAME, "timeout_ms": 70, "limits": {"timeout_ms": 70}});
    assert_eq!(time(both).expect("a plan"), (70, vec![]));
    let inner = json!({"name": NAME, "limits": {"timeout_ms": 71}});
    assert_eq!(time(inner).expect("a plan"), (71, vec![]));
    let warning = "`timeout_ms` is 300001; the run ends after 300000, the maximum".to_owned();
    let cut = json!({"name": NAME, "timeout_ms": 300_001});
    assert_eq!(time(cut).expect("a plan"), (300_000, vec![warning]));
    let largest = json!({"name": NAME, "timeout_ms": u64::MAX});
    assert_eq!(time(largest).expect("a plan").0, 300_000);
    let two = json!({"name": NAME, "timeout_ms": 70, "limits": {"timeout_ms": 71}});
    assert_eq!(
        shown(&time(two).expect_err("two times")),
        [
            "-32602 InvalidParams",
            "`timeout_ms` is 70, and `limits.timeout_ms` is 71",
            "send one of them",
        ]
    );
    let zero = json!({"name": NAME, "timeout_ms": 0});
    let zero = time(zero).expect_err("no time");
    assert_eq!(zero.reason(), Some(RpcReason::InvalidParams));
    let (job, _) = code(json!({"timeout_ms": 5}), &[]).expect("a plan");
    assert_eq!(job.limits.timeout, Duration::from_millis(5));
}

#[test]
fn arguments_are_checked_with_the_input_schema() {
    let schema = "\n[input_schema]\ntype = \"object\"\nrequired = [\"date\"]\n\
                  [input_schema.properties.date]\ntype = \"string\"\n\
                  [input_schema.properties.\"a/b\"]\ntype = \"array\"\n\
                  items = { type = \"integer\" }\n";
    let skill = TestSkill::action(schema);
    let plan = |args: Value| skill.plan(&json!({"name": NAME, "args": args}));
    assert!(plan(json!({"date": "2026-12-24", "a/b": [1], "more": true})).is_ok());
    let refused = plan(json!({"date": 7, "a/b": [1, "geheim"]})).expect_err("not valid");
    let lines = shown(&refused);
    assert_eq!(lines[0], "-32602 InvalidArguments");
    assert!(lines.contains(
        &"/args/a~1b/1 INVALID_ARGUMENT: the value is not of type \"integer\"".to_owned()
    ));
    assert!(
        lines.contains(
            &"/args/date INVALID_ARGUMENT: the value is not of type \"string\"".to_owned()
        )
    );
    assert!(!lines.concat().contains("geheim"), "{lines:#?}");
    let missing = skill.plan(&json!({"name": NAME})).expect_err("not valid");
    assert!(missing.message.ends_with("\"date\" is a required property"), "{}", missing.message);
    let help = missing.data.expect("data").help;
    let expected = "add `date` to `/args`; `date` has to match `{\"type\":\"string\"}`; ";
    assert!(help.starts_with(expected), "{help}");
}

#[test]
fn a_skill_that_cannot_be_run_says_why() {
    let refused = |skill: TestSkill| {
        let lines = shown(&skill.plan(&json!({"name": NAME})).expect_err("refused"));
        lines[..2].to_vec()
    };
    let instruction = TestSkill::new(NAME, "0.1.0", "kind = \"instruction\"\n");
    assert_eq!(
        refused(instruction),
        [
            "-32602 NotExecutable",
            "`family.dates.countdown` is an instruction skill: it has no code"
        ]
    );
    let network = "[permissions]\nnetwork = [\"api.example.org\"]\n";
    assert_eq!(
        refused(TestSkill::action(network)),
        [
            "-32602 NetworkNotSupported",
            "`family.dates.countdown` needs a network, to connect to `api.example.org`; runs have none",
        ]
    );
    let needs = |path: &str, text: &str| TestSkill::action("").with_file(path, text);
    assert_eq!(
        refused(needs("code/requirements.txt", "# these:\n\nrequests==2\n")),
        [
            "-32602 DependenciesNotInstalled",
            "`family.dates.countdown` needs the packages of its `code/requirements.txt`",
        ]
    );
    assert_eq!(
        refused(needs("requirements.txt", "\u{fffd}"))[0],
        "-32602 DependenciesNotInstalled"
    );
    let long = format!("{}requests==2\n", "# these\n".repeat(10_000));
    assert_eq!(refused(needs("requirements.txt", &long))[0], "-32602 DependenciesNotInstalled");
    let none = needs("requirements.txt", "# nothing\n\n   \n");
    assert!(none.plan(&json!({"name": NAME})).is_ok());
}

#[test]
fn what_is_too_large_for_a_run_belongs_in_a_blob() {
    let skill = TestSkill::action("");
    let text = "x".repeat(INPUT_BYTES_MAX);
    let refused = skill.plan(&json!({"name": NAME, "args": {"text": text}}));
    assert_eq!(refused.expect_err("too large").reason(), Some(RpcReason::InvalidParams));
    // Each of these characters is two of JSON.
    let quotes = "\"".repeat(INPUT_BYTES_MAX / 2);
    let refused = code(json!({"code": quotes}), &[]).expect_err("too large");
    assert!(refused.data.expect("data").help.contains("create_blob"));
}

#[test]
fn code_imports_skills_without_their_secrets() {
    let secret = TestSkill::action("[permissions]\nsecrets = [\"TOKEN\"]\n");
    let instruction = TestSkill::new("family.rules", "1.0.0", "kind = \"instruction\"\n");
    let (job, warnings) = code(json!({"entrypoint": "f"}), &[secret, instruction]).expect("a plan");
    assert!(job.secrets.0.is_empty());
    let names: Vec<_> = job.skills.iter().map(|skill| skill.name.as_str()).collect();
    assert_eq!(names, [NAME, "family.rules"]);
    assert_eq!(job.blobs.len(), 1);
    assert_eq!(
        warnings,
        [
            "`family.dates.countdown` is mounted without its secrets, which only its own runs get",
            "`family.rules` is mounted without code to import; its files can be read",
        ]
    );
}

#[test]
fn a_skill_is_imported_once() {
    let skill = |version: &str| TestSkill::new("family.rules", version, "kind = \"instruction\"\n");
    let (job, _) = code(json!({}), &[skill("1.0.0"), skill("1.0.0")]).expect("a plan");
    assert_eq!(job.skills.len(), 1);
    let refused = code(json!({}), &[skill("1.0.0"), skill("1.0.1")]).expect_err("two versions");
    assert_eq!(refused.message, "`mount_skills` has two versions of `family.rules`");
    let many: Vec<_> = (0..=MOUNTED_SKILLS_MAX)
        .map(|number| TestSkill::new(&format!("a.b{number}"), "1.0.0", "kind = \"instruction\"\n"))
        .collect();
    assert_eq!(
        code(json!({}), &many).expect_err("too many").message,
        "`mount_skills` has 51 skills; the maximum is 50"
    );
    assert!(code(json!({}), &many[1..]).is_ok());
}
