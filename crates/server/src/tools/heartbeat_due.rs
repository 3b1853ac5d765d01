//! `heartbeat_due`: the runs that wait for a home agent, and what it does with them.

use std::sync::LazyLock;

use jiff::SignedDuration;
use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use crate::caller::{EntityKind, not_found_in_family};
use crate::cursor::{self, Listing};
use crate::failure::Failure;
use crate::firing::{self, Claimant, Executor, Retry, RunResult, RunResultError, Started};
use crate::input_schema::InputSchema;
use crate::runs;
use crate::store::{FiredRun, RunList, Writer};
use crate::tool::{Call, Run, Tool, success};
use crate::wrong_argument::{ActionShown, wrong_arguments};
use dibber_skill::contract::{
    DueAction, HEARTBEAT_DUE, HeartbeatDue, HeartbeatDueAnswer, HeartbeatDueArguments, HeartbeatId,
    LEASE_SECONDS_DEFAULT, RunId, RunState, Scope, WireEnum, output_schema, write_input_schema,
};

/// The most heartbeats of a family that are decided in one call.
const DECIDED_MAX: usize = 500;

/// The next step after all runs were listed.
const LAST_PAGE: &str = "This is the last page.";

pub(super) static TOOL: Tool = Tool {
    name: HEARTBEAT_DUE,
    title: "Run what is due",
    description: "Runs of heartbeats. list shows those that are due, history all of them. To run one: \
            claim it, follow the prompt, then complete it with a result, or fail it; both need runId \
            and attempt of the claim.",
    scope: Some(Scope::HeartbeatWrite),
    is_idempotent: false,
    is_destructive: false,
    input: InputSchema::new(write_input_schema::<HeartbeatDueArguments>),
    output: LazyLock::new(output_schema::<HeartbeatDueAnswer>),
    run: Run::WriteForAWhile { write: run, check: check_claim },
};

fn run(call: &Call, store: &dyn Writer) -> Result<Value, Failure> {
    let arguments: HeartbeatDueArguments = call.parse_arguments()?;
    let action = arguments.action;
    let name = match (action, &arguments.run_id) {
        (DueAction::History, Some(_)) => "history with runId",
        _ => action.name(),
    };
    let shown = ActionShown { name, prefix: "", example: example(action) };
    let due = arguments.parse().map_err(|wrong| wrong_arguments(wrong, shown))?;
    let family = &call.caller.family;
    if let HeartbeatDue::List { heartbeat_id: Some(id), .. }
    | HeartbeatDue::History { heartbeat_id: Some(id), .. }
    | HeartbeatDue::Claim { heartbeat_id: Some(id), .. } = &due
        && store.heartbeat(family, id)?.is_none()
    {
        return Err(not_found_in_family(Scope::HeartbeatWrite, EntityKind::Heartbeat));
    }
    // A server that is only asked from time to time decides when it is asked.
    firing::decide_due(store, Some(family), call.now, DECIDED_MAX)?;
    match due {
        HeartbeatDue::List { heartbeat_id, limit } => {
            list(call, store, heartbeat_id.as_ref(), limit)
        }
        HeartbeatDue::History { run_id: Some(id), .. } => one(call, store, &id),
        HeartbeatDue::History { run_id: None, heartbeat_id, cursor, limit } => {
            history(call, store, heartbeat_id, cursor.as_deref(), limit)
        }
        HeartbeatDue::Claim { run_id, heartbeat_id, lease_seconds } => {
            let lease = SignedDuration::from_secs(lease_seconds.unwrap_or(LEASE_SECONDS_DEFAULT));
            let claimed = claim(call, store, run_id.as_ref(), heartbeat_id.as_ref(), lease)?;
            start(call, store, claimed)
        }
        HeartbeatDue::Complete { run_id, attempt, result } => {
            complete(call, store, (&run_id, attempt), result)
        }
        HeartbeatDue::Fail { run_id, attempt, message, retry } => {
            let retry = if retry == Some(false) { Retry::Never } else { Retry::Later };
            fail(call, store, (&run_id, attempt), &message, retry)
        }
    }
}

