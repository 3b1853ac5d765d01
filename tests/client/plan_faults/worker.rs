//! A project that is pushed over and over, by the library: to one target, and back to the other.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use dibber_client::publish::{
    CurrentHeartbeats, CurrentSkills, ForeignChanges, HeartbeatBlocked, HeartbeatDraft,
    HeartbeatKey, HeartbeatPolicy, HeartbeatStep, ListedSkills, LockFiles, LockKey, Moves,
    Permission, PlannedPrune, Previews, PruneBlocked, PublishError, Publisher, PushPolicy, Records,
    RemovedHeartbeat, RemovedHeartbeats, SkillBlocked, SkillDraft, SkillStep, UnrecordedHeartbeats,
    apply_heartbeat, apply_skills, plan_heartbeats, plan_prunes, plan_skills, prune_skill,
    record_recovered, record_unchanged, recover_heartbeats,
};
use dibber_client::{Client, ClientError, Journal};
use dibber_skill::contract::{HeartbeatCreate, SKILL_WRITE, SkillListArguments, SkillWrite};
use dibber_skill::spec_hash::SpecHash;
use tempfile::TempDir;

use crate::client::faults::{Served, impatient, now, patient};
use crate::client::publish_workflow::{lock_files, recorded_server};
use crate::support::fault_proxy::{Fault, Proxy};
use crate::support::wire::{HOME, object, sample};

const SKILL_POLICY: PushPolicy =
    PushPolicy { records: Records::Use, moves: Moves::Certain, previews: Previews::Required };
const HEARTBEAT_POLICY: HeartbeatPolicy = HeartbeatPolicy {
    foreign_changes: ForeignChanges::Block,
    removed: RemovedHeartbeats::Cancel,
    unrecorded: UnrecordedHeartbeats::Find,
};

/// What a push leads to: the text of the skill, its heartbeats, and those of a second skill, if
/// there is one.
pub(super) struct Target {
    text: &'static str,
    heartbeats: &'static [(&'static str, &'static str)],
    song: Option<(&'static str, &'static str)>,
}

/// From each of them to the other one, a heartbeat is changed, one is cancelled and one is created.
pub(super) const TARGETS: [Target; 2] = [
    Target { text: "old", heartbeats: &[("Tea", "0 9 * * *"), ("Nap", "0 13 * * *")], song: None },
    Target {
        text: "new",
        heartbeats: &[("Tea", "0 10 * * *"), ("Walk", "0 15 * * *")],
        song: Some(("Song", "0 19 * * *")),
    },
];

/// What there is, by name: the text of each skill and the schedule of each heartbeat.
type State = BTreeMap<&'static str, String>;

impl Target {
    fn state(&self) -> State {
        let skills = [("Plants", self.text)].into_iter().chain(self.song.map(|_| ("Sing", "old")));
        let heartbeats = self.heartbeats.iter().copied().chain(self.song);
        skills.chain(heartbeats).map(|(name, content)| (name, content.to_owned())).collect()
    }
}

/// The names of all skills and heartbeats.
const NAMES: [&str; 6] = ["Plants", "Sing", "Tea", "Nap", "Walk", "Song"];

/// The results of the steps that were begun, by name.
pub(super) type Results = BTreeMap<&'static str, Result<(), PublishError>>;

/// A project that one worker pushes, over and over.
pub(super) struct Worker {
    /// What its names end with.
    number: usize,
    pub(super) served: Arc<Served>,
    directory: TempDir,
    journal: Journal,
    /// A client without faults.
    pub(super) whole: Client,
}

impl Worker {
    pub(super) fn new(number: usize, served: Arc<Served>) -> Self {
        // Where there is a directory in memory, nothing waits for a disk.
        let directory =
            TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a directory");
        fs::write(directory.path().join("dibber.toml"), "").expect("a file");
        let journal = Journal::new(directory.path().join("journal"));
        let whole = served.client(served.address, patient());
        Self { number, served, directory, journal, whole }
    }

    fn publisher<'a>(&'a self, client: &'a Client) -> Publisher<'a> {
        Publisher { client, journal: &self.journal, server: recorded_server(), clock: now }
    }

    fn key(&self, name: &str) -> LockKey {
        LockKey::new(&self.directory.path().join(name.to_lowercase()))
    }

    fn own_name(&self, name: &str) -> String {
        format!("{name} {}", self.number)
    }

    fn skill(&self, name: &str, text: &str) -> SkillWrite {
        SkillWrite {
            name: self.own_name(name),
            description: text.to_owned(),
            prompt: "Look, then say what you see.".to_owned(),
            input_variables: Vec::new(),
            ..sample()
        }
    }

