//! Random histories of two writers, lost answers and kills, compared with a model: what each exit
//! code promises is what the server has.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::chance::Chance;
use crate::support::interceptor::Mode;
use crate::support::writers::{End, SKILL, Snapshot, World, Writer};
use dibber_skill::contract::{HeartbeatId, HeartbeatListItem};

/// The number of histories; with `DIBBER_EVERY_FAULT`, more.
fn histories() -> u64 {
    if std::env::var_os("DIBBER_EVERY_FAULT").is_some() { 300 } else { 40 }
}

/// The threads that run them.
const THREADS: u64 = 2;
/// The commands of a history.
const STEPS: usize = 10;
/// The last lines that a skill can have.
const LINES: [&str; 3] = ["Water the fern.", "Water the moss.", "Water the oak."];
/// The label that its heading gives it.
const LABEL: &str = "Water plants";
/// The labels that `dibber skill update` gives it.
const LABELS: [&str; 2] = ["Green things", "Thirsty things"];
/// The schedules that the heartbeat can have.
const CRONS: [&str; 2] = ["0 9 * * *", "30 18 * * 5"];
/// The name of the heartbeat.
const TEA: &str = "Tea";

/// One command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Push {
        line: usize,
        is_forced: bool,
    },
    Pull,
    Rename(usize),
    /// From `sprout.yaml`, with that schedule.
    CreateHeartbeat(usize),
    /// By name, with that schedule.
    AddHeartbeat(usize),
    Pause,
    Resume,
    Reschedule(usize),
    Cancel,
}

/// The content of a skill: the last line of its prompt, and its label.
type Content = (String, String);

/// What the model knows of a writer.
#[derive(Default)]
struct Known {
    /// Whether another one has changed the skill since this one has published or pulled it.
    is_stale: bool,
    /// The contents that this one has published, pulled, tried to publish, or found when trying.
    seen: BTreeSet<Content>,
    /// The heartbeats that its `sprout.yaml` has made.
    from_file: BTreeSet<HeartbeatId>,
    /// The heartbeat that a lost `heartbeat create` with that schedule has made.
    lost: BTreeMap<usize, HeartbeatId>,
    /// The heartbeat that a lost change, by name, was meant for: the same command means it again,
    /// also when another one has its name by then.
    meant: BTreeMap<Step, HeartbeatId>,
    /// Whether the answer to a cancel was lost: the same command finds that it was carried out.
    has_lost_cancel: bool,
}

/// A history, and what is known of it.
struct History {
    world: World,
    writers: Vec<Writer>,
    known: Vec<Known>,
    /// What has happened, to understand a failure.
    log: Vec<String>,
}

impl History {
    fn new() -> Self {
        let world = World::new();
        let writers = vec![Writer::new()];
        Self { world, writers, known: vec![Known::default()], log: Vec::new() }
    }

    fn fail(&self, message: &str) -> ! {
        panic!("{message}\n{}", self.log.join("\n"))
    }

    /// The first writer makes the skill, however often it is interrupted; the second one gets the
    /// files.
    fn begin(&mut self, chance: &mut Chance) {
        let mut tried = BTreeSet::new();
        loop {
            let line = chance.below(LINES.len());
            tried.insert((LINES[line].to_owned(), LABEL.to_owned()));
            let end = self.push(0, line, false, fault(chance));
            let made = self.world.snapshot().skills.len();
            match end.code() {
                Some(0) if made == 1 => break,
                Some(0) => self.fail("success, and not one skill"),
                _ if made > 1 => self.fail("a second skill was made"),
                _ => {}
            }
        }
        self.writers.push(self.writers[0].cloned());
        let seen = BTreeSet::from([content(&self.world.snapshot())]);
        self.known =
            vec![Known { seen: tried, ..Known::default() }, Known { seen, ..Known::default() }];
    }

