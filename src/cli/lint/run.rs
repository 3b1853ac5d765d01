//! The run itself: skills in order, through the linter, into the report.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::Job;
use super::arguments::{Action, Options};
use super::output::Output;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::ordered::for_each_ordered;
use crate::cli::{diff, write};
use dibber_lint::baseline::Baseline;
use dibber_lint::changed::ChangedLines;
use dibber_lint::duplicates::{Named, Seen};
use dibber_lint::report::{Problem, Summary};
use dibber_lint::{Outcome, Settings};
use dibber_skill::diagnostic::{Applicability, Diagnostic, Level};
use dibber_skill::discover::{self, DiscoverError, DiscoverErrorKind};
use dibber_skill::names::Roster;
use dibber_skill::skill::Skill;
use dibber_text::isolation::InternalError;

/// What a run works with, and does not change.
pub(super) struct Plan<'a> {
    pub(super) options: &'a Options,
    pub(super) settings: &'a Settings,
    pub(super) changes: Option<&'a ChangedLines>,
    pub(super) roster: &'a Roster,
}

impl Plan<'_> {
    /// Tells whether a finding is on changed lines, when only those are asked for.
    fn reports(&self, diagnostic: &Diagnostic) -> bool {
        self.changes.is_none_or(|changes| changes.covers(diagnostic))
    }
}

/// A run of `dibber lint` under way.
pub(super) struct Run<'a> {
    plan: Plan<'a>,
    baseline: Option<Baseline>,
    output: Output<'a>,
    summary: Summary,
    seen: Seen,
    used_waivers: BTreeSet<usize>,
    /// How many skills could not be checked.
    unchecked: usize,
    /// Everything found, kept only to write a baseline.
    found: Vec<Diagnostic>,
}

/// What came of one skill.
struct Checked {
    outcome: Outcome,
    named: Option<Named>,
    fixed: Option<FixedFile>,
}

/// A skill file whose text the fixes have changed.
struct FixedFile {
    shown: String,
    before: String,
    after: String,
    fixes: usize,
}

impl<'a> Run<'a> {
    pub(super) fn new(plan: Plan<'a>, baseline: Option<Baseline>, output: Output<'a>) -> Self {
        Self {
            plan,
            baseline,
            output,
            summary: Summary::default(),
            seen: Seen::default(),
            used_waivers: BTreeSet::new(),
            unchecked: 0,
            found: Vec::new(),
        }
    }

    /// Lints every job, in order, and ends the report.
    pub(super) fn run(
        self,
        jobs: &[Job],
        problems: &[DiscoverError],
    ) -> Result<Exit, CommandError> {
        self.run_with(check, jobs, problems)
    }

    /// Does so with another `check`; one that panics leaves out its skill alone.
    fn run_with(
        mut self,
        check: impl Fn(&Job, &Plan<'_>) -> Result<Checked, DiscoverError> + Sync,
        jobs: &[Job],
        problems: &[DiscoverError],
    ) -> Result<Exit, CommandError> {
        for problem in problems {
            self.problem(problem);
        }
        let Plan { options, settings, changes, roster } = self.plan;
        let plan = Plan { options, settings, changes, roster };
        let ended = for_each_ordered(
            jobs,
            |job| (job, discover::isolated(&job.shown(), || check(job, &plan))),
            |(job, checked)| match self.consume(job, checked) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
            },
        );
        match ended {
            ControlFlow::Break(error) => Err(error),
            ControlFlow::Continue(()) => self.finish(),
        }
    }

    fn consume(
        &mut self,
        job: &Job,
        checked: Result<Checked, DiscoverError>,
    ) -> Result<(), CommandError> {
        self.output.tick();
        let Checked { mut outcome, named, fixed } = match checked {
            Ok(checked) => checked,
            Err(DiscoverError { path, kind: DiscoverErrorKind::Internal(error) }) => {
                return self.unchecked(job, &path, &error);
            }
            Err(problem) => {
                self.problem(&problem);
                return Ok(());
            }
        };
        self.summary.skills += 1;
        if let Some(fixed) = fixed {
            self.apply(job, &fixed)?;
        }
        if let Some(finding) = named.and_then(|named| self.seen.observe(named)) {
            let settings = self.plan.settings;
            let settle = || Ok(dibber_lint::settle(&load(job)?, settings, vec![finding]));
            match discover::isolated(&job.shown(), settle) {
                Ok(settled) => outcome.extend(settled),
                Err(DiscoverError { path, kind: DiscoverErrorKind::Internal(error) }) => {
                    self.report_unchecked(&path, &error)?;
                }
                // It could be read a moment ago, and all else that is known of it is reported.
                Err(_) => {}
            }
        }
        self.summary.waived += outcome.waived;
        self.used_waivers.extend(outcome.used_waivers);
        outcome.diagnostics.into_iter().try_for_each(|diagnostic| self.diagnostic(diagnostic))
    }