    /// Writes the files that say which skills there are.
    fn write_files(&self, target: &Target) {
        for (name, is_there) in [("Plants", true), ("Sing", target.song.is_some())] {
            let directory = self.key(name).skill_directory();
            if is_there {
                fs::create_dir_all(&directory).expect("a directory");
                fs::write(directory.join("SKILL.md"), "").expect("a file");
            } else if directory.exists() {
                fs::remove_dir_all(directory).expect("a directory");
            }
        }
    }

    /// What the server has of this worker.
    async fn state(&self) -> State {
        let client = self.served.test_server.client(HOME);
        let suffix = format!(" {}", self.number);
        let own = |name: &str| {
            let name = name.strip_suffix(&suffix)?;
            NAMES.into_iter().find(|own| *own == name)
        };
        let list = SkillListArguments { limit: Some(200), ..SkillListArguments::default() };
        let skills = client.skill_list(&list).await.expect("a list").items.into_iter();
        let skills = skills.filter_map(|item| Some((own(&item.name)?, item.description)));
        let heartbeats = client.all_heartbeats().await.expect("a list").items.into_iter();
        let heartbeats = heartbeats.filter_map(|item| Some((own(&item.name)?, item.cron)));
        let all: Vec<_> = skills.chain(heartbeats).collect();
        let state: State = all.iter().cloned().collect();
        assert_eq!(state.len(), all.len(), "nothing is there twice: {all:?}");
        state
    }

    /// Pushes, and adds what became of each step that was begun. The error is that of a plan.
    pub(super) async fn push(
        &self,
        client: &Client,
        target: &Target,
        results: &mut Results,
    ) -> Result<(), PublishError> {
        self.write_files(target);
        let mut locks = lock_files();
        Box::pin(self.push_skills(client, target, &mut locks, results)).await?;
        let publisher = self.publisher(client);
        let sing = self.key("Sing");
        let unused = locks.missing_records(&sing)?;
        if let Some(missing) = unused.into_iter().find(|record| record.key == sing) {
            let planned = plan_prunes(vec![missing], HEARTBEAT_POLICY, publisher, &locks);
            for PlannedPrune { missing, step } in Box::pin(planned).await? {
                let result = match step {
                    Ok(step) => {
                        let planned = (&step.heartbeats[..], step.content.as_ref());
                        let pruned = prune_skill(&missing, planned, publisher, &mut locks);
                        Box::pin(pruned).await.result
                    }
                    Err(PruneBlocked::Call(error)) => Err(error.into()),
                    Err(blocked) => panic!("{blocked:?}"),
                };
                results.insert("Sing", result.map(drop));
            }
        }
        let songs = target.song.as_slice();
        for (name, heartbeats) in [("Plants", target.heartbeats), ("Sing", songs)] {
            let pushed = self.push_heartbeats(client, name, heartbeats, &mut locks, results);
            Box::pin(pushed).await?;
        }
        Ok(())
    }

    async fn push_skills(
        &self,
        client: &Client,
        target: &Target,
        locks: &mut LockFiles,
        results: &mut Results,
    ) -> Result<(), PublishError> {
        let publisher = self.publisher(client);
        let song = target.song.map(|_| ("Sing", self.skill("Sing", "old")));
        let plants = ("Plants", self.skill("Plants", target.text));
        let skills: Vec<_> = [plants].into_iter().chain(song).collect();
        let drafts = skills.iter().map(|(name, arguments)| {
            let call = object(serde_json::to_value(arguments).expect("an object"));
            SkillDraft {
                arguments,
                hash: SpecHash::compute(SKILL_WRITE, &call).expect("a hash"),
                include: Vec::new(),
                key: self.key(name),
                permission: Permission::Allowed,
                foreign_changes: ForeignChanges::Block,
                merged_content: None,
                moved: None,
                interrupted_at: None,
            }
        });
        let listed = &ListedSkills::new(publisher.client);
        let known = (&mut *locks, listed);
        let planned = plan_skills(drafts.collect(), SKILL_POLICY, publisher, known, || {}).await?;
        record_recovered(&planned, locks)?;
        let steps = || planned.iter().map(|planned| (&planned.draft, &planned.step));
        record_unchanged(steps(), publisher, locks)?;
        let applied =
            apply_skills(steps(), publisher, (locks, &CurrentSkills::new(listed)), &mut ()).await;
        for ((name, _), result) in skills.iter().zip(applied.results) {
            results.extend(result.map(|result| (*name, result.map(drop))));
        }
        for ((name, _), planned) in skills.iter().zip(planned) {
            match planned.step {
                SkillStep::Blocked(SkillBlocked::Call(error)) => {
                    results.insert(name, Err(error.into()));
                }
                SkillStep::Blocked(blocked) => panic!("{name}: {blocked:?}"),
                _ => {}
            }
        }
        applied.failure.map_or(Ok(()), Err)
    }

