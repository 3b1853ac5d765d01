//! `dibber skill update`.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;
use serde_json::Value;

use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::flags::{DryRun, Yes};
use crate::cli::mask::masked_json;
use crate::cli::remote::command_words::in_words;
use crate::cli::remote::session::{self, Session};
use crate::cli::remote::withheld::{self, Withheld};
use crate::cli::remote::{changes, conflict, resolve};
use crate::cli::term::ask::Asker;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    ListedSkills, LockFiles, PublishError, find_renamed_skill, links_canvas, skill_subject,
    update_skill, updated_fields, without_stored,
};
use dibber_lint::{UpdateProblem, check_update};
use dibber_skill::contract::{
    AgeRangeChange, CanvasId, Decision, PolicyDecision, PolicyReason, SkillId, SkillUpdate,
    StoredSkill,
};
use dibber_skill::draft::Reason;
use dibber_skill::names::Roster;
use dibber_skill::skill::SKILL_BYTES_MAX;
use dibber_text::{MASKED, Message, file, message, quote, quote_in_full, quote_path};

pub(super) const ACTION: Command = Command { name: "update", define, run };

/// The version of the shape of `--json`; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Change a skill of a server
///
/// Shows the change, asks, and makes it. Change a skill that has a folder there, and push it: the next
/// push of the folder would be refused because of this change.
#[derive(Args)]
struct UpdateArgs {
    /// The skill: its folder, its label, its name or its id
    #[arg(value_name = "SKILL")]
    skill: String,

    /// Another label
    #[arg(long, value_name = "LABEL")]
    name: Option<String>,

    /// Another summary
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,

    /// Take another prompt from a file
    #[arg(long, value_name = "FILE")]
    prompt_file: Option<PathBuf>,

    /// Whether a child may launch it: true or false
    #[arg(long, value_name = "BOOL")]
    kid_callable: Option<bool>,

    /// Other ages, such as 5-7
    #[arg(long, value_name = "AGES")]
    age_range: Option<String>,

    /// Link this canvas (can be repeated)
    #[arg(long, value_name = "ID")]
    add_canvas: Vec<CanvasId>,

    /// Unlink this canvas (can be repeated)
    #[arg(long, value_name = "ID")]
    remove_canvas: Vec<CanvasId>,

    #[command(flatten)]
    yes: Yes,

