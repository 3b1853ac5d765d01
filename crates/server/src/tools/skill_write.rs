//! `skill_write`: a new skill, in two steps.

use serde::Serialize;
use serde_json::{Value, json};

use crate::call::{Call, Run, Tool, success};
use crate::failure::Failure;
use crate::fields::{
    CANVAS_IDS, CATEGORY, HANDS, INPUTS, PROMPT, PROMPT_CHARACTERS_MAX, SHORT_TEXT, SUMMARY,
};
use crate::shape::{Field, Kind, optional, required};
use crate::store::{Reader, Skill, Writer};
use crate::{canvases, id, label, roster, skills};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{
    Category, Issue, PolicyDecision, SKILL_WRITE, Scope, Shape, SkillPreview, SkillWrite,
};
use dibber_skill::draft::{self, Argument, REPORTED_MAX, Reason};
use dibber_skill::spec_hash::SpecHash;

pub(super) const TOOL: Tool = Tool {
    name: SKILL_WRITE,
    title: "Write a skill",
    description: "Author a new skill. Call it with dryRun first: it returns a preview, the policy \
            decision and a specHash, and writes nothing. Show the preview to the parent, then call \
            it again without dryRun and with that specHash.",
    scope: Some(Scope::SkillWrite),
    is_idempotent: false,
    is_destructive: false,
    input: &[
        required("name", SHORT_TEXT, "The label under which the family finds the skill."),
        required("description", SUMMARY, "What it does, in a parent's words."),
        optional("category", CATEGORY, "Who runs it; generic when left out."),
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
        optional("contentHash", SHORT_TEXT, "Its hash, for expectedHash of skill_update."),
        optional("previewSkill", Kind::Object(PREVIEW), "The skill as it would be."),
        optional("policyDecision", Kind::Object(POLICY), "What the safety checks say."),
        optional("specHash", SHORT_TEXT, "The hash of these arguments."),
    ],
    run: Run::TwoStep { preview, commit },
};

const PREVIEW: &[Field] = &[
    required("name", SHORT_TEXT, ""),
    required("description", SUMMARY, ""),
    required("category", CATEGORY, ""),
    required("runnableBy", RUNNERS, ""),
    required("shape", Kind::OneOf(&["run", "assignment"]), "Whether it runs or schedules."),
    required("prompt", PROMPT, ""),
    required("promptBytes", BYTES, "The bytes of the procedure."),
    required("handsReferenced", HANDS, ""),
    required("inputVariables", INPUTS, ""),
    required("kidCallable", Kind::Boolean, ""),
    required("ageRange", Kind::Nullable(&SHORT_TEXT), ""),
    required("canvasIds", CANVAS_IDS, ""),
];

const RUNNERS: Kind =
    Kind::List { of: &Kind::OneOf(&["sprout_agent", "home_agent", "child"]), max: 3 };

/// A character has four bytes at most.
#[expect(clippy::cast_possible_wrap, reason = "a small constant")]
const BYTES: Kind = Kind::Integer { min: 0, max: 4 * PROMPT_CHARACTERS_MAX as i64 };

const POLICY: &[Field] = &[
    required("decision", DECISION, "Whether it may be written."),
    required(
        "reasons",
        Kind::List { of: &Kind::Object(REASON), max: REASONS_MAX },
        "Everything that speaks against it.",
    ),
];

const REASON: &[Field] = &[
    required("reason", SHORT_TEXT, "What is wrong, as a code."),
    required("decision", DECISION, "What it alone would lead to."),
    required("path", SHORT_TEXT, "The argument, as a JSON Pointer."),
    required("message", SUMMARY, "What is wrong."),
    required("fix", SUMMARY, "The way out."),
];

const DECISION: Kind = Kind::OneOf(&["allow", "review", "refuse"]);
const REASONS_MAX: usize = Reason::ALL.len() * REPORTED_MAX;

/// What a dry-run returns.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DryRun {
    preview_skill: SkillPreview,
    policy_decision: PolicyDecision,
    spec_hash: String,
}

/// A call that has been judged.
struct Judged {
    arguments: SkillWrite,
    hash: SpecHash,
    decision: PolicyDecision,
    /// What is wrong beside the reasons of the decision.
    issues: Vec<Issue>,
}

fn judge(call: &Call, store: &(impl Reader + ?Sized)) -> Result<Judged, Failure> {
    let arguments: SkillWrite = call.parse_arguments()?;
    let family = &call.caller.family;
    let hash = SpecHash::of_call(SKILL_WRITE, &call.arguments).map_err(Failure::not_hashable)?;
    let echoed = call.arguments.get("specHash").and_then(Value::as_str);
    let mut issues = Vec::new();
    if echoed.is_some_and(|echoed| echoed != hash.to_string()) {
        issues.push(mismatch(hash));
    }
    issues.extend(label::fault(&arguments.name));
    let linked = arguments.canvas_ids.iter().enumerate();
    let linked: Vec<_> =
        linked.map(|(index, id)| (Argument::Canvas(index).json_pointer(), id.as_str())).collect();
    issues.extend(canvases::faults(store, family, &linked)?);
    let verdicts = draft::analyze(&arguments, &roster::of(store, family)?);
    Ok(Judged { arguments, hash, decision: draft::policy_decision(&verdicts), issues })
}

/// What would be written. What the decision refuses is shown with it; what cannot be previewed at
/// all is refused.
fn preview(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let Judged { arguments, hash, decision, issues } = judge(call, store)?;
    if !issues.is_empty() {
        return Err(Failure::of_issues(&issues));
    }
    let next_step = draft::next_step(decision.decision, hash);
    let answer = DryRun {
        preview_skill: draft::preview(&arguments),
        policy_decision: decision,
        spec_hash: hash.to_string(),
    };
    Ok(success(&answer, next_step))
}

fn commit(call: &Call, store: &dyn Writer) -> Result<Value, Failure> {
    let Judged { arguments, decision, mut issues, .. } = judge(call, store)?;
    issues.extend(skills::refusals(&decision.reasons));
    if !issues.is_empty() {
        return Err(Failure::of_issues(&issues));
    }
    let skill = Skill {
        id: id::new("sk"),
        written: arguments,
        is_archived: false,
        created_at: call.millisecond(),
        last_triggered_at: None,
    };
    store.add_skill(&call.caller.family, &skill)?;
    let next_step = match (skill.written.category, draft::preview(&skill.written).shape) {
        (Some(Category::HomeAgent), _) => {
            "Run it in your own agent: skill_get({skillId}) has its prompt."
        }
        (_, Shape::Run) => {
            "Invoke it with skill_invoke({skillId, input}), or schedule it with heartbeat_create."
        }
        (_, Shape::Assignment) => {
            "Invoke it with skill_invoke({skillId, input}): it schedules another skill, and no \
             heartbeat can run it."
        }
    };
    let content_hash = ContentHash::of_write(&skill.written);
    Ok(success(&json!({"skillId": skill.id, "contentHash": content_hash.as_str()}), next_step))
}

fn mismatch(hash: SpecHash) -> Issue {
    Issue {
        path: "/specHash".to_owned(),
        reason: "SPEC_HASH_MISMATCH".to_owned(),
        message: format!("the arguments are not those of the dry-run: their hash is {hash}"),
        fix: "call with dryRun and without specHash, show the preview to the parent, and send \
              the specHash that comes back"
            .to_owned(),
    }
}
