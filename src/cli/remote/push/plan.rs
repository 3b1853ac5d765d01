//! The plan of a push, with what is shown of each skill.

use std::time::Instant;

use super::arguments::{Options, PushMode};
use super::blocked::{self, Blocked};
use super::prepare::Prepared;
use super::resolved::{ResolutionKind, Resolutions, ResolvedFiles};
use crate::cli::dry_run::review::Review;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::Session;
use crate::cli::term::progress::{Progress, SummaryLine};
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    ChangedSides, ForeignChanges, ListedSkills, LockFiles, LockKey, Moves, Permission,
    PlannedSkill, Previews, PushPolicy, Records, SkillChange, SkillCreation, SkillDraft,
    SkillRecord, SkillStep, included_paths, plan_skills, record_recovered,
};
use dibber_skill::contract::{Decision, PolicyDecision, PolicyReason, SkillId};
use dibber_skill::spec_hash::SpecHash;
use dibber_text::{message, quote_in_full};

/// A skill of a push, and what has to be done for it.
pub(super) struct PushItem<'a> {
    pub(super) review: &'a Review,
    /// What is published; none if this machine does not allow it.
    pub(super) draft: Option<SkillDraft<'a>>,
    pub(super) step: SkillStep<Blocked>,
    /// The skill that it was published as, as far as this machine knows.
    pub(super) record: SkillRecord,
    /// Why a push would not publish what is compared all the same.
    pub(super) objection: Option<Blocked>,
    /// The files that are written before it is published.
    pub(super) files: Option<&'a ResolvedFiles>,
}

impl<'a> PushItem<'a> {
    /// The hash of what is published.
    pub(super) fn hash(&self) -> Option<SpecHash> {
        self.draft.as_ref().map(|draft| draft.hash)
    }

    /// Returns the files that are written before it is published, unless it is blocked.
    pub(super) fn resolved_files(&self) -> Option<&'a ResolvedFiles> {
        self.files.filter(|_| self.step.blocked().is_none())
    }

    /// Returns `true` if its files get the changes of both sides.
    pub(super) fn is_merged(&self) -> bool {
        self.resolved_files().is_some_and(|files| files.kind == ResolutionKind::Merge)
    }

    /// Returns `true` if only the server has changed it since it was published or pulled here.
    pub(super) fn is_behind(&self) -> bool {
        match &self.step {
            SkillStep::Blocked(Blocked { conflict: Some(conflict), .. }) => {
                conflict.changes == ChangedSides::Server
            }
            SkillStep::Update(SkillChange { conflict: Some(conflict), .. }) => conflict.is_behind(),
            _ => false,
        }
    }

    /// How the plan ends.
    pub(super) fn exit(&self) -> Exit {
        let reasons = self.reasons_to_stop().map(|blocked| blocked.error.exit_code());
        reasons.fold(Exit::Done, Exit::worst)
    }

    /// Returns why a push does not publish it.
    pub(super) fn reasons_to_stop(&self) -> impl Iterator<Item = &Blocked> {
        self.step.blocked().into_iter().chain(&self.objection)
    }

    /// The directory that it is recorded for and has been moved from, and the one that it is in.
    pub(super) fn moved(&self) -> Option<(LockKey, LockKey)> {
        let from = self.record.moved_from()?.clone();
        Some((from, self.draft.as_ref()?.key.clone()))
    }

    /// Returns `true` if `sprout.yaml` has a heartbeat that is not recorded.
    pub(super) fn has_unset_heartbeats(&self) -> bool {
        let manifest = self.review.drafted().draft.manifest.as_ref();
        let known = self.record.published().map(|published| &published.heartbeats);
        let is_known = |name: &String| known.is_some_and(|known| known.contains_key(name));
        let heartbeats = manifest.map_or(&[][..], |manifest| &manifest.heartbeats);
        heartbeats.iter().any(|heartbeat| !is_known(&heartbeat.name.value))
    }

    /// Returns the skill of the server that it is linked to because of the same content.
    pub(super) fn linked_skill(&self) -> Option<&SkillId> {
        match (&self.record, &self.step) {
            (SkillRecord::SameContent(published), SkillStep::Unchanged(_)) => {
                Some(&published.skill_id)
            }
            _ => None,
        }
    }

    /// What is published, with its step.
    pub(super) fn draft_and_step(&self) -> Option<(&SkillDraft<'_>, &SkillStep<Blocked>)> {
        self.draft.as_ref().map(|draft| (draft, &self.step))
    }
}

