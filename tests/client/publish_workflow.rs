//! Publishing without the command line: plan, apply, record.

use std::cell::Cell;
use std::sync::LazyLock;

use dibber_client::publish::{
    AppliedSkills, ChangedSides, CurrentSkills, ForeignChanges, ListedSkills, LockFileErrorKind,
    LockFiles, LockKey, Moves, Observer, Permission, PlannedSkill, Previews, PublishError,
    Publisher, PushPolicy, Records, SkillBlocked, SkillDraft, SkillStep, apply_skills, plan_skills,
    record_unchanged,
};
use dibber_client::{Client, ClientError, DryRun, Intent, Journal, Operation, RecordedServer};
use dibber_skill::contract::{SKILL_WRITE, SkillId, SkillWrite};
use dibber_skill::spec_hash::SpecHash;
use jiff::Timestamp;

use crate::support::Tree;
use crate::support::wire::{HOME, NOW, TestServer, object, sample};

const POLICY: PushPolicy =
    PushPolicy { records: Records::Use, moves: Moves::Certain, previews: Previews::Required };

/// A directory with a journal, and a server.
pub(super) struct Project {
    pub(super) tree: Tree,
    pub(super) journal: Journal,
    pub(super) client: Client,
}

impl Project {
    pub(super) fn new(test_server: &TestServer) -> Self {
        let tree = Tree::new();
        tree.write("dibber.toml", b"");
        let journal = Journal::new(tree.path().join("journal"));
        Self { tree, journal, client: test_server.client(HOME) }
    }

    pub(super) fn publisher(&self) -> Publisher<'_> {
        let clock = || NOW.parse::<Timestamp>().expect("a time");
        Publisher { client: &self.client, journal: &self.journal, server: recorded_server(), clock }
    }

    fn draft<'a>(&self, directory: &str, arguments: &'a SkillWrite) -> SkillDraft<'a> {
        let call = object(serde_json::to_value(arguments).expect("an object"));
        let hash = SpecHash::compute(SKILL_WRITE, &call).expect("a hash");
        let key = LockKey::new(&self.tree.path().join(directory));
        SkillDraft {
            arguments,
            hash,
            include: Vec::new(),
            key,
            permission: Permission::Allowed,
            foreign_changes: ForeignChanges::Block,
            merged_content: None,
            moved: None,
            interrupted_at: None,
        }
    }

    async fn plan<'a>(
        &self,
        skills: &'a [SkillWrite],
        locks: &mut LockFiles,
    ) -> Vec<PlannedSkill<'a>> {
        let drafts = skills.iter().enumerate();
        let drafts = drafts.map(|(index, skill)| self.draft(&format!("skills/{index}"), skill));
        let publisher = self.publisher();
        let known = (locks, &ListedSkills::new(publisher.client));
        plan_skills(drafts.collect(), POLICY, publisher, known, || {}).await.expect("a plan")
    }
}

pub(super) fn recorded_server() -> &'static RecordedServer {
    static SERVER: LazyLock<RecordedServer> = LazyLock::new(|| RecordedServer::named("test"));
    &SERVER
}

pub(super) fn lock_files() -> LockFiles {
    LockFiles::new(recorded_server().clone())
}

/// Counts what it is called for.
#[derive(Default)]
struct Counter {
    items: usize,
    is_recording: Cell<bool>,
}

impl Observer for Counter {
    fn item_done(&mut self) {
        self.items += 1;
    }

    fn uninterrupted<T>(&mut self, work: impl FnOnce() -> T) -> T {
        self.is_recording.set(true);
        work()
    }
}

fn steps<'a>(
    planned: &'a [PlannedSkill<'a>],
) -> impl Iterator<Item = (&'a SkillDraft<'a>, &'a SkillStep)> {
    planned.iter().map(|planned| (&planned.draft, &planned.step))
}

async fn push(
    project: &Project,
    skills: &[SkillWrite],
    observer: &mut impl Observer,
) -> Vec<Option<Result<SkillId, PublishError>>> {
    let mut locks = lock_files();
    let planned = project.plan(skills, &mut locks).await;
    record_unchanged(steps(&planned), project.publisher(), &mut locks).expect("a record");
    let listed = ListedSkills::new(&project.client);
    let (publisher, current) = (project.publisher(), &CurrentSkills::new(&listed));
    let applied = apply_skills(steps(&planned), publisher, (&mut locks, current), observer).await;
    assert!(applied.failure.is_none(), "{applied:?}");
    applied.results
}

fn named(name: &str) -> SkillWrite {
    SkillWrite { name: name.to_owned(), ..sample() }
}

#[tokio::test]
async fn a_plan_is_applied_and_recorded_once() {
    let test_server = TestServer::new();
    let project = Project::new(&test_server);
    let mut skills = vec![named("First"), named("Second")];
    let mut counter = Counter::default();
    let outcomes = push(&project, &skills, &mut counter).await;
    let ids: Vec<_> =
        outcomes.into_iter().map(|outcome| outcome.expect("a write").expect("an id")).collect();
    assert_eq!((counter.items, counter.is_recording.get()), (2, true));
    assert!(project.journal.unfinished().expect("a journal").is_empty());
    // Nothing changes, so nothing is written.
    let again = push(&project, &skills, &mut ()).await;
    assert!(again.iter().all(Option::is_none), "{again:?}");
    // The changed skill is updated, under the id that is recorded.
    skills[1].description = "Does something else. Use it often.".to_owned();
    let updated = push(&project, &skills, &mut ()).await;
    assert!(updated[0].is_none());
    assert_eq!(updated[1].as_ref().and_then(|it| it.as_ref().ok()), Some(&ids[1]));
    let mut locks = lock_files();
    let key = LockKey::new(&project.tree.path().join("skills/0"));
    let published = locks.get(&key).expect("a lock file").expect("a record");
    assert_eq!(published.skill_id, ids[0]);
}