    fn push(&mut self, writer: usize, line: usize, is_forced: bool, mode: Mode) -> End {
        self.writers[writer].set_line(LINES[line]);
        // What a pull has written there would be another label.
        self.writers[writer].tree.remove(&format!("{SKILL}/sprout.yaml"));
        let force: &[&str] = if is_forced { &["--force"] } else { &[] };
        // Without its `sprout.yaml`, it would cancel the heartbeats that others change meanwhile.
        let push = &["push", "--yes", "--no-heartbeats", SKILL];
        let arguments = [push, force].concat();
        let end = self.world.run_with(&self.writers[writer], &arguments, mode);
        self.log.push(format!("{writer}: push {line} {is_forced} {mode:?}\n{}", end.show()));
        end
    }

    fn run(&mut self, writer: usize, step: Step, mode: Mode) -> End {
        let cron = |index: usize| CRONS[index];
        let arguments: Vec<&str> = match step {
            Step::Push { line, is_forced } => return self.push(writer, line, is_forced, mode),
            Step::Pull => vec!["pull", "--force", SKILL],
            Step::Rename(label) => vec!["skill", "update", SKILL, "--yes", "--name", LABELS[label]],
            Step::CreateHeartbeat(index) => {
                let manifest = format!("heartbeats:\n  - name: {TEA}\n    cron: {}\n", cron(index));
                self.writers[writer]
                    .tree
                    .write(&format!("{SKILL}/sprout.yaml"), manifest.as_bytes());
                vec!["heartbeat", "create", SKILL, "--yes"]
            }
            Step::AddHeartbeat(index) => {
                vec!["heartbeat", "create", TEA, "--cron", cron(index), "--skill", SKILL, "--yes"]
            }
            Step::Pause => vec!["heartbeat", "pause", TEA],
            Step::Resume => vec!["heartbeat", "resume", TEA],
            Step::Reschedule(index) => {
                vec!["heartbeat", "edit", TEA, "--cron", cron(index), "--yes"]
            }
            Step::Cancel => vec!["heartbeat", "cancel", TEA, "--yes"],
        };
        let end = self.world.run_with(&self.writers[writer], &arguments, mode);
        self.log.push(format!("{writer}: {step:?} {mode:?}\n{}", end.show()));
        end
    }

    /// Runs a command, and compares its output with what the server has.
    fn step(&mut self, writer: usize, step: Step, mode: Mode) {
        let before = self.world.snapshot();
        let end = self.run(writer, step, mode);
        let after = self.world.snapshot();
        let is_same = before == after;
        let is_done = is_done(step, &before, &after)
            || self.is_found(writer, step, &after)
            || self.is_meant(writer, step, &before, &after)
            || is_same && self.is_cancelled(writer, step, &after);
        match end.code() {
            Some(0) if !is_done => self.fail("success, and the server is in another state"),
            Some(2 | 3 | 5 | 6) if !is_same => self.fail("a refusal, and something was changed"),
            Some(7) | None if !is_same && !is_done && !may_finish(step, &before, &after) => {
                self.fail("neither the state before nor the one after");
            }
            Some(0 | 2 | 3 | 5 | 6 | 7) | None => {}
            Some(code) => self.fail(&format!("exit code {code}")),
        }
        self.check_conflict(writer, step, &end, (&before, &after));
        self.learn(writer, step, &end, (&before, &after));
        self.check_duplicates(writer, &after);
    }

    /// A push without `--force` stops when it would undo a change that its writer has not seen,
    /// and only then.
    fn check_conflict(
        &self,
        writer: usize,
        step: Step,
        end: &End,
        (before, after): (&Snapshot, &Snapshot),
    ) {
        let Step::Push { is_forced: false, .. } = step else { return };
        let would_change = !is_done(step, before, before);
        let Known { is_stale, seen, .. } = &self.known[writer];
        if end.code() == Some(3) && (!is_stale || !would_change) {
            self.fail("a conflict with nothing");
        }
        if would_change && before != after && !seen.contains(&content(before)) {
            self.fail("a lost update");
        }
    }

