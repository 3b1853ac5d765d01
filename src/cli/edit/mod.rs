//! `dibber edit`.

mod arguments;
mod body;
mod check;
mod child_names;
mod question;
mod questions;
mod repetitions;
mod schedule_words;
mod summary;

use clap::{ArgMatches, Args};

use super::command::{Command, parse_args};
use super::default_zone::named_or_default;
use super::error::CommandError;
use super::exit::Exit;
use super::heartbeat::typed::wire_schedule;
use super::new::rhythm::is_never;
use super::term::ask::Asker;
use super::term::diff;
use super::term::interrupt::Interrupt;
use super::term::ui::Ui;
use super::write;
use arguments::EditArgs;
use body::{BodyFile, EditedBody};
use check::Checker;
pub(super) use child_names::ChildNames;
use dibber_skill::discover::{self, FoundSkill};
use dibber_skill::manifest::{MANIFEST_FILE_NAME, WireSchedule};
use dibber_skill::names::Roster;
use dibber_skill::revision::{
    CurrentSchedule, RevisedFile, ScheduleChange, SkillAnswers, SkillChanges,
};
use dibber_skill::skill::{SKILL_FILE_NAME, Skill};
use dibber_text::file::read_regular;
use dibber_text::{Message, message, quote, quote_in_full};
use questions::Questions;

pub(super) const COMMAND: Command = Command { name: "edit", define: EditArgs::augment_args, run };

const NOTHING_CHANGED: &str = "Nothing was changed.";
/// What is shown at Ctrl-C, before anything is written.
const ANSWERS_DROPPED: &str = "Nothing was changed. `dibber edit` begins again.";

const TEXT_KEPT: &str =
    "Nothing was changed. What the editor has saved is kept for the next `dibber edit --body`.";

const WRITE: &str = "Write these changes?";
const WRITE_EXPLANATION: &str =
    "Type yes or no; Enter alone means yes. `back` leads to the answers, to change others.";

/// What is to become of the changes.
enum Agreement {
    Write,
    Stop,
    /// The questions are asked again.
    Back,
}

/// What came of the command.
pub(super) enum Edited {
    /// Nothing was written.
    Ended(Exit),
    /// The files of a skill were changed.
    Written(
        #[cfg_attr(
            not(feature = "remote"),
            expect(dead_code, reason = "only a build with servers reads it")
        )]
        Box<EditedSkill>,
    ),
}

/// A skill whose files were changed.
#[cfg_attr(
    not(feature = "remote"),
    expect(dead_code, reason = "only a build with servers reads it")
)]
pub(super) struct EditedSkill {
    pub(super) found: FoundSkill,
    /// Whether it has other inputs, which no server takes for a published skill.
    pub(super) has_other_inputs: bool,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    Ok(match edit(matches, ui)? {
        Edited::Ended(exit) => exit,
        Edited::Written(_) => Exit::Done,
    })
}

/// Changes a skill.
pub(super) fn edit(matches: &ArgMatches, ui: &mut Ui) -> Result<Edited, CommandError> {
    let arguments: EditArgs = parse_args(matches);
    let roster = ui.names()?;
    let found = only_skill(&arguments)?;
    let skill = discover::load(&found).map_err(|problem| CommandError::from(&problem))?;
    let known = SkillAnswers::of(&skill);
    let checker = Checker::new(&found, &skill, &known, &roster)?;
    let interrupt = Interrupt::watch()?;
    let last_message = if arguments.body { TEXT_KEPT } else { ANSWERS_DROPPED };
    interrupt.set_last_message(move || Some(last_message.into()));
    let mut names = ChildNames::new(&roster);
    let body = if arguments.body { Some(BodyFile::locate(&found)?) } else { None };
    let revision = Revision {
        skill: &skill,
        checker: &checker,
        body: body.as_ref(),
        interrupt: &interrupt,
        roster: &roster,
    };
    let mut answers = SkillChanges::default();
    let (files, changes) = loop {
        let known_names = (&mut names, &*roster);
        let changes = changes(&arguments, &checker, known_names, &mut answers, ui)?;
        let (files, changes) = match revision.files(changes, ui)? {
            Revised::Files(files, changes) => (files, changes),
            Revised::Ended(exit) => return Ok(unchanged(body.as_ref(), exit, ui)),
        };
        if files.is_empty() {
            if let Some(body) = body {
                body.remove()?;
            }
            ui.eprintln(NOTHING_CHANGED);
            show_folder(&names, &found, &known, ui);
            return Ok(Edited::Ended(Exit::Done));
        }
        show(&found, &files, ui, &roster)?;
        let changes = changes.without_known(&known);
        summary::show(&known, &changes, ui);
        match agreement(&arguments, ui, &roster)? {
            Agreement::Write => break (files, changes),
            Agreement::Stop => return Ok(unchanged(body.as_ref(), Exit::Done, ui)),
            Agreement::Back => {}
        }
    };
    interrupt.set_last_message(|| None);
    for file in &files {
        check_unchanged(&found, file)?;
    }
    for file in &files {
        write_file(&found, file)?;
        // The next text begins with what is in the skill now, whatever becomes of the other files.
        if let Some(body) = body.as_ref().filter(|_| file.path == SKILL_FILE_NAME) {
            body.remove()?;
        }
        ui.eprintln(message!["Changed ", quote_in_full(&shown_path(&found, file)), "."]);
    }
    show_folder(&names, &found, &known, ui);
    let has_other_inputs = !(changes.inputs.is_empty() && changes.removed_inputs.is_empty());
    Ok(Edited::Written(Box::new(EditedSkill { found, has_other_inputs })))
}

