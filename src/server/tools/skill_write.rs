//! `skill_write`: a new skill, in two steps.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Call, Run, Tool, success};
use crate::contract::{
    Category, Decision, ErrorCode, PolicyDecision, SKILL_WRITE, Scope, SkillPreview, SkillWrite,
    ToolError,
};
use crate::draft;
use crate::server::failure::Failure;
use crate::server::fields::{CANVAS_IDS, HANDS, INPUTS, PROMPT, SHORT_TEXT, SUMMARY};
use crate::server::id;
use crate::server::roster;
use crate::server::shape::{Kind, optional, required};
use crate::server::store::{Skill, Writer};
use crate::spec_hash::SpecHash;

pub(super) const TOOL: Tool = Tool {
    name: SKILL_WRITE,
    title: "Write a skill",
    about: "Author a new skill. Call it with dryRun first: it returns a preview, the policy \
            decision and a specHash, and writes nothing. Show the preview to the parent, then call \
            it again without dryRun and with that specHash.",
    scope: Some(Scope::SkillWrite),
    is_idempotent: false,
    is_destructive: false,
    input: &[
        required("name", SHORT_TEXT, "The label under which the family finds the skill."),
        required("description", SUMMARY, "What it does, in a parent's words."),
        optional(
            "category",
            Kind::OneOf(&["generic", "home_agent"]),
            "Who runs it; generic when left out.",
        ),
        required("prompt", PROMPT, "The procedure, with {{input.name}} placeholders."),
        optional("handsReferenced", HANDS, "The tools that it uses, as task_create."),
        optional("inputVariables", INPUTS, "What fills the placeholders."),
        optional("kidCallable", Kind::Boolean, "Whether a child may launch it; needs ageRange."),
        optional("canvasIds", CANVAS_IDS, "The canvases that it links: UUIDs."),
        optional("ageRange", SHORT_TEXT, "The ages that it is for: 5-7."),
        optional("dryRun", Kind::Boolean, "Return a preview and the specHash, and write nothing."),
        optional("specHash", SHORT_TEXT, "The hash of the dry-run that the parent agreed to."),
    ],
    output: &[
        optional("skillId", SHORT_TEXT, "The skill that was written."),
        optional("previewSkill", Kind::AnyObject, "The skill as it would be."),
        optional("policyDecision", Kind::AnyObject, "What the safety checks say."),
        optional("specHash", SHORT_TEXT, "The hash of these arguments."),
    ],
    run: Run::Write(run),
};

/// How the call is made.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Controls {
    #[serde(default)]
    dry_run: bool,
    spec_hash: Option<String>,
}

/// What a dry-run returns.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DryRun {
    preview_skill: SkillPreview,
    policy_decision: PolicyDecision,
    spec_hash: String,
}

fn run(call: &Call, store: &dyn Writer) -> Result<Value, Failure> {
    let arguments: SkillWrite = call.read()?;
    let controls: Controls = call.read()?;
    let hash = SpecHash::of_call(SKILL_WRITE, &call.arguments).map_err(|error| {
        Failure::bad_input("NOT_HASHABLE", error.to_string(), "send it as a text")
    })?;
    let roster = roster::of(store, &call.caller.family)?;
    let verdicts = draft::analyze(&arguments, &roster);
    let decision = draft::policy_decision(&verdicts);
    if controls.dry_run {
        let next_step = draft::next_step(decision.decision, hash);
        let answer = DryRun {
            preview_skill: draft::preview(&arguments),
            policy_decision: decision,
            spec_hash: hash.to_string(),
        };
        return Ok(success(&answer, next_step));
    }
    if controls.spec_hash.is_some_and(|echoed| echoed != hash.to_string()) {
        return Err(mismatch(hash));
    }
    refuse(&decision)?;
    let skill = Skill {
        seq: 0,
        id: id::new("sk"),
        written: arguments,
        is_archived: false,
        created_at: call.millisecond(),
        last_triggered_at: None,
    };
    store.add_skill(&call.caller.family, &skill)?;
    let next_step = match skill.written.category.unwrap_or_default() {
        Category::Generic => {
            "Invoke it with skill_invoke({skillId, input}), or schedule it with heartbeat_create."
        }
        Category::HomeAgent => "Run it in your own agent: skill_get({skillId}) has its prompt.",
    };
    Ok(success(&json!({"skillId": skill.id}), next_step))
}

fn mismatch(hash: SpecHash) -> Failure {
    ToolError::new(
        ErrorCode::BadInput,
        "the arguments are not those of the dry-run",
        "call with dryRun again, show the preview to the parent, and send its specHash",
    )
    .reason("SPEC_HASH_MISMATCH")
    .details(json!({"specHash": hash.to_string()}))
    .into()
}

/// Refuses what the safety checks refuse, with everything that speaks against it.
fn refuse(decision: &PolicyDecision) -> Result<(), Failure> {
    let is_refusal = |reason: &&_| {
        matches!(reason, crate::contract::PolicyReason { decision: Decision::Refuse, .. })
    };
    let Some(first) = decision.reasons.iter().find(is_refusal) else { return Ok(()) };
    let error = ToolError::new(ErrorCode::BadInput, first.message.clone(), first.fix.clone());
    let issues: Vec<_> = decision.reasons.iter().filter(is_refusal).collect();
    Err(error.reason(first.reason).details(json!({"issues": issues})).into())
}
