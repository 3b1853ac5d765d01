//! What is done with the events of a run: fixes are written, and findings reported.

use super::arguments::{Action, Apply, LintOptions};
use super::output::Output;
use crate::cli::error::{CommandError, missing_path_help};
use crate::cli::exit::Exit;
use crate::cli::term::diff;
use crate::cli::write;
use dibber_lint::Privacy;
use dibber_lint::baseline::Baseline;
use dibber_lint::report::{Problem, Summary};
use dibber_lint::workspace::{Event, Input, SkillChange, SkillFixes};
use dibber_skill::diagnostic::{Diagnostic, Group, Level};
use dibber_skill::discover::{DiscoverError, DiscoverErrorKind};
use dibber_skill::names::Roster;
use dibber_text::{Mask, escape_line};

/// Reports a run of `dibber lint`.
pub(super) struct Reporter<'a> {
    options: &'a LintOptions,
    input: &'a Input,
    roster: &'a Roster,
    output: Output<'a>,
    /// The number of skills that could not be checked.
    unchecked: usize,
    /// The number of skills whose changes could not be written.
    unwritten_skills: usize,
    unwritten: Unwritten,
    /// The number of errors about security that get no waiver because their rules are not named.
    unnamed: usize,
    /// All findings, to write a baseline.
    found: Vec<Diagnostic>,
}

/// The numbers of changes that are not in any skill: shown as a diff, or could not be written.
#[derive(Default)]
struct Unwritten {
    all: usize,
    /// The number of waivers of findings about security among them.
    security: usize,
}

impl Unwritten {
    fn add(&mut self, fixes: &SkillFixes) {
        self.all += fixes.applied.len();
        self.security += fixes.waived_security;
    }
}

impl<'a> Reporter<'a> {
    pub(super) fn new(
        options: &'a LintOptions,
        input: &'a Input,
        roster: &'a Roster,
        output: Output<'a>,
    ) -> Self {
        Self {
            options,
            input,
            roster,
            output,
            unchecked: 0,
            unwritten_skills: 0,
            unwritten: Unwritten::default(),
            unnamed: 0,
            found: Vec::new(),
        }
    }

    /// Handles one event of the run.
    pub(super) fn handle(&mut self, event: Event) -> Result<(), CommandError> {
        match event {
            Event::Found(skills) => self.output.start_progress(skills),
            Event::Problem(problem) => {
                self.output.tick();
                self.problem(&problem)?;
            }
            Event::Checked(report) => {
                self.output.tick();
                self.apply(report.fixes.as_ref())?;
                self.diagnostics(report.diagnostics)?;
                let path = Privacy { roster: self.roster }.mask(&report.path);
                self.output.checked(&path)?;
            }
            Event::Unchecked(finding) => {
                self.output.tick();
                self.unchecked += 1;
                self.apply(None)?;
                self.output.unchecked(&finding)?;
            }
            Event::Configuration(diagnostics) => self.diagnostics(diagnostics)?,
        }
        Ok(())
    }

    /// Ends the report. Returns how the command ends.
    pub(super) fn finish(mut self, mut summary: Summary) -> Result<Exit, CommandError> {
        if let Action::WriteBaseline(path) = &self.options.action {
            write::replace(path, Baseline::new(&self.found).render().as_bytes())?;
            self.output.baseline_written(self.found.len(), path);
        }
        match &self.options.action {
            Action::Change(SkillChange::Fix(_), Apply::Show) => {
                summary.would_fix = std::mem::take(&mut summary.fixed);
            }
            Action::Change(SkillChange::Fix(_), Apply::Write) => {
                summary.fixed = summary.fixed.saturating_sub(self.unwritten.all);
            }
            Action::Change(SkillChange::AddWaivers(_), apply) => {
                let added = std::mem::take(&mut summary.fixed);
                if *apply == Apply::Show {
                    summary.would_waive = added;
                }
                let Unwritten { all, security } = self.unwritten;
                summary.waived = summary.waived.saturating_sub(all);
                summary.waived_security = summary.waived_security.saturating_sub(security);
            }
            Action::Report | Action::WriteBaseline(_) => {}
        }
        summary.problems += self.unwritten_skills;
        let exit = self.exit(&summary);
        self.output.finish(summary, self.unnamed)?;
        Ok(exit)
    }

    fn diagnostics(&mut self, diagnostics: Vec<Diagnostic>) -> Result<(), CommandError> {
        if let Action::Change(SkillChange::AddWaivers(new), _) = &self.options.action {
            let is_unnamed = |diagnostic: &&Diagnostic| {
                diagnostic.rule.group == Group::Security && !new.cover(diagnostic)
            };
            self.unnamed += diagnostics.iter().filter(is_unnamed).count();
        }
        match self.options.action {
            Action::Report | Action::Change(_, Apply::Write) => {
                diagnostics.iter().try_for_each(|diagnostic| self.output.diagnostic(diagnostic))
            }
            Action::Change(_, Apply::Show) => Ok(()),
            Action::WriteBaseline(_) => {
                self.found.extend(diagnostics);
                Ok(())
            }
        }
    }

