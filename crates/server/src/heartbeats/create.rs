//! A new heartbeat.

use serde_json::{Map, Value};

use super::schedule;
use super::skills::{self, report_missing_inputs};
use crate::caller::EntityKind;
use crate::failure::Failure;
use crate::id;
use crate::problems::Problems;
use crate::roster;
use crate::safety::SafetySubject;
use crate::skills::refusals;
use crate::store::{Cadence, Child, Heartbeat, HeartbeatState, Member, MemberRole, Reader, Skill};
use crate::tool::Call;
use dibber_skill::contract::{Decision, HeartbeatCreate, Scope, SkillId, UserId};
use dibber_skill::draft::ignored_inputs;

/// What the arguments name, as far as it exists.
pub(crate) struct Resolved {
    pub(crate) cadence: Option<Cadence>,
    pub(crate) run: Option<Skill>,
    pub(crate) assignment: Option<Skill>,
    pub(crate) child: Option<Child>,
    /// The grown-ups in the chat that it starts from.
    participants: Vec<UserId>,
}

/// Reads what the arguments name, and reports what is wrong with them, except for skills that do
/// not fit. `scope` is that of the tool, which decides how a missing id is reported.
pub(crate) fn resolve(
    create: &HeartbeatCreate,
    scope: Scope,
    call: &Call,
    store: &dyn Reader,
    problems: &mut Problems,
) -> Result<Resolved, Failure> {
    let family = &call.caller.family;
    let roster = roster::load(store, family)?;
    schedule::check_name(&create.name, &roster, problems);
    let tz = create.tz.as_deref();
    let cadence = schedule::parse(&create.cron, tz, "/cron", call.now, &roster, problems);
    let mut skill = |id: &SkillId, path| {
        let skill = store.skill(family, id)?;
        if skill.is_none() {
            problems.add_not_found(scope, path, EntityKind::Skill);
        }
        Ok::<_, Failure>(skill)
    };
    let run = skill(&create.run_skill_id, "/runSkillId")?;
    let assignment = match &create.assignment_skill_id {
        Some(id) => skill(id, "/assignmentSkillId")?,
        None => None,
    };
    let mut child = None;
    if let Some(id) = &create.child_id {
        child = store.child(family, id)?;
        if child.is_none() {
            problems.add_not_found(scope, "/childId", EntityKind::Child);
        }
    }
    skills::check_fire_values(create.skill_input.as_ref(), problems);
    let participants = participants(create, call, store)?;
    if !participants.contains(&call.caller.user_id) {
        problems.add_not_found(scope, "/sourceChatId", EntityKind::Chat);
    }
    Ok(Resolved { cadence, run, assignment, child, participants })
}

/// Returns the grown-ups in the chat that a heartbeat starts from; empty if it does not exist.
fn participants(
    create: &HeartbeatCreate,
    call: &Call,
    store: &dyn Reader,
) -> Result<Vec<UserId>, Failure> {
    let family = &call.caller.family;
    match &create.source_chat_id {
        Some(chat) if store.has_chat(family, chat)? => Ok(store.participants(family, chat)?),
        Some(_) => Ok(Vec::new()),
        None => Ok(store.user_ids(family)?),
    }
}

/// Reports skills that do not fit, and inputs without a value.
pub(crate) fn check_skills(create: &HeartbeatCreate, found: &Resolved, problems: &mut Problems) {
    let assignment = create.assignment_skill_id.as_ref();
    if let Some(skill) = &found.run {
        for rejection in skills::check_run_skill(skill, assignment) {
            rejection.report(skill, "/runSkillId", problems);
        }
        report_missing_inputs(skill, create.skill_input.as_ref(), problems);
    }
    // The same id for both is reported once, for the skill that runs.
    if let Some(skill) = found.assignment.as_ref().filter(|it| it.id != create.run_skill_id) {
        for rejection in skills::check_assignment_skill(skill) {
            rejection.report(skill, "/assignmentSkillId", problems);
        }
    }
}

/// Adds what the safety check says about what would be published of a heartbeat; returns the
/// messages of a review.
pub(crate) fn add_safety_reasons(
    name: &str,
    cadence: &Cadence,
    input: Option<&Map<String, Value>>,
    call: &Call,
    problems: &mut Problems,
) -> Result<Vec<String>, Failure> {
    let added = call.safety.reasons_for(SafetySubject::heartbeat(name, cadence, input))?;
    problems.extend(refusals(&added.reasons));
    let review = added.reasons.into_iter().filter(|it| it.decision == Decision::Review);
    Ok(review.map(|reason| reason.message).collect())
}

/// Returns the messages of a review as a sentence after others; nothing if there are none.
pub(crate) fn review_in_words(review: &[String]) -> String {
    match review {
        [] => String::new(),
        _ => format!(" Tell the parent also: {}.", review.join("; ")),
    }
}

/// A new heartbeat that has been checked.
pub(crate) struct Creation {
    pub(crate) heartbeat: Heartbeat,
    /// The caller first, who owns it.
    pub(crate) members: Vec<Member>,
    /// The names of the values that no input of the skill asks for.
    pub(crate) ignored_inputs: Vec<String>,
    /// Why a parent has to look at it, as the safety check says.
    pub(crate) review: Vec<String>,
}

/// Plans a heartbeat, or refuses it with everything that is wrong.
pub(crate) fn plan(
    create: HeartbeatCreate,
    call: &Call,
    store: &dyn Reader,
) -> Result<Creation, Failure> {
    let mut problems = Problems::default();
    let found = resolve(&create, Scope::HeartbeatWrite, call, store, &mut problems)?;
    check_skills(&create, &found, &mut problems);
    problems.into_result()?;
    let (Some(cadence), Some(run)) = (found.cadence, found.run) else {
        unreachable!("what is missing is a problem");
    };
    let mut problems = Problems::default();
    let input = create.skill_input.as_ref();
    let review = add_safety_reasons(&create.name, &cadence, input, call, &mut problems)?;
    problems.into_result()?;
    let owner = call.caller.user_id.clone();
    let others = found.participants.into_iter().filter(|user| *user != owner);
    let others = others.map(|user_id| Member { user_id, role: MemberRole::Member });
    let mut members = vec![Member { user_id: owner.clone(), role: MemberRole::Owner }];
    members.extend(others);
    let heartbeat = Heartbeat {
        id: id::new(),
        name: create.name,
        cadence,
        run_skill_id: create.run_skill_id,
        assignment_skill_id: create.assignment_skill_id,
        child_id: create.child_id,
        skill_input: create.skill_input.unwrap_or_default(),
        post_result_notify: create.post_result_notify.unwrap_or_default(),
        state: HeartbeatState::Active,
        chat_id: id::new(),
        created_at: call.millisecond(),
        last_run_at: None,
        missed_fires: create.missed_fires.unwrap_or_default(),
        decided_until: call.millisecond(),
        failed_in_row: 0,
    };
    let ignored_inputs = ignored_inputs(&run.written.input_variables, &heartbeat.skill_input);
    Ok(Creation { heartbeat, members, ignored_inputs, review })
}