    #[command(flatten)]
    dry_run: DryRun,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `schemas/skill-update.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UpdateV1<'a> {
    version: u32,
    server: String,
    skill_id: &'a SkillId,
    /// The fields that differ, as `skill_write` calls them.
    changed_fields: Vec<&'static str>,
    /// Whether they were changed.
    done: bool,
    /// What the safety checks of the server say, if it says anything.
    policy_decision: Option<Value>,
}

/// What came of the command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// It was only shown what would be changed.
    Shown,
    /// The fields were changed.
    Changed,
}

/// Prints what was changed, if JSON is wanted.
fn print_json(
    arguments: &UpdateArgs,
    update: &SkillUpdate,
    session: &Session,
    outcome: Outcome,
    policy: Option<&PolicyDecision>,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    if !arguments.json {
        return Ok(());
    }
    let roster = ui.names()?;
    let policy = policy.map(|policy| {
        masked_json(&serde_json::to_value(policy).expect("strings and lists"), &roster)
    });
    ui.print_json(&UpdateV1 {
        version: VERSION,
        server: ui.masked(session.server.name()).into_owned(),
        skill_id: &update.skill_id,
        changed_fields: updated_fields(update),
        done: outcome == Outcome::Changed,
        policy_decision: policy,
    })
}

fn define(command: ClapCommand) -> ClapCommand {
    session::define(UpdateArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: UpdateArgs = parse_args(matches);
    let wanted = wanted(&arguments)?;
    let interrupt = Interrupt::watch()?;
    let session = Session::open(matches, ui)?;
    let roster = ui.names()?;
    session.announce_interrupted_plan()?;
    let mut locks = session.locks()?;
    let skill_id = skill_of(&arguments, &session, &mut locks)?;
    let old = session.wait(ListedSkills::new(&session.client).read(&skill_id))?.skill;
    check_links(&wanted.remove_canvas_ids, &old, &session)?;
    let update = without_stored(wanted, &old);
    if updated_fields(&update).is_empty() {
        session.publisher()?.discard_unfinished(&skill_subject(&skill_id))?;
        ui.eprintln("Nothing to change: the skill is up to date.");
        print_json(&arguments, &update, &session, Outcome::Shown, None, ui)?;
        return Ok(Exit::Done);
    }
    let review = check(&update, &old, &roster)?;
    for problem in &review {
        ui.warning(placed(problem));
    }
    let mut shown = review.iter().map(shown_problem).collect();
    let (spec_hash, policy) = preview(&update, &old, &arguments, &session, ui)?;
    let policy = policy.as_ref();
    show_reasons(policy, &mut shown, ui);
    if arguments.dry_run.is_set() {
        ui.eprintln("Nothing was changed: this was a dry-run.");
        print_json(&arguments, &update, &session, Outcome::Shown, policy, ui)?;
        return Ok(Exit::Done);
    }
    if policy.is_some_and(|policy| policy.decision == Decision::Refuse) {
        let error = CommandError::new("the server refuses this change");
        return Err(error.help("correct what the warnings name").exit(Exit::BadInput));
    }
    if !confirm(&arguments, &session, ui)? {
        ui.eprintln("Nothing was changed.");
        print_json(&arguments, &update, &session, Outcome::Shown, policy, ui)?;
        return Ok(Exit::Done);
    }
    // From here on, Ctrl-C ends the program at once, and the same command finishes the work.
    drop(interrupt);
    let updated = update_skill(&update, spec_hash.as_deref(), &old, session.publisher()?);
    let updated = session.block_on(updated);
    let updated = updated.map_err(|error| withheld::mask_skill(failure(error), &update))?;
    let policy = updated.policy_decision.map(|policy| withheld::mask_policy(policy, &update));
    let policy = policy.as_ref();
    show_reasons(policy, &mut shown, ui);
    let fields = updated_fields(&update).into_iter().map(conflict::word);
    let fields = fields.collect::<Vec<_>>().join(", ");
    let id = quote_in_full(skill_id.as_str());
    ui.eprintln(message!["Changed ", id, ": ", quote_in_full(&fields)]);
    print_json(&arguments, &update, &session, Outcome::Changed, policy, ui)?;
    Ok(Exit::Done)
}

/// Returns the skill that is named, also by the label that an interrupted run of the command has changed.
fn skill_of(
    arguments: &UpdateArgs,
    session: &Session,
    locks: &mut LockFiles,
) -> Result<SkillId, CommandError> {
    let UpdateArgs { skill, name, .. } = arguments;
    resolve::resolve(skill, session, locks).or_else(|error| {
        let Some(new) = name.as_ref().filter(|_| error.exit_code() == Exit::NotFound) else {
            return Err(error);
        };
        find_renamed_skill(skill, new, session.publisher()?)?.ok_or(error)
    })
}

/// Shows what an update changes, without what the server refuses for a name in it. Returns the
/// `specHash` of the server's preview and its decision, if it has previews of updates.
fn preview(
    update: &SkillUpdate,
    old: &StoredSkill,
    arguments: &UpdateArgs,
    session: &Session,
    ui: &mut Ui,
) -> Result<(Option<String>, Option<PolicyDecision>), CommandError> {
    let dry_run = session.wait(session.client.skill_update_dry_run(update));
    let withheld = match &dry_run {
        Ok(Some(dry_run)) => Withheld::by_policy(&dry_run.policy_decision),
        Ok(None) => Withheld::default(),
        Err(error) => Withheld::by_error(error),
    };
    show_change(update, old, &withheld, arguments, ui)?;
    let dry_run = dry_run.map_err(|error| withheld::mask_skill(error, update))?;
    Ok(dry_run.map_or((None, None), |dry_run| {
        (Some(dry_run.spec_hash), Some(withheld::mask_policy(dry_run.policy_decision, update)))
    }))
}

/// Shows what an update changes: on standard error if JSON is wanted.
fn show_change(
    update: &SkillUpdate,
    old: &StoredSkill,
    withheld: &Withheld,
    arguments: &UpdateArgs,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let roster = ui.names()?;
    let mut sheet = ui.sheet();
    sheet.title(&old.name, old.skill_id.as_str());
    for field in updated_fields(update).into_iter().filter(|field| withheld.has(field)) {
        sheet.row(conflict::word(field), MASKED);
    }
    changes::write(&mut sheet, old, &withheld.remove_from(update), &roster);
    let page = sheet.finish();
    if arguments.json {
        ui.eprint_rendered(&page);
        return Ok(());
    }
    ui.print(page.as_bytes())
}

/// Returns `true` if the change is to be made: `--yes` was given, or the user says so.
fn confirm(arguments: &UpdateArgs, session: &Session, ui: &mut Ui) -> Result<bool, CommandError> {
    if arguments.yes.is_set() {
        return Ok(true);
    }
    if !ui.can_ask() {
        return Err(CommandError::cannot_confirm("add `--yes` to change it without asking"));
    }
    let roster = ui.names()?;
    let question = message!["Change it on ", quote_in_full(session.server.name()), "?"];
    Asker::new(ui, &roster).confirm(question, false)
}

/// Converts an error of a change, with what to do about one that the server has not made.
fn failure(error: PublishError) -> CommandError {
    let (PublishError::StoredDifferently { skill_id, .. }
    | PublishError::NotVerified { skill_id, .. }) = &error
    else {
        return error.into();
    };
    let id = quote_in_full(skill_id.as_str());
    let help = message!["`dibber skill get ", id, "` shows what the server has"];
    CommandError::from(error).help(help)
}

/// Converts the arguments to an update.
fn wanted(arguments: &UpdateArgs) -> Result<SkillUpdate, CommandError> {
    let update = SkillUpdate {
        skill_id: SkillId::default(),
        name: arguments.name.clone(),
        description: arguments.description.clone(),
        instructions: arguments.prompt_file.as_deref().map(read_prompt).transpose()?,
        kid_callable: arguments.kid_callable,
        age_range: arguments.age_range.clone().map(AgeRangeChange::Set),
        add_canvas_ids: arguments.add_canvas.clone(),
        remove_canvas_ids: arguments.remove_canvas.clone(),
        response_model: None,
        expected_hash: None,
    };
    if update == SkillUpdate::default() {
        return Err(CommandError::new("no field to change")
            .help("`dibber skill update --help` lists the fields"));
    }
    Ok(update)
}

fn read_prompt(path: &Path) -> Result<String, CommandError> {
    let bytes = file::read_argument(path, SKILL_BYTES_MAX as u64)
        .map_err(|error| CommandError::read(path, error))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| CommandError::new(message![quote_path(path), " is not UTF-8"]))?;
    Ok(text.replace("\r\n", "\n"))
}

/// Refuses what a push of its directory would be refused for: a secret, a child's name or hidden
/// characters. Returns what to review otherwise.
fn check(
    update: &SkillUpdate,
    old: &StoredSkill,
    roster: &Roster,
) -> Result<Vec<UpdateProblem>, CommandError> {
    let (refused, review): (Vec<_>, Vec<_>) =
        check_update(update, old, roster).into_iter().partition(UpdateProblem::is_denied);
    let Some(first) = refused.first() else { return Ok(review) };
    let more = match refused.len() {
        1 => Message::default(),
        count => message![" (and ", count - 1, " more)"],
    };
    let error = CommandError::new(message!["cannot change the skill: ", placed(first), more]);
    Err(error.help(first.help.clone().unwrap_or_default()).exit(Exit::Findings))
}

/// Returns the message of a problem with its place.
fn placed(problem: &UpdateProblem) -> Message {
    let field = field_of(&problem.argument.json_pointer());
    match problem.reason {
        // Its message has the place.
        Reason::ChildName => message![field, " ", problem.message.clone()],
        _ => message![field, ", line ", problem.line, ": ", problem.message.clone()],
    }
}

/// Returns what a field of the update is called here.
fn field_of(pointer: &str) -> &'static str {
    match pointer.split('/').nth(1) {
        Some("name") => "the label",
        Some("description") => "the summary",
        Some("prompt" | "instructions") => "the prompt",
        Some("kidCallable" | "ageRange") => "the ages",
        Some("canvasIds" | "addCanvasIds" | "removeCanvasIds") => "the canvases",
        Some("handsReferenced") => "the hands",
        Some("inputVariables") => "the inputs",
        _ => "the skill",
    }
}

/// The code of a problem, and what its field is called here.
type ShownReason = (String, &'static str);

fn shown_problem(problem: &UpdateProblem) -> ShownReason {
    (problem.reason.code().to_owned(), field_of(&problem.argument.json_pointer()))
}

/// Shows the reasons of a decision of the server that were not shown before.
fn show_reasons(policy: Option<&PolicyDecision>, shown: &mut Vec<ShownReason>, ui: &mut Ui) {
    // Two reasons of one decision may have the same code.
    let before = shown.clone();
    for PolicyReason { reason, path, message, fix, .. } in policy.iter().flat_map(|it| &it.reasons)
    {
        let field = field_of(path);
        let of_reason = (reason.clone().into_owned(), field);
        if before.contains(&of_reason) {
            continue;
        }
        shown.push(of_reason);
        let fix = if fix.is_empty() {
            Message::default()
        } else {
            message!["; ", quote_in_full(&in_words(fix))]
        };
        ui.warning(message![field, ": ", quote_in_full(message), fix]);
    }
}

/// Refuses to unlink a canvas that the skill does not link, unless an interrupted run of the
/// command may have unlinked it.
fn check_links(
    removed: &[CanvasId],
    skill: &StoredSkill,
    session: &Session,
) -> Result<(), CommandError> {
    let Some(unknown) = removed.iter().find(|id| !links_canvas(skill, id)) else { return Ok(()) };
    if session.publisher()?.unfinished()?.contains_key(&skill_subject(&skill.skill_id)) {
        return Ok(());
    }
    let message = message!["the skill does not link the canvas `", quote(unknown.as_str()), "`"];
    Err(CommandError::new(message).help(match &skill.canvas_ids[..] {
        [] => "leave out `--remove-canvas`: the skill links no canvas".into(),
        ids => message!["it links ", quote_in_full(&ids.join(", "))],
    }))
}
