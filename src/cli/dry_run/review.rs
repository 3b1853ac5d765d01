//! Everything that is shown of one skill. Its strings contain no names and no secrets, except for
//! the exact arguments, which are shown only if they contain neither.

use serde_json::{Map, Value};

use super::mask::{Private, masked, private};
use crate::cli::drafted::Drafted;
use crate::cli::mask::mask;
use dibber_lint::{Privacy, Settings};
use dibber_skill::contract::{Decision, PolicyDecision, SKILL_WRITE, SkillPreview, SkillWrite};
use dibber_skill::diagnostic::Diagnostic;
use dibber_skill::discover::{self, DiscoverError, FoundSkill};
use dibber_skill::draft::{self, AnalyzedDraft, DraftProblem, MissingInputs, Rendered};
use dibber_skill::names::Roster;
use dibber_skill::skill::Skill;
use dibber_skill::spec_hash::SpecHash;

/// The next step for a skill whose files have problems.
const FIX_PROBLEMS: &str = "Fix the problems in the files, and run `dibber dry-run` again.";

/// The review of one skill.
pub(in crate::cli) struct Review {
    /// The directory of the skill.
    pub(in crate::cli) path: String,
    /// The skill as it would be published; none if its files have problems.
    pub(in crate::cli) preview: Option<SkillPreview>,
    pub(in crate::cli) decision: PolicyDecision,
    /// None if the files have problems.
    pub(in crate::cli) hash: Option<SpecHash>,
    pub(in crate::cli) next_step: String,
    pub(in crate::cli) faults: Vec<Diagnostic>,
    /// What keeps its heartbeats from being set. A push refuses the skill with them.
    pub(in crate::cli) heartbeat_faults: Vec<Diagnostic>,
    /// The files that are not published, except those for people.
    pub(in crate::cli) unpublished: Vec<String>,
    drafted: Drafted,
    problems: Vec<DraftProblem>,
}

impl Review {
    /// Loads and drafts a skill, and reviews the draft.
    pub(in crate::cli) fn load(
        found: &FoundSkill,
        roster: &Roster,
        settings: &Settings,
    ) -> Result<Self, DiscoverError> {
        discover::isolated(&found.shown_skill_file(), || {
            let skill = discover::load_published(found)?;
            let draft = AnalyzedDraft::new(&skill, roster);
            Ok(Self::from_draft(skill, draft, roster, settings))
        })
    }

    /// Reviews a skill by its draft.
    pub(in crate::cli) fn from_draft(
        skill: Skill,
        draft: AnalyzedDraft,
        roster: &Roster,
        settings: &Settings,
    ) -> Self {
        let AnalyzedDraft { draft, problems } = draft;
        let drafted = Drafted::with_draft(skill, draft);
        let arguments = drafted.draft.best_effort();
        let mut decision = draft::policy_decision(&problems, &Privacy { roster });
        let path = mask(drafted.path(), roster);
        let heartbeat_faults =
            dibber_lint::heartbeat_refusals(&drafted.skill, &drafted.draft, settings);
        let heartbeat_faults = drafted.diagnostics(heartbeat_faults, settings);
        if !heartbeat_faults.is_empty() {
            decision.decision = Decision::Refuse;
        }
        let (preview, hash, next_step, faults) = match &drafted.hash {
            Ok(hash) => {
                let preview = draft::preview(&masked(arguments, roster));
                // A masked name may have a different number of bytes.
                let preview = SkillPreview { prompt_bytes: arguments.prompt.len(), ..preview };
                let next_step = draft::next_step(SKILL_WRITE, decision.decision, *hash);
                (Some(preview), Some(*hash), next_step, Vec::new())
            }
            Err(faults) => {
                decision.decision = Decision::Refuse;
                let faults = drafted.diagnostics(faults.clone(), settings);
                (None, None, FIX_PROBLEMS.to_owned(), faults)
            }
        };
        let unpublished = draft::unpublished_files(&drafted.skill, &drafted.draft);
        let unpublished = unpublished.into_iter().map(|path| mask(path, roster)).collect();
        Self {
            path,
            preview,
            decision,
            hash,
            next_step,
            faults,
            heartbeat_faults,
            unpublished,
            drafted,
            problems,
        }
    }

    /// Returns the reasons of the decision, and what keeps its heartbeats from being set, as
    /// diagnostics.
    pub(in crate::cli) fn reasons(&self, settings: &Settings) -> Vec<Diagnostic> {
        let Drafted { skill, draft, .. } = &self.drafted;
        let reasons = dibber_lint::draft_reasons(skill, draft, &self.problems);
        let mut reasons = self.drafted.diagnostics(reasons, settings);
        reasons.extend(self.heartbeat_faults.iter().cloned());
        reasons
    }

    /// Returns the exact arguments, unless they are private.
    pub(in crate::cli) fn arguments(&self, roster: &Roster) -> Result<&SkillWrite, Private> {
        let arguments = self.drafted.draft.best_effort();
        private(arguments, roster).map_or(Ok(arguments), Err)
    }

    /// Returns the exact arguments, which must not be shown unmasked.
    pub(in crate::cli) fn exact_arguments(&self) -> &SkillWrite {
        self.drafted.draft.best_effort()
    }

    /// Returns the skill with its draft.
    pub(in crate::cli) const fn drafted(&self) -> &Drafted {
        &self.drafted
    }

    /// Renders the prompt with these inputs. A missing optional input is an empty string.
    pub(in crate::cli) fn render(
        &self,
        inputs: &Map<String, Value>,
        roster: &Roster,
    ) -> Result<Rendered, MissingInputs> {
        let arguments = self.drafted.draft.best_effort();
        let mut inputs = inputs.clone();
        for name in self.drafted.draft.optional_inputs() {
            inputs.entry(name).or_insert_with(|| "".into());
        }
        let rendered = draft::render(&arguments.prompt, &arguments.input_variables, &inputs)?;
        Ok(Rendered { prompt: mask(&rendered.prompt, roster), ..rendered })
    }
}