    /// Writes or shows the fixes of a skill.
    fn apply(&mut self, fixes: Option<&SkillFixes>) -> Result<(), CommandError> {
        match (&self.options.action, self.input, fixes) {
            (Action::Change(_, Apply::Show), _, Some(fixes)) => {
                self.unwritten.add(fixes);
                let SkillFixes { shown, before, after, .. } = fixes;
                self.output.diff(&diff::unified(shown, before, after, self.roster))
            }
            // An editor replaces what it sent with what comes back, fixed or not. Without fixes,
            // that is every byte of it, also those that are not UTF-8.
            (Action::Change(_, Apply::Write), Input::SkillFile { bytes, .. }, fixes) => {
                self.output.print_fixed(fixes.map_or(bytes, |fixes| fixes.after.as_bytes()))
            }
            (Action::Change(change, Apply::Write), Input::Paths(_), Some(fixes)) => {
                self.write(change, fixes)
            }
            _ => Ok(()),
        }
    }

    /// Writes the changes of a skill file, unless it was saved since it was read.
    fn write(&mut self, change: &SkillChange, fixes: &SkillFixes) -> Result<(), CommandError> {
        let SkillFixes { path: Some(path), shown, before, after, applied, .. } = fixes else {
            return Ok(());
        };
        let shown = Privacy { roster: self.roster }.mask(shown);
        if write::replace_if_unchanged(path, Some(before.as_bytes()), after.as_bytes())? {
            match change {
                SkillChange::Fix(_) => self.output.fixed(&shown, applied)?,
                SkillChange::AddWaivers(_) => self.output.changed(&shown, applied),
            }
            return Ok(());
        }
        self.unwritten_skills += 1;
        self.unwritten.add(fixes);
        let changes = match change {
            SkillChange::Fix(_) => "fixes",
            SkillChange::AddWaivers(_) => "waivers",
        };
        let message = format!(
            "{}: changed while it was linted; its {changes} are not written",
            escape_line(&shown)
        );
        self.output.problem(&Problem { path: shown.into_owned(), message }, None)
    }

    fn problem(&mut self, problem: &DiscoverError) -> Result<(), CommandError> {
        let privacy = Privacy { roster: self.roster };
        let path = privacy.mask(&problem.path).into_owned();
        let message = problem.message().shown(&privacy).to_string();
        let help = matches!(problem.kind, DiscoverErrorKind::NotFound)
            .then(|| missing_path_help(&problem.path));
        self.output.problem(&Problem { path, message }, help)
    }