    async fn push_heartbeats(
        &self,
        client: &Client,
        skill: &str,
        heartbeats: &[(&'static str, &'static str)],
        locks: &mut LockFiles,
        results: &mut Results,
    ) -> Result<(), PublishError> {
        let (publisher, skill) = (self.publisher(client), self.key(skill));
        recover_heartbeats(std::slice::from_ref(&skill), publisher, locks).await?;
        let Some(recorded) = locks.get(&skill)? else { return Ok(()) };
        let key = |name: &str| HeartbeatKey { skill: skill.clone(), name: name.to_owned() };
        let drafts = heartbeats.iter().map(|(name, cron)| {
            let name = self.own_name(name);
            HeartbeatDraft {
                key: Some(key(&name)),
                known: recorded.heartbeats.get(&name).cloned(),
                create: HeartbeatCreate {
                    name,
                    cron: (*cron).to_owned(),
                    run_skill_id: recorded.skill_id.clone(),
                    ..HeartbeatCreate::default()
                },
            }
        });
        let drafts: Vec<_> = drafts.collect();
        let is_here = |name: &String| drafts.iter().any(|draft| draft.create.name == *name);
        let removed = recorded.heartbeats.iter().filter(|(name, _)| !is_here(name));
        let removed = removed
            .map(|(name, known)| RemovedHeartbeat { key: key(name), known: known.clone() })
            .collect();
        let planned = plan_heartbeats(drafts, removed, HEARTBEAT_POLICY, publisher, locks).await?;
        let current = CurrentHeartbeats::new(publisher.client);
        for planned in planned {
            let is_own = |name: &&&str| self.own_name(name) == planned.name;
            let name = *NAMES.iter().find(is_own).expect("a name");
            let result = match planned.step {
                HeartbeatStep::Blocked(HeartbeatBlocked::Call(error)) => Err(error.into()),
                HeartbeatStep::Blocked(blocked) => panic!("{name}: {blocked:?}"),
                _ => apply_heartbeat(&planned, &current, publisher, locks).await.map(drop),
            };
            results.insert(name, result);
        }
        Ok(())
    }

    /// Pushes through a fault, checks what was done, and pushes again without faults.
    pub(super) async fn check(
        &self,
        target: &Target,
        request: usize,
        fault: &Fault,
    ) -> &'static str {
        let before = self.state().await;
        let proxy = Proxy::before(self.served.address).await;
        let client = self.served.client(proxy.address, impatient(1));
        // Whether a busy machine answers in time is not what this is about.
        let _ = client.tools().await;
        let faults = (0..request).map(|_| None).chain([Some(fault.clone())]);
        proxy.plan.set(faults);
        let mut results = Results::new();
        let plan = self.push(&client, target, &mut results).await;
        let (after, wanted) = (self.state().await, target.state());
        let case =
            || format!("{fault:?} at {request}: {plan:?}, {results:?}\n{before:?}\n{after:?}");
        for name in NAMES {
            let (old, new) = (before.get(name), wanted.get(name));
            let is = after.get(name);
            // The heartbeat of a skill that is archived is cancelled before.
            let is_pruned = name == "Song" && new.is_none() && results.contains_key("Sing");
            let is_right = match results.get(if is_pruned { "Sing" } else { name }) {
                Some(Ok(())) => is == new,
                Some(Err(error)) if is_unknown(error) || is_pruned => is == old || is == new,
                Some(Err(_)) | None => is == old,
            };
            assert!(is_right, "{name}: {}", case());
        }
        let ending =
            match results.values().find_map(|result| result.as_ref().err()).or(plan.as_ref().err())
            {
                None => "done",
                Some(error) if is_unknown(error) => "unknown",
                Some(_) => "failed",
            };
        let mut again = Results::new();
        let plan = self.push(&self.whole, target, &mut again).await;
        let is_done = plan.is_ok() && again.values().all(Result::is_ok);
        assert!(is_done, "without faults: {plan:?}, {again:?}, after {}", case());
        assert_eq!(self.state().await, wanted, "{}", case());
        let unfinished = self.journal.unfinished().expect("a journal");
        assert!(unfinished.is_empty(), "{unfinished:?} after {}", case());
        ending
    }
}

fn is_unknown(error: &PublishError) -> bool {
    matches!(error, PublishError::Call(ClientError::OutcomeUnknown(_)))
}
