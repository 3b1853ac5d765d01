//! Choosing the steps of a history.

use dibber_skill::contract::SkillId;

use super::commands::{Command, PushMode};
use super::history::{HeartbeatEdit, History, Step};
use crate::support::chance::Chance;
use crate::support::machines::{Field, Heartbeat, word};

/// The folders that a skill can be moved to: where it is, another place, and another name.
const PLACES: [&str; 4] = ["skills/ferns", "home/ferns", "skills/moss", "skills/our-moss"];

/// Returns a step that can be taken.
pub(super) fn any_step(chance: &mut Chance, history: &History) -> Step {
    let machine = chance.below(history.machines.len());
    let paths: Vec<_> = history.state.folders[machine].keys().cloned().collect();
    let id = &history.skill_ids[chance.below(history.skill_ids.len())];
    let skill = &history.state.skills[id];
    let skill_id = skill.skill_id.clone();
    let field = chance.one_of(&Field::ALL);
    if paths.is_empty() {
        return Step::Run { machine, command: Command::PullAll { is_forced: false } };
    }
    let path = paths[chance.below(paths.len())].clone();
    match chance.below(30) {
        0..=5 => Step::Edit { machine, path, field },
        24..=27 => {
            let is_empty = history.state.planned[machine][&path].is_empty();
            let edit = match chance.below(4) {
                _ if is_empty => HeartbeatEdit::Add,
                0 => HeartbeatEdit::Add,
                1 => HeartbeatEdit::Reschedule,
                2 => HeartbeatEdit::Rename,
                _ => HeartbeatEdit::Remove,
            };
            Step::Plan { machine, path, edit }
        }
        28 if chance.is_one_in(3) && !skill.is_archived() => Step::AddHeartbeat { skill_id },
        28 | 29 if !history.state.heartbeats.is_empty() => any_foreign_change(chance, history),
        6 | 7 if !skill.is_archived() => Step::Update { skill_id, field },
        8 | 9 => {
            let to = chance.one_of(&PLACES).to_owned();
            if history.machines[machine].has(&to) {
                return Step::Edit { machine, path, field };
            }
            Step::Move { machine, from: path, to }
        }
        10 => match chance.below(4) {
            0 => Step::Delete { machine, path },
            1 if !path.starts_with("copies") => Step::Copy { machine, from: path },
            _ => Step::SetArchived { skill_id, archived: !skill.is_archived() },
        },
        11 | 12 if history.is_lock_shared => {
            Step::Fetch { machine, with_folders: chance.is_one_in(2) }
        }
        _ => Step::Run { machine, command: any_command(chance, path, skill_id, history) },
    }
}

/// Returns a change of a heartbeat by another client. The heartbeats are taken in the order of
/// their names and schedules: an id is never the same.
fn any_foreign_change(chance: &mut Chance, history: &History) -> Step {
    let mut heartbeats: Vec<_> = history.state.heartbeats.values().collect();
    heartbeats.sort_by_key(|listed| Heartbeat::of_listed(listed));
    let heartbeat_id = heartbeats[chance.below(heartbeats.len())].heartbeat_id.clone();
    if chance.is_one_in(3) {
        Step::Cancel { heartbeat_id }
    } else {
        Step::Reschedule { heartbeat_id }
    }
}

fn any_command(chance: &mut Chance, path: String, skill_id: SkillId, history: &History) -> Command {
    let is_forced = chance.is_one_in(4);
    match chance.below(24) {
        0..=4 => Command::Push { paths: vec![path], mode: PushMode::Plain },
        5 | 6 => Command::Push { paths: vec![path], mode: PushMode::Merge },
        7 => Command::Push { paths: vec![path], mode: PushMode::Force },
        8 if chance.is_one_in(2) => Command::Push { paths: vec![path], mode: PushMode::New },
        8..=10 => Command::PushAll,
        11 => Command::Prune,
        12 => Command::Preview { path },
        13 => Command::Diff { path },
        14..=16 => Command::Pull { paths: vec![path], is_forced },
        17 => Command::PullId { skill_id },
        18 => Command::PullAll { is_forced },
        19 => Command::Rename { path, label: format!("Skill {}", word(history.written + 5_000)) },
        20 => Command::Archive { path },
        21 => Command::Unarchive { skill_id },
        22 => Command::Link { path, skill_id },
        _ => Command::Unlink { path },
    }
}