    /// Notes what a writer knows from now on.
    fn learn(
        &mut self,
        writer: usize,
        step: Step,
        end: &End,
        (before, after): (&Snapshot, &Snapshot),
    ) {
        if content(before) != content(after) {
            for (other, known) in self.known.iter_mut().enumerate() {
                // `skill update` changes the server, and not the directory.
                known.is_stale |= other != writer || matches!(step, Step::Rename(_));
            }
        }
        let known = &mut self.known[writer];
        let made = after.heartbeats.iter().filter(|item| !before.heartbeats.contains(item));
        let made = made.map(|item| item.heartbeat_id.clone());
        match (step, end.code()) {
            (Step::Push { .. } | Step::Pull, Some(0)) => {
                known.is_stale = false;
                // What was tried before may still arrive, and is this writer's own.
                if !end.show().contains("may still take effect") {
                    known.seen.clear();
                }
                known.seen.insert(content(after));
            }
            (Step::Push { line, .. }, Some(7) | None) => {
                let wanted = (LINES[line].to_owned(), LABEL.to_owned());
                known.seen.extend([content(before), wanted]);
            }
            (Step::CreateHeartbeat(_), _) if after.heartbeats.len() > before.heartbeats.len() => {
                known.from_file.extend(made);
            }
            (Step::AddHeartbeat(index), Some(7) | None) => {
                known.lost.extend(made.map(|id| (index, id)));
            }
            (Step::AddHeartbeat(index), Some(0)) => drop(known.lost.remove(&index)),
            (Step::Pause | Step::Resume | Step::Reschedule(_), Some(7) | None) => {
                if let [tea] = teas(before)[..] {
                    known.meant.entry(step).or_insert_with(|| tea.heartbeat_id.clone());
                }
            }
            (Step::Pause | Step::Resume | Step::Reschedule(_), Some(0)) => {
                known.meant.remove(&step);
            }
            (Step::Cancel, Some(7) | None) if before != after => known.has_lost_cancel = true,
            (Step::Cancel, Some(0)) if before == after => known.has_lost_cancel = false,
            _ => {}
        }
    }

    /// Returns `true` if a heartbeat that was lost is there: then the same command makes no other
    /// one, whatever it was changed to since.
    fn is_found(&self, writer: usize, step: Step, after: &Snapshot) -> bool {
        let Step::AddHeartbeat(index) = step else { return false };
        let Some(lost) = self.known[writer].lost.get(&index) else { return false };
        after.heartbeats.iter().any(|item| item.heartbeat_id == *lost)
    }

    /// Returns `true` if the heartbeat that a lost change was meant for has the state that it leads to,
    /// and no other one was changed.
    fn is_meant(&self, writer: usize, step: Step, before: &Snapshot, after: &Snapshot) -> bool {
        let Some(meant) = self.known[writer].meant.get(&step) else { return false };
        let others = |snapshot: &Snapshot| -> Vec<_> {
            let others = snapshot.heartbeats.iter().filter(|item| item.heartbeat_id != *meant);
            others.cloned().collect()
        };
        let is_it = |item: &&HeartbeatListItem| item.heartbeat_id == *meant;
        before.skills == after.skills
            && others(before) == others(after)
            && after.heartbeats.iter().find(is_it).is_some_and(|item| is_changed(step, item))
    }

    /// Returns `true` if the heartbeat is gone, and a cancel whose answer was lost did that.
    fn is_cancelled(&self, writer: usize, step: Step, after: &Snapshot) -> bool {
        matches!(step, Step::Cancel)
            && self.known[writer].has_lost_cancel
            && after.heartbeats.iter().all(|item| item.name != TEA)
    }

    /// A heartbeat of a file is there once, and so is the skill.
    fn check_duplicates(&self, writer: usize, after: &Snapshot) {
        let is_own = |id: &HeartbeatId| self.known[writer].from_file.contains(id);
        if after.heartbeats.iter().filter(|item| is_own(&item.heartbeat_id)).count() > 1 {
            self.fail("a heartbeat was made twice");
        }
        if after.skills.len() != 1 {
            self.fail("a skill was made twice");
        }
    }

