//! Finds the heartbeats that the arguments name.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::arguments::HeartbeatSpec;
use crate::cli::drafted::Drafted;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::inputs::inputs;
use crate::cli::remote::resolve::resolve;
use crate::cli::remote::session::{self, Session};
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    HeartbeatDraft, HeartbeatKey, LockFiles, LockKey, Published, recover_heartbeats,
};
use dibber_skill::contract::{HeartbeatCreate, HeartbeatId, SkillId};
use dibber_skill::discover::{self, FoundSkill};
use dibber_skill::manifest::Heartbeat;
use dibber_skill::skill::{Node, NodeKind, ScalarType};
use dibber_skill::spec_hash::parse_json;
use dibber_text::{closest_match, message, quote, quote_in_full};

/// A requested heartbeat.
pub(super) struct Requested {
    pub(super) name: String,
    /// The directory of its skill, for one of sprout.yaml.
    pub(super) path: Option<String>,
    /// What it is, or why it cannot be created.
    pub(super) draft: Result<HeartbeatDraft, CommandError>,
}

/// Reads everything that was named, and finds the skills.
pub(super) fn gather(
    typed: &HeartbeatSpec,
    access: Access,
    session: &Session,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<Vec<Requested>, CommandError> {
    if let (Some(cron), Some(skill)) = (&typed.cron, &typed.skill) {
        let create = of_options(typed, cron, skill, session, locks)?;
        let name = typed.what.clone();
        let draft = HeartbeatDraft { create, key: None, known_id: None };
        return Ok(vec![Requested { name, path: None, draft: Ok(draft) }]);
    }
    let mut requested = of_skills(typed, access, session, locks, ui)?;
    if access == Access::Write {
        recover(&mut requested, session, locks, ui)?;
    }
    Ok(requested)
}

/// Whether heartbeats are made, or only shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// They are shown.
    Read,
    /// They are made. Other processes cannot make those of the same folders meanwhile.
    Write,
}

/// Finds heartbeats that an interrupted run has created, so that none is created twice.
fn recover(
    requested: &mut [Requested],
    session: &Session,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let drafts = requested.iter_mut().filter_map(|requested| requested.draft.as_mut().ok());
    let mut drafts: Vec<_> = drafts.collect();
    let recovered = recover_heartbeats(&mut drafts, session.publisher(), locks);
    for index in session.block_on(recovered)? {
        let HeartbeatDraft { create, known_id, .. } = &*drafts[index];
        let name = quote(&create.name);
        let id = known_id.as_ref().map_or("", HeartbeatId::as_str);
        ui.eprintln(message!["found `", name, "` of an interrupted run: ", quote_in_full(id)]);
    }
    Ok(())
}

/// Checks that the path that was typed exists, before anything else is done.
pub(super) fn check(typed: &HeartbeatSpec) -> Result<(), CommandError> {
    if typed.cron.is_some() {
        return inputs(None, &typed.input).map(|_| ());
    }
    if Path::new(&typed.what).symlink_metadata().is_ok() {
        return Ok(());
    }
    let what = quote(&typed.what);
    Err(CommandError::new(message!["the path `", what, "` does not exist"]).help(
        "name a folder with a sprout.yaml; or give the heartbeat its schedule and its skill: \
         `--cron \"0 8 * * 1-5\" --skill SKILL`",
    ))
}

fn of_options(
    typed: &HeartbeatSpec,
    cron: &str,
    skill: &str,
    session: &Session,
    locks: &mut LockFiles,
) -> Result<HeartbeatCreate, CommandError> {
    let assignment = typed.assignment_skill.as_ref();
    Ok(HeartbeatCreate {
        name: typed.what.clone(),
        cron: cron.to_owned(),
        tz: typed.tz.clone(),
        skill_input: inputs(None, &typed.input)?,
        run_skill_id: resolve(skill, session, locks)?,
        assignment_skill_id: assignment.map(|it| resolve(it, session, locks)).transpose()?,
        child_id: typed.child.clone(),
        source_chat_id: typed.chat.clone(),
        post_result_notify: typed.post_result.then_some(true),
    })
}

