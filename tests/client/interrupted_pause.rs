//! A push that replaces a paused heartbeat, interrupted at each of its writes: the same command
//! leaves one heartbeat, which is paused.

use crate::support::interceptor::Mode;
use crate::support::writers::{SKILL, World, Writer};

const PUSH: [&str; 2] = ["push", "--yes"];

/// The writes of the push: it cancels the heartbeat, creates another one, and pauses that.
const WRITES: usize = 3;

const MODES: [Mode; 4] = [Mode::Refuse, Mode::LoseAnswer, Mode::HoldRequest, Mode::HoldAnswer];

/// Writes the manifest with a heartbeat, which has to be replaced if it posts its results or not.
fn write(writer: &Writer, posts_results: bool) {
    let manifest = format!(
        "heartbeats:\n  - name: Tea\n    cron: 0 9 * * *\n    postResultNotify: {posts_results}\n"
    );
    writer.tree.write(&format!("{SKILL}/sprout.yaml"), manifest.as_bytes());
}

#[test]
fn a_replaced_heartbeat_stays_paused_wherever_the_push_is_interrupted() {
    for (mode, writes) in MODES.into_iter().flat_map(|mode| (0..WRITES).map(move |it| (mode, it))) {
        let case = format!("{mode:?} after {writes} writes");
        let (world, writer) = (World::new(), Writer::new());
        write(&writer, false);
        let first = world.run(&writer, &PUSH);
        assert_eq!(first.code, 0, "{case}: {}", first.show());
        let paused = world.run(&writer, &["heartbeat", "pause", "Tea"]);
        assert_eq!(paused.code, 0, "{case}: {}", paused.show());
        write(&writer, true);
        world.interceptor.pass_first(writes);
        let end = world.run_with(&writer, &PUSH, mode);
        world.interceptor.pass_first(0);
        assert_ne!(end.code(), Some(0), "{case}: {}", end.show());
        let again = world.run(&writer, &PUSH);
        assert_eq!(again.code, 0, "{case}: {}", again.show());
        let heartbeats = world.snapshot().heartbeats;
        let [heartbeat] = &heartbeats[..] else { panic!("{case}: {}", again.show()) };
        let state = (heartbeat.post_result_notify, heartbeat.enabled);
        assert_eq!(state, (Some(true), false), "{case}: {}", again.show());
        world.interceptor.release();
        let nothing = world.run(&writer, &PUSH);
        assert!(nothing.stderr.starts_with("Nothing to publish"), "{case}: {}", nothing.show());
        assert_eq!(writer.unfinished(), 0, "{case}: {}", nothing.show());
    }
}
