//! `dibber new`.

mod agreement;
pub(super) mod arguments;
pub(super) mod changes;
mod check;
pub(super) mod explanation;
pub(super) mod free_text;
mod interview;
mod kept_answers;
mod listing;
mod name_lists;
pub(super) mod name_questions;
mod render;
pub(super) mod rhythm;
pub(super) mod spoken_names;
mod topic;
mod typed_name;
mod whom;
mod wizard;
mod write;
pub(super) mod zone;

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args};

use super::command::{Command, parse_args};
use super::default_zone::{named_or_default, system_zone};
use super::error::CommandError;
use super::exit::Exit;
use super::heartbeat::typed::wire_schedule;
use super::term::ask::Asker;
use super::term::interrupt::Interrupt;
use super::term::ui::Ui;
use agreement::Agreement;
use arguments::NewArgs;
use dibber_skill::discover::shown_path;
use dibber_skill::manifest::WireSchedule;
use dibber_skill::names::Roster;
use dibber_skill::scaffold::{self, Answers, Plan, Schedule, Template};
use dibber_skill::skill::PROTOCOL_FILE_NAME;
use dibber_text::{message, quote_argument, quote_in_full};
use interview::{Interview, Known, Replies};
use kept_answers::KeptAnswers;
use wizard::Wizard;

pub(super) const COMMAND: Command = Command { name: "new", define: NewArgs::augment_args, run };

/// What is shown when the questions end before anything was written.
const ANSWERS_KEPT: &str = "\
Nothing was written. `dibber new --resume` goes on with your answers.";

/// What the question means whether to go on with the answers of an earlier run.
const KEPT_EXPLANATION: &str = "\
With yes, you are asked what is still missing. With no, the questions begin again, and your first answer \
replaces those of the earlier run.";

/// What is shown if no question was answered before.
const NOTHING_WRITTEN: &str = "Nothing was written.";

/// What is shown above the first question.
const KEYS: &str = "\
Enter takes the answer in [brackets]. `back` leads to the question before, and `?` explains one.";

/// What came of the command.
pub(super) enum Made {
    /// It ended without a new skill, or without a person to ask about it.
    Ended(Exit),
    /// A person at a terminal has made a skill.
    Skill(NewSkill),
}

/// A skill that a person at a terminal has made.
pub(super) struct NewSkill {
    pub(super) folder: PathBuf,
    /// Whether it is to be published at once.
    #[cfg_attr(
        not(feature = "remote"),
        expect(dead_code, reason = "only a build with servers reads it")
    )]
    pub(super) is_to_be_published: bool,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    match make(matches, false, ui)? {
        Made::Ended(exit) => Ok(exit),
        Made::Skill(skill) => {
            show_next_steps(ui, &skill.folder);
            Ok(Exit::Done)
        }
    }
}

/// Makes a skill, and asks at a terminal whether it is to be published, too, if it can be.
pub(super) fn make(
    matches: &ArgMatches,
    can_publish: bool,
    ui: &mut Ui,
) -> Result<Made, CommandError> {
    let arguments: NewArgs = parse_args(matches);
    if arguments.list {
        return listing::print(ui, arguments.json).map(Made::Ended);
    }
    let roster = ui.names()?;
    let (mut answers, mut errors) = read_answers(&arguments, ui, &roster);
    if ui.can_ask() && !arguments.yes.is_set() {
        errors.extend(correct_name(&mut answers, arguments.template(), ui));
    }
    errors.extend(argument_errors(ui, &arguments, &answers, &roster));
    if !errors.is_empty() {
        return Ok(Made::Ended(show_errors(ui, errors)));
    }
    let interrupt = Interrupt::watch()?;
    let can_publish = can_publish && !arguments.json;
    let (plan, agreement) = match arguments.template() {
        Some(template) if !ui.can_ask() => (scaffold::plan(template, &answers), Agreement::Write),
        _ => ask(&arguments, &answers, (&roster, can_publish), &interrupt, ui)?,
    };
    if agreement == Agreement::Stop {
        return Ok(Made::Ended(Exit::Done));
    }
    if arguments.dry_run.is_set() {
        render::print(ui, &roster, &plan, arguments.json)?;
        return Ok(Made::Ended(Exit::Done));
    }
    let shown = write::write(&arguments.into, &plan, &interrupt)?;
    interrupt.set_last_message(|| None);
    if ui.can_ask() {
        KeptAnswers::locate()?.remove()?;
    }
    if arguments.json {
        render::print(ui, &roster, &plan, true)?;
    }
    let (count, shown) = (plan.files.len(), quote_in_full(&shown));
    ui.eprintln(message!["Made ", shown, " with ", count, " files."]);
    let folder = arguments.into.join(&plan.directory);
    if ui.can_ask() && !arguments.yes.is_set() && !arguments.json {
        let is_to_be_published = agreement == Agreement::Publish;
        return Ok(Made::Skill(NewSkill { folder, is_to_be_published }));
    }
    show_next_steps(ui, &folder);
    Ok(Made::Ended(Exit::Done))
}