fn of_skills(
    typed: &HeartbeatSpec,
    access: Access,
    session: &Session,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<Vec<Requested>, CommandError> {
    let path = discover::from_current_directory(PathBuf::from(&typed.what));
    let (found, problems) = discover::find(&[path]);
    if let Some(problem) = problems.first() {
        return Err(CommandError::from(problem));
    }
    if access == Access::Write {
        let keys: Vec<_> = found.iter().map(|found| LockKey::new(&found.directory)).collect();
        locks.lock_directories(&keys, |directory| session::show_wait(ui, directory))?;
    }
    let mut requested = Vec::new();
    for found in &found {
        let drafted = Drafted::load(found);
        let drafted = drafted.map_err(|problem| CommandError::from(&problem))?;
        requested.extend(of_skill(found, &drafted, typed, session, locks)?);
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
    Ok(requested)
}

fn of_skill(
    found: &FoundSkill,
    drafted: &Drafted,
    typed: &HeartbeatSpec,
    session: &Session,
    locks: &mut LockFiles,
) -> Result<Vec<Requested>, CommandError> {
    let Some(manifest) = &drafted.draft.manifest else { return Ok(Vec::new()) };
    let path = drafted.path();
    if drafted.hash.is_err() {
        let path = quote_in_full(path);
        return Err(CommandError::new(message![path, " is invalid"]).help(message![
            "`dibber lint ",
            path,
            "` shows where, and how to fix it"
        ]));
    }
    let key = LockKey::new(&found.directory);
    let published = locks.get(&key)?;
    let mut requested = Vec::new();
    for heartbeat in &manifest.heartbeats {
        let name = heartbeat.name.value.clone();
        let draft = match &published {
            Some(published) => {
                let create = of_heartbeat(heartbeat, published, found, typed, session, locks);
                let key = Some(HeartbeatKey { skill: key.clone(), name: name.clone() });
                let known_id = published.heartbeats.get(&name).cloned();
                create.map(|create| HeartbeatDraft { create, key, known_id })
            }
            None => Err(not_published(path, session)),
        };
        requested.push(Requested { path: Some(path.to_owned()), name, draft });
    }
    Ok(requested)
}

fn of_heartbeat(
    heartbeat: &Heartbeat,
    published: &Published,
    found: &FoundSkill,
    typed: &HeartbeatSpec,
    session: &Session,
    locks: &mut LockFiles,
) -> Result<HeartbeatCreate, CommandError> {
    let values = heartbeat.input.iter().map(|(name, node)| (name.value.clone(), value_of(node)));
    let values: Map<String, Value> = values.collect();
    let assignment = heartbeat.assignment_skill.as_ref();
    let assignment = assignment.map(|it| assignment_id(it.value.trim(), found, session, locks));
    Ok(HeartbeatCreate {
        name: heartbeat.name.value.clone(),
        cron: heartbeat.cron.value.clone(),
        tz: heartbeat.time_zone.as_ref().map(|zone| zone.value.clone()),
        run_skill_id: published.skill_id.clone(),
        assignment_skill_id: assignment.transpose()?,
        child_id: typed.child.clone(),
        source_chat_id: typed.chat.clone(),
        skill_input: (!values.is_empty()).then_some(values),
        post_result_notify: heartbeat.post_result_notify.as_ref().map(|posts| posts.value),
    })
}

/// The id of the skill that makes a schedule: the one in the folder of that name beside this one,
/// or else whatever the server has of that name.
fn assignment_id(
    name: &str,
    found: &FoundSkill,
    session: &Session,
    locks: &mut LockFiles,
) -> Result<SkillId, CommandError> {
    let folder =
        std::fs::canonicalize(&found.directory).unwrap_or_else(|_| found.directory.clone());
    let is_one_part = !name.is_empty() && !name.contains(['/', '\\']) && !name.starts_with('.');
    if let Some(beside) = folder.parent().filter(|_| is_one_part).map(|above| above.join(name)) {
        let key = LockKey::new(&beside);
        if let Some(published) = locks.get(&key)? {
            return Ok(published.skill_id);
        }
    }
    let id = resolve(name, session, locks);
    id.map_err(|error| error.with_context("the skill that assigns it"))
}

fn not_published(path: &str, session: &Session) -> CommandError {
    let (path, server) = (quote_in_full(path), quote_in_full(session.server.name()));
    CommandError::new(message![path, " is not published on ", server])
        .help(message!["`dibber push ", path, "` publishes it; then run the command again"])
        .exit(Exit::NotFound)
}

/// Converts a YAML value to JSON. A number that JSON cannot represent remains a string.
fn value_of(node: &Node) -> Value {
    match &node.kind {
        NodeKind::Sequence(items) => items.iter().map(value_of).collect(),
        NodeKind::Mapping(entries) => {
            let key = |node: &Node| node.as_str().unwrap_or_default().to_owned();
            let entries = entries.iter().map(|entry| (key(&entry.key), value_of(&entry.value)));
            Value::Object(entries.collect())
        }
        NodeKind::Scalar { text, .. } => match node.scalar_type() {
            Some(ScalarType::Null) => Value::Null,
            Some(ScalarType::Bool) => Value::Bool(text.eq_ignore_ascii_case("true")),
            Some(ScalarType::Int | ScalarType::Float) => {
                parse_json(text).unwrap_or_else(|_| text.as_str().into())
            }
            _ => text.as_str().into(),
        },
    }
}
