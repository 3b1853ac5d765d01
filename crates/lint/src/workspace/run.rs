//! One run: what is done with each skill on any thread, and then with all of them in order.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::event::{Event, SkillFixes, SkillReport};
use super::input::{Input, RunOptions, SkillChange, Workspace};
use crate::add_waivers::add_waivers;
use crate::baseline::Baseline;
use crate::config_diagnostics::config_diagnostics;
use crate::duplicates::SeenNames;
use crate::fix::fix;
use crate::lint::{Limit, Linted, lint_for_run, unchecked};
use crate::ordered::for_each_ordered;
use crate::outcome::Outcome;
use crate::report::Summary;
use dibber_skill::diagnostic::{Applicability, Diagnostic, Level};
use dibber_skill::discover::{self, DiscoverError, DiscoverErrorKind, FoundSkill};
use dibber_skill::skill::Skill;

/// A run under way.
pub(super) struct Run<'a, F> {
    workspace: &'a Workspace,
    options: &'a RunOptions,
    /// What is left of the baseline: each finding in it hides one.
    baseline: Option<Baseline>,
    on_event: F,
    summary: Summary,
    names: SeenNames,
    used_waivers: BTreeSet<usize>,
}

/// One skill to check.
enum Job<'a> {
    /// A skill that was found.
    Found(FoundSkill),
    /// The content of a skill file, and its path.
    SkillFile(Option<&'a Path>, &'a [u8]),
}

/// The outcome of one skill.
struct Checked {
    path: String,
    linted: Linted,
    fixes: Option<SkillFixes>,
}

impl Job<'_> {
    /// Returns the path of the skill file, as it is shown.
    fn shown(&self) -> String {
        match self {
            Self::Found(found) => found.shown_skill_file(),
            Self::SkillFile(Some(path), _) => discover::shown_path(path),
            Self::SkillFile(None, _) => discover::NO_PATH.to_owned(),
        }
    }

    /// Returns the path that fixes are written to.
    fn path(&self) -> Option<PathBuf> {
        match self {
            Self::Found(found) => Some(found.directory.join(&found.skill_file)),
            Self::SkillFile(..) => None,
        }
    }
}

impl Workspace {
    /// Lints the skills of `input` and passes what it finds to `on_event`, which runs on the
    /// calling thread. An error of `on_event` ends the run.
    ///
    /// The time in the summary is left to the caller.
    pub fn run<E>(
        &self,
        input: &Input,
        mut options: RunOptions,
        on_event: impl FnMut(Event) -> Result<(), E>,
    ) -> Result<Summary, E> {
        let baseline = options.baseline.take();
        Run::new(self, &options, baseline, on_event).run(input)
    }

    /// Loads, lints and fixes one skill: everything that can be done on any thread.
    fn check(&self, job: &Job<'_>, options: &RunOptions) -> Result<Checked, DiscoverError> {
        let skill = self.load(job)?;
        let Some(change) = &options.change else {
            let linted = lint_for_run(&skill, &self.settings, Limit::PerRule);
            let path = skill.source.path().to_owned();
            return Ok(Checked { path, linted, fixes: None });
        };
        let before = skill.source.text().to_owned();
        let is_selected = |diagnostic: &Diagnostic| options.is_selected(diagnostic);
        let settings = &self.settings;
        let result = match change {
            SkillChange::Fix(applicability) => fix(skill, settings, *applicability, is_selected),
            SkillChange::AddWaivers(new) => add_waivers(skill, settings, new),
        };
        let path = result.skill.source.path().to_owned();
        let fixes = (!result.applied.is_empty()).then(|| SkillFixes {
            path: job.path(),
            shown: path.clone(),
            before,
            after: result.skill.source.text().to_owned(),
            applied: result.applied,
            waived_security: result.waived_security,
        });
        Ok(Checked { path, linted: result.linted, fixes })
    }

    fn load(&self, job: &Job<'_>) -> Result<Skill, DiscoverError> {
        match job {
            Job::Found(found) => discover::load_with_overlays(found, &self.overlays),
            Job::SkillFile(path, bytes) => Ok(discover::load_text(*path, bytes.to_vec())),
        }
    }
}

impl RunOptions {
    /// Returns `true` if a finding is on a changed line, or all lines count.
    fn is_selected(&self, diagnostic: &Diagnostic) -> bool {
        self.changes.as_ref().is_none_or(|changes| changes.covers(diagnostic))
    }
}

impl<'a, E, F: FnMut(Event) -> Result<(), E>> Run<'a, F> {
    pub(super) fn new(
        workspace: &'a Workspace,
        options: &'a RunOptions,
        baseline: Option<Baseline>,
        on_event: F,
    ) -> Self {
        Self {
            workspace,
            options,
            baseline,
            on_event,
            summary: Summary::default(),
            names: SeenNames::default(),
            used_waivers: BTreeSet::new(),
        }
    }

    pub(super) fn run(self, input: &Input) -> Result<Summary, E> {
        self.run_with(input, Workspace::check)
    }