    fn exit(&self, summary: &Summary) -> Exit {
        let Summary { errors, warnings, would_fix, would_waive, problems, .. } = *summary;
        let fails = match self.options.action {
            Action::WriteBaseline(_) => false,
            Action::Change(_, Apply::Show) => would_fix + would_waive > 0,
            Action::Report | Action::Change(_, Apply::Write) => {
                errors > 0 || (self.options.fails_on == Level::Warn && warnings > 0)
            }
        };
        match (problems, fails || self.unchecked > 0) {
            (1.., _) => Exit::Usage,
            (0, true) => Exit::Findings,
            (0, false) => Exit::Done,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::time::Instant;

    use clap::Args;

    use super::super::arguments::LintArgs;
    use super::super::{configuration, read_input};
    use super::*;
    use crate::cli::names_file::Names;
    use crate::cli::term::color_choice::ColorChoice;
    use crate::cli::term::ui::Ui;
    use dibber_lint::report::FORMATS;
    use dibber_lint::workspace::RunOptions;
    use dibber_lint::{Workspace, unchecked};
    use dibber_text::isolation::isolated;

    /// The message of the panic, which no output shows.
    const SECRET: &str = "Zebulonka \u{1B}[31m";

    /// Lints three skills into a file, as if dibber had panicked on the second one.
    fn lint(directory: &Path, arguments: &[&str]) -> (Exit, String) {
        for name in ["a-fine", "b-panics", "c-broken"] {
            let directory = directory.join("skills").join(name);
            fs::create_dir_all(&directory).expect("a directory");
            let description = if name == "c-broken" { "" } else { "Plans trips. Use for trips." };
            let text = format!("---\nname: {name}\ndescription: {description}\n---\nAsk.\n");
            fs::write(directory.join("SKILL.md"), text).expect("a file");
        }
        let report = directory.join("report");
        let typed = ["--no-config", "--quiet", "--output"].into_iter().map(str::to_owned);
        let paths = [&report, &directory.join("skills")].map(|path| path.display().to_string());
        let typed = typed.chain(paths).chain(arguments.iter().map(ToString::to_string));
        let command = LintArgs::augment_args(clap::Command::new("lint").no_binary_name(true));
        let matches = command.try_get_matches_from(typed).expect("arguments");
        let options = LintOptions::new(&matches).expect("options");
        let mut ui = Ui::new(ColorChoice::Never, Names::default());
        let workspace = configuration::settings(&options, &mut ui).map(Workspace::new);
        let workspace = workspace.expect("settings");
        let roster = Roster::default();
        let input = read_input(&options, &roster).expect("an input");
        let output = Output::new(&options, &roster, &mut ui, Instant::now()).expect("a file");
        let change = options.action.change().cloned();
        let run = RunOptions { change, ..RunOptions::default() };
        let mut reporter = Reporter::new(&options, &input, &roster, output);
        let mut checked = 0;
        let mut summary = workspace
            .run(&input, run, |event| {
                checked += usize::from(matches!(event, Event::Checked(_)));
                reporter.handle(match event {
                    Event::Checked(_) if checked == 2 => {
                        let error = isolated(|| panic!("{SECRET}")).expect_err("a panic");
                        let path = directory.join("skills/b-panics/SKILL.md");
                        let path = path.display().to_string();
                        let finding = unchecked(&path, workspace.settings(), &error);
                        Event::Unchecked(Box::new(finding))
                    }
                    event => event,
                })
            })
            .expect("a run");
        summary.errors += 1;
        let exit = reporter.finish(summary);
        // A baseline is written without a report.
        (exit.expect("a report"), fs::read_to_string(report).unwrap_or_default())
    }

    /// Changes a skill that is saved before the changes are written. Returns the report.
    fn change_while_it_is_saved(arguments: &[&str]) -> serde_json::Value {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("SKILL.md");
        let text = "\u{FEFF}---\nname: a\ndescription: Plans trips.\n---\nSee /home/ada/a.txt.\n";
        fs::write(&path, text).expect("a file");
        let command = LintArgs::augment_args(clap::Command::new("lint").no_binary_name(true));
        let report = directory.path().join("report");
        let paths = [&report, directory.path()].map(|path| path.display().to_string());
        let typed = ["--no-config", "--format", "json", "--output"].map(str::to_owned);
        let typed = typed.into_iter().chain(paths).chain(arguments.iter().map(ToString::to_string));
        let matches = command.try_get_matches_from(typed).expect("arguments");
        let options = LintOptions::new(&matches).expect("options");
        let mut ui = Ui::new(ColorChoice::Never, Names::default());
        let settings = configuration::settings(&options, &mut ui).expect("settings");
        let (workspace, roster) = (Workspace::new(settings), Roster::default());
        let input = read_input(&options, &roster).expect("an input");
        let output = Output::new(&options, &roster, &mut ui, Instant::now()).expect("a file");
        let change = options.action.change().cloned();
        let run = RunOptions { change, ..RunOptions::default() };
        let mut reporter = Reporter::new(&options, &input, &roster, output);
        let mut planned = 0;
        let summary = workspace.run(&input, run, |event| {
            if let Event::Checked(report) = &event {
                planned += report.fixes.as_ref().map_or(0, |fixes| fixes.applied.len());
                fs::write(&path, "saved").expect("a file");
            }
            reporter.handle(event)
        });
        assert!(planned > 0, "there is something to change");
        assert_eq!(reporter.finish(summary.expect("a run")).expect("a report"), Exit::Usage);
        assert_eq!(fs::read_to_string(&path).expect("a file"), "saved");
        let report = fs::read_to_string(report).expect("a report");
        serde_json::from_str(&report).expect("JSON")
    }

    #[test]
    fn what_an_editor_saves_meanwhile_is_not_overwritten() {
        let waivers = ["--add-waivers", "--reason", "known"];
        for (arguments, changes) in [(&["--unsafe-fixes"][..], "fixes"), (&waivers, "waivers")] {
            let report = change_while_it_is_saved(arguments);
            let message = report["problems"][0]["message"].as_str().expect("a message");
            let end =
                format!("SKILL.md: changed while it was linted; its {changes} are not written");
            assert!(message.ends_with(&end), "{message}");
            for count in ["fixed", "waived", "waivedSecurity"] {
                assert_eq!(report["summary"][count], 0, "{count} {arguments:?}");
            }
        }
    }

    #[test]
    fn a_skill_without_findings_passes_after_a_panic_on_another() {
        let directory = tempfile::tempdir().expect("a directory");
        let arguments = ["--format", "junit", "--level", "all=allow"];
        let (_, report) = lint(directory.path(), &arguments);
        assert_eq!(report.matches("name=\"no findings\"").count(), 2, "{report}");
    }

    #[test]
    fn a_panic_on_one_skill_is_a_finding_in_every_format() {
        for format in FORMATS {
            let directory = tempfile::tempdir().expect("a directory");
            let (exit, report) = lint(directory.path(), &["--format", format.name]);
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
        let elsewhere = tempfile::tempdir().expect("a directory");
        let baseline = elsewhere.path().join("baseline").display().to_string();
        for arguments in [
            &["--level", "all=allow"][..],
            &["--level", "all=warn", "--fix"],
            &["--diff"],
            &["--write-baseline", &baseline],
        ] {
            let directory = tempfile::tempdir().expect("a directory");
            let (exit, report) = lint(directory.path(), arguments);
            assert_eq!(exit, Exit::Findings, "{arguments:?}");
            let is_reported = report.contains("unchecked-skill");
            assert_eq!(is_reported, arguments[0] == "--level", "{arguments:?}\n{report}");
        }
    }
}