/// What the files of a skill are made of, and what its text is edited with.
struct Revision<'a> {
    skill: &'a Skill,
    checker: &'a Checker<'a>,
    body: Option<&'a BodyFile>,
    interrupt: &'a Interrupt,
    roster: &'a Roster,
}

/// What came of the changes.
enum Revised {
    /// The files that are different, without an error that the skill did not have, and all changes.
    Files(Vec<RevisedFile>, Box<SkillChanges>),
    /// Nothing is to be changed.
    Ended(Exit),
}

impl Revision<'_> {
    /// Returns the files with these changes, and with those of the editor if the text is edited:
    /// again, if that leads to errors and it is agreed to.
    fn files(&self, mut changes: SkillChanges, ui: &mut Ui) -> Result<Revised, CommandError> {
        let Self { skill, checker, body, interrupt, roster } = self;
        let mut is_again = false;
        loop {
            if let Some(body) = body {
                match body.edit(skill, is_again, interrupt, ui, roster)? {
                    EditedBody::Ended(text) => changes.body = text,
                    EditedBody::Postponed => return Ok(Revised::Ended(Exit::Done)),
                }
            }
            let files = checker.files(&changes)?;
            let errors = checker.new_errors(&files);
            if errors.is_empty() {
                return Ok(Revised::Files(files, Box::new(changes)));
            }
            for error in &errors {
                ui.error(&error.to_command_error());
            }
            is_again = body.is_some()
                && ui.can_ask()
                && Asker::new(ui, roster).confirm("Open the editor again?", true)?;
            if !is_again {
                return Ok(Revised::Ended(Exit::BadInput));
            }
        }
    }
}

/// Says how to rename the folder if it contains the name of a child.
fn show_folder(names: &ChildNames<'_>, found: &FoundSkill, known: &SkillAnswers, ui: &mut Ui) {
    if let Some(note) = names.folder_note(found, known.label.as_deref()) {
        ui.eprintln(note);
    }
}

/// Says that nothing was changed, and that the text of the editor is kept.
fn unchanged(body: Option<&BodyFile>, exit: Exit, ui: &mut Ui) -> Edited {
    match body {
        Some(body) => ui.eprintln(message!["Nothing was changed; ", body.kept_message(), "."]),
        None => ui.eprintln(NOTHING_CHANGED),
    }
    Edited::Ended(exit)
}

fn only_skill(arguments: &EditArgs) -> Result<FoundSkill, CommandError> {
    let path = discover::from_current_directory(arguments.skill.clone());
    let (mut found, problems) = discover::find(&[path]);
    if let Some(problem) = problems.first() {
        return Err(CommandError::from(problem));
    }
    match (found.pop(), found.len()) {
        (Some(only), 0) => Ok(only),
        (_, others) => {
            let message =
                message!["`dibber edit` takes one skill, but ", others + 1, " were found"];
            Err(CommandError::new(message).help("name the folder of one of them"))
        }
    }
}

