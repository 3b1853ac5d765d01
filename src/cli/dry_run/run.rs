//! A run over skills: reviews them in order and prints the results.

use std::ops::ControlFlow;
use std::time::Instant;

use super::arguments::Show;
use super::json::Json;
use super::skill::{self, Notice, RunContext, SkillResult};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::progress::{Progress, SummaryLine};
use crate::cli::term::ui::Ui;
use dibber_lint::Privacy;
use dibber_lint::ordered::for_each_ordered;
use dibber_lint::report::Problem;
use dibber_skill::contract::{Decision, WireEnum};
use dibber_skill::discover::{self, DiscoverError, FoundSkill};
use dibber_text::{Mask, quote_in_full};

/// The number of bytes that are buffered before they are written.
const CHUNK_BYTES: usize = 64 << 10;

/// A run of `dibber dry-run`.
pub(super) struct Run<'a> {
    context: &'a RunContext<'a>,
    ui: &'a mut Ui,
    json: Json,
    bytes: Vec<u8>,
    progress: Progress,
    tally: Tally,
    exit: Exit,
}

/// The number of skills for each decision, and of paths that could not be read.
#[derive(Default)]
struct Tally {
    allow: usize,
    review: usize,
    refuse: usize,
    problems: usize,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        context: &'a RunContext<'a>,
        ui: &'a mut Ui,
        started: Instant,
        skills: usize,
    ) -> Self {
        let progress = Progress::new(ui, context.options.summary_line, started, skills);
        let (json, bytes, tally) = Default::default();
        Self { context, ui, json, bytes, progress, tally, exit: Exit::Done }
    }

    /// Reviews every skill, in order.
    pub(super) fn run(
        mut self,
        found: &[FoundSkill],
        problems: &[DiscoverError],
    ) -> Result<Exit, CommandError> {
        if self.context.options.show == Show::Json {
            Json::begin(&mut self.bytes);
        }
        for problem in problems {
            self.report_problem(problem);
        }
        let context = self.context;
        let flow = for_each_ordered(
            found,
            |found| discover::isolated(&found.shown_skill_file(), || skill::review(found, context)),
            |reviewed| match self.consume(reviewed) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
            },
        );
        match flow {
            ControlFlow::Break(error) => Err(error),
            ControlFlow::Continue(()) => self.finish(),
        }
    }

    fn consume(
        &mut self,
        reviewed: Result<SkillResult, DiscoverError>,
    ) -> Result<(), CommandError> {
        self.progress.tick();
        let result = match reviewed {
            Ok(result) => result,
            Err(problem) => {
                self.report_problem(&problem);
                return Ok(());
            }
        };
        let is_first = self.tally.skills() == 0;
        self.tally.count(result.decision);
        match self.context.options.show {
            Show::Json => {
                self.json.draft(&result.printed, &mut self.bytes);
            }
            Show::Page if !is_first => {
                self.bytes.extend_from_slice(b"\n\n");
                self.bytes.extend_from_slice(&result.printed);
            }
            _ => self.bytes.extend_from_slice(&result.printed),
        }
        self.exit = self.exit.worst(result.exit);
        if self.bytes.len() >= CHUNK_BYTES || !result.messages.is_empty() {
            self.flush()?;
        }
        for message in result.messages {
            self.progress.hide();
            match message {
                Notice::Error(error) => self.ui.error(&error),
                Notice::Warning(message) => self.ui.warning(message),
                Notice::Lines(lines) => self.ui.eprint_rendered(&lines),
            }
        }
        match (&self.context.options.save, result.preview) {
            (Some(output), Some(preview)) => output.write(&preview, self.ui),
            _ => Ok(()),
        }
    }

    fn report_problem(&mut self, problem: &DiscoverError) {
        self.progress.hide();
        self.tally.problems += 1;
        let error = CommandError::from(problem);
        self.ui.error(&error);
        self.exit = self.exit.worst(error.exit_code());
        let privacy = Privacy { roster: self.context.render.roster };
        let path = privacy.mask(&problem.path).into_owned();
        let message = problem.message().shown(&privacy).to_string();
        self.json.problem(&Problem { path, message });
    }

    fn finish(mut self) -> Result<Exit, CommandError> {
        if self.context.options.show == Show::Json {
            self.json.end(&mut self.bytes);
        }
        self.flush()?;
        self.progress.hide();
        let shows_tally =
            self.tally.skills() > 1 && self.context.options.summary_line == SummaryLine::Print;
        if shows_tally {
            self.ui.eprintln(quote_in_full(&self.tally.line()));
        }
        Ok(self.exit)
    }

    fn flush(&mut self) -> Result<(), CommandError> {
        let bytes = std::mem::take(&mut self.bytes);
        self.progress.suspend(|| self.ui.print(&bytes))
    }
}

impl Tally {
    const fn skills(&self) -> usize {
        self.allow + self.review + self.refuse
    }

    const fn count(&mut self, decision: Decision) {
        match decision {
            Decision::Allow => self.allow += 1,
            Decision::Review => self.review += 1,
            Decision::Refuse => self.refuse += 1,
        }
    }

    /// Returns "3 skills: 2 allow, 1 refuse".
    fn line(&self) -> String {
        let counts = [
            (self.allow, Decision::Allow),
            (self.review, Decision::Review),
            (self.refuse, Decision::Refuse),
        ];
        let present = counts.iter().filter(|(count, _)| *count > 0);
        let words: Vec<_> =
            present.map(|(count, decision)| format!("{count} {}", decision.name())).collect();
        let mut line = format!("{} skills: {}", self.skills(), words.join(", "));
        match self.problems {
            0 => {}
            1 => line += "; 1 path could not be read",
            problems => line += &format!("; {problems} paths could not be read"),
        }
        line
    }
}
