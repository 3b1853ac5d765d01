//! `dibber skill update`.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;

use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::{self, Session};
use crate::cli::remote::{changes, resolve};
use crate::cli::term::ask::Asker;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_client::{Intent, Repeat};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{
    AgeRangeChange, CanvasId, SKILL_UPDATE, SkillId, SkillUpdate, SkillUpdated, SkillWrite,
    StoredSkill,
};
use dibber_skill::draft::{self, Argument, DraftProblem, Reason};
use dibber_skill::names::Roster;
use dibber_skill::skill::SKILL_BYTES_MAX;
use dibber_text::{Message, file, message, quote, quote_in_full, quote_path};

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

    /// Change it without asking
    #[arg(long, short)]
    yes: bool,

    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `tests/reference/skill-update.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UpdateV1<'a> {
    version: u32,
    server: &'a str,
    skill_id: &'a SkillId,
    /// The fields that differ, as `skill_write` calls them.
    changed_fields: Vec<&'static str>,
    /// Whether they were changed.
    done: bool,
}

/// Prints what was changed, if JSON is wanted.
fn print_json(
    arguments: &UpdateArgs,
    update: &SkillUpdate,
    session: &Session,
    done: bool,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    if !arguments.json {
        return Ok(());
    }
    let (server, skill_id) = (session.server.name(), &update.skill_id);
    let changed_fields = changes::names(update);
    ui.print_json(&UpdateV1 { version: VERSION, server, skill_id, changed_fields, done })
}

fn define(command: ClapCommand) -> ClapCommand {
    session::define(UpdateArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: UpdateArgs = parse_args(matches);
    let roster = ui.names()?;
    let wanted = wanted(&arguments)?;
    let interrupt = Interrupt::watch()?;
    let session = Session::open(matches)?;
    let mut locks = session.locks()?;
    let skill_id = resolve::resolve(&arguments.skill, &session, &mut locks)?;
    let old = session.wait(session.client.skill_get(&skill_id))?.skill;
    check_links(&wanted.remove_canvas_ids, &old, &session)?;
    let update = differing(wanted, &old);
    if changes::names(&update).is_empty() {
        session.publisher().discard_unfinished(&subject(&old))?;
        ui.eprintln("Nothing to change: the skill is up to date.");
        print_json(&arguments, &update, &session, false, ui)?;
        return Ok(Exit::Done);
    }
    for warning in check_new_text(&update, &old, &roster)? {
        ui.warning(warning);
    }
    let mut sheet = ui.sheet();
    sheet.title(&old.name, old.skill_id.as_str());
    changes::write(&mut sheet, &old, &update, &roster);
    let page = sheet.finish();
    if arguments.json {
        ui.eprint_rendered(page.trim_end_matches('\n'));
    } else {
        ui.print(page.as_bytes())?;
    }
    if arguments.dry_run {
        ui.eprintln("Nothing was changed: this was a dry-run.");
        print_json(&arguments, &update, &session, false, ui)?;
        return Ok(Exit::Done);
    }
    if !arguments.yes {
        if !ui.can_ask() {
            let message = "cannot ask for confirmation: this is not a terminal";
            return Err(CommandError::new(message).help("add `--yes` to change it without asking"));
        }
        let question = message!["Change it on ", quote_in_full(session.server.name()), "?"];
        if !Asker::new(ui, &roster).confirm(question, false)? {
            ui.eprintln("Nothing was changed.");
            return Ok(Exit::Done);
        }
    }
    // From here on, Ctrl-C ends the program at once, and the same command finishes the work.
    drop(interrupt);
    let done = write(&update, &old, &session)?;
    let (id, fields) = (quote_in_full(done.skill_id.as_str()), done.changed_fields.join(", "));
    ui.eprintln(message!["Changed ", id, ": ", quote_in_full(&fields)]);
    print_json(&arguments, &update, &session, true, ui)?;
    Ok(Exit::Done)
}

/// The skill as a subject of the journal.
fn subject(skill: &StoredSkill) -> String {
    format!("skill {}", skill.skill_id)
}

/// Sends an update of a skill that was read.
fn write(
    update: &SkillUpdate,
    old: &StoredSkill,
    session: &Session,
) -> Result<SkillUpdated, CommandError> {
    let (subject, base) = (subject(old), ContentHash::of_stored(old));
    let arguments = serde_json::to_value(update).expect("an update is an object");
    let intent = Intent {
        subject: Some(&subject),
        base: base.as_str(),
        repeat: Repeat::Sets,
        ..Intent::new(session.server.name(), SKILL_UPDATE, &arguments)
    };
    session.write(
        &intent,
        async |key| session.client.skill_update(update, key).await,
        async |_| {
            let now = session.client.skill_get(&old.skill_id).await?.skill;
            Ok(changes::names(&differing(update.clone(), &now)).is_empty())
        },
    )
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

/// Refuses a new label, summary or prompt with what a push of its directory would be refused for:
/// a secret, a child's name or hidden characters. Returns what to review in them otherwise.
fn check_new_text(
    update: &SkillUpdate,
    old: &StoredSkill,
    roster: &Roster,
) -> Result<Vec<Message>, CommandError> {
    let text = |new: &Option<String>| new.clone().unwrap_or_default();
    let texts = SkillWrite {
        name: text(&update.name),
        description: text(&update.description),
        prompt: text(&update.instructions),
        input_variables: old.input_variables.clone(),
        ..SkillWrite::default()
    };
    let problems = draft::analyze(&texts, roster);
    let (mut refused, mut review) = (Vec::new(), Vec::new());
    for DraftProblem { reason, problem, .. } in problems {
        let (field, text) = match problem.place.argument {
            Argument::Name => ("the label", &texts.name),
            Argument::Description => ("the summary", &texts.description),
            Argument::Prompt => ("the prompt", &texts.prompt),
            _ => continue,
        };
        let line =
            problem.place.span.map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        match reason {
            // Its message has the place.
            Reason::ChildName => {
                refused.push((message![field, " ", problem.message], problem.help));
            }
            Reason::Secret | Reason::MisleadingCharacters => {
                let message = message![field, ", line ", line, ": ", problem.message];
                refused.push((message, problem.help));
            }
            Reason::PipedShell => {
                review.push(message![field, ", line ", line, ": ", problem.message]);
            }
            // The server judges the rest with the whole skill.
            _ => {}
        }
    }
    let count = refused.len();
    let Some((first, help)) = refused.into_iter().next() else { return Ok(review) };
    let more = if count > 1 { message![" (and ", count - 1, " more)"] } else { Message::default() };
    let error = CommandError::new(message!["cannot change the skill: ", first, more]);
    Err(error.help(help.unwrap_or_default()).exit(Exit::Findings))
}

/// Refuses to unlink a canvas that the skill does not link, unless an interrupted run of the
/// command may have unlinked it.
fn check_links(
    removed: &[CanvasId],
    skill: &StoredSkill,
    session: &Session,
) -> Result<(), CommandError> {
    let Some(unknown) = removed.iter().find(|id| !links(skill, id)) else { return Ok(()) };
    if session.publisher().unfinished()?.contains_key(&subject(skill)) {
        return Ok(());
    }
    let message = message!["the skill does not link the canvas `", quote(unknown.as_str()), "`"];
    Err(CommandError::new(message).help(match &skill.canvas_ids[..] {
        [] => "leave out `--remove-canvas`: the skill links no canvas".into(),
        ids => message!["it links ", quote_in_full(&ids.join(", "))],
    }))
}

fn links(skill: &StoredSkill, canvas: &CanvasId) -> bool {
    skill.canvas_ids.iter().any(|linked| linked.is_same(canvas))
}

/// Returns the part of an update that differs from the stored skill.
fn differing(wanted: SkillUpdate, old: &StoredSkill) -> SkillUpdate {
    let (mut add_canvas_ids, mut remove_canvas_ids) =
        (wanted.add_canvas_ids, wanted.remove_canvas_ids);
    add_canvas_ids.retain(|id| !links(old, id));
    remove_canvas_ids.retain(|id| links(old, id));
    let other = |text: Option<String>, old: &str| text.filter(|text| text != old);
    SkillUpdate {
        skill_id: old.skill_id.clone(),
        expected_hash: old.content_hash.clone(),
        name: other(wanted.name, &old.name),
        description: other(wanted.description, &old.description),
        instructions: other(wanted.instructions, &old.prompt),
        kid_callable: wanted.kid_callable.filter(|may| *may != old.kid_callable),
        age_range: wanted.age_range.filter(|change| change.ages() != old.age_range.as_deref()),
        add_canvas_ids,
        remove_canvas_ids,
    }
}