/// Returns the changes of the options, or of a person at the terminal if there are none; `answers`
/// are those that were given so far.
fn changes(
    arguments: &EditArgs,
    checker: &Checker<'_>,
    (names, roster): (&mut ChildNames<'_>, &Roster),
    answers: &mut SkillChanges,
    ui: &mut Ui,
) -> Result<SkillChanges, CommandError> {
    let (mut changes, known) = (arguments.changes()?, checker.known());
    if let Some(schedule) = &arguments.schedule {
        changes.schedule = Some(if is_never(schedule) {
            ScheduleChange::Remove
        } else {
            if let CurrentSchedule::Several(names) = &known.schedule {
                return Err(several_schedules(names));
            }
            let typed = wire_schedule(schedule, arguments.time_zone.as_deref(), ui, roster)?;
            set(typed, known, ui)
        });
    }
    if !changes.is_empty() || arguments.body {
        if !ui.can_ask() && !arguments.yes.is_set() && !arguments.dry_run.is_set() {
            return Err(CommandError::cannot_confirm(
                "add `--yes` to change it without asking, or `--dry-run` to see the changes",
            ));
        }
        if ui.can_ask() && !arguments.yes.is_set() && !arguments.dry_run.is_set() {
            let mut asker = Asker::new(ui, roster);
            changes = questions::ask_about_options(checker, changes, names, &mut asker)?;
        } else {
            child_names::warn_of_values(&changes, roster, ui);
        }
        return check::with_values(changes, known);
    }
    if !ui.can_ask() {
        return Err(CommandError::new("there is nothing to change, and this is not a terminal").help(
            "name what to change, such as `--label \"Bedtime story\"`; or run it in a terminal, \
             which asks",
        ));
    }
    let asker = Asker::new(ui, roster);
    Questions { known, checker, names, asker }.ask(answers)
}

/// Returns the error of a schedule that may be meant to replace one of several.
fn several_schedules(names: &[String]) -> CommandError {
    let shown = names.iter().map(|name| message!["`", quote(name.trim()), "`"]);
    let message =
        message!["the skill has ", names.len(), " schedules: ", Message::join(shown, ", ")];
    CommandError::new(message).help(message![
        "change one of them in its ",
        MANIFEST_FILE_NAME,
        "; `--schedule never` removes all of them"
    ])
}

/// Returns a typed schedule, in the zone of the one before it unless it names another one.
fn set(typed: WireSchedule, known: &SkillAnswers, ui: &mut Ui) -> ScheduleChange {
    let time_zone = typed.time_zone.or_else(|| known.schedule.zone());
    let time_zone = named_or_default(time_zone, ui);
    ScheduleChange::Set { cron: typed.cron, time_zone }
}

/// Shows what is different in the files.
fn show(
    found: &FoundSkill,
    files: &[RevisedFile],
    ui: &mut Ui,
    roster: &Roster,
) -> Result<(), CommandError> {
    for file in files {
        let before = file.before.as_deref().unwrap_or_default();
        let diff = diff::unified(&shown_path(found, file), before, &file.after, roster);
        ui.print(diff.rendered(ui.stdout_color()).as_bytes())?;
    }
    Ok(())
}

/// Returns what becomes of the changes.
fn agreement(
    arguments: &EditArgs,
    ui: &mut Ui,
    roster: &Roster,
) -> Result<Agreement, CommandError> {
    let (has_questions, mut asker) = (arguments.has_questions()?, Asker::new(ui, roster));
    let is_agreed = if arguments.dry_run.is_set() {
        Some(false)
    } else if arguments.yes.is_set() {
        Some(true)
    } else if has_questions {
        asker.confirm_or_back(WRITE, WRITE_EXPLANATION, true)?
    } else {
        Some(asker.confirm(WRITE, true)?)
    };
    Ok(match is_agreed {
        Some(true) => Agreement::Write,
        Some(false) => Agreement::Stop,
        None => Agreement::Back,
    })
}

fn shown_path(found: &FoundSkill, file: &RevisedFile) -> String {
    match found.shown.as_str() {
        "" | "." => file.path.clone(),
        shown => format!("{}/{}", shown.trim_end_matches('/'), file.path),
    }
}

/// Refuses to write any file if another program has changed one of them since it was read.
fn check_unchanged(found: &FoundSkill, file: &RevisedFile) -> Result<(), CommandError> {
    let path = found.directory.join(&file.path);
    let bytes_max = file.before.as_ref().map_or(0, String::len) as u64;
    let is_unchanged = match read_regular(&path, bytes_max) {
        Ok(bytes) => file.before.as_ref().is_some_and(|before| before.as_bytes() == bytes),
        Err(error) => error.is_not_found() && file.before.is_none(),
    };
    if is_unchanged { Ok(()) } else { Err(changed_error(found, file)) }
}

/// Writes a file, unless another program has changed it since it was read.
fn write_file(found: &FoundSkill, file: &RevisedFile) -> Result<(), CommandError> {
    let path = found.directory.join(&file.path);
    let before = file.before.as_deref().map(str::as_bytes);
    if write::replace_if_unchanged(&path, before, file.after.as_bytes())? {
        Ok(())
    } else {
        Err(changed_error(found, file))
    }
}

fn changed_error(found: &FoundSkill, file: &RevisedFile) -> CommandError {
    let path = shown_path(found, file);
    let message = message![quote_in_full(&path), " has changed since it was read"];
    CommandError::new(message).help("run the command again")
}