/// Replaces `dibber.lock` with something else before the skills are recorded.
struct LockSpoiler<'a>(&'a Tree);

impl Observer for LockSpoiler<'_> {
    fn item_done(&mut self) {
        self.0.write("dibber.lock", b"<<<<<<< ours\n");
    }
}

#[tokio::test]
async fn what_was_published_is_reported_even_if_it_cannot_be_recorded() {
    let test_server = TestServer::new();
    let project = Project::new(&test_server);
    let skills = vec![named("First"), named("Second")];
    let mut locks = lock_files();
    let planned = project.plan(&skills, &mut locks).await;
    let mut spoiler = LockSpoiler(&project.tree);
    let listed = ListedSkills::new(&project.client);
    let (publisher, current) = (project.publisher(), &CurrentSkills::new(&listed));
    let applied = apply_skills(steps(&planned), publisher, (&mut locks, current), &mut spoiler);
    let AppliedSkills { results, failure } = applied.await;
    let ids: Vec<_> =
        results.into_iter().map(|result| result.expect("a write").expect("an id")).collect();
    assert!(
        matches!(&failure, Some(PublishError::Lock(error))
            if matches!(error.kind, LockFileErrorKind::Invalid(_))),
        "{failure:?}"
    );
    assert_eq!(project.journal.unfinished().expect("a journal").len(), 2);
    // Once the file is restored, the same push finds what it has created.
    std::fs::remove_file(project.tree.path().join("dibber.lock")).expect("a file");
    let found = project.plan(&skills, &mut lock_files()).await;
    let found: Vec<_> = found
        .iter()
        .map(|planned| planned.record.recovered().expect("a recovered skill").skill_id.clone())
        .collect();
    assert_eq!(found, ids);
}

#[tokio::test]
async fn a_skill_that_another_writer_has_changed_is_blocked() {
    let test_server = TestServer::new();
    let (project, other) = (Project::new(&test_server), Project::new(&test_server));
    let skills = vec![named("Shared")];
    push(&project, &skills, &mut ()).await;
    std::fs::copy(project.tree.path().join("dibber.lock"), other.tree.path().join("dibber.lock"))
        .expect("a copy");
    let theirs =
        vec![SkillWrite { prompt: "Theirs {{input.plant}}.".to_owned(), ..named("Shared") }];
    push(&other, &theirs, &mut ()).await;
    let ours = vec![SkillWrite { prompt: "Ours {{input.plant}}.".to_owned(), ..named("Shared") }];
    let mut locks = lock_files();
    let planned = project.plan(&ours, &mut locks).await;
    let blocked = planned[0].step.blocked();
    assert!(
        matches!(blocked, Some(SkillBlocked::ChangedElsewhere {
                changes: ChangedSides::Conflict(fields), ..
            }) if fields == &["prompt"]),
        "{blocked:?}"
    );
    let listed = ListedSkills::new(&project.client);
    let (publisher, current) = (project.publisher(), &CurrentSkills::new(&listed));
    let applied = apply_skills(steps(&planned), publisher, (&mut locks, current), &mut ()).await;
    assert!(matches!(applied, AppliedSkills { failure: None, results } if results[0].is_none()));
    let record = planned[0].record.published().expect("a record");
    assert_eq!(record.skill_id.as_str().get(..3), Some("sk_"), "a blocked skill has its record");
}

#[test]
fn a_dry_run_of_another_server_may_have_less_than_ours() {
    let answer = serde_json::json!({
        "previewSkill": { "name": "Plan my week" },
        "policyDecision": {
            "decision": "review",
            "reasons": [{ "reason": "LONG", "message": "it is long" }],
        },
        "specHash": "another-form",
    });
    let dry_run: DryRun = serde_json::from_value(answer).expect("a dry-run");
    assert_eq!(dry_run.spec_hash, "another-form");
    assert_eq!(dry_run.policy_decision.reasons[0].message, "it is long");
}

#[tokio::test]
async fn what_a_call_reports_is_not_hidden_by_a_journal_that_fails() {
    let test_server = TestServer::new();
    let project = Project::new(&test_server);
    let call = serde_json::to_value(sample()).expect("an object");
    let directory = project.tree.path().join("journal");
    let send = async |_: &Operation| {
        std::fs::remove_dir_all(&directory).expect("a directory");
        std::fs::write(&directory, "").expect("a file");
        Err::<(), _>(ClientError::Unauthorized)
    };
    let intent = Intent::new(recorded_server(), SKILL_WRITE, &call);
    let error = project.publisher().write(&intent, send, async |()| Ok(true)).await;
    let Err(PublishError::Call(ClientError::Unauthorized)) = error else {
        panic!("the error of the call: {:?}", error.err())
    };
}
