//! Finds the heartbeats that the arguments name.

use std::path::{Path, PathBuf};

use super::arguments::HeartbeatSpec;
use super::authored::{Audience, AuthoredSkill};
use super::run_skill;
use crate::cli::default_zone::named_or_default;
use crate::cli::drafted::Drafted;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::heartbeat::typed::wire_schedule;
use crate::cli::inputs::inputs;
use crate::cli::remote::resolve::resolve;
use crate::cli::remote::session::{self, Session};
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    DuplicateRecord, HeartbeatDraft, LockFiles, LockKey, RecoveredHeartbeat, RemovedHeartbeat,
    recover_heartbeats,
};
use dibber_skill::contract::HeartbeatCreate;
use dibber_skill::discover::{self, FoundSkill};
use dibber_skill::manifest::{Heartbeat, WireSchedule};
use dibber_text::{closest_match, message, quote, quote_argument, quote_in_full};

/// A requested heartbeat.
pub(in crate::cli::remote) struct Requested {
    pub(in crate::cli::remote) name: String,
    /// The directory of its skill, for one of sprout.yaml.
    pub(in crate::cli::remote) path: Option<String>,
    /// What it is, or why it cannot be created.
    pub(in crate::cli::remote) draft: Result<HeartbeatDraft, CommandError>,
}

/// Everything that was asked for, and the heartbeats of the same skills that their `sprout.yaml` no
/// longer contains.
pub(super) type Gathered = (Vec<Requested>, Vec<RemovedHeartbeat>);

/// Reads everything that was named, and finds the skills.
pub(super) fn gather(
    typed: &HeartbeatSpec,
    access: Access,
    session: &Session,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<Gathered, CommandError> {
    let (Some(cron), Some(skill)) = (&typed.schedule, &typed.skill) else {
        return of_skills(typed, access, session, locks, ui);
    };
    let roster = ui.names()?;
    let schedule = wire_schedule(cron, typed.tz.as_deref(), ui, &roster)?;
    let time_zone = Some(named_or_default(schedule.time_zone, ui));
    let schedule = WireSchedule { time_zone, ..schedule };
    let create = of_options(typed, schedule, skill, session, locks)?;
    let name = typed.what.clone();
    let draft = HeartbeatDraft { create, key: None, known: None };
    Ok((vec![Requested { name, path: None, draft: Ok(draft) }], Vec::new()))
}

/// Whether heartbeats are made, or only shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// They are shown.
    Read,
    /// They are made. Other processes cannot make those of the same folders meanwhile.
    Write,
}

/// Finds heartbeats that interrupted runs have created, so that none is created twice.
pub(in crate::cli::remote) fn recover(
    skills: &[LockKey],
    session: &Session,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let recovered = recover_heartbeats(skills, session.publisher()?, locks);
    for RecoveredHeartbeat { name, heartbeat_id } in session.block_on(recovered)? {
        let id = quote_in_full(heartbeat_id.as_str());
        ui.eprintln(message!["found `", quote(&name), "` of an interrupted run: ", id]);
    }
    Ok(())
}

/// Removes the records of heartbeats of a skill that are recorded under two names, and warns of it.
pub(in crate::cli::remote) fn forget_duplicates(
    key: &LockKey,
    drafted: &Drafted,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let heartbeats = drafted.draft.manifest.as_ref().map_or(&[][..], |it| &it.heartbeats);
    let is_in_use = |name: &str| heartbeats.iter().any(|heartbeat| heartbeat.name.value == name);
    for DuplicateRecord { forgotten, remaining } in locks.forget_duplicates(key, is_in_use)? {
        ui.warning(message![
            "dibber.lock records `",
            quote(&forgotten),
            "` as the same heartbeat as `",
            quote(&remaining),
            "`: the first is forgotten"
        ]);
    }
    Ok(())
}

/// Checks that the path that was typed exists, before anything else is done.
pub(super) fn check(typed: &HeartbeatSpec) -> Result<(), CommandError> {
    if typed.schedule.is_some() {
        return inputs(None, &typed.input).map(|_| ());
    }
    if Path::new(&typed.what).symlink_metadata().is_ok() {
        return Ok(());
    }
    let what = quote(&typed.what);
    Err(CommandError::new(message!["the path `", what, "` does not exist"]).help(
        "name a folder with a sprout.yaml; or give the heartbeat its schedule and its skill: \
         `--schedule \"weekdays at 8am\" --skill SKILL`",
    ))
}