    /// Does so with another `check`. A panic in it leaves out its skill alone.
    fn run_with(
        mut self,
        input: &Input,
        check: impl Fn(&Workspace, &Job<'_>, &RunOptions) -> Result<Checked, DiscoverError> + Sync,
    ) -> Result<Summary, E> {
        let jobs = self.find(input)?;
        let (workspace, options) = (self.workspace, self.options);
        let ended = for_each_ordered(
            &jobs,
            |job| discover::isolated(&job.shown(), || check(workspace, job, options)),
            |checked| match self.consume(checked) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
            },
        );
        match ended {
            ControlFlow::Break(error) => Err(error),
            ControlFlow::Continue(()) => self.finish(input),
        }
    }

    fn find<'i>(&mut self, input: &'i Input) -> Result<Vec<Job<'i>>, E> {
        let (jobs, problems) = match input {
            Input::Paths(paths) => {
                let (mut found, mut problems) =
                    discover::find_with(paths, self.options.ignore_files);
                problems.retain(|problem| self.options.reports(problem));
                let settings = &self.workspace.settings;
                found.retain(|skill| !settings.is_excluded(&skill.shown_skill_file()));
                (found.into_iter().map(Job::Found).collect(), problems)
            }
            Input::SkillFile { path, bytes } => {
                (vec![Job::SkillFile(path.as_deref(), bytes)], Vec::new())
            }
        };
        problems.into_iter().try_for_each(|problem| self.problem(problem))?;
        (self.on_event)(Event::Found(jobs.len()))?;
        Ok(jobs)
    }

    fn consume(&mut self, checked: Result<Checked, DiscoverError>) -> Result<(), E> {
        let Checked { path, linted, fixes } = match checked {
            Ok(checked) => checked,
            Err(DiscoverError { path, kind: DiscoverErrorKind::Internal(error) }) => {
                self.summary.skills += 1;
                self.summary.errors += 1;
                let finding = unchecked(&path, &self.workspace.settings, &error);
                return (self.on_event)(Event::Unchecked(Box::new(finding)));
            }
            Err(problem) => return self.problem(problem),
        };
        self.summary.skills += 1;
        self.summary.fixed += fixes.as_ref().map_or(0, |fixes| fixes.applied.len());
        let Linted { mut outcome, name } = linted;
        let roster = self.workspace.settings.roster();
        if let Some(duplicate) = name.and_then(|name| self.names.add(name, roster)) {
            outcome.extend(duplicate);
        }
        let Outcome { diagnostics, waived, waived_security, used_waivers } = outcome;
        self.summary.waived += waived;
        self.summary.waived_security += waived_security;
        self.used_waivers.extend(used_waivers);
        let diagnostics = self.reported(diagnostics);
        (self.on_event)(Event::Checked(SkillReport { path, diagnostics, fixes }))
    }

    fn problem(&mut self, problem: DiscoverError) -> Result<(), E> {
        self.summary.problems += 1;
        (self.on_event)(Event::Problem(problem))
    }

    /// Returns the findings that are on changed lines and not in the baseline, and counts them.
    fn reported(&mut self, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        diagnostics.retain(|diagnostic| self.options.is_selected(diagnostic));
        if let Some(baseline) = &mut self.baseline {
            let before = diagnostics.len();
            diagnostics.retain(|diagnostic| !baseline.is_known(diagnostic));
            self.summary.known += before - diagnostics.len();
        }
        for diagnostic in &diagnostics {
            match diagnostic.level {
                Level::Deny => self.summary.errors += 1,
                Level::Warn | Level::Allow => self.summary.warnings += 1,
            }
            match diagnostic.fix.as_ref().map(|fix| fix.applicability) {
                Some(Applicability::Safe) => self.summary.fixable += 1,
                Some(Applicability::Unsafe) => self.summary.fixable_unsafe += 1,
                None => {}
            }
        }
        diagnostics
    }

    fn finish(mut self, input: &Input) -> Result<Summary, E> {
        let roots: Vec<_> = input.paths().iter().map(|path| discover::shown_path(path)).collect();
        let roots: Vec<&str> = roots.iter().map(String::as_str).collect();
        let settings = &self.workspace.settings;
        let diagnostics = config_diagnostics(settings, &self.used_waivers, &roots);
        let diagnostics = self.reported(diagnostics);
        (self.on_event)(Event::Configuration(diagnostics))?;
        Ok(self.summary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_finding_in_place_of_those_that_are_missing() {
        let workspace = Workspace::default();
        let input = Input::SkillFile { path: None, bytes: b"---\nname: a\n---\n".to_vec() };
        let mut unchecked = Vec::new();
        let on_event = |event| {
            if let Event::Unchecked(finding) = event {
                unchecked.push(finding);
            }
            Ok::<(), ()>(())
        };
        let options = RunOptions::default();
        let run = Run::new(&workspace, &options, None, on_event);
        let summary = run.run_with(&input, |_, _, _| panic!("Zebulonka")).expect("a summary");
        assert_eq!((summary.skills, summary.errors), (1, 1));
        assert_eq!(unchecked.len(), 1);
        assert_eq!(unchecked[0].rule.id, "unchecked-skill");
        assert!(!unchecked[0].message.contains("Zebulonka"), "{}", unchecked[0].message);
    }
}