/// Returns the answers on the command line, with the schedule as a server takes it.
fn read_answers(arguments: &NewArgs, ui: &mut Ui, roster: &Roster) -> (Answers, Vec<CommandError>) {
    let (mut answers, mut errors) = arguments.answers();
    if let Some(schedule) = answers.schedule.take() {
        match wire_schedule(&schedule.cron, schedule.time_zone.as_deref(), ui, roster) {
            Ok(WireSchedule { cron, time_zone }) => {
                let time_zone = Some(named_or_default(time_zone, ui));
                answers.schedule = Some(Schedule { cron, time_zone, ..schedule });
            }
            Err(error) => errors.push(error),
        }
    }
    (answers, errors)
}

/// Makes a name that is not valid the valid one that is nearest to it, as for an answer. Returns
/// errors if there is none.
fn correct_name(
    answers: &mut Answers,
    template: Option<&Template>,
    ui: &mut Ui,
) -> Vec<CommandError> {
    let Some(typed) = &answers.name else { return Vec::new() };
    match typed_name::corrected(typed, template) {
        Ok(name) if name == *typed => Vec::new(),
        Ok(name) => {
            ui.eprintln(message!["The folder will be called `", quote_in_full(&name), "`."]);
            answers.name = Some(name);
            Vec::new()
        }
        Err(errors) => {
            answers.name = None;
            errors
        }
    }
}

/// Asks for what is missing, and what becomes of it.
fn ask(
    arguments: &NewArgs,
    answers: &Answers,
    (roster, can_publish): (&Roster, bool),
    interrupt: &Interrupt,
    ui: &mut Ui,
) -> Result<(Plan, Agreement), CommandError> {
    let kept = KeptAnswers::locate()?;
    let is_taken = |name: &str| write::check_free(&arguments.into, name).is_some();
    let mut replies = if arguments.resume { kept.read()? } else { Replies::default() };
    let mut answers = answers.clone();
    set_last_message(interrupt);
    let first = Interview::new(known(arguments, &answers, roster, &is_taken), replies.clone());
    if first.next_topic().is_some() {
        ui.eprintln(KEYS);
        let mut asker = Asker::new(ui, roster);
        if kept.exist() && !arguments.resume {
            replies = go_on_with(&kept, &mut asker)?;
        }
        if !arguments.yes.is_set() {
            leave_names_out(&mut answers, &mut replies, &is_taken, &mut asker)?;
        }
    }
    let mut interview = Interview::new(known(arguments, &answers, roster, &is_taken), replies);
    if let Some(typed) = arguments.name.as_deref().filter(|it| it.contains(' ')) {
        interview.suggest_title(typed);
    }
    let mut asker = Asker::new(ui, roster);
    let mut wizard = Wizard {
        asker: &mut asker,
        interview: &mut interview,
        kept: &kept,
        into: &arguments.into,
        can_publish,
    };
    wizard.ask_missing()?;
    let is_asked = !arguments.yes.is_set() && !arguments.dry_run.is_set();
    let agreement = if is_asked { wizard.agreement()? } else { Agreement::Write };
    if agreement == Agreement::Stop {
        ui.eprintln(if kept.exist() { ANSWERS_KEPT } else { NOTHING_WRITTEN });
    }
    let template = interview.template().expect("asked for, if no option names it");
    Ok((scaffold::plan(template, &interview.answers()), agreement))
}

/// Returns the answers of an earlier run if this one is to go on with them, and no answers otherwise,
/// or if they cannot be read.
fn go_on_with(kept: &KeptAnswers, asker: &mut Asker<'_>) -> Result<Replies, CommandError> {
    let replies = match kept.read() {
        Ok(replies) => replies,
        Err(error) => {
            asker.show_error(&error);
            return Ok(Replies::default());
        }
    };
    let are_kept = match replies.count() {
        0 => return Ok(replies),
        1 => message!["1 answer of an earlier run is kept. Go on with it?"],
        count => message![count, " answers of an earlier run are kept. Go on with them?"],
    };
    let is_agreed = asker.confirm_explained(are_kept, KEPT_EXPLANATION, true)?;
    Ok(if is_agreed { replies } else { Replies::default() })
}