fn of_options(
    typed: &HeartbeatSpec,
    schedule: WireSchedule,
    skill: &str,
    session: &Session,
    locks: &mut LockFiles,
) -> Result<HeartbeatCreate, CommandError> {
    let assignment = typed.assignment_skill.as_ref();
    Ok(HeartbeatCreate {
        name: typed.what.clone(),
        cron: schedule.cron,
        tz: schedule.time_zone,
        skill_input: inputs(None, &typed.input)?,
        run_skill_id: run_skill::find(skill, session, locks)?,
        assignment_skill_id: assignment.map(|it| resolve(it, session, locks)).transpose()?,
        child_id: typed.child.clone(),
        source_chat_id: typed.chat.clone(),
        post_result_notify: typed.post_result.then_some(true),
        missed_fires: typed.missed,
    })
}

fn of_skills(
    typed: &HeartbeatSpec,
    access: Access,
    session: &Session,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<Gathered, CommandError> {
    let path = discover::from_current_directory(PathBuf::from(&typed.what));
    let (found, problems) = discover::find(&[path]);
    if let Some(problem) = problems.first() {
        return Err(CommandError::from(problem));
    }
    if access == Access::Write {
        let keys: Vec<_> = found.iter().map(|found| LockKey::new(&found.directory)).collect();
        locks.lock_directories(&keys, |directory| session::show_wait(ui, directory))?;
        recover(&keys, session, locks, ui)?;
    }
    let (mut requested, mut removed) = (Vec::new(), Vec::new());
    for found in &found {
        let drafted = Drafted::load(found);
        let drafted = drafted.map_err(|problem| CommandError::from(&problem))?;
        if access == Access::Write {
            forget_duplicates(&LockKey::new(&found.directory), &drafted, locks, ui)?;
        }
        let found = of_skill(found, &drafted, typed, session, locks)?;
        requested.extend(found.0);
        removed.extend(found.1);
    }
    let names: Vec<String> = requested.iter().map(|requested| requested.name.clone()).collect();
    if let Some(missing) = typed.only.iter().find(|only| !names.contains(only)) {
        let error = CommandError::new(message!["unknown heartbeat `", quote(missing), "`"]);
        return Err(match closest_match(missing, names.iter().map(String::as_str)) {
            Some(name) => error.help(message!["did you mean `", quote(name), "`?"]),
            None => error.help("`dibber heartbeat preview` shows those of sprout.yaml"),
        });
    }
    requested.retain(|requested| typed.only.is_empty() || typed.only.contains(&requested.name));
    if requested.is_empty() {
        let what = quote(&typed.what);
        return Err(CommandError::new(message!["there are no heartbeats in ", what])
            .help("write them under `heartbeats` in the sprout.yaml of a skill"));
    }
    Ok((requested, removed))
}

fn of_skill(
    found: &FoundSkill,
    drafted: &Drafted,
    typed: &HeartbeatSpec,
    session: &Session,
    locks: &mut LockFiles,
) -> Result<(Vec<Requested>, Vec<RemovedHeartbeat>), CommandError> {
    let path = drafted.path();
    let Some(manifest) = &drafted.draft.manifest else { return Ok((Vec::new(), Vec::new())) };
    if drafted.hash.is_err() {
        let (argument, path) = (quote_argument(path), quote_in_full(path));
        return Err(CommandError::new(message![path, " is invalid"]).help(message![
            "`dibber lint ",
            argument,
            "` shows where, and how to fix it"
        ]));
    }
    let request = |heartbeat: &Heartbeat, draft| Requested {
        name: heartbeat.name.value.clone(),
        path: Some(path.to_owned()),
        draft,
    };
    let key = LockKey::new(&found.directory);
    let Some(published) = locks.get(&key)? else {
        let requested = manifest.heartbeats.iter();
        let requested = requested.map(|it| request(it, Err(not_published(path, session))));
        return Ok((requested.collect(), Vec::new()));
    };
    let skill =
        AuthoredSkill { directory: &found.directory, drafted, key: &key, published: &published };
    let audience = Audience { child: typed.child.as_ref(), chat: typed.chat.as_ref() };
    let requested = manifest.heartbeats.iter();
    let requested = requested.map(|it| request(it, skill.draft(it, audience, session, locks)));
    Ok((requested.collect(), skill.removed()))
}

fn not_published(path: &str, session: &Session) -> CommandError {
    let (argument, path) = (quote_argument(path), quote_in_full(path));
    let server = quote_in_full(session.server.name());
    CommandError::new(message![path, " is not published on ", server])
        .help(message!["`dibber push ", argument, "` publishes it; then run the command again"])
        .exit(Exit::NotFound)
}
