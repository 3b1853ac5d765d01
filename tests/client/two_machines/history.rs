//! A history: its steps, how they are carried out, and what the model knows of them.

use std::collections::{BTreeMap, BTreeSet};

use dibber_skill::contract::{HeartbeatChange, HeartbeatId, SkillId, SkillUpdate, StoredSkill};

use super::checks::Run;
use super::commands::{Command, PushMode};
use super::state::State;
use crate::support::command::Ended;
use crate::support::machines::{Content, Field, Heartbeat, Machine, word};
use crate::support::writers::World;

/// The skills at the beginning: the folder and the heading of each.
const SKILLS: [(&str, &str); 2] = [("skills/ferns", "Ferns"), ("skills/moss", "Moss")];

/// What somebody does.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// On a machine, by hand.
    Edit {
        machine: usize,
        path: String,
        field: Field,
    },
    Plan {
        machine: usize,
        path: String,
        edit: HeartbeatEdit,
    },
    Move {
        machine: usize,
        from: String,
        to: String,
    },
    Copy {
        machine: usize,
        from: String,
    },
    Delete {
        machine: usize,
        path: String,
    },
    /// The record of the other machine arrives, and its folders too.
    Fetch {
        machine: usize,
        with_folders: bool,
    },
    /// On the server, by another client.
    Update {
        skill_id: SkillId,
        field: Field,
    },
    SetArchived {
        skill_id: SkillId,
        archived: bool,
    },
    AddHeartbeat {
        skill_id: SkillId,
    },
    Reschedule {
        heartbeat_id: HeartbeatId,
    },
    Cancel {
        heartbeat_id: HeartbeatId,
    },
    /// By dibber.
    Run {
        machine: usize,
        command: Command,
    },
}

/// What a client does with the heartbeats of a `sprout.yaml`.
#[derive(Clone, Copy, Debug)]
pub(super) enum HeartbeatEdit {
    Add,
    /// Of the first one.
    Reschedule,
    Rename,
    Remove,
}

/// A heartbeat of the server, as a machine has seen it.
pub(super) type SeenHeartbeat = (HeartbeatId, Heartbeat);

/// A history, and what the model knows of it.
pub(super) struct History {
    world: World,
    pub(super) machines: Vec<Machine>,
    /// The contents of the server that each machine may overwrite: it has published or pulled
    /// them, or has the record of a machine that has.
    pub(super) seen: Vec<BTreeSet<Content>>,
    /// The heartbeats of the server that each machine may overwrite.
    pub(super) seen_heartbeats: Vec<BTreeSet<SeenHeartbeat>>,
    pub(super) state: State,
    /// What the folders of each machine that were moved had been published as.
    moved: Vec<BTreeMap<String, SkillId>>,
    /// The skills in the order in which they were made: an id is never the same.
    pub(super) skill_ids: Vec<SkillId>,
    /// Whether the record travels with the project.
    pub(super) is_lock_shared: bool,
    /// The number of words that were written.
    pub(super) written: usize,
    /// What has happened, to understand a failure.
    log: Vec<String>,
}

impl History {
    /// One machine publishes the skills, and the other one gets the files.
    pub(super) fn begin(seed: u64) -> Self {
        let world = World::new();
        let machines = vec![Machine::new(), Machine::new()];
        let mut written = 0;
        for (path, heading) in SKILLS {
            let words = [0, 1, 2, 3].map(|number| word(written + number));
            written += words.len();
            let content = Content::new(heading, words.each_ref().map(String::as_str));
            machines[0].write(path, &content, &[Heartbeat::new(written)]);
            written += 1;
        }
        let first = machines[0].dibber(&world, &["push", "--yes"]).run();
        assert_eq!(first.code, 0, "{}", first.show());
        machines[1].take_folders(&machines[0]);
        let is_lock_shared = seed.is_multiple_of(2);
        if is_lock_shared {
            machines[1].take_lock(&machines[0]);
        }
        let state = State::read(&world, &machines);
        let published: BTreeSet<_> = state.skills.values().map(Content::of_stored).collect();
        let may_overwrite =
            vec![published.clone(), if is_lock_shared { published } else { BTreeSet::new() }];
        let heartbeats = state.heartbeats.values();
        let made: BTreeSet<_> = heartbeats
            .map(|listed| (listed.heartbeat_id.clone(), Heartbeat::of_listed(listed)))
            .collect();
        assert_eq!(made.len(), SKILLS.len(), "{}", first.show());
        let seen_heartbeats =
            vec![made.clone(), if is_lock_shared { made } else { BTreeSet::new() }];
        let log = vec![format!("history {seed}")];
        let mut history = Self {
            world,
            machines,
            seen: may_overwrite,
            seen_heartbeats,
            state,
            moved: vec![BTreeMap::new(); 2],
            skill_ids: Vec::new(),
            is_lock_shared,
            written,
            log,
        };
        history.note_skills();
        history
    }

