//! What has to be true of every command, whatever happened before it.

use std::collections::{BTreeMap, BTreeSet};

use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{SkillId, StoredSkill};

use super::commands::{Command, PushMode};
use super::state::State;
use crate::support::command::Ended;
use crate::support::machines::{Content, Field, Record, words};

/// The exit codes that a network without faults leads to.
const CODES: [i32; 4] = [0, 2, 3, 5];

/// A command that has ended.
pub(super) struct Run<'a> {
    pub(super) machine: usize,
    pub(super) command: &'a Command,
    pub(super) ended: &'a Ended,
    pub(super) before: &'a State,
    pub(super) after: &'a State,
    /// What the folders that were moved had been published as.
    pub(super) moved: &'a BTreeMap<String, SkillId>,
}

/// What is wrong, as a sentence fragment.
pub(super) type Verdict = Result<(), String>;

impl Run<'_> {
    /// Checks everything. `seen` are the contents of the server that the machine may overwrite.
    pub(super) fn check(&self, seen: &BTreeSet<Content>) -> Verdict {
        let Self { machine, command, ended, before, after, .. } = *self;
        ensure(CODES.contains(&ended.code), "the exit code")?;
        let printed = words(&ended.show());
        let lost: Vec<_> = before.words().difference(&after.words()).cloned().collect();
        let is_shown = lost.iter().all(|word| printed.contains(word));
        ensure(is_shown, &format!("lost without having been shown: {lost:?}"))?;
        ensure(before.has_same_machine(after, 1 - machine), "the other machine was changed")?;
        ensure(
            before.same_server(after) || !command.only_reads(),
            "a read has changed the server",
        )?;
        ensure(
            before.folders[machine] == after.folders[machine] || command.writes_files(),
            "a folder was changed",
        )?;
        ensure(after.created(before).is_empty() || command.is_push(), "a skill was made")?;
        match command {
            Command::Push { paths, mode } => {
                self.check_push(paths, *mode, seen)?;
                self.check_files(seen)?;
            }
            Command::PushAll | Command::Prune => {
                let paths: Vec<_> = after.folders[machine].keys().cloned().collect();
                self.check_push(&paths, PushMode::Plain, seen)?;
            }
            Command::Preview { .. } | Command::Diff { .. } => {
                let is_same = before.has_same_machine(after, machine);
                ensure(is_same, "what only shows has changed something")?;
            }
            command if command.is_pull() => {
                self.check_pull()?;
                self.check_files(seen)?;
            }
            _ => self.check_setting()?,
        }
        self.check_archived()?;
        self.check_duplicates()
    }

    fn check_push(&self, paths: &[String], mode: PushMode, seen: &BTreeSet<Content>) -> Verdict {
        let Self { machine, ended, before, after, .. } = *self;
        let is_done = paths.iter().all(|path| self.is_published(path));
        ensure(ended.code != 0 || is_done, "success, and a folder is not published")?;
        ensure(ended.code == 0 || !is_done, "a failure, and everything is published")?;
        let is_same = before.same_server(after);
        // What concerns one skill does not stop the others, nor what is archived.
        let is_single = paths.len() == 1 && *self.command != Command::Prune;
        let is_partial = paths.iter().any(|path| !self.has_planned_heartbeats(path));
        ensure(
            ended.code == 0 || !is_single || is_same || is_partial,
            "a refusal, and something was done",
        )?;
        let owns = |id: &SkillId| {
            let record = |path: &String| after.record(machine, path);
            paths.iter().filter_map(record).any(|record| record.skill_id == *id)
        };
        for (id, skill) in &before.skills {
            let (old, new) = (Content::of_stored(skill), Content::of_stored(&after.skills[id]));
            ensure(old == new || owns(id), "another skill was changed")?;
            let may_change = match mode {
                PushMode::Force => true,
                PushMode::Merge => keeps_unseen(&old, &new, seen),
                PushMode::Plain | PushMode::New => seen.contains(&old),
            };
            ensure(old == new || may_change, &format!("{id} was overwritten unseen"))?;
        }
        self.check_conflict(paths)
    }

    /// A conflict is one: the record is not what the server has.
    fn check_conflict(&self, paths: &[String]) -> Verdict {
        let [path] = paths else { return Ok(()) };
        let Some(record) = self.before.record(self.machine, path) else { return Ok(()) };
        let stored = ContentHash::of_stored(&self.before.skills[&record.skill_id]);
        let is_reported = self.ended.code == 3
            && self.ended.stderr.contains("error: cannot publish ")
            && self.ended.stderr.contains("was changed on");
        let is_conflict = stored.as_str() != record.content_hash;
        ensure(!is_reported || is_conflict, "a conflict with nothing")
    }

    /// Only what is gone from this machine is pruned, and named.
    fn check_archived(&self) -> Verdict {
        let Self { machine, before, after, .. } = *self;
        let is_archived =
            |id: &SkillId| after.skills[id].is_archived() && !before.skills[id].is_archived();
        for id in before.skills.keys().filter(|id| is_archived(id)) {
            let records = || before.records[machine].iter().filter(|it| it.skill_id == *id);
            let has_folder = |it: &Record| before.folders[machine].contains_key(&it.path);
            match self.command {
                Command::Archive { path } => {
                    ensure(records().any(|it| it.path == *path), "another skill was archived")?;
                }
                Command::Prune => {
                    let is_gone = records().next().is_some() && !records().any(has_folder);
                    ensure(is_gone, "a skill was pruned that is not gone")?;
                    let is_named = self.ended.stderr.contains(id.as_str());
                    ensure(is_named, "a skill was pruned that is not named")?;
                }
                _ => return Err("a skill was archived".to_owned()),
            }
        }
        Ok(())
    }

    /// A folder that was written has what the server has, and what was edited there is kept unless
    /// it is to be overwritten.
    fn check_files(&self, seen: &BTreeSet<Content>) -> Verdict {
        let Self { machine, command, before, after, .. } = *self;
        let (old, new) = (&before.folders[machine], &after.folders[machine]);
        for (path, content) in new.iter().filter(|(path, content)| old.get(*path) != Some(content))
        {
            let record = after.record(machine, path).ok_or("a folder is not recorded")?;
            let stored = Content::of_stored(&before.skills[&record.skill_id]);
            let is_mixed = is_mixed(content, &stored, old.get(path));
            ensure(is_mixed, "neither the text of the server nor that of the folder")?;
            let is_kept = old.get(path).is_none_or(|old| keeps_unseen(old, content, seen));
            ensure(is_kept || command.overwrites_files(), "an edit was overwritten")?;
        }
        Ok(())
    }

    fn check_pull(&self) -> Verdict {
        let Self { machine, command, ended, before, after, .. } = *self;
        let (old, new) = (&before.folders[machine], &after.folders[machine]);
        ensure(old.keys().all(|path| new.contains_key(path)), "a folder was removed")?;
        match command {
            Command::Pull { paths, is_forced } if ended.code == 0 => {
                let is_done = paths.iter().all(|path| self.is_same_as_stored(path));
                ensure(!is_forced || is_done, "success, and the folder is not what the server has")
            }
            Command::PullAll { .. } if ended.code == 0 => {
                let mut active = before.skills.values().filter(|skill| !skill.is_archived());
                let has_folder = |skill: &StoredSkill| {
                    let mut records = after.records[machine].iter();
                    records.any(|it| it.skill_id == skill.skill_id && new.contains_key(&it.path))
                };
                ensure(active.all(has_folder), "success, and a skill has no folder")
            }
            Command::PullAll { .. } => Ok(()),
            _ => ensure(ended.code == 0 || old == new, "a refusal, and a folder was written"),
        }
    }

    /// Checks a command that sets one thing.
    fn check_setting(&self) -> Verdict {
        let Self { machine, command, ended, before, after, .. } = *self;
        if ended.code != 0 {
            return ensure(before.same_server(after), "a refusal, and something was done");
        }
        let recorded = |path: &str| before.record(machine, path);
        let is_done = match command {
            Command::Rename { path, label } => {
                recorded(path).is_some_and(|it| after.skills[&it.skill_id].name == *label)
            }
            Command::Archive { path } => {
                recorded(path).is_some_and(|it| after.skills[&it.skill_id].is_archived())
            }
            Command::Unarchive { skill_id } => !after.skills[skill_id].is_archived(),
            Command::Link { path, skill_id } => {
                after.record(machine, path).is_some_and(|it| it.skill_id == *skill_id)
            }
            Command::Unlink { path } => after.record(machine, path).is_none(),
            _ => true,
        };
        ensure(is_done, "success, and it is not done")
    }

    /// A skill that is made although the server has the same is announced, with the other's id:
    /// one of the same label, or one whose folder this machine had before it was moved.
    fn check_duplicates(&self) -> Verdict {
        let Self { machine, ended, before, after, .. } = *self;
        if matches!(self.command, Command::Push { mode: PushMode::New, .. }) {
            return Ok(());
        }
        let shown = ended.show();
        let is_named = |old: &StoredSkill| shown.contains(old.skill_id.as_str());
        let active = || before.skills.values().filter(|skill| !skill.is_archived());
        for new in after.created(before) {
            let label = |skill: &StoredSkill| skill.name.to_lowercase();
            let same: Vec<_> = active().filter(|old| label(old) == label(new)).collect();
            let is_announced = same.is_empty() || same.iter().any(|old| is_named(old));
            ensure(is_announced, "a second skill with a label, and nothing names the first one")?;
            let records = after.records[machine].iter();
            let paths = records.filter(|it| it.skill_id == new.skill_id).map(|it| &it.path);
            let earlier: BTreeSet<_> = paths.filter_map(|path| self.moved.get(path)).collect();
            let is_recorded = |id: &SkillId| {
                let is_gone = |it: &Record| !before.folders[machine].contains_key(&it.path);
                before.records[machine].iter().any(|it| it.skill_id == *id && is_gone(it))
            };
            let mut moved = active().filter(|old| earlier.contains(&old.skill_id));
            let is_announced = moved.all(|old| is_named(old) || !is_recorded(&old.skill_id));
            ensure(is_announced, "a second skill of a moved folder, and nothing names the first")?;
        }
        Ok(())
    }

    /// Returns what the machine has published and pulled.
    pub(super) fn seen(&self) -> BTreeSet<Content> {
        let Self { machine, command, ended, before, after, .. } = *self;
        let is_seen = |skill: &&StoredSkill| {
            let id = &skill.skill_id;
            let content = Content::of_stored(skill);
            let old = before.skills.get(id).map(Content::of_stored);
            let is_pulled = match command {
                Command::Pull { paths, .. } => {
                    let mut records = paths.iter().filter_map(|path| after.record(machine, path));
                    ended.code == 0 && records.any(|record| record.skill_id == *id)
                }
                Command::PullAll { .. } | Command::PullId { .. } => {
                    ended.stderr.contains(id.as_str())
                }
                _ => false,
            };
            is_pulled
                || command.is_push() && old.as_ref() != Some(&content)
                || after.folders[machine].values().any(|folder| *folder == content)
        };
        after.skills.values().filter(is_seen).map(Content::of_stored).collect()
    }

    /// Returns `true` if a folder is what the server has of the skill that is recorded for it.
    fn is_same_as_stored(&self, path: &str) -> bool {
        let content = &self.after.folders[self.machine][path];
        self.stored(path).is_some_and(|skill| Content::of_stored(skill) == *content)
    }

    /// The same, and the skill can be used and has its heartbeats.
    fn is_published(&self, path: &str) -> bool {
        self.is_same_as_stored(path)
            && self.stored(path).is_some_and(|skill| !skill.is_archived())
            && self.has_planned_heartbeats(path)
    }

    fn stored(&self, path: &str) -> Option<&StoredSkill> {
        self.after.skills.get(&self.after.record(self.machine, path)?.skill_id)
    }
}