/// Asks the server about every skill that this machine allows to be published. A push records the
/// skills that an interrupted one has created.
pub(super) fn plan<'a>(
    reviews: &'a [Review],
    prepared: Vec<Prepared>,
    options: &Options,
    (session, locks, skills): (&Session, &mut LockFiles, &ListedSkills<'_>),
    resolutions: &'a Resolutions,
    ui: &mut Ui,
    started: Instant,
) -> Result<Vec<PushItem<'a>>, CommandError> {
    let foreign_changes = |key: &LockKey| {
        if resolutions.overwritten.contains(key) {
            ForeignChanges::Overwrite
        } else {
            options.conflicts.foreign_changes()
        }
    };
    let draft = |skill| {
        let draft = draft(skill)?;
        let foreign_changes = foreign_changes(&draft.key);
        let files = resolutions.files_of(&draft.key);
        let merged_content = files.map(|files| files.plan.content_hash.clone());
        let moved = files.and_then(|files| files.moved.clone());
        Some(SkillDraft { foreign_changes, merged_content, moved, ..draft })
    };
    let drafts: Vec<_> = reviews.iter().zip(&prepared).filter_map(draft).collect();
    let mut progress = Progress::new(ui, SummaryLine::Print, started, reviews.len());
    for _ in drafts.len()..reviews.len() {
        progress.tick();
    }
    let asked = || progress.tick();
    let known = (&mut *locks, skills);
    let planned = plan_skills(drafts, policy(options), session.publisher()?, known, asked);
    let planned = session.block_on(planned)?;
    progress.hide();
    if options.mode == PushMode::Push {
        record_recovered(&planned, locks)?;
    }
    let mut planned = planned.into_iter();
    let items = reviews.iter().zip(prepared).map(|(review, prepared)| {
        let (refusal, objection) = (prepared.hash.err(), prepared.objection);
        if review.hash.is_none()
            && let Some(blocked) = refusal
        {
            let step = SkillStep::Blocked(blocked);
            let recorded = match options.records {
                // What blocks the skill is reported, whatever its record is.
                Records::Use => locks.get(&prepared.key).ok().flatten(),
                Records::Ignore => None,
            };
            let record = recorded.into();
            return PushItem { review, draft: None, step, record, objection, files: None };
        }
        let planned = planned.next().expect("every draft is planned");
        if let Some(recovered) =
            planned.record.recovered().filter(|_| options.mode == PushMode::Push)
        {
            let (path, id) =
                (quote_in_full(&review.path), quote_in_full(recovered.skill_id.as_str()));
            ui.eprintln(message!["Found the skill of an interrupted push of ", path, ": ", id]);
        }
        let show = |reason| blocked::by_server(review, reason, &session.server);
        let PlannedSkill { draft, step, record } = planned;
        if let Some(blocked) = refusal {
            let step = SkillStep::Blocked(blocked);
            return PushItem { review, draft: None, step, record, objection, files: None };
        }
        let mut step = step.map_blocked(show);
        if let SkillStep::Create(SkillCreation { preview: Some(preview) })
        | SkillStep::Update(SkillChange { preview: Some(preview), .. }) = &mut step
        {
            add_own_reasons(&mut preview.policy, &review.decision);
        }
        let files = resolutions.files_of(&draft.key);
        PushItem { review, draft: Some(draft), step, record, objection, files }
    });
    Ok(items.collect())
}

const fn policy(options: &Options) -> PushPolicy {
    PushPolicy {
        records: options.records,
        // What is not shown to a person first has to be certain.
        moves: if options.is_agreed { Moves::Certain } else { Moves::Likely },
        previews: match options.mode {
            PushMode::Diff { .. } => Previews::IfPermitted,
            PushMode::Push | PushMode::Preview => Previews::Required,
        },
    }
}

/// Adds to the decision of the server what only this machine can see, such as files that are not
/// published. It has to be reviewed.
fn add_own_reasons(policy: &mut PolicyDecision, own: &PolicyDecision) {
    let known = policy.reasons.len();
    for reason in &own.reasons {
        let is_same = |it: &PolicyReason| it.reason == reason.reason && it.path == reason.path;
        if !policy.reasons[..known].iter().any(is_same) {
            policy.reasons.push(reason.clone());
            policy.decision = policy.decision.max(Decision::Review);
        }
    }
}

/// Returns the draft of a skill, unless it is not certain.
fn draft<'a>((review, prepared): (&'a Review, &Prepared)) -> Option<SkillDraft<'a>> {
    let hash = review.hash?;
    let permission = if prepared.hash.is_ok() { Permission::Allowed } else { Permission::Refused };
    Some(SkillDraft {
        arguments: review.exact_arguments(),
        hash,
        include: included_paths(&review.drafted().draft),
        key: prepared.key.clone(),
        permission,
        foreign_changes: ForeignChanges::Block,
        merged_content: None,
        moved: None,
        interrupted_at: None,
    })
}