    /// Notes the skills that are new.
    fn note_skills(&mut self) {
        let is_new = |skill: &&StoredSkill| !self.skill_ids.contains(&skill.skill_id);
        let mut new: Vec<_> = self.state.skills.values().filter(is_new).collect();
        new.sort_by_key(|skill| Content::of_stored(skill));
        let new: Vec<_> = new.into_iter().map(|skill| skill.skill_id.clone()).collect();
        self.skill_ids.extend(new);
    }

    pub(super) fn fail(&self, message: &str) -> ! {
        let locks = self.machines.iter().map(|machine| machine.lock().unwrap_or_default());
        let locks: Vec<_> = locks.collect();
        panic!("{message}\n{}\n{}", self.log.join("\n"), locks.join("\n"))
    }

    fn word(&mut self) -> String {
        self.written += 1;
        word(self.written)
    }

    /// Carries out a step, and compares what it says with what has become of everything.
    pub(super) fn step(&mut self, step: Step) {
        self.log.push(format!("{step:?}"));
        match step {
            Step::Run { machine, command } => {
                self.run(machine, &command);
                return;
            }
            Step::Edit { machine, path, field } => {
                let word = self.word();
                let content = self.state.folders[machine][&path].with(field, &word);
                self.write(machine, &path, &path, &content);
            }
            Step::Plan { machine, path, edit } => self.plan(machine, &path, edit),
            Step::Move { machine, from, to } => {
                let content = self.state.folders[machine][&from].clone();
                self.machines[machine].remove(&from);
                self.write(machine, &to, &from, &content);
                let earlier = self.moved[machine].remove(&from);
                let record = self.state.record(machine, &from);
                let published = record.map(|record| record.skill_id.clone()).or(earlier);
                self.moved[machine].extend(published.map(|skill_id| (to, skill_id)));
            }
            Step::Copy { machine, from } => {
                let content = self.state.folders[machine][&from].clone();
                let name = from.rsplit('/').next().expect("a name");
                // With the same heartbeats, they would fire together.
                self.machines[machine].write(&format!("copies/{name}"), &content, &[]);
            }
            Step::Delete { machine, path } => {
                self.machines[machine].remove(&path);
                self.moved[machine].remove(&path);
            }
            Step::Fetch { machine, with_folders } => {
                let (to, from) = (&self.machines[machine], &self.machines[1 - machine]);
                to.take_lock(from);
                if with_folders {
                    to.take_folders(from);
                    self.moved[machine] = self.moved[1 - machine].clone();
                }
                let seen = self.seen[1 - machine].clone();
                self.seen[machine].extend(seen);
                let seen = self.seen_heartbeats[1 - machine].clone();
                self.seen_heartbeats[machine].extend(seen);
            }
            Step::Update { skill_id, field } => {
                let word = self.word();
                let changed = Content::of_stored(&self.state.skills[&skill_id]).with(field, &word);
                self.world.update(&update(skill_id, field, changed));
            }
            Step::SetArchived { skill_id, archived } => self.set_archived(&skill_id, archived),
            Step::AddHeartbeat { skill_id } => {
                self.written += 1;
                let Heartbeat { name, cron } = Heartbeat::new(self.written);
                self.world.add_heartbeat(&name, &cron, &skill_id);
            }
            Step::Reschedule { heartbeat_id } => {
                self.written += 1;
                let Heartbeat { cron, .. } = Heartbeat::new(self.written);
                let change = HeartbeatChange::EditSchedule { cron: Some(cron), tz: None };
                self.world.change_heartbeat(&heartbeat_id, change);
            }
            Step::Cancel { heartbeat_id } => {
                self.world.change_heartbeat(&heartbeat_id, HeartbeatChange::Cancel);
            }
        }
        self.state = State::read(&self.world, &self.machines);
    }