/// Returns what is known before the first question.
fn known<'a>(
    arguments: &NewArgs,
    answers: &'a Answers,
    roster: &'a Roster,
    is_taken: &'a dyn Fn(&str) -> bool,
) -> Known<'a> {
    Known {
        template: arguments.template(),
        answers,
        is_brief: arguments.yes.is_set(),
        roster,
        zone: system_zone(),
        is_taken,
    }
}

/// Leaves the names of children out of the name on the command line; without a name that is free,
/// one is made of the answers.
fn leave_names_out(
    answers: &mut Answers,
    replies: &mut Replies,
    is_taken: &dyn Fn(&str) -> bool,
    asker: &mut Asker<'_>,
) -> Result<(), CommandError> {
    let Some(typed) = answers.name.take() else { return Ok(()) };
    let clean = typed_name::without_children(&typed, replies.names_mut(), asker)?;
    if clean.as_ref() == Some(&typed) {
        answers.name = clean;
        return Ok(());
    }
    answers.name = clean.filter(|name| !is_taken(name));
    asker.eprintln(match &answers.name {
        Some(name) => {
            message!["The folder will be called `", quote_in_full(name), "`, without this name."]
        }
        None => "The folder will be called after your answers, without this name.".into(),
    });
    Ok(())
}

/// At Ctrl-C, says that nothing was written, and whether the answers are kept.
fn set_last_message(interrupt: &Interrupt) {
    interrupt.set_last_message(|| {
        let is_kept = KeptAnswers::locate().is_ok_and(|kept| kept.exist());
        Some(if is_kept { ANSWERS_KEPT } else { NOTHING_WRITTEN }.into())
    });
}

fn show_errors(ui: &mut Ui, errors: Vec<CommandError>) -> Exit {
    for error in errors {
        // Whatever a schedule lacks for a server, here it is an invalid argument.
        ui.error(&error.exit(Exit::Usage));
    }
    Exit::Usage
}

/// Returns the problems of the command line, before any question.
fn argument_errors(
    ui: &Ui,
    arguments: &NewArgs,
    answers: &Answers,
    roster: &Roster,
) -> Vec<CommandError> {
    let missing = if ui.can_ask() { None } else { missing(arguments, answers) };
    let mut errors = match arguments.template() {
        // What is wrong with the whole skill is reported once it is whole.
        Some(template) if missing.is_some() => check::invalid(template, answers, roster),
        Some(template) => check::errors(template, answers, roster),
        None => Vec::new(),
    };
    errors.extend(write::check_parent(&arguments.into));
    errors
        .extend(answers.name.as_deref().and_then(|name| write::check_free(&arguments.into, name)));
    errors.extend(missing);
    errors
}

/// Shows what to do with a new skill.
pub(super) fn show_next_steps(ui: &mut Ui, folder: &Path) {
    let path = shown_path(folder);
    let (argument, shown) = (quote_argument(&path), quote_in_full(&path));
    ui.eprintln("Next:");
    let is_protocol = folder.join(PROTOCOL_FILE_NAME).is_file();
    let code = if is_protocol { " and code/main.py" } else { "" };
    let steps =
        message!["  1. read ", shown, "/SKILL.md", code, ", and write the steps as you want them"];
    ui.eprintln(steps);
    ui.eprint_command("  2. ", message!["dibber lint ", argument]);
    ui.eprint_command(
        "  3. ",
        if is_protocol {
            message!["dibber run ", argument, " --args NAME=VALUE"]
        } else {
            message!["dibber dry-run ", argument]
        },
    );
}

/// Returns an error about missing arguments, if no question can be asked.
fn missing(arguments: &NewArgs, answers: &Answers) -> Option<CommandError> {
    let flags = [
        ("NAME", answers.name.is_none()),
        ("--template", arguments.template.is_none()),
        ("--description", answers.description.is_none()),
        ("--yes", !arguments.yes.is_set() && !arguments.dry_run.is_set()),
    ];
    let missing: Vec<&str> =
        flags.into_iter().filter(|(_, is_missing)| *is_missing).map(|(flag, _)| flag).collect();
    let are = if missing.len() == 1 { "is" } else { "are" };
    (!missing.is_empty()).then(|| {
        let message = message![
            quote_in_full(&missing.join(", ")),
            " ",
            are,
            " missing, and cannot be asked for: this is not a terminal"
        ];
        CommandError::new(message).help(
            "dibber new NAME --template generic --description \"What it does. Use when …\" --yes; \
             or run it in a terminal",
        )
    })
}