    /// In the end everything can be brought in order, and nothing is left to do.
    fn end(&mut self) {
        for (writer, line) in [(0, 0), (1, 1), (0, 2)] {
            self.step(writer, Step::Push { line, is_forced: true }, Mode::Pass);
            let again = self.push(writer, line, false, Mode::Pass);
            if !again.show().contains("Nothing to publish") {
                self.fail("the second push has something to do");
            }
        }
    }
}

fn fault(chance: &mut Chance) -> Mode {
    match chance.below(8) {
        0 | 1 => Mode::LoseAnswer,
        2 => Mode::HoldAnswer,
        3 => Mode::HoldRequest,
        _ => Mode::Pass,
    }
}

fn any_step(chance: &mut Chance) -> Step {
    match chance.below(16) {
        0..=6 => Step::Push { line: chance.below(LINES.len()), is_forced: chance.below(5) == 0 },
        7 => Step::Pull,
        8 | 9 => Step::Rename(chance.below(LABELS.len())),
        10 => Step::CreateHeartbeat(chance.below(CRONS.len())),
        11 => Step::AddHeartbeat(chance.below(CRONS.len())),
        12 => Step::Pause,
        13 => Step::Resume,
        14 => Step::Reschedule(chance.below(CRONS.len())),
        _ => Step::Cancel,
    }
}

fn content(snapshot: &Snapshot) -> Content {
    let skill = &snapshot.skills[0];
    (skill.prompt.lines().last().unwrap_or_default().to_owned(), skill.name.clone())
}

/// Returns `true` if an interrupted command may have got that far: it finishes an earlier one with
/// another schedule first.
fn may_finish(step: Step, before: &Snapshot, after: &Snapshot) -> bool {
    matches!(step, Step::CreateHeartbeat(_))
        && before.skills == after.skills
        && after.heartbeats.len() == before.heartbeats.len() + 1
}

fn teas(snapshot: &Snapshot) -> Vec<&HeartbeatListItem> {
    snapshot.heartbeats.iter().filter(|item| item.name == TEA).collect()
}

/// Returns `true` if a heartbeat has the state that a change of it leads to.
fn is_changed(step: Step, item: &HeartbeatListItem) -> bool {
    match step {
        Step::Pause => !item.enabled,
        Step::Resume => item.enabled,
        Step::Reschedule(index) => item.cron == CRONS[index],
        _ => false,
    }
}

/// Returns `true` if a state is what a command leads to.
fn is_done(step: Step, before: &Snapshot, after: &Snapshot) -> bool {
    let teas = teas(after);
    let has = |index: usize| teas.iter().any(|item| item.cron == CRONS[index]);
    let more = after.heartbeats.len().checked_sub(before.heartbeats.len());
    let is_other_same = match step {
        Step::Push { .. } | Step::Rename(_) => before.heartbeats == after.heartbeats,
        _ => before.skills == after.skills,
    };
    let is_state = match step {
        Step::Push { line, .. } => content(after) == (LINES[line].to_owned(), LABEL.to_owned()),
        Step::Pull => before == after,
        Step::Rename(label) => content(after) == (content(before).0, LABELS[label].to_owned()),
        Step::CreateHeartbeat(index) => has(index) && more.is_some_and(|more| more <= 1),
        Step::AddHeartbeat(index) => has(index) && more == Some(1),
        // By name, there is only one.
        Step::Pause | Step::Resume | Step::Reschedule(_) => {
            teas.len() == 1 && is_changed(step, teas[0])
        }
        Step::Cancel => teas.is_empty() && before.heartbeats.len() == 1,
    };
    is_other_same && is_state
}

#[test]
fn no_command_reports_a_state_that_it_has_not_produced() {
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || {
                for seed in (thread..histories()).step_by(usize::try_from(THREADS).expect("few")) {
                    run(seed);
                }
            });
        }
    });
}

fn run(seed: u64) {
    let mut chance = Chance::new(seed);
    let mut history = History::new();
    history.log.push(format!("history {seed}"));
    history.begin(&mut chance);
    for _ in 0..STEPS {
        let writer = chance.below(2);
        let (step, mode) = (any_step(&mut chance), fault(&mut chance));
        history.step(writer, step, mode);
    }
    history.end();
}