    /// Changes the heartbeats of a folder.
    fn plan(&mut self, machine: usize, path: &str, edit: HeartbeatEdit) {
        self.written += 1;
        let new = Heartbeat::new(self.written);
        let mut planned = self.state.planned[machine][path].clone();
        match edit {
            HeartbeatEdit::Add => planned.push(new),
            HeartbeatEdit::Reschedule => planned[0].cron = new.cron,
            HeartbeatEdit::Rename => planned[0].name = new.name,
            HeartbeatEdit::Remove => drop(planned.remove(0)),
        }
        let content = &self.state.folders[machine][path];
        self.machines[machine].write(path, content, &planned);
    }

    /// Archives or unarchives a skill; what a heartbeat runs cannot be archived.
    fn set_archived(&self, skill_id: &SkillId, archived: bool) {
        let heartbeats = self.state.heartbeats.values();
        for listed in heartbeats.filter(|listed| listed.run_skill_id.as_ref() == Some(skill_id)) {
            self.world.change_heartbeat(&listed.heartbeat_id, HeartbeatChange::Cancel);
        }
        self.world.archive(skill_id, archived);
    }

    /// Writes a folder with the heartbeats that another one, or the same, has had.
    fn write(&self, machine: usize, path: &str, from: &str, content: &Content) {
        self.machines[machine].write(path, content, &self.state.planned[machine][from]);
    }

    /// Runs a command, and checks it.
    pub(super) fn run(&mut self, machine: usize, command: &Command) -> Ended {
        let ended = self.machines[machine].dibber(&self.world, &command.arguments()).run();
        self.log.push(ended.show());
        let after = State::read(&self.world, &self.machines);
        let before = std::mem::replace(&mut self.state, after);
        let (after, moved) = (&self.state, &self.moved[machine]);
        let run = Run { machine, command, ended: &ended, before: &before, after, moved };
        let verdict = run.check(&self.seen[machine]);
        let verdict = verdict.and_then(|()| run.check_heartbeats(&self.seen_heartbeats[machine]));
        let (seen, seen_heartbeats) = (run.seen(), run.seen_heartbeats());
        if let Err(message) = verdict {
            self.fail(&message);
        }
        self.seen[machine].extend(seen);
        self.seen_heartbeats[machine].extend(seen_heartbeats);
        self.note_skills();
        ended
    }

    /// In the end each machine can bring everything in order, and nothing is left to do.
    pub(super) fn end(&mut self) {
        let archived = self.state.skills.values().filter(|skill| skill.is_archived());
        for skill_id in archived.map(|skill| skill.skill_id.clone()).collect::<Vec<_>>() {
            self.step(Step::SetArchived { skill_id, archived: false });
        }
        for machine in 0..self.machines.len() {
            let recorded = |path: &&String| self.state.record(machine, path).is_some();
            let paths = self.state.folders[machine].keys().filter(recorded);
            let paths: Vec<_> = paths.cloned().collect();
            if paths.is_empty() {
                continue;
            }
            let force = Command::Push { paths: paths.clone(), mode: PushMode::Force };
            let plain = Command::Push { paths: paths.clone(), mode: PushMode::Plain };
            let pull = Command::Pull { paths, is_forced: true };
            self.log.push(format!("in the end {machine}"));
            let ended = [force, plain, pull].map(|command| self.run(machine, &command));
            if ended.iter().any(|ended| ended.code != 0) {
                self.fail("it cannot be brought in order");
            }
            let [_, again, _] = &ended;
            if again.stderr.contains("updated") || again.stderr.contains("Updated") {
                self.fail("the second push has something to do");
            }
        }
    }
}

fn update(skill_id: SkillId, field: Field, changed: Content) -> SkillUpdate {
    let update = SkillUpdate { skill_id, ..SkillUpdate::default() };
    match field {
        Field::Label => SkillUpdate { name: Some(changed.label), ..update },
        Field::Summary => SkillUpdate { description: Some(changed.summary), ..update },
        Field::First | Field::Last => SkillUpdate { instructions: Some(changed.prompt), ..update },
    }
}
