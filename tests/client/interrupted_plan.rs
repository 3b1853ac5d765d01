//! A push with everything that it can have to do, interrupted at each of its writes: the server is
//! in the state that the exit code promises, and the same command finishes the rest once.

use std::collections::BTreeSet;
use std::fs;

use crate::support::interceptor::Mode;
use crate::support::writers::{End, SKILL, World, Writer};

const PUSH: [&str; 3] = ["push", "--yes", "--prune"];
/// The folder that is gone.
const GONE: &str = "skills/sing";

/// What is between two things of a state.
const SEPARATOR: &str = ", ";

const BEFORE: &str = "heartbeats:
  - name: Tea
    cron: 0 9 * * *
  - name: Nap
    cron: 0 13 * * *
";
/// One heartbeat is changed, one is cancelled, and one is new.
const AFTER: &str = "heartbeats:
  - name: Tea
    cron: 0 10 * * *
  - name: Walk
    cron: 0 15 * * *
";

/// A server, and a writer whose push has to change a skill, to set its heartbeats, and to archive
/// another skill.
struct Prepared {
    world: World,
    writer: Writer,
}

impl Prepared {
    fn new() -> Self {
        let (world, writer) = (World::new(), Writer::new());
        let manifest = format!("{SKILL}/sprout.yaml");
        writer.tree.write(&manifest, BEFORE.as_bytes());
        let gone =
            "---\nname: sing\ndescription: Sings. Use when it is late.\n---\n\n# Sing\n\nSing.";
        writer.tree.write(&format!("{GONE}/SKILL.md"), gone.as_bytes());
        let song = "heartbeats:\n  - name: Song\n    cron: 0 19 * * *\n";
        writer.tree.write(&format!("{GONE}/sprout.yaml"), song.as_bytes());
        let first = world.run(&writer, &PUSH);
        assert_eq!(first.code, 0, "{}", first.show());
        writer.set_line("the new text");
        writer.tree.write(&manifest, AFTER.as_bytes());
        fs::remove_dir_all(writer.tree.path().join(GONE)).expect("a directory");
        Self { world, writer }
    }

    /// What the server has: the last line of each skill in use, and the heartbeats.
    fn state(&self) -> String {
        let snapshot = self.world.snapshot();
        let lines = self.world.last_lines();
        let heartbeats = snapshot.heartbeats.iter();
        let heartbeats = heartbeats.map(|listed| format!("{} {}", listed.name, listed.cron));
        let mut state: Vec<_> = lines.into_iter().chain(heartbeats).collect();
        state.sort();
        state.join(SEPARATOR)
    }

    /// Runs the push; so many writes pass before they are intercepted.
    fn interrupt(&self, writes: usize, mode: Mode) -> End {
        self.world.interceptor.pass_first(writes);
        let end = self.world.run_with(&self.writer, &PUSH, mode);
        self.world.interceptor.pass_first(0);
        end
    }

    /// The same command finishes what is left, and then has nothing to do.
    fn finish(&self, last: &str, case: &str) {
        let again = self.world.run(&self.writer, &PUSH);
        assert_eq!(again.code, 0, "{case}: {}", again.show());
        assert_eq!(self.state(), last, "{case}: {}", again.show());
        self.world.interceptor.release();
        let nothing = self.world.run(&self.writer, &PUSH);
        assert_eq!(nothing.code, 0, "{case}: {}", nothing.show());
        assert!(nothing.stderr.starts_with("Nothing to publish"), "{case}: {}", nothing.show());
        assert_eq!(self.state(), last, "{case}: {}", nothing.show());
        assert_eq!(self.writer.unfinished(), 0, "{case}: {}", again.show());
        let lock = self.writer.tree.read("dibber.lock");
        let records = ["[[skill]]", "\"Tea\"", "\"Walk\"", "\"Nap\"", "\"Song\""];
        let counts = records.map(|record| lock.matches(record).count());
        assert_eq!(counts, [1, 1, 1, 0, 0], "{case}: {lock}");
    }
}

/// The states of the server after each write, the first one before all of them.
fn states() -> Vec<String> {
    let mut states = Vec::new();
    loop {
        let prepared = Prepared::new();
        let end = prepared.interrupt(states.len(), Mode::HoldRequest);
        states.push(prepared.state());
        if end.code() == Some(0) {
            return states;
        }
        assert_eq!(end.code(), None, "{}", end.show());
        assert!(states.len() < 20, "a push that never ends");
    }
}

/// Returns `true` if everything in a state is there in one of these, and what is there in both of
/// them is in it.
fn is_between(state: &str, first: &str, last: &str) -> bool {
    let things =
        |state: &'_ str| state.split(SEPARATOR).map(str::to_owned).collect::<BTreeSet<_>>();
    let (state, first, last) = (things(state), things(first), things(last));
    state.is_subset(&(&first | &last)) && state.is_superset(&(&first & &last))
}

/// How a write is interrupted.
const MODES: [Mode; 4] = [Mode::Refuse, Mode::LoseAnswer, Mode::HoldRequest, Mode::HoldAnswer];

/// Each write in one way; with `DIBBER_EVERY_FAULT`, in all of them.
#[test]
fn an_interrupted_push_leaves_what_its_exit_code_says_and_is_finished_once() {
    let states = states();
    insta::assert_snapshot!(states.join("\n"));
    let last = states.last().expect("a state");
    let each = std::env::var_os("DIBBER_EVERY_FAULT").is_some();
    for (index, mode) in MODES.into_iter().enumerate() {
        for writes in (0..states.len() - 1).filter(|writes| each || writes % MODES.len() == index) {
            let case = format!("{mode:?} after {writes} writes");
            let prepared = Prepared::new();
            let end = prepared.interrupt(writes, mode);
            let state = prepared.state();
            match (mode, end.code()) {
                // The writes were not sent, or refused: neither they nor what follows is done.
                (Mode::HoldRequest, None) | (Mode::Refuse, Some(6)) => {
                    assert_eq!(state, states[writes], "{case}: {}", end.show());
                }
                (Mode::HoldAnswer, None) => assert_eq!(state, states[writes + 1], "{case}"),
                // It is not known whether they are done.
                (Mode::LoseAnswer | Mode::Refuse, Some(7)) => {
                    let is_known = is_between(&state, &states[writes], last);
                    assert!(is_known, "{case}: {state}: {}", end.show());
                }
                _ => panic!("{case}: {}", end.show()),
            }
            prepared.finish(last, &case);
        }
    }
}