/// Returns a call of an action that needs arguments.
const fn example(action: DueAction) -> Option<&'static str> {
    match action {
        DueAction::List | DueAction::History | DueAction::Claim => None,
        DueAction::Complete => {
            Some(r#"{"action":"complete","runId":"run_…","attempt":1,"result":{"summary":"…"}}"#)
        }
        DueAction::Fail => Some(r#"{"action":"fail","runId":"run_…","attempt":1,"message":"…"}"#),
    }
}

fn list(
    call: &Call,
    store: &dyn Writer,
    heartbeat: Option<&HeartbeatId>,
    limit: Option<usize>,
) -> Result<Value, Failure> {
    let family = &call.caller.family;
    let limit = cursor::page_limit(limit);
    let of = firing::of_family(family, heartbeat);
    let found = store.claimable(of, call.millisecond(), limit)?;
    let items = found.rows.iter().map(|(_, run)| runs::describe(store, family, run));
    let items: Vec<_> = items.collect::<Result<_, _>>()?;
    let next_step = match items.len() {
        0 => "Nothing is due.",
        _ => "Claim one to run it: action claim, with its runId.",
    };
    let next_step = cursor::with_damage(next_step, found.damaged.len());
    let answer = HeartbeatDueAnswer { items: Some(items), ..HeartbeatDueAnswer::default() };
    Ok(success(&answer, next_step))
}

/// Returns one run as a page.
fn one(call: &Call, store: &dyn Writer, id: &RunId) -> Result<Value, Failure> {
    let family = &call.caller.family;
    let found = store.run(family, id)?;
    let next_step = match found {
        Some(_) => LAST_PAGE,
        None => "There is no such run; history without runId lists all.",
    };
    let items = found.iter().map(|run| runs::describe(store, family, run));
    let items = Some(items.collect::<Result<_, _>>()?);
    Ok(success(&HeartbeatDueAnswer { items, ..HeartbeatDueAnswer::default() }, next_step))
}

fn history(
    call: &Call,
    store: &dyn Writer,
    heartbeat: Option<HeartbeatId>,
    cursor: Option<&str>,
    limit: Option<usize>,
) -> Result<Value, Failure> {
    let family = &call.caller.family;
    let filter = json!({"heartbeatId": heartbeat});
    let listing = Listing { tool: TOOL.name, family, filter };
    let limit = cursor::page_limit(limit);
    let after: Option<RunId> = cursor.map(|cursor| listing.decode(cursor)).transpose()?;
    if let Some(id) = &after {
        store.run(family, id)?.ok_or_else(cursor::invalid_cursor)?;
    }
    let list = RunList { after, limit: limit + 1, heartbeat };
    let found = cursor::split_page(store.runs(family, &list)?, limit, |run| &run.id);
    let items = found.items.iter().map(|run| runs::describe(store, family, run));
    let items: Vec<_> = items.collect::<Result<_, _>>()?;
    let next_cursor = found.last.map(|id| listing.encode(&id));
    let next_step = match next_cursor {
        Some(_) => "Call again with nextCursor as the cursor for earlier runs.",
        None => LAST_PAGE,
    };
    let next_step = cursor::with_damage(next_step, found.damaged);
    let items = Some(items);
    let answer = HeartbeatDueAnswer { items, next_cursor, ..HeartbeatDueAnswer::default() };
    Ok(success(&answer, next_step))
}

/// Claims a run: the one with this id, or the one that waits longest.
fn claim(
    call: &Call,
    store: &dyn Writer,
    run: Option<&RunId>,
    heartbeat: Option<&HeartbeatId>,
    lease: SignedDuration,
) -> Result<Option<FiredRun>, Failure> {
    let family = &call.caller.family;
    let by = Claimant { id: call.caller.user_id.as_str(), lease, held: &[] };
    let Some(id) = run else {
        let of = firing::of_family(family, heartbeat);
        let claimed = firing::claim_next(store, of, by, call.now, 1)?;
        return Ok(claimed.into_iter().next().map(|(_, run)| run));
    };
    let before = find(call, store, id)?;
    if before.state.has_ended() || heartbeat.is_some_and(|it| before.heartbeat_id != *it) {
        return Err(not_claimable(id));
    }
    let claimed = firing::claim_run(store, family, id, by, call.now)?;
    if claimed.is_none() {
        // Instead of being claimed once more, it may have ended.
        let run = find(call, store, id)?;
        return if run.state.has_ended() { Ok(Some(run)) } else { Err(not_claimable(id)) };
    }
    Ok(claimed)
}

/// Starts a claimed run, and answers with its prompt.
fn start(call: &Call, store: &dyn Writer, claimed: Option<FiredRun>) -> Result<Value, Failure> {
    let family = &call.caller.family;
    let Some(run) = claimed else {
        return Ok(success(&HeartbeatDueAnswer::default(), "Nothing is due."));
    };
    let started =
        firing::start(store, family, &run.id, run.attempt, Executor::HomeAgent, call.now)?;
    let Some(Started { run, heartbeat, prompt, .. }) = started else {
        let run = find(call, store, &run.id)?;
        let next_step = "It cannot run; its reason says why. Claim the next one.";
        return answer_run(call, store, &run, next_step);
    };
    let posted = if heartbeat.post_result_notify {
        "Its result is then posted to the inbox: do not call skill_post_result for it."
    } else {
        "Its result is not posted to the inbox."
    };
    let next_step = format!(
        "Follow the prompt, then call heartbeat_due with action complete, runId, attempt and result, \
         or with action fail. {posted}"
    );
    let run = Some(runs::describe(store, family, &run)?);
    let prompt = Some(prompt);
    Ok(success(&HeartbeatDueAnswer { run, prompt, ..HeartbeatDueAnswer::default() }, next_step))
}

fn complete(
    call: &Call,
    store: &dyn Writer,
    claimed: (&RunId, i64),
    result: Map<String, Value>,
) -> Result<Value, Failure> {
    let result = RunResult::parse(result).map_err(RunResultError::into_failure)?;
    let before = find(call, store, claimed.0)?;
    let ended = firing::complete(store, &call.caller.family, claimed, result, call.now)?;
    let run = ended.ok_or_else(|| not_held(&before))?;
    let heartbeat = store.heartbeat(&call.caller.family, &run.heartbeat_id)?;
    let next_step = if heartbeat.is_some_and(|heartbeat| heartbeat.post_result_notify) {
        "The run is recorded. Its result is in the family's inbox; do not post it again."
    } else {
        "The run is recorded. Its result is not in the family's inbox: skill_post_result posts it, \
         if a parent should read it."
    };
    answer_run(call, store, &run, next_step)
}

fn fail(
    call: &Call,
    store: &dyn Writer,
    claimed: (&RunId, i64),
    message: &str,
    retry: Retry,
) -> Result<Value, Failure> {
    let before = find(call, store, claimed.0)?;
    // Only its claimant knows what a program has done so far.
    let is_own = before.claimed_by.as_deref() == Some(call.caller.user_id.as_str());
    let retry = if retry == Retry::Later && !is_own { Retry::MayRepeat } else { retry };
    let ended = firing::fail(store, &call.caller.family, claimed, message, retry, call.now)?;
    let run = ended.ok_or_else(|| not_held(&before))?;
    let next_step = if run.state.has_ended() {
        "The run has failed; tell the parent why."
    } else {
        "It is due again at dueAt."
    };
    answer_run(call, store, &run, next_step)
}

fn answer_run(
    call: &Call,
    store: &dyn Writer,
    run: &FiredRun,
    next_step: &str,
) -> Result<Value, Failure> {
    let run = runs::describe(store, &call.caller.family, run)?;
    let answer = HeartbeatDueAnswer { run: Some(run), ..HeartbeatDueAnswer::default() };
    Ok(success(&answer, next_step))
}

fn find(call: &Call, store: &dyn Writer, id: &RunId) -> Result<FiredRun, Failure> {
    let found = store.run(&call.caller.family, id)?;
    found.ok_or_else(|| not_found_in_family(Scope::HeartbeatWrite, EntityKind::Run))
}

fn not_claimable(id: &RunId) -> Failure {
    let message = format!("the run {id} has ended, or another agent works on it");
    Failure::bad_input("NOT_CLAIMABLE", message, "claim another one; list shows what is due")
}

/// Fails if an answer is that to a claim that has ended since: another agent may have run it.
fn check_claim(call: &Call, store: &dyn Writer, answer: &Value) -> Result<(), Failure> {
    let answer = HeartbeatDueAnswer::deserialize(answer).unwrap_or_default();
    // Only a claim answers with a run that is not over.
    let claimed = answer.run.filter(|run| run.state == RunState::Running);
    let Some(claimed) = claimed else { return Ok(()) };
    let now = call.millisecond();
    let is_held = |run: &FiredRun| {
        run.attempt == claimed.attempt
            && !run.state.has_ended()
            && run.lease_until.is_some_and(|until| until > now)
    };
    match store.run(&call.caller.family, &claimed.run_id)? {
        Some(run) if !is_held(&run) => {
            let fix = "claim it again with a new idempotency key, if it is still due";
            Err(Failure::bad_input("CLAIM_LOST", "the claim has ended since", fix))
        }
        _ => Ok(()),
    }
}

/// Returns the refusal of an end that comes too late.
fn not_held(run: &FiredRun) -> Failure {
    let (message, fix) = if run.state.has_ended() {
        ("the run has ended already", "do not end it again; history shows how it ended")
    } else if matches!(run.state, RunState::Claimed | RunState::Running) {
        let fix =
            "send the attempt that your claim answered; without a claim of yours, leave the run";
        ("the attempt is not the one that holds the run", fix)
    } else {
        ("the claim has ended", "claim the run again before you end it")
    };
    Failure::bad_input("CLAIM_LOST", message, fix)
}