    /// Goes on without a skill on whose check dibber panicked.
    fn unchecked(
        &mut self,
        job: &Job,
        path: &str,
        error: &InternalError,
    ) -> Result<(), CommandError> {
        self.summary.skills += 1;
        // An editor puts what comes out in the place of what went in.
        if let (Action::Fix(_), Job::Text(_, bytes)) = (&self.plan.options.action, job) {
            self.output.filtered(bytes)?;
        }
        self.report_unchecked(path, error)
    }

    fn report_unchecked(&mut self, path: &str, error: &InternalError) -> Result<(), CommandError> {
        self.summary.errors += 1;
        self.unchecked += 1;
        self.output.unchecked(&dibber_lint::unchecked(path, self.plan.settings, error))
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Result<(), CommandError> {
        if !self.plan.reports(&diagnostic) {
            return Ok(());
        }
        if self.baseline.as_mut().is_some_and(|baseline| baseline.is_known(&diagnostic)) {
            self.summary.known += 1;
            return Ok(());
        }
        match diagnostic.level {
            Level::Deny => self.summary.errors += 1,
            Level::Warn | Level::Allow => self.summary.warnings += 1,
        }
        match diagnostic.fix.as_ref().map(|fix| fix.applicability) {
            Some(Applicability::Safe) => self.summary.fixable += 1,
            Some(Applicability::Unsafe) => self.summary.fixable_unsafe += 1,
            None => {}
        }
        match &self.plan.options.action {
            Action::Report | Action::Fix(_) => self.output.diagnostic(&diagnostic),
            Action::ShowFixes(_) => Ok(()),
            Action::WriteBaseline(_) => {
                self.found.push(diagnostic);
                Ok(())
            }
        }
    }

    /// Shows or writes a text that the fixes have changed.
    fn apply(&mut self, job: &Job, fixed: &FixedFile) -> Result<(), CommandError> {
        match self.plan.options.action {
            Action::ShowFixes(_) => self.summary.would_fix += fixed.fixes,
            _ => self.summary.fixed += fixed.fixes,
        }
        match (&self.plan.options.action, job) {
            (Action::ShowFixes(_), _) => {
                let FixedFile { shown, before, after, .. } = fixed;
                self.output.text(&diff::unified(shown, before, after, self.plan.roster))
            }
            // A text that is not repaired may hold bytes that are not text.
            (_, Job::Text(_, bytes)) if fixed.fixes == 0 => self.output.filtered(bytes),
            (_, Job::Text(..)) => self.output.filtered(fixed.after.as_bytes()),
            (_, Job::Found(found)) => {
                write::replace(&found.folder.join(&found.skill_file), fixed.after.as_bytes())
            }
        }
    }

    fn problem(&mut self, problem: &DiscoverError) {
        self.summary.problems += 1;
        // Names go before characters are escaped, which would part the letters of one.
        let path = self.plan.roster.mask(&problem.path).into_owned();
        let message = problem.message_at(&path);
        let message = self.plan.roster.mask(&message).into_owned();
        let problem = Problem { path, message };
        self.output.problem(&problem);
    }

    fn finish(mut self) -> Result<Exit, CommandError> {
        let roots: Vec<_> =
            self.plan.options.input.paths().iter().map(|path| discover::shown_path(path)).collect();
        let roots: Vec<&str> = roots.iter().map(String::as_str).collect();
        for diagnostic in self.plan.settings.after(&self.used_waivers, &roots) {
            self.diagnostic(diagnostic)?;
        }
        if let Action::WriteBaseline(path) = &self.plan.options.action {
            write::replace(path, Baseline::of(&self.found).render().as_bytes())?;
        }
        let exit = self.exit();
        self.output.finish(self.summary)?;
        Ok(exit)
    }

    fn exit(&self) -> Exit {
        let Summary { errors, warnings, would_fix, problems, .. } = self.summary;
        let fails = match self.plan.options.action {
            Action::WriteBaseline(_) => false,
            Action::ShowFixes(_) => would_fix > 0,
            Action::Report | Action::Fix(_) => {
                errors > 0 || (self.plan.options.fails_on == Level::Warn && warnings > 0)
            }
        };
        match (problems, fails || self.unchecked > 0) {
            (1.., _) => Exit::Usage,
            (0, true) => Exit::Findings,
            (0, false) => Exit::Done,
        }
    }
}

/// Loads, lints, and fixes where that is wanted; everything that can be done on any thread.
fn check(job: &Job, plan: &Plan<'_>) -> Result<Checked, DiscoverError> {
    let mut skill = load(job)?;
    let mut fixed = None;
    let reported = |skill: &Skill| {
        let outcome = dibber_lint::lint_unlimited(skill, plan.settings);
        outcome.diagnostics.into_iter().filter(|diagnostic| plan.reports(diagnostic)).collect()
    };
    if let Action::Fix(applicability) | Action::ShowFixes(applicability) = plan.options.action {
        let before = skill.source.text().to_owned();
        let done = dibber_lint::fix::fix(skill, applicability, reported);
        skill = done.skill;
        // What came in on standard input goes out again, repaired or not.
        let is_filter = matches!((job, &plan.options.action), (Job::Text(..), Action::Fix(_)));
        fixed = (is_filter || !done.applied.is_empty()).then(|| FixedFile {
            shown: skill.source.path().to_owned(),
            before,
            after: skill.source.text().to_owned(),
            fixes: done.applied.len(),
        });
    }
    let named = Named::of(&skill);
    Ok(Checked { outcome: dibber_lint::lint(&skill, plan.settings), named, fixed })
}

fn load(job: &Job) -> Result<Skill, DiscoverError> {
    match job {
        Job::Found(found) => discover::load(found),
        Job::Text(path, bytes) => Ok(discover::load_text(path.as_deref(), bytes.clone())),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::time::Instant;

    use clap::Args;

    use super::super::arguments::LintArgs;
    use super::super::configuration;
    use super::*;
    use crate::cli::names_file::Names;
    use crate::cli::term::ui::ColorChoice;
    use crate::cli::term::ui::Ui;
    use dibber_lint::report::FORMATS;

    /// What nothing shows of a panic.
    const SECRET: &str = "Zebulonka \u{1B}[31m";

    /// Lints three skills, of which the second one panics, into a file.
    fn lint(folder: &Path, arguments: &[&str]) -> (Exit, String) {
        for name in ["a-fine", "b-panics", "c-broken"] {
            let folder = folder.join("skills").join(name);
            fs::create_dir_all(&folder).expect("a folder");
            let description = if name == "c-broken" { "" } else { "Plans trips. Use for trips." };
            let text = format!("---\nname: {name}\ndescription: {description}\n---\nAsk.\n");
            fs::write(folder.join("SKILL.md"), text).expect("a file");
        }
        let report = folder.join("report");
        let typed = ["--no-config", "--quiet", "--output"].into_iter().map(str::to_owned);
        let paths = [&report, &folder.join("skills")].map(|path| path.display().to_string());
        let typed = typed.chain(paths).chain(arguments.iter().map(ToString::to_string));
        let command = LintArgs::augment_args(clap::Command::new("lint").no_binary_name(true));
        let matches = command.try_get_matches_from(typed).expect("arguments");
        let options = Options::new(&matches).expect("options");
        let mut ui = Ui::new(ColorChoice::Never, Names::default());
        let settings = configuration::settings(&options, &mut ui).expect("settings");
        let roster = Roster::default();
        let (jobs, problems) = super::super::jobs(&options, &settings, &roster).expect("jobs");
        let output = Output::new(&options, &mut ui, Instant::now(), jobs.len()).expect("a file");
        let (changes, settings) = (None, &settings);
        let plan = Plan { options: &options, settings, changes, roster: &roster };
        let check = |job: &Job, plan: &Plan<'_>| {
            assert!(!job.shown().contains("b-panics"), "{SECRET}");
            check(job, plan)
        };
        let exit = Run::new(plan, None, output).run_with(check, &jobs, &problems);
        (exit.expect("a report"), fs::read_to_string(report).expect("a report"))
    }

    #[test]
    fn a_panic_on_one_skill_is_a_finding_and_the_others_are_checked() {
        for format in FORMATS {
            let folder = tempfile::tempdir().expect("a folder");
            let (exit, report) = lint(folder.path(), &["--format", format.name]);
            assert_eq!(exit, Exit::Findings, "{}", format.name);
            for part in ["unchecked-skill", "b-panics/SKILL.md", "c-broken", "missing-description"]
            {
                assert!(report.contains(part), "{}: no {part} in\n{report}", format.name);
            }
            assert!(!report.contains("Zebulonka"), "{report}");
            if matches!(format.name, "json" | "sarif" | "gitlab") {
                serde_json::from_str::<serde_json::Value>(&report).expect("JSON");
            }
        }
    }

    #[test]
    fn nothing_hides_a_panic() {
        let elsewhere = tempfile::tempdir().expect("a folder");
        let baseline = elsewhere.path().join("baseline").display().to_string();
        for arguments in [
            &["--level", "all=allow"][..],
            &["--level", "all=warn", "--fix"],
            &["--diff"],
            &["--write-baseline", &baseline],
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let (exit, report) = lint(folder.path(), arguments);
            assert_eq!(exit, Exit::Findings, "{arguments:?}");
            let is_reported = report.contains("unchecked-skill");
            assert_eq!(is_reported, arguments[0] == "--level", "{arguments:?}\n{report}");
        }
    }
}