impl State {
    /// The words that somebody has written, wherever they are.
    fn words(&self) -> BTreeSet<String> {
        let texts = self.skills.values().flat_map(|it| [&it.name, &it.description, &it.prompt]);
        let names = self.heartbeats.values().map(|listed| &listed.name);
        let stored = texts.chain(names).flat_map(|text| words(text));
        stored.chain(self.folder_words.iter().cloned()).collect()
    }

    fn same_server(&self, other: &Self) -> bool {
        self.skills == other.skills && self.heartbeats == other.heartbeats
    }

    /// The skills that another state does not have.
    fn created(&self, before: &Self) -> Vec<&StoredSkill> {
        self.skills.values().filter(|skill| !before.skills.contains_key(&skill.skill_id)).collect()
    }
}

pub(super) fn ensure(is_true: bool, message: &str) -> Verdict {
    if is_true { Ok(()) } else { Err(message.to_owned()) }
}

/// Returns `true` if each field of a folder is that of the server, or was in the folder.
fn is_mixed(content: &Content, stored: &Content, old: Option<&Content>) -> bool {
    Field::ALL.into_iter().all(|field| {
        let word = content.word(field);
        word == stored.word(field) || old.is_some_and(|old| word == old.word(field))
    })
}

/// Returns `true` if every word of a text that is not among those that were seen is still there.
fn keeps_unseen(old: &Content, new: &Content, seen: &BTreeSet<Content>) -> bool {
    Field::ALL.into_iter().all(|field| {
        let word = old.word(field);
        word == new.word(field) || seen.iter().any(|seen| seen.word(field) == word)
    })
}
